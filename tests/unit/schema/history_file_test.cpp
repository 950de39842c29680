#include "gate/schema/history_file.h"

#include <gmock/gmock.h>

#include "validate.h"

namespace gate::schema::history_file_test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

RememberedRun sample() {
  RememberedRun run{"0123",
                    "1121-0203",
                    "llm",
                    "run",
                    "npu-07",
                    "9c1e2f4",
                    "2026-11-21T02:03:04Z",
                    std::chrono::milliseconds(1500),
                    1,
                    true,
                    {}};
  run.cases.push_back(
      {"a\n  b,\"", Verdict::regressed, "two\nlines", "cpu", "ab", std::chrono::milliseconds(20), {}});
  run.cases[0].checks.push_back(
      {{"lm_loss", "lm_loss", 3, "", "first 15", "each"}, CheckStatus::fail, "±0.01", 2.5e-7, std::nullopt});
  return run;
}

TEST(HistoryFile, WhatIsWrittenIsReadAgain) {
  const std::string line = write_history_line(sample());
  EXPECT_EQ(std::ranges::count(line, '\n'), 1);
  EXPECT_TRUE(is_history(line));
  const auto runs = read_history(line + line, "h.jsonl");
  ASSERT_TRUE(runs) << runs.error().message;
  ASSERT_THAT(*runs, SizeIs(2));
  EXPECT_EQ(write_history_line(runs->back()), line);
  const RememberedRun& run = runs->front();
  EXPECT_EQ(run.cases[0].name, "a\n  b,\"");
  EXPECT_EQ(run.cases[0].reason, "two\nlines");
  EXPECT_EQ(run.cases[0].checks[0].key, sample().cases[0].checks[0].key);
  EXPECT_EQ(run.cases[0].checks[0].value, 2.5e-7);
  EXPECT_FALSE(run.cases[0].checks[0].baseline);
  EXPECT_TRUE(run.altered);
}

TEST(HistoryFile, KeepsDeviceTimes) {
  RememberedRun run = sample();
  run.devices = 8;
  run.cases[0].device_time = std::chrono::milliseconds(160500);
  run.cases[0].device_time_saved = std::chrono::milliseconds(500);
  const std::string line = write_history_line(run);
  EXPECT_EQ(invalid(line, "gate.history.1.json"), "");
  const auto read = read_history(line, "h");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->front().devices, 8);
  EXPECT_EQ(read->front().cases[0].device_time, std::chrono::milliseconds(160500));
  EXPECT_EQ(read->front().cases[0].device_time_saved, std::chrono::milliseconds(500));
}

TEST(HistoryFile, AMetricIsAsItsSuiteSaysOrAsTheTableHasIt) {
  RememberedRun run = sample();
  run.cases[0].checks[0].key.metric = "my_speed";
  run.cases[0].checks[0].kind = MetricKind::speed;
  run.cases[0].checks[0].better = Better::higher;
  const std::string line = write_history_line(run);
  EXPECT_EQ(invalid(line, "gate.history.1.json"), "");
  EXPECT_EQ(read_history(line, "h")->front().cases[0].checks[0].better, Better::higher);
  const std::string words =
      R"({"schema": "gate.history/1", "uid": "1", "started": "2026-11-21T02:03:04Z", "cases": [)"
      R"({"case": "c", "verdict": "passed", "checks": [{"metric": "throughput", "status": "pass")";
  EXPECT_EQ(read_history(words + "}]}]}", "h")->front().cases[0].checks[0].better, Better::higher);
  EXPECT_EQ(read_history(words + "}]}]}", "h")->front().cases[0].checks[0].kind, MetricKind::speed);
  EXPECT_THAT(read_history(words + ", \"better\": \"best\"}]}]}", "h").error().message,
              HasSubstr("unknown better \"best\""));
}

TEST(HistoryFile, FitsItsSchema) {
  EXPECT_EQ(invalid(write_history_line(sample()), "gate.history.1.json"), "");
}

TEST(HistoryFile, MistakesAreToldByLine) {
  const auto runs =
      read_history(write_history_line(sample()) + "\n{\"schema\": \"gate.history/1\"}\n[1]\n", "h");
  ASSERT_FALSE(runs);
  EXPECT_THAT(runs.error().message, HasSubstr("h:3:1: \"uid\" is missing"));
  EXPECT_THAT(runs.error().message, HasSubstr("h:4:1: this must be an object"));
}

TEST(HistoryFile, OtherSchemasAndMomentsAreRefused) {
  EXPECT_THAT(
      read_history(R"({"schema": "gate.history/2", "uid": "1", "started": "2026-11-21T02:03:04Z"})", "h")
          .error()
          .message,
      HasSubstr("unknown schema \"gate.history/2\""));
  EXPECT_THAT(read_history(R"({"schema": "gate.history/1", "uid": "1", "started": "yesterday"})", "h")
                  .error()
                  .message,
              HasSubstr("must be a moment"));
}

}  // namespace
}  // namespace gate::schema::history_file_test
