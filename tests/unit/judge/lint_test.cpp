#include "gate/judge/lint.h"

#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::lint_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A baseline of one good run, accepted, under the rules of the metrics that it has.
struct Linted {
  std::vector<Rule> rules = {rule("lm_loss", "±0.01", "first 3"), rule("throughput", "-5%", "last 3", "mean"),
                             rule("memory_allocated", "+10%")};
  MetricTable metrics;
  Baseline file;
  std::string script_sha256 = "abc";
  std::string today = "2026-06-15";
  std::string no_script;

  explicit Linted(const std::string& run = good()) {
    add_run(run);
    file.accepted.push_back({"me", "2026-06-01T10:00:00Z", "new", "", "", {}, {}});
  }

  static std::string good() {
    return "lm_loss 1:2.51 2:2.42 3:2.33 4:2.24\nthroughput 1:80.5 2:100.5 3:100.0 4:99.5\n"
           "memory_allocated/0 1:1000.5\nmemory_allocated/1 1:1001.5";
  }

  void add_run(const std::string& run) { file.runs.push_back({{}, all_series(run)}); }

  std::vector<std::string> findings() const {
    const Reference reference = make_reference(file, "baselines/case.json");
    const std::vector<Noise> noise = assess(rules, metrics, reference, "");
    const LintInput input{{rules, metrics, reference, ""}, {&file}, no_script, script_sha256, today, noise};
    std::vector<std::string> lines;
    for (const Finding& finding : lint(input))
      lines.push_back(std::string(finding.row->name) + " " + finding.subject.english() + ": " +
                      finding.text.english());
    std::erase_if(lines, [](const std::string& line) { return line.starts_with("one_run"); });
    return lines;
  }
};

TEST(Lint, FindsNothingInAGoodBaseline) { EXPECT_THAT(Linted().findings(), IsEmpty()); }

TEST(Lint, FindsABaselineWithoutAScript) {
  Linted linted;
  linted.no_script = "no script has its name; it may be a platform";
  EXPECT_THAT(linted.findings(), ElementsAre("no_script : " + linted.no_script));
}

TEST(Lint, FindsABaselineThatItsOwnRulesRefuse) {
  Linted linted;
  linted.rules[0] = rule("lm_loss", "±0.001");
  EXPECT_THAT(linted.findings(),
              ElementsAre("refused lm_loss: incomparable; prints 2 decimals; ±0.001 cannot be tested"));
}

TEST(Lint, FindsKindsThatNothingGuards) {
  Linted linted("lm_loss 1:2.51 2:2.42 3:2.33");
  EXPECT_THAT(linted.findings(),
              ElementsAre("not_guarded : no speed is gated", "not_guarded : no memory is gated"));
  linted.rules.resize(1);  // switched off: meant so
  EXPECT_THAT(linted.findings(), IsEmpty());
}

TEST(Lint, ConstantsThatTwiceAsBadWouldMeetGuardNothing) {
  Linted linted;
  const auto with = [&](const char* speed, const char* memory) {
    linted.rules[1] = rule("throughput", speed, "last 3", "mean");
    linted.rules[2] = rule("memory_allocated", memory);
    return linted.findings();
  };
  EXPECT_THAT(with(">= 60", "<= 1500"), IsEmpty());
  EXPECT_THAT(with(">= 40", "<= 3000"),
              ElementsAre("not_guarded : no speed is gated", "not_guarded : no memory is gated"));
  EXPECT_THAT(with("-5%", "<= 3000"), ElementsAre("not_guarded : no memory is gated"));
}

TEST(Lint, WhatADevicesToolSaysOfItsMemoryGuardsIt) {
  Linted linted(
      "lm_loss 1:2.51 2:2.42 3:2.33\nthroughput 1:80.5 2:100.5 3:100 4:99.5\ndevice_memory/0 5:1000");
  EXPECT_THAT(linted.findings(), ElementsAre(::testing::StartsWith("not_guarded : no memory is gated")));
  linted.rules.push_back(rule("device_memory", "+10%", "all", "max"));
  EXPECT_THAT(linted.findings(), IsEmpty());
}

TEST(Lint, NamesMetricsWithoutAKindThatTheirNamesTell) {
  Linted linted("lm_loss 1:2.51 2:2.42 3:2.33\nthroughput 1:80.5 2:100.5 3:100 4:99.5\ndevice_mem 1:1000");
  EXPECT_THAT(linted.findings(),
              ElementsAre("not_guarded : no memory is gated; device_mem is printed and has no kind"));
}

