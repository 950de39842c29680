// What cannot be put side by side.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::incomparable_test {
namespace {

constexpr auto pass = CheckStatus::pass;
constexpr auto incomparable = CheckStatus::incomparable;

TEST(Incomparable, ToleranceFinerThanThePrint) {
  const Check check =
      checked(rule("iteration_time", "±0.01"), "iteration_time 1:1.5", "iteration_time 1:1.5");
  EXPECT_EQ(check.status, incomparable);
  EXPECT_THAT(check.remarks, are(remark::TooCoarse{-1, parse_tolerance("±0.01").value()}));
  EXPECT_THAT(checked(rule("iteration_time", "±0.01"), "iteration_time 1:15", "iteration_time 1:15").remarks,
              are(remark::TooCoarse{0, parse_tolerance("±0.01").value()}));
  EXPECT_THAT(
      checked(rule("iteration_time", "±1"), "iteration_time 1:1.5E+02", "iteration_time 1:15E1").remarks,
      are(remark::TooCoarse{1, parse_tolerance("±1").value()}));
  EXPECT_EQ(checked(rule("iteration_time", "±0.01"), "iteration_time 1:1.5", "iteration_time 1:1.50").status,
            pass)
      << "the finest decimal of both sides counts";
  EXPECT_EQ(checked(rule("lm_loss", "±1%"), "lm_loss 1:0.5", "lm_loss 1:0.5").status, incomparable);
  EXPECT_EQ(checked(rule("lm_loss", "exact"), "lm_loss 1:5", "lm_loss 1:5").status, pass);
  EXPECT_EQ(checked(rule("lm_loss", "±1% or ±1"), "lm_loss 1:0.5", "lm_loss 1:0.5").status, pass);
  EXPECT_EQ(checked(rule("lm_loss", "±0.01 and <= 9"), "lm_loss 1:5", "lm_loss 1:5").status, incomparable);
}

TEST(Incomparable, ConflictingDuplicates) {
  const Check check = checked(rule("lm_loss", "±0.01"), "lm_loss 1:1.00 2:1.00", "lm_loss 1:1.00 2!1.00");
  EXPECT_EQ(check.status, incomparable);
  EXPECT_THAT(check.remarks, are(remark::Conflict{remark::Side::run, "lm_loss", steps("2")}));
  EXPECT_THAT(checked(rule("lm_loss", "±0.01"), "lm_loss 1:1.00 2!1.00", "lm_loss 1:1.00 2:1.00").remarks,
              are(remark::Conflict{remark::Side::baseline, "lm_loss", steps("2")}));
  EXPECT_EQ(checked(rule("lm_loss", "±0.01"), "lm_loss 1:1.00", "lm_loss 1:1.00 2!1.00").status, pass)
      << "not judged";
}

TEST(Incomparable, AnEmptyWindow) {
  EXPECT_THAT(
      checked(rule("lm_loss", "±0.01", "step 9"), "lm_loss 1:1.00 2:1.00", "lm_loss 1:1.00 2:1.00").remarks,
      are(remark::EmptyWindow{parse_window("step 9").value(), steps("1-2")}));
  EXPECT_EQ(checked(rule("lm_loss", "±0.01", "last 5"), "lm_loss 1:1.00", "lm_loss 1:1.00").status,
            incomparable);
  EXPECT_THAT(checked(rule("lm_loss", "±0.01"), "lm_loss 1:-", "lm_loss 1:1.00").remarks,
              are(remark::Plain::baseline_empty, remark::NotJudged{steps("1")}));
  EXPECT_THAT(checked(rule("grad_norm", "<= 5", "step 9"), "", "grad_norm 1:1.0").remarks,
              are(remark::EmptyWindow{parse_window("step 9").value(), {}}));
}

TEST(Incomparable, AnotherNumbering) {
  Ask ask;
  ask.rules = {rule("lm_loss", "±0.01")};
  ask.reference = baseline("lm_loss 1:5.00");
  Series reports("lm_loss", std::nullopt, "", Numbering::report);
  reports.append(sample(1, "5.00"));
  ask.log.series = {reports};
  EXPECT_THAT(ask.judge().checks[0].remarks,
              are(remark::OtherNumbering{Numbering::report, Numbering::step, ""}));
}

// Golden values of Megatron hold memory by step, its log prints it by report of a rank.
TEST(Incomparable, ABaselineThatIsNumberedAsNoRunPrintsIt) {
  Ask ask;
  ask.rules = {rule("lm_loss", "±0.01"), rule("memory_allocated", "+10%")};
  ask.reference = baseline("lm_loss 1:5.00");
  Series steps("memory_allocated", std::nullopt, "MiB", Numbering::step);
  steps.append(sample(1, "5.00"));
  ask.reference.series.push_back({{steps}, "golden.json", ""});
  ask.log = run("lm_loss 1:5.00\nmemory_allocated/0 1:9.00");
  const Judgement judgement = ask.judge();
  EXPECT_EQ(judgement.verdict, Verdict::unjudged);
  EXPECT_EQ(
      judgement.reason,
      "memory_allocated: the baseline has it by step, the run by report; rules.memory_allocated = false "
      "leaves it ungated");
  EXPECT_EQ(judgement.checks[0].status, CheckStatus::pass);
  ask.log = run("lm_loss 1:5.00");
  EXPECT_EQ(ask.judge().verdict, Verdict::incomplete) << "what is not printed at all is missing";
}

// A golden file that holds nothing but "nan" for a metric: the run's own NaN must not turn green by it.
TEST(Incomparable, AMetricThatTheBaselineNamesWithoutAValue) {
  Ask ask;
  ask.rules = {rule("lm_loss", "±0.01"), rule("grad_norm", "±10%")};
  ask.reference = baseline("grad_norm 1:5.00");
  ask.reference.unrecorded.emplace_back("lm_loss", std::nullopt, "", Numbering::step);
  ask.log = run("lm_loss 1:nan\ngrad_norm 1:5.00");
  EXPECT_EQ(ask.judge().verdict, Verdict::unjudged);
  EXPECT_EQ(ask.judge().reason, "lm_loss: the baseline names it, and holds no value of it");
}

TEST(Incomparable, APercentageBesideAShare) {
  const auto status_of = [](const std::string& metric, const std::string& tolerance,
                            const std::string& baseline, const std::string& run) {
    Rule target = rule(metric, tolerance);
    return checked(target, metric + " 1:" + baseline, metric + " 1:" + run).status;
  };
  for (const char* tolerance : {">= 0.80", "-1%", "-0.01"})
    EXPECT_EQ(status_of("final_accuracy", tolerance, "0.900", "90.000"), incomparable) << tolerance;
  EXPECT_EQ(status_of("final_accuracy", ">= 0.80", "90.000", "90.000"), incomparable);
  EXPECT_EQ(status_of("eval_accuracy", "> 0.80", "0.900", "7.000"), incomparable);
  EXPECT_EQ(status_of("final_accuracy", ">= 80", "90.000", "90.000"), pass);
  EXPECT_EQ(status_of("final_accuracy", ">= 0.80", "0.900", "1.000"), pass);
  EXPECT_EQ(status_of("eval_accuracy", "-1%", "0.900", "1.200"), pass);
  EXPECT_EQ(status_of("final_accuracy", "-1%", "90.000", "0.900"), CheckStatus::fail);
  EXPECT_EQ(status_of("final_loss", "<= 0.80", "0.900", "90.000"), CheckStatus::fail);
  EXPECT_EQ(status_of("reward", ">= 0.80", "0.900", "90.000"), pass);
}

TEST(Incomparable, AnotherUnit) {
  Ask ask;
  ask.rules = {rule("memory_allocated", "+10%")};
  ask.reference = baseline("memory_allocated/0 1:5.00");
  Series gib("memory_allocated", 0, "GiB", Numbering::report);
  gib.append(sample(1, "5.0"));
  ask.log.series = {gib};
  const Judgement judgement = ask.judge();
  EXPECT_EQ(judgement.checks[0].status, incomparable);
  EXPECT_THAT(judgement.checks[0].remarks, are(remark::OtherUnit{"GiB", "MiB"}));
  EXPECT_EQ(judgement.verdict, Verdict::unjudged);
}

// A run and its baseline of these origins.
Check judged_with(const std::string& metric, const std::string& name, const Provenance& before,
                  const Provenance& now) {
  Ask ask;
  ask.rules = {rule(metric, "±1%")};
  Baseline recorded;
  recorded.runs.push_back({{}, all_series(metric + " 1:100.0")});
  recorded.provenance = before;
  ask.reference = make_reference(recorded, "b.json");
  ask.log = run(metric + " 1:150.0");
  ask.log.provenance = now;
  const Judgement judgement = ask.judge();
  EXPECT_EQ(judgement.checks.size(), 1U) << name;
  return judgement.checks.empty() ? Check{} : judgement.checks.front();
}

// Likewise with these values of a switch.
Check judged_with(const std::string& metric, const std::string& name, const Switches& before,
                  const Switches& now) {
  Provenance from, to;
  from.switches = before;
  to.switches = now;
  return judged_with(metric, name, from, to);
}

TEST(Incomparable, SpeedWhereASwitchWasNotReadUnlessTheScriptTellsIt) {
  Provenance before, now;
  before.python = "3.11";
  before.switches = std::map<std::string, std::string>{{"HCCL_DETERMINISTIC", "True"}};
  now.switches.emplace();
  const Check missed = judged_with("iteration_time", "", before, now);
  EXPECT_EQ(missed.status, incomparable);
  EXPECT_THAT(missed.remarks, have(remark::OtherSwitch{{"HCCL_DETERMINISTIC", "True", "not known"}}));
  now.script_switches = {{"HCCL_DETERMINISTIC", "True"}};
  EXPECT_EQ(judged_with("iteration_time", "", before, now).status, CheckStatus::fail) << "it is judged";
}

TEST(Incomparable, SpeedWhereADeterminismSwitchHasChanged) {
  for (const SwitchRow& row : switch_rows()) {
    const std::string name(row.name);
    const std::map<std::string, std::string> off, on{{name, "1"}};
    const bool costs_speed = row.kind == SwitchKind::determinism;
    const Check check = judged_with("iteration_time", name, off, on);
    EXPECT_EQ(check.status, costs_speed ? incomparable : CheckStatus::fail) << name;
    if (costs_speed) {
      EXPECT_THAT(check.remarks, have(remark::OtherSwitch{{name, "unset", "1"}}));
    }
  }
}

TEST(Incomparable, OfSwitchesSpeedAloneAndOnlyWhereBothAreKnown) {
  const std::map<std::string, std::string> off, on{{"HCCL_DETERMINISTIC", "true"}};
  EXPECT_EQ(judged_with("iteration_time", "", on, off).status, incomparable);
  EXPECT_EQ(judged_with("iteration_time", "", on, on).status, CheckStatus::fail);
  EXPECT_EQ(judged_with("iteration_time", "", on, {}).status, CheckStatus::fail);
  EXPECT_EQ(judged_with("iteration_time", "", {}, on).status, CheckStatus::fail);
  EXPECT_EQ(judged_with("grad_norm", "", on, off).status, CheckStatus::fail);
  EXPECT_EQ(judged_with("memory_allocated", "", on, off).status, CheckStatus::fail);
}

}  // namespace
}  // namespace gate::judge::testing::incomparable_test
