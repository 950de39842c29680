#include "extract/records/line_joiner.h"

#include <gmock/gmock.h>

#include <vector>

namespace gate::extract::line_joiner_test {
namespace {

using testing::ElementsAre;

const JoinRules several{[](std::string_view line) { return line.starts_with("[step="); },
                        [](std::string_view line) {
                          const std::size_t begin = line.find("  ");
                          return begin == npos ? std::string_view{} : line.substr(begin);
                        }};

const JoinRules bars{nullptr, nullptr,
                     [](std::string_view line) { return line.substr(0, line.starts_with("Epoch") ? 9 : 0); }};

class Lines {
 public:
  explicit Lines(const JoinRules& rules)
      : joiner_(rules, [this](const CleanLine& line) {
          taken.push_back(std::to_string(line.place.line) + ": " + std::string(line.text));
        }) {}

  void read(std::string_view text, std::string_view source = "") {
    CleanLine line;
    line.text = text;
    line.source = source;
    line.own = text.size();
    line.place.line = ++number_;
    joiner_.read(line);
  }
  void end() { joiner_.end_file(0); }

  std::vector<std::string> taken;

 private:
  LineJoiner joiner_;
  std::uint32_t number_ = 0;
};

TEST(LineJoiner, joins_lines_that_go_on_until_another_comes) {
  Lines lines(several);
  for (const char* line : {"before", "[step=1]", "  a=1", "  b=2", "other", "  c=3"}) lines.read(line);
  EXPECT_THAT(lines.taken, ElementsAre("1: before", "2: [step=1]\n  a=1\n  b=2", "5: other", "6:   c=3"));
}

TEST(LineJoiner, lets_go_of_a_record_where_the_next_one_begins_and_where_the_file_ends) {
  Lines lines(several);
  for (const char* line : {"[step=1]", "  a=1", "[step=2]", "  a=2"}) lines.read(line);
  EXPECT_THAT(lines.taken, ElementsAre("1: [step=1]\n  a=1"));
  lines.end();
  EXPECT_THAT(lines.taken, ElementsAre("1: [step=1]\n  a=1", "3: [step=2]\n  a=2"));
}

TEST(LineJoiner, keeps_sources_apart) {
  Lines lines(several);
  lines.read("[step=1]", "[rank0]");
  lines.read("[step=1]", "[rank1]");
  lines.read("  a=1", "[rank0]");
  lines.read("  a=2", "[rank1]");
  lines.end();
  EXPECT_THAT(lines.taken, ElementsAre("1: [step=1]\n  a=1", "2: [step=1]\n  a=2"));
}

const JoinRules anywhere{[](std::string_view line) { return line.find("[step=") != npos; }, several.goes_on};

TEST(LineJoiner, tells_writers_apart_by_what_stands_before_their_lines) {
  Lines lines(anywhere);
  for (const char* line : {"10:00:01 a| [step=1]", "10:00:01 b| [step=1]", "10:00:02 a|    x=1",
                           "10:00:02 b|    x=2", "10:00:03 a| other", "10:00:03 a|    y=1"})
    lines.read(line);
  EXPECT_THAT(lines.taken, ElementsAre("1: 10:00:01 a| [step=1]\n    x=1", "5: 10:00:03 a| other",
                                       "6: 10:00:03 a|    y=1"));
  lines.end();
  EXPECT_EQ(lines.taken.back(), "2: 10:00:01 b| [step=1]\n    x=2");
}

TEST(LineJoiner, waits_some_lines_for_the_second_part_of_who_is_not_known_yet) {
  Lines lines(anywhere);
  lines.read("a| [step=1]");
  for (int i = 0; i < 16; ++i) lines.read("b| other");
  EXPECT_EQ(lines.taken.back(), "17: b| other");
  lines.read("b| other");
  EXPECT_THAT(lines.taken, testing::Contains("1: a| [step=1]"));
}

TEST(LineJoiner, lets_a_record_grow_no_longer_than_64_KiB) {
  Lines lines(several);
  lines.read("[step=1]");
  const std::string more = "  " + std::string(40000, 'x');
  for (int i = 0; i < 3; ++i) lines.read(more);
  EXPECT_THAT(lines.taken, testing::SizeIs(2));
}

TEST(LineJoiner, takes_the_last_drawing_of_a_bar) {
  Lines lines(bars);
  for (const char* line : {"Epoch 1/2 old", "Validation", "Epoch 1/2 new", "Epoch 2/2 old"}) lines.read(line);
  EXPECT_THAT(lines.taken, ElementsAre("2: Validation", "3: Epoch 1/2 new"));
  lines.end();
  EXPECT_THAT(lines.taken, ElementsAre("2: Validation", "3: Epoch 1/2 new", "4: Epoch 2/2 old"));
}

TEST(LineJoiner, passes_on_every_line_of_formats_whose_lines_stand_alone) {
  const JoinRules alone;
  Lines lines(alone);
  lines.read("[step=1]");
  EXPECT_THAT(lines.taken, ElementsAre("1: [step=1]"));
}

}  // namespace
}  // namespace gate::extract::line_joiner_test
