#include "gate/schema/status_file.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "validate.h"

namespace gate::schema::status_file_test {
namespace {

using testing::HasSubstr;

RunStatus some_status() {
  RunStatus run;
  run.run = "1125-0301";
  run.uid = "u";
  run.suite = "st \"x\"";
  run.root = "/suite";
  run.folder = "/suite/.gate/runs/1125-0301";
  run.command = "run";
  run.host = "h";
  run.user = "ada";
  run.pid = 71;
  run.started = "2026-03-01T10:00:00Z";
  run.updated = "2026-03-01T10:00:09Z";
  run.waits_for = "waiting for device 0: pid 3 of bob";
  run.cases.push_back(
      {"a", JobState::failed, Verdict::regressed, "2026-03-01T10:00:05Z", "0-3", 2, 50, 50, ""});
  run.cases.push_back({"b", JobState::running, {}, "2026-03-01T10:00:06Z", "", 1, 12, {}, "w"});
  return run;
}

TEST(StatusFile, IsReadAsItWasWritten) {
  const std::string text = write_status({some_status()});
  const auto read = read_status(text, "status.json");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 1);
  EXPECT_EQ(write_status(*read), text);
  EXPECT_EQ(read->front().cases[0].verdict, Verdict::regressed);
  EXPECT_EQ(read->front().cases[1].step, 12);
  EXPECT_EQ(read->front().cases[1].total, std::nullopt);
  EXPECT_EQ(invalid(text, "gate.status.1.json"), "");
}

TEST(StatusFile, KeepsCurvesWithTheirGaps) {
  RunStatus run = some_status();
  const double none = std::numeric_limits<double>::quiet_NaN();
  run.cases[1].hosts = "npu1";
  run.cases[1].expected = Duration(61500);
  run.cases[1].curves.push_back({"lm_loss", "", "±0.01", {2.5, 2.25}, {2.5, none}, 2.25, none, 12});
  run.cases[1].curves.push_back({.metric = "throughput", .unit = "TFLOP/s", .now = none});
  const std::string text = write_status({run});
  EXPECT_THAT(text, HasSubstr("\"baseline\": [2.5, null]"));
  EXPECT_EQ(invalid(text, "gate.status.1.json"), "");
  const auto read = read_status(text, "status.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(write_status(*read), text);
  const CaseStatus& status = read->front().cases[1];
  EXPECT_EQ(status.curves[0].values, (std::vector{2.5, 2.25}));
  EXPECT_TRUE(std::isnan(status.curves[0].baseline[1]) && std::isnan(status.curves[0].baseline_now));
  EXPECT_EQ(status.curves[0].beyond_since, 12);
  EXPECT_EQ(status.expected, Duration(61500));
}

TEST(StatusFile, SaysTheStageInTheWordsOfAHub) {
  RunStatus run = some_status();
  run.cases[0].state = JobState::pending;
  const std::string text = write_status({run});
  EXPECT_THAT(text, HasSubstr("\"stage\": \"pending\""));
  EXPECT_THAT(text, HasSubstr("\"stage\": \"test\""));
}

TEST(StatusFile, ComplainsAtItsPlace) {
  const auto read = read_status(
      "{\"schema\": \"gate.status/1\", \"runs\": [{\"run\": \"1\", \"state\": \"odd\"}]}", "s.json");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("s.json:1:"));
}

TEST(StopRequests, AreLinesOfWhichOnlyWholeOnesCount) {
  const StopRequest request{"ada on h", "wrong\nimage", "2026-03-01T10:00:00Z", "a/b", true};
  const std::string line = write_stop(request);
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  const auto read =
      read_stops(line + "no JSON\n" + write_stop({"bob", "", "", "", false}) + line.substr(0, 20));
  ASSERT_EQ(read.size(), 2);
  EXPECT_EQ(read[0].by, "ada on h");
  EXPECT_EQ(read[0].reason, "wrong\nimage");
  EXPECT_EQ(read[0].case_name, "a/b");
  EXPECT_TRUE(read[0].now);
  EXPECT_EQ(read[1].by, "bob");
  EXPECT_FALSE(read[1].now);
}

}  // namespace
}  // namespace gate::schema::status_file_test
