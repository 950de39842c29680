#include "extract/attempts/assign.h"

#include <gmock/gmock.h>

namespace gate::extract::assign_test {
namespace {

using testing::ElementsAre;

Likeness all_differ(std::size_t, std::size_t) { return Likeness::other; }
Likeness all_alike(std::size_t, std::size_t) { return Likeness::copy; }

// A piece of that source, on these lines, with these steps.
SourcePiece piece(std::size_t source, Extent lines, Extent steps, std::optional<Extent> times = {}) {
  SourcePiece made;
  made.source = source;
  made.order = lines;
  made.steps = steps;
  made.times = times;
  return made;
}

constexpr std::int64_t s = 1'000'000;  // microseconds of a second

std::vector<std::size_t> assigned(const std::vector<SourcePiece>& pieces, InDoubt mode = InDoubt::undecided,
                                  Likeness (*like)(std::size_t, std::size_t) = all_differ) {
  const Assignment assignment = assign_pieces(pieces, mode, like);
  if (!assignment.doubts.empty()) return {99};
  return assignment.attempts;
}

TEST(Assign, theExampleOfTheManual) {
  const std::vector<SourcePiece> pieces{piece(0, {1, 3}, {1, 2}), piece(1, {2, 4}, {1, 2}),
                                        piece(1, {6, 7}, {2, 3}), piece(0, {8, 9}, {2, 3})};
  EXPECT_THAT(assigned(pieces, InDoubt::undecided, all_alike), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(assigned(pieces), ElementsAre(99));
}

TEST(Assign, whatValuesAloneTellIsNoted) {
  const std::vector<SourcePiece> laid_behind{piece(0, {1, 2}, {1, 2}), piece(1, {3, 4}, {1, 2})};
  EXPECT_THAT(assign_pieces(laid_behind, InDoubt::undecided, all_alike).copies, testing::SizeIs(1));
  EXPECT_THAT(assign_pieces(laid_behind, InDoubt::next, all_alike).copies, testing::IsEmpty())
      << "a person said so";
  const std::vector<SourcePiece> beside{piece(0, {1, 3}, {1, 2}), piece(1, {2, 4}, {1, 2})};
  EXPECT_THAT(assign_pieces(beside, InDoubt::undecided, all_alike).copies, testing::IsEmpty());
}

TEST(Assign, aSourcesPiecesAreAttemptsOfTheirOwn) {
  EXPECT_THAT(assigned({piece(0, {1, 2}, {1, 2}), piece(0, {3, 4}, {1, 2}), piece(0, {5, 6}, {2, 3})}),
              ElementsAre(0, 1, 2));
}

TEST(Assign, whatBeginsAboveGoesOn) {
  EXPECT_THAT(assigned({piece(0, {1, 2}, {1, 2}), piece(1, {3, 4}, {3, 4})}), ElementsAre(0, 0));
}

TEST(Assign, whatBeginsLaterAndGoesBeyondIsAResume) {
  EXPECT_THAT(assigned({piece(0, {1, 5}, {1, 5}), piece(1, {6, 9}, {4, 7})}), ElementsAre(0, 1));
}

TEST(Assign, timesTell) {
  const SourcePiece first = piece(0, {1, 5}, {1, 5}, Extent{10 * s, 15 * s});
  EXPECT_THAT(assigned({first, piece(1, {6, 9}, {1, 4}, Extent{11 * s, 14 * s})}), ElementsAre(0, 0));
  EXPECT_THAT(assigned({first, piece(1, {6, 9}, {1, 4}, Extent{60 * s, 64 * s})}), ElementsAre(0, 1));
  EXPECT_THAT(assigned({first, piece(1, {6, 6}, {5, 5}, Extent{15 * s + 900'000, 15 * s + 900'000})}),
              ElementsAre(0, 0));
  // what was printed before stands before, wherever it stands in the file
  EXPECT_THAT(assigned({first, piece(1, {6, 9}, {1, 4}, Extent{2 * s, 5 * s})}), ElementsAre(1, 0));
}

TEST(Assign, aStartMarkerOfASourceThatHadPrintedTells) {
  SourcePiece second = piece(1, {6, 9}, {1, 4});
  second.starts_before = 1;
  EXPECT_THAT(assigned({piece(0, {1, 5}, {1, 5}), second}), ElementsAre(0, 1));
}

TEST(Assign, aPersonTellsWhatNobodyElseCan) {
  const std::vector<SourcePiece> pieces{piece(0, {1, 5}, {1, 5}), piece(0, {6, 9}, {1, 9}),
                                        piece(1, {10, 12}, {1, 3})};
  EXPECT_THAT(assigned(pieces), ElementsAre(99));
  EXPECT_THAT(assigned(pieces, InDoubt::next), ElementsAre(0, 1, 2));
  EXPECT_THAT(assigned(pieces, InDoubt::together), ElementsAre(0, 1, 0));
}

TEST(Assign, aLateTailOverlapsTwoAttempts) {
  const std::vector<SourcePiece> pieces{piece(0, {1, 8}, {1, 5}), piece(1, {2, 11}, {1, 5}),
                                        piece(0, {10, 20}, {1, 6}), piece(1, {12, 22}, {1, 6})};
  EXPECT_THAT(assigned(pieces), ElementsAre(0, 0, 1, 1));
}

TEST(Assign, filesWithoutTimesAreMatchedInTheirOrder) {
  const auto in_stream = [](SourcePiece made, std::size_t id) { return made.stream_id = id, made; };
  const std::vector<SourcePiece> two{piece(0, {1, 5}, {1, 5}), piece(0, {6, 9}, {3, 8}),
                                     in_stream(piece(1, {10, 14}, {1, 5}), 1),
                                     in_stream(piece(1, {15, 19}, {3, 8}), 1)};
  EXPECT_THAT(assigned(two), ElementsAre(0, 1, 0, 1));
  const std::vector<SourcePiece> one{two[0], two[1], two[3]};
  EXPECT_THAT(assigned(one), ElementsAre(99));
  const auto like_the_last = [](std::size_t a, std::size_t b) {
    return a + b == 3 ? Likeness::copy : Likeness::other;
  };
  EXPECT_THAT(assigned(one, InDoubt::undecided, like_the_last), ElementsAre(0, 1, 1));
}

TEST(Assign, thereMayBeNothing) { EXPECT_EQ(assign_pieces({}, InDoubt::undecided, all_alike).count, 0U); }

}  // namespace
}  // namespace gate::extract::assign_test
