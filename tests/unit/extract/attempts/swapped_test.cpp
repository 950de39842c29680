// Lines of one source in the other order, and what is numbered by report behind a resume.
#include "extract/attempts/swapped.h"

#include <gmock/gmock.h>

#include "attempts/printed_lines.h"
#include "reading.h"

namespace gate::extract::swapped_test {
namespace {

using attempts_test::step;
using testing::ElementsAre;
using testing::IsEmpty;

SampleTape tape(std::initializer_list<std::int64_t> numbers) {
  SampleTape tape;
  for (const std::int64_t number : numbers) tape.append(SampleView{number, {}, "", 0, 0});
  return tape;
}

bool swapped(std::initializer_list<std::int64_t> piece, std::initializer_list<std::int64_t> next) {
  return are_swapped(tape(piece), tape(next));
}

TEST(Swapped, EachPieceLacksTheStepOfTheOther) {
  EXPECT_TRUE(swapped({4, 5, 7}, {6, 8, 9}));
  EXPECT_TRUE(swapped({10, 20, 40}, {30, 50}));
  EXPECT_TRUE(swapped({2}, {1, 3, 4}));        // the first two
  EXPECT_TRUE(swapped({4, 5, 7}, {6}));        // the last two
  EXPECT_TRUE(swapped({5, 7}, {6, 9}));        // 8 is swapped with 9, too
  EXPECT_TRUE(swapped({5, 7, 7}, {6, 6, 8}));  // printed by two
}

TEST(Swapped, WhatBeganAgainIsNot) {
  EXPECT_FALSE(swapped({5, 6, 7}, {6, 7, 8}));  // a resume
  EXPECT_FALSE(swapped({5, 6, 7}, {6, 8, 9}));
  EXPECT_FALSE(swapped({5, 7}, {6, 7, 8}));
  EXPECT_FALSE(swapped({5, 7}, {1, 2, 3}));
  EXPECT_FALSE(swapped({10, 20}, {12, 22, 32}));  // it prints every tenth step from where it went on
  EXPECT_FALSE(swapped({20}, {12, 22}));
  EXPECT_FALSE(swapped({1}, {1, 2}));
  EXPECT_FALSE(swapped({2}, {1}));  // nothing else tells
  EXPECT_FALSE(swapped({5, 7}, {6, 7}));
}

// The k-th line of a log of steps 1 to 12, and the one behind it, change places.
std::string with_swap(int at, const std::function<std::string(int)>& line) {
  std::string log;
  for (int number = 1; number <= 12; ++number)
    log += line(number == at ? at + 1 : number == at + 1 ? at : number);
  return log;
}

std::string all_of(const std::function<std::string(int)>& word) {
  std::string text;
  for (int number = 1; number <= 12; ++number)
    text += (number == 1 ? "" : " ") + std::to_string(number) + "=" + word(number);
  return text;
}

std::string loss_of(int number) { return std::to_string(20 - number) + ".5"; }
std::string memory_of(int number) { return std::to_string(10 + number) + ".25"; }

std::string titan(int number) {
  return "[rank0]:[titan] 2026-03-04 10:00:01,000 - root - INFO - step: " + std::to_string(number) +
         "  loss: " + loss_of(number) + "  grad_norm: 1.5000  memory: " + memory_of(number) +
         "GiB(25.00%)  tps: 5,000  tflops: 100.00  mfu: 32.00%\n";
}

std::string gib(int number) { return memory_of(number) + "GiB(25.00%)"; }

TEST(Swapped, LinesAreOfOneAttempt) {
  for (int at = 1; at < 12; ++at) {
    SCOPED_TRACE(at);
    const Extraction x = read_log(with_swap(at, titan));
    EXPECT_EQ(x.attempts.size(), 1U);
    EXPECT_EQ(words(x, "lm_loss"), all_of(loss_of));
    EXPECT_EQ(words(x, "memory_max_reserved", 0), all_of(gib));
    EXPECT_EQ(x.doubt, "");
    EXPECT_THAT(problems(x, ProblemKind::restart), IsEmpty());
    EXPECT_THAT(problems(x, ProblemKind::other),
                ElementsAre(std::to_string(at + 1) + ": step " + std::to_string(at) + " stands behind step " +
                            std::to_string(at + 1) + ": two lines in the other order"));
  }
}

TEST(Swapped, SeveralPairsAreAsWell) {
  std::string log;
  for (const int number : {2, 1, 3, 5, 4, 7, 6, 8, 9, 10, 12, 11}) log += titan(number);
  const Extraction x = read_log(log);
  EXPECT_EQ(words(x, "lm_loss"), all_of(loss_of));
  EXPECT_EQ(words(x, "memory_max_reserved", 0), all_of(gib));
  EXPECT_EQ(x.doubt, "");
}

TEST(Swapped, PatternsLinesAreAsWell) {
  const auto line = [](int number) {
    return "at " + std::to_string(number) + " speed=" + loss_of(number) + "\n";
  };
  for (int at = 1; at < 12; ++at) {
    const Extraction x = read_log(with_swap(at, line), attempts_test::speed_and_evaluation());
    EXPECT_EQ(words(x, "speed"), all_of(loss_of)) << at;
    EXPECT_EQ(x.attempts.size(), 1U) << at;
  }
}

std::string dictionary(int number) {
  return "{'loss': " + loss_of(number) +
         ", 'grad_norm': 1.5, 'learning_rate': 1e-05, 'epoch': " + std::to_string(number / 100.0) + "}\n";
}

TEST(Swapped, LinesWithoutAStepAreInDoubt) {
  for (int at = 1; at < 12; ++at)
    EXPECT_EQ(
        read_log(with_swap(at, dictionary)).doubt,
        "lines " + std::to_string(at) + " and " + std::to_string(at + 1) +
            " stand in the other order and print no step, so that nobody can tell which steps they are: "
            "put them in order");
  std::string resumed;
  for (const int number : {1, 2, 3, 4, 5, 6, 4, 5, 6, 7, 8, 9, 10, 11, 12}) resumed += dictionary(number);
  EXPECT_EQ(read_log(resumed).doubt, "");
  EXPECT_EQ(words(read_log(resumed), "lm_loss"), all_of(loss_of));
}

TEST(Swapped, LinesBehindAWordThatARunFailedAreNot) {
  std::string log = titan(1) + titan(2) + titan(4);
  log += "RuntimeError: CUDA error: an illegal memory access was encountered\n";
  log += titan(3) + titan(5);
  EXPECT_EQ(read_log(log).attempts.size(), 2U);
}

TEST(Swapped, TwoWritersAreTold) {
  std::string log;
  for (const int number : {5, 1, 6, 2, 7, 3, 8, 4, 9, 5, 10, 6}) log += titan(number);
  EXPECT_NE(read_log(log).doubt, "");
}

// --- reports of step lines ---

std::string lines(int first, int last) {
  std::string log;
  for (int number = first; number <= last; ++number) log += titan(number);
  return log;
}

TEST(ReportsOfSteps, GoOnWhereARunResumed) {
  for (int end = 1; end <= 12; ++end)
    for (int begin = 2; begin <= std::min(end + 1, 12); ++begin) {
      SCOPED_TRACE(testing::Message() << end << ' ' << begin);
      for (const std::string_view between : {"", "killed\n"}) {
        const Extraction x = read_log(lines(1, end) + std::string(between) + lines(begin, 12));
        EXPECT_EQ(words(x, "lm_loss"), all_of(loss_of));
        EXPECT_EQ(words(x, "memory_max_reserved", 0), all_of(gib));
      }
    }
}

// --- of lines that stand beside the steps ---

std::string json(int number) {
  return "{\"step\": " + std::to_string(number) + ", \"loss\": " + loss_of(number) +
         ", \"peak_memory_gb\": " + memory_of(number) + "}\n";
}

TEST(ReportsOfSteps, BesideThemGoOnAsWell) {
  std::string log;
  for (const int number : {1, 2, 4, 3, 5, 6, 7, 8, 6, 7, 8, 9, 10, 11, 12}) log += json(number);
  const Extraction x = read_log(log);
  EXPECT_EQ(words(x, "lm_loss"), all_of(loss_of));
  EXPECT_EQ(words(x, "memory_max_allocated"), all_of(memory_of));
}

TEST(ReportsOfSteps, GoOnThroughSeveralResumes) {
  const Extraction x = read_log(lines(1, 6) + lines(4, 8) + lines(4, 7) + lines(6, 12));
  EXPECT_EQ(words(x, "memory_max_reserved", 0), all_of(gib));
}

TEST(ReportsOfSteps, GoOnBehindASwap) {
  const Extraction x = read_log(lines(1, 4) + titan(6) + titan(5) + lines(7, 8) + lines(7, 12));
  EXPECT_EQ(x.attempts.size(), 2U);
  EXPECT_EQ(words(x, "lm_loss"), all_of(loss_of));
  EXPECT_EQ(words(x, "memory_max_reserved", 0), all_of(gib));
}

TEST(ReportsOfSteps, CountFromOneWhereARunBeganAnew) {
  const Extraction x = read_log(lines(1, 5) + lines(1, 12));
  EXPECT_EQ(words(x, "memory_max_reserved", 0), all_of(gib));
  EXPECT_EQ(words(*find_series(x.attempts[1].series, "memory_max_reserved", 0)), all_of(gib));
}

// A rank's report, which stands once behind a launch.
TEST(ReportsOfRanks, OfABlockWrittenTwiceAreThoseOfOne) {
  using attempts_test::report;
  const auto lines_of = [](int first, int last) {
    std::string log;
    for (int number = first; number <= last; ++number) log += step(number, loss_of(number));
    return log;
  };
  const std::string begin = step(1, loss_of(1)) + report(0, 1, "7.5");
  const Extraction twice = read_log(begin + lines_of(2, 6) + lines_of(4, 12));
  EXPECT_EQ(words(twice, "lm_loss"), all_of(loss_of));
  EXPECT_EQ(words(twice, "memory_allocated", 0), "1=7.5");
  const Extraction resumed = read_log(begin + lines_of(2, 6) + step(4, "9.5") + lines_of(5, 12));
  EXPECT_EQ(words(resumed, "memory_allocated", 0), "no series") << "it died before it told";
}

TEST(ReportsOfSteps, OfABlockWrittenTwiceAreThoseOfOne) {
  for (int first = 1; first <= 12; ++first)
    for (int last = first; last <= 12; ++last) {
      const Extraction x = read_log(lines(1, last) + lines(first, 12));
      EXPECT_EQ(words(x, "memory_max_reserved", 0), all_of(gib)) << first << ' ' << last;
    }
}

}  // namespace
}  // namespace gate::extract::swapped_test
