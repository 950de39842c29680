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

TEST(Swapped, WhereARunWentOnItMayBe) {
  const auto may_be = [](std::initializer_list<std::int64_t> piece,
                         std::initializer_list<std::int64_t> next) {
    return may_be_swapped(tape(piece), tape(next));
  };
  EXPECT_TRUE(may_be({3, 4, 5}, {4, 6, 7}));
  EXPECT_TRUE(may_be({30, 40, 50, 50}, {40, 60, 70, 80}));
  EXPECT_FALSE(may_be({3, 4, 5}, {4, 5, 6}));
  EXPECT_FALSE(may_be({3, 4, 5}, {4, 6, 8}));  // it prints every second step
  EXPECT_FALSE(may_be({3, 4, 5}, {3, 6, 7}));
  EXPECT_FALSE(may_be({3, 4, 5}, {5, 6, 7}));
  EXPECT_FALSE(may_be({3, 4, 5}, {4, 6}));
  EXPECT_EQ(read_log(lines(1, 4) + titan(5) + titan(4) + lines(6, 12)).doubt,
            "lines 5 and 6 may stand in the other order where the run went on: put them in order");
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

// --- reports of ranks ---

using Told = std::function<bool(int)>;  // whether the step of that number is one of which a rank reports

Told every(int steps) {
  return [steps](int number) { return number % steps == 0; };
}

// Behind the first steps of a launch.
Told launch(int first, int last) {
  return [=](int number) { return first <= number && number <= last; };
}

std::string record(int number, const Told& told, const std::string& more = "") {
  std::string text = step(number, loss_of(number) + more, 12);
  for (const int rank : {0, 1})
    if (told(number)) text += attempts_test::report(rank, number, memory_of(number) + more);
  return text;
}

std::string records(int first, int last, const Told& told, const std::string& more = "") {
  std::string log;
  for (int number = first; number <= last; ++number) log += record(number, told, more);
  return log;
}

// The reports of each N-th step, those from `first` on with more words.
std::string reports_of(int steps, int first = 13, const std::string& more = "") {
  std::string text;
  for (int number = steps; number <= 12; number += steps)
    text += (text.empty() ? "" : " ") + std::to_string(number / steps) + "=" + memory_of(number) +
            (number < first ? "" : more);
  return text;
}

TEST(ReportsOfRanks, GoOnWhereARunResumed) {
  for (const int steps : {1, 5, 6})
    for (int end = 3; end <= 12; end += SANITIZED ? 3 : 1)
      for (int begin = 2; begin <= std::min(end + 1, 12); begin += SANITIZED ? 2 : 1) {
        SCOPED_TRACE(testing::Message() << steps << ' ' << end << ' ' << begin);
        const std::string before = records(1, end, every(steps));
        const Extraction same = read_log(before + records(begin, 12, every(steps)));
        EXPECT_EQ(words(same, "lm_loss"), all_of(loss_of));
        EXPECT_EQ(words(same, "memory_allocated", 0), reports_of(steps));
        EXPECT_EQ(words(same, "memory_allocated", 1), reports_of(steps));
        if (begin == end) continue;  // one step with two values
        const Extraction other = read_log(before + records(begin, 12, every(steps), "1"));
        EXPECT_EQ(words(other, "memory_allocated", 1), reports_of(steps, begin, "1"));
      }
}

TEST(ReportsOfRanks, GoOnThroughSeveralResumes) {
  const Told each = every(1);
  EXPECT_EQ(
      words(read_log(records(1, 6, each) + records(4, 8, each) + records(4, 7, each) + records(6, 12, each)),
            "memory_allocated", 0),
      reports_of(1));
}

TEST(ReportsOfRanks, OfSwappedRecordsAreOfOneAttempt) {
  for (int at = 1; at < 12; ++at) {
    const Extraction x = read_log(with_swap(at, [](int number) { return record(number, every(1)); }));
    EXPECT_EQ(x.attempts.size(), 1U) << at;
    EXPECT_EQ(words(x, "lm_loss"), all_of(loss_of)) << at;
    EXPECT_EQ(words(x, "memory_allocated", 1), reports_of(1)) << at;
  }
}

TEST(ReportsOfRanks, OfARecordWrittenTwiceAreThoseOfOne) {
  for (int at = 1; at <= 12; ++at) {
    const Extraction x = read_log(records(1, at, every(1)) + records(at, 12, every(1)));
    EXPECT_EQ(x.attempts.size(), 1U) << at;
    EXPECT_EQ(words(x, "memory_allocated", 1), reports_of(1)) << at;
  }
}

TEST(ReportsOfRanks, OfALaunchCountFromOne) {
  for (const int told : {1, 2})
    for (int end = 3; end <= 10; ++end)
      for (int begin = 3; begin <= std::min(end + 1, 8); ++begin) {
        if (begin == end || begin == told + 1) continue;
        SCOPED_TRACE(testing::Message() << told << ' ' << end << ' ' << begin);
        const Extraction x = read_log(records(1, end, launch(1, told)) +
                                      records(begin, 12, launch(begin, begin + told - 1), "1"));
        EXPECT_EQ(words(x, "memory_allocated", 1),
                  "1=" + memory_of(begin) + "1" + (told == 1 ? "" : " 2=" + memory_of(begin + 1) + "1"));
      }
}

TEST(ReportsOfRanks, OfShortLaunchesCountFromOneAsWell) {
  const std::string log = records(1, 5, launch(1, 2)) + records(3, 7, launch(3, 4), "1") +
                          records(5, 9, launch(5, 6), "2") + records(7, 8, launch(7, 8), "3");
  EXPECT_EQ(words(read_log(log), "memory_allocated", 0), "1=17.253 2=18.253");
}

TEST(ReportsOfRanks, OfLaunchesOfOneAttemptCountWhatNeededMost) {
  const auto told = [](int number) { return number == 1 || number == 6; };
  const auto log = [&](const std::string& first, const std::string& later) {
    return step(1, "9.5", 12) + attempts_test::report(0, 1, first) + records(2, 5, told) +
           step(6, "4.5", 12) + attempts_test::report(0, 6, later) + records(7, 11, told);
  };
  EXPECT_EQ(words(read_log(log("7.5", "9.5")), "memory_allocated", 0), "1=9.5");
  EXPECT_EQ(words(read_log(log("9.5", "7.5")), "memory_allocated", 0), "1=9.5");
}

// What a launch told beside those of every N-th step is of the next one of these.
TEST(ReportsOfRanks, OfLaunchesBesideThoseOfEveryNthStepGoWithThem) {
  const auto told = [](int begin) {
    return [=](int number) { return number % 4 == 0 || number == begin || number == begin + 1; };
  };
  EXPECT_EQ(words(read_log(records(1, 12, told(1))), "memory_allocated", 0),
            "1=11.25 2=12.25 3=14.25 4=18.25 5=22.25");
  EXPECT_EQ(
      words(read_log(records(1, 6, told(1)) + records(5, 12, told(5), "1") + records(11, 12, told(11), "2")),
            "memory_allocated", 0),
      "1=11.25 2=12.25 3=14.25 4=18.251 5=22.252");
}

// Behind the first step, and at every N-th one.
TEST(ReportsOfRanks, OfEveryNthStepAreNotOfLaunches) {
  EXPECT_EQ(words(read_log(records(1, 12, every(2))), "memory_allocated", 0), reports_of(2));
  const auto told = [](int number) { return number == 1 || number % 4 == 0; };
  const std::string all = "1=11.25 2=14.25 3=18.25 4=22.25";
  EXPECT_EQ(words(read_log(records(1, 12, told)), "memory_allocated", 0), all);
  EXPECT_EQ(words(read_log(records(1, 9, told) + records(7, 12, told)), "memory_allocated", 0), all);
}

TEST(ReportsOfRanks, OfABlockWrittenTwiceAreThoseOfOne) {
  for (const int told : {1, 2})
    for (int first = 2; first <= 6; ++first) {
      const Extraction twice = read_log(records(1, 6, launch(1, told)) + records(first, 12, launch(1, told)));
      EXPECT_EQ(words(twice, "lm_loss"), all_of(loss_of));
      EXPECT_EQ(words(twice, "memory_allocated", 0), told == 1 ? "1=11.25" : "1=11.25 2=12.25") << first;
    }
  const Extraction resumed = read_log(records(1, 6, launch(1, 1)) + records(4, 12, launch(1, 1), "1"));
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
