#include "cli/screen/status_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gate/base/columns.h"

namespace gate::cli::status_block_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using Clock = StatusBlock::Clock;

const Clock::time_point began{std::chrono::hours(1)};

SampleSeen sample(const std::string& name, const std::string& metric, std::int64_t step,
                  const std::string& word, const std::string& baseline, std::optional<int> rank = {}) {
  const auto printed = [&](const std::string& text) {
    return Sample{step, parse_value(text).value_or(Value{}), text, 0, 0};
  };
  return {name, metric, rank, printed(word),
          baseline.empty() ? std::nullopt : std::optional(printed(baseline))};
}

Report of_cases(int count) {
  Report report;
  for (int i = 0; i < count; ++i) report.cases.emplace_back();
  return report;
}

StatusBlock two_cases() {
  StatusBlock block;
  block.on_event(RunPlanned{of_cases(5), ""});
  block.on_event(CaseStarted{"gpt/moe", 50, "0-3", std::chrono::minutes(4)}, began);
  block.on_event(CaseStarted{"训练/稠密", 20, "4", {}}, began + std::chrono::seconds(30));
  block.on_event(sample("gpt/moe", "lm_loss", 12, "2.341200E+00", "2.340900E+00"));
  block.on_event(sample("gpt/moe", "iteration_time", 12, "900.0", "1000.0"));
  block.on_event(sample("gpt/moe", "throughput", 12, "101.2", "103.5"));
  block.on_event(sample("gpt/moe", "iteration_time", 12, "900.0", "1000.0"));
  block.on_event(sample("训练/稠密", "lm_loss", 5, "nan", "1.0"));
  return block;
}

TEST(StatusBlockTest, WhatRunsAndHowItCompares) {
  EXPECT_THAT(
      two_cases().lines(began + std::chrono::seconds(63), 200, 24),
      ElementsAre("0 of 5 done  2 running  3 waiting",
                  "gpt/moe    step 12/50  loss 2.3412 (+0.0003)  101.2 TFLOP/s (-2.2 %)  1m03s of ~4m  "
                  "devices 0-3",
                  "训练/稠密  step 5/20  loss nan  33.0s of ~2m12s  devices 4"));
}

TEST(StatusBlockTest, AtEightyColumnsDevicesGoFirst) {
  EXPECT_THAT(two_cases().lines(began + std::chrono::seconds(63), 80, 24),
              ElementsAre("0 of 5 done  2 running  3 waiting",
                          "gpt/moe    step 12/50  loss 2.3412 (+0.0003)  1m03s of ~4m",
                          "训练/稠密  step 5/20  loss nan  33.0s of ~2m12s  devices 4"));
}

TEST(StatusBlockTest, NoLineIsAsWideAsTheTerminal) {
  for (int width = 1; width <= 200; ++width)
    for (const std::string& line : two_cases().lines(began + std::chrono::seconds(63), width, 24))
      EXPECT_LT(columns(line), std::max(2, width)) << width << ": " << line;
  EXPECT_THAT(two_cases().lines(began, 40, 24).at(1), HasSubstr("gpt/moe    step 12/50"));
}

TEST(StatusBlockTest, NoMoreLinesThanRows) {
  StatusBlock block;
  for (int i = 0; i < 20; ++i) block.on_event(CaseStarted{"case" + std::to_string(i), {}, "", {}}, began);
  const auto lines = block.lines(began, 80, 10);
  EXPECT_THAT(lines, SizeIs(9));
  EXPECT_EQ(lines.back(), "and 13 more");
  EXPECT_THAT(block.lines(began, 80, 1), SizeIs(2));
}

TEST(StatusBlockTest, WhatHasFinishedIsCounted) {
  StatusBlock block = two_cases();
  CaseReport red;
  red.name = "gpt/moe";
  red.verdict = Verdict::regressed;
  block.on_event(CaseFinished{red});
  EXPECT_THAT(block.lines(began + std::chrono::minutes(2), 80, 24),
              ElementsAre("1 of 5 done  1 RED  1 running  3 waiting", HasSubstr("训练/稠密")));
  red.name = "训练/稠密";
  red.verdict = Verdict::passed;
  block.on_event(CaseFinished{red});
  EXPECT_THAT(block.lines(began, 80, 24), IsEmpty());
}

TEST(StatusBlockTest, NothingThatATerminalObeys) {
  StatusBlock block;
  block.on_event(CaseStarted{"a\x1b[2J\nb", {}, "", {}}, began);
  block.on_event(sample("a\x1b[2J\nb", "lm_loss", 1, "\x1b[31m", "\x1b[0m"));
  EXPECT_THAT(block.lines(began, 200, 24), Each(Not(HasSubstr("\x1b"))));
  EXPECT_THAT(block.lines(began, 200, 24), SizeIs(2));
}

}  // namespace
}  // namespace gate::cli::status_block_test
