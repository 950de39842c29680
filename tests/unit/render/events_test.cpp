// Events and live samples, one line each.
#include "gate/render/events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gate::render::events_test {
namespace {

using namespace std::chrono_literals;

const Value one_and_a_half{ValueKind::finite, *Decimal::parse("1.5")};

TEST(EventJson, EachEventIsOneLine) {
  Report report;
  report.run = "1121-0203";
  report.exit_code = 1;
  report.cases.resize(2);
  report.cases[0].name = "a";
  report.cases[1].verdict = Verdict::skipped;
  EXPECT_EQ(event_json(RunPlanned{report, "f"}),
            R"({"event":"run_planned","run":"1121-0203","folder":"f","cases":1})");
  EXPECT_EQ(event_json(CaseStarted{"a", {}, "", {}}), R"({"event":"case_started","case":"a"})");
  EXPECT_EQ(event_json(CaseStarted{"a", 30, "0-3", 1500ms}),
            R"({"event":"case_started","case":"a","total":30,"devices":"0-3","expected_s":1.5})");
  report.cases[0].verdict = Verdict::regressed;
  report.cases[0].reason = "lm_loss \"moved\"";
  report.cases[0].duration = 2500ms;
  EXPECT_EQ(
      event_json(CaseFinished{report.cases[0], &report}),
      R"({"event":"case_finished","case":"a","verdict":"regressed","reason":"lm_loss \"moved\"","duration_s":2.5})");
  EXPECT_EQ(event_json(RunFinished{report}), R"({"event":"run_finished","run":"1121-0203","exit_code":1})");
  EXPECT_EQ(event_json(Message{"", "a\nb"}), R"({"event":"message","case":"","text":"a\nb"})");
}

TEST(EventJson, ASampleHasItsWordAndItsBaseline) {
  SampleSeen seen{"a", "lm_loss", {}, {3, one_and_a_half, "1.50", 0, 7}, {}};
  EXPECT_EQ(event_json(seen),
            R"({"event":"sample","case":"a","metric":"lm_loss","number":3,"value":"1.50"})");
  seen.rank = 2;
  seen.baseline = Sample{3, {}, "1.4", 0, 0};
  seen.sample.text.clear();
  EXPECT_EQ(
      event_json(seen),
      R"({"event":"sample","case":"a","metric":"lm_loss","rank":2,"number":3,"value":null,"baseline":"1.4"})");
}

TEST(EventJson, WhatIsNoTextIsReplaced) {
  EXPECT_EQ(event_json(Message{"a", "\xff"}),
            "{\"event\":\"message\",\"case\":\"a\",\"text\":\"\xef\xbf\xbd\"}");
}

TEST(Live, ALineHasItsMetricRankNumberAndWord) {
  Sample sample{3, one_and_a_half, "1.50", 0, 7};
  EXPECT_EQ(live_line({.metric = "memory_allocated", .rank = {}, .sample = sample}),
            "memory_allocated - 3 1.50\n");
  sample.text = "0.0015";  // as printed, in another unit
  EXPECT_EQ(live_line({.metric = "memory_allocated", .rank = 5, .sample = sample}),
            "memory_allocated 5 3 1.5\n");
  EXPECT_EQ(live_line({.metric = "memory_allocated", .rank = 5, .sample = Sample{3, {}, "", 0, 7}}),
            "memory_allocated 5 3 -\n");
}

TEST(Live, CsvAndJsonHaveItsUnitAndPlace) {
  const Sample sample{3, one_and_a_half, "1.50", 0, 7};
  const LiveSample one{.metric = "memory_allocated", .rank = 5, .sample = sample};
  EXPECT_EQ(live_csv(one, "train.log", MetricTable()), "memory_allocated,5,3,1.50,MiB,train.log,7\n");
  EXPECT_EQ(
      live_json(one, "train.log", MetricTable()),
      R"({"metric":"memory_allocated","rank":5,"number":3,"value":"1.50","unit":"MiB","file":"train.log","line":7})"
      "\n");
  const Sample printed{3, one_and_a_half, "0.0015", 0, 7};
  EXPECT_THAT(
      live_json({.metric = "memory_allocated", .rank = 5, .sample = printed}, "train.log", MetricTable()),
      testing::HasSubstr("\"value\":\"1.5\""));
  EXPECT_THAT(live_json({.metric = "lm_loss", .rank = {}, .sample = sample, .new_attempt = true}, "train.log",
                        MetricTable()),
              testing::HasSubstr("\"new_attempt\":true"));
}

}  // namespace
}  // namespace gate::render::events_test