TEST(Lint, FindsStepsWithoutANumber) {
  Linted linted(
      "lm_loss 1:2.51 2:2.42 3:2.33 4:nan 5:-\nthroughput 1:80 2:100 3:100 4:100\nmemory_allocated 1:1000");
  EXPECT_THAT(linted.findings(), ElementsAre(::testing::StartsWith("refused lm_loss: fail; step 4: nan"),
                                             "not_recorded lm_loss: no number at steps 4 and 5"));
}

TEST(Lint, FindsPositionsThatWereLeftOutOfAList) {
  Linted linted;
  Series positions = series("lm_loss 1:2.51 3:2.42 4:2.33");
  positions.set_assumed(true);
  linted.file.runs[0].series[0] = positions;
  EXPECT_THAT(linted.findings(), ElementsAre("not_recorded lm_loss: no number at step 2",
                                             "assumed : baselines/case.json prints no step numbers"));
}

TEST(Lint, TellsWhichStepsAShorterListIsTakenAs) {
  Linted linted;
  Series last = series("throughput 2:100 3:100 4:100");
  last.set_assumed(true);
  last.set_of_last_steps(true);
  linted.file.runs[0].series[1] = last;
  EXPECT_THAT(
      linted.findings(),
      ElementsAre("assumed : baselines/case.json prints no step numbers; throughput is shorter than other "
                  "lists and taken as the last steps, 2-4"))
      << "neither a warm-up in the window nor steps without a number";
}

TEST(Lint, FindsARunThatEndedEarly) {
  Linted linted;
  linted.file.runs[0].total = 10;
  EXPECT_THAT(linted.findings(), ElementsAre("ended_early : it ends at step 4 of 10"));
  linted.file.runs[0].total = 4;
  EXPECT_THAT(linted.findings(), IsEmpty());
}

TEST(Lint, FindsWindowsThatAreNotFull) {
  Linted linted;
  linted.rules[0] = rule("lm_loss", "±0.01", "first 5");
  linted.rules[1] = rule("throughput", "-5%", "last 10", "mean");
  EXPECT_THAT(linted.findings(), ElementsAre("few_values lm_loss: the window \"first 5\" holds 4 values",
                                             "few_values throughput: the window \"last 10\" holds 3 values"));
  linted.rules[1] = rule("throughput", "-5%", "last 3", "mean");
  linted.rules[0] = rule("lm_loss", "±0.01", "first 4");
  EXPECT_THAT(linted.findings(), IsEmpty());
}

TEST(Lint, FindsStalls) {
  EXPECT_THAT(
      Linted("lm_loss 1:2.51 2:2.42 3:2.33\nthroughput 1:80 2:100 3:100 4:89\nmemory_allocated 1:1000")
          .findings(),
      ElementsAre("stall throughput: the mean is 0.963 of the median; step 4 slower than 0.9 of the median"));
  EXPECT_THAT(
      Linted("lm_loss 1:2.51 2:2.42 3:2.33\nthroughput 1:80 2:100 3:100 4:96\nmemory_allocated 1:1000")
          .findings(),
      ElementsAre("stall throughput: the mean is 0.987 of the median"));
  EXPECT_THAT(
      Linted("lm_loss 1:2.51 2:2.42 3:2.33\nthroughput 1:80 2:100 3:100 4:98\nmemory_allocated 1:1000")
          .findings(),
      IsEmpty());
}

TEST(Lint, WhereLowerIsBetterALongStepIsTheStall) {
  Linted linted(
      "lm_loss 1:2.51 2:2.42 3:2.33\niteration_time 1:900 2:100 3:100 4:112\nmemory_allocated 1:1000");
  linted.rules[1] = rule("iteration_time", "+5%", "last 3", "mean");
  EXPECT_THAT(
      linted.findings(),
      ElementsAre(
          "stall iteration_time: the mean is 1.04 of the median; step 4 slower than 0.9 of the median"));
}

TEST(Lint, FindsTheWarmUpInASpeedWindow) {
  Linted linted("lm_loss 1:2.51 2:2.42 3:2.33\nthroughput 1:100 2:100 3:100\nmemory_allocated 1:1000");
  linted.rules[1] = rule("throughput", "-5%", "1..3", "mean");
  EXPECT_THAT(linted.findings(), ElementsAre("warm_up throughput: step 1 is in the window \"1..3\""));
  linted.rules[1] = rule("throughput", "-5%", "2..3", "mean");
  EXPECT_THAT(linted.findings(), IsEmpty());
}

TEST(Lint, FindsNoWarmUpInASingleValue) {
  Linted linted("lm_loss 1:2.51 2:2.42 3:2.33\nthroughput 1:100\nmemory_allocated 1:1000");
  linted.rules[1] = rule("throughput", "-5%", "all", "mean");
  EXPECT_THAT(linted.findings(), IsEmpty());
}

TEST(Lint, FindsRanksThatReportUnevenly) {
  Linted linted(
      "lm_loss 1:2.51 2:2.42 3:2.33\nthroughput 1:80 2:100 3:100 4:99\nmemory_allocated/0 1:1000 2:1000\n"
      "memory_allocated/1 1:1000\nmemory_allocated/2 1:1000");
  EXPECT_THAT(linted.findings(),
              ElementsAre("ranks memory_allocated: ranks 1 and 2: 1 value, rank 0: 2 values"));
}

TEST(Lint, FindsValuesThatAreAllZero) {
  Linted linted(
      "lm_loss 1:2.51 2:2.42 3:2.33\nthroughput 1:80 2:100 3:100 4:99\nmemory_allocated/0 1:0.0 2:0.0\n"
      "memory_allocated/1 1:0.0 2:0.0");
  EXPECT_THAT(
      linted.findings(),
      ElementsAre("all_zero memory_allocated ranks 0 and 1: every value is 0, and so is a percentage of it"));
}

TEST(Lint, FindsNoiseThatIsLargeForTheTolerance) {
  Linted linted;
  linted.file.runs.clear();
  for (const char* const speed : {"100", "104", "96"})
    linted.add_run(std::string("lm_loss 1:2.51 2:2.42 3:2.33\nthroughput 1:80 2:") + speed + " 3:" + speed +
                   " 4:" + speed + "\nmemory_allocated 1:1000");
  ASSERT_EQ(linted.findings().size(), 1);
  EXPECT_THAT(linted.findings()[0], ::testing::StartsWith("noisy throughput: s 4 % over 3 runs"));
}

TEST(Lint, NotesThatOneRunTellsNothingOfTheNoise) {
  const Linted linted;
  const Reference reference = make_reference(linted.file, "b.json");
  const std::vector<Noise> noise = assess(linted.rules, linted.metrics, reference, "");
  const auto findings =
      lint({{linted.rules, linted.metrics, reference, ""}, {&linted.file}, "", "", "", noise});
  ASSERT_EQ(findings.size(), 1);
  EXPECT_EQ(findings[0].row->name, "one_run");
  EXPECT_EQ(findings[0].row->weight, Weight::note);
  EXPECT_EQ(findings[0].subject, "throughput");
}

TEST(Lint, FindsAScriptThatChanged) {
  Linted linted;
  linted.file.provenance.script_sha256 = "0123456789abcdef";
  linted.script_sha256 = "fedcba9876543210";
  EXPECT_THAT(linted.findings(),
              ElementsAre("script_changed : the script's sha256 is fedcba987654, recorded was 0123456789ab"));
  linted.script_sha256 = linted.file.provenance.script_sha256;
  EXPECT_THAT(linted.findings(), IsEmpty());
}

TEST(Lint, FindsWhatIsOld) {
  Linted linted;
  linted.today = "2026-11-28";
  EXPECT_THAT(linted.findings(), IsEmpty());
  linted.today = "2026-11-29";
  EXPECT_THAT(linted.findings(), ElementsAre("old : of 2026-06-01, 181 days ago"));
  linted.file.accepted[0].when = "long ago";
  EXPECT_THAT(linted.findings(), IsEmpty());
}

TEST(Lint, NotesWhatNobodyAccepted) {
  Linted linted;
  linted.file.accepted.clear();
  EXPECT_THAT(linted.findings(), ElementsAre("not_accepted : it holds no acceptance"));
  linted.file.origin = "modellink";
  EXPECT_THAT(linted.findings(), IsEmpty());
}

}  // namespace
}  // namespace gate::judge::testing::lint_test
