#include <gmock/gmock.h>

#include "policy_text.h"

namespace gate::config::rules_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> names(const Case& spec) {
  std::vector<std::string> all;
  for (const Rule& rule : spec.rules) all.push_back(rule.name);
  return all;
}

const Rule& find(const Case& spec, std::string_view name) {
  for (const Rule& rule : spec.rules)
    if (rule.name == name) return rule;
  static const Rule none;
  ADD_FAILURE() << "no rule " << name;
  return none;
}

TEST(Rules, AreTheBuiltInOnesWhereNobodySaysAnything) {
  const ExplainedCase a = resolve({});
  EXPECT_THAT(names(a),
              ElementsAre("lm_loss", "lm_loss_end", "throughput", "tokens_per_second", "samples_per_second",
                          "iteration_time", "memory_allocated", "memory_max_allocated", "memory_max_reserved",
                          "memory_reserved", "finite", "converged"));
  EXPECT_EQ(rule(a, "lm_loss"), "lm_loss first 15 each ±0.01");
  EXPECT_EQ(rule(a, "lm_loss_end"), "lm_loss last 10 mean +5% or +0.01");
  EXPECT_EQ(rule(a, "iteration_time"), "iteration_time last 10 mean +5%");
}

TEST(Rules, AreSharedByCasesOfWhichNothingElseIsSaid) {
  const Policy shared = policy("[case.other.rules]\nlm_loss.tolerance = '±2%'\n");
  const auto rules_of = [&](const std::string& name) {
    return shared.resolve(subject({.case_name = name})).value().rules;
  };
  const RuleList a = rules_of("a"), b = rules_of("b"), other = rules_of("other");
  EXPECT_EQ(&*a.begin(), &*b.begin());
  EXPECT_NE(&*a.begin(), &*other.begin());
  EXPECT_NE(to_string(a.begin()->tolerance), to_string(other.begin()->tolerance));
  EXPECT_TRUE(RuleList().empty());
}

TEST(Finite, IsOnOrOffAndHasNoKeys) {
  EXPECT_EQ(rule(resolve({.toml = "[rules]\nfinite = false\n"}), "finite"), "off");
  EXPECT_EQ(mistakes("[rules.finite]\ntolerance = '±1'\n"),
            "gate.toml:1:8: rule \"finite\" has no keys; rules.finite = false switches it off");
}

TEST(RestOfCurve, IsOffWhereItsBeginningIs) {
  const std::string off = "[rules]\nlm_loss = false\n";
  EXPECT_EQ(rule(resolve({.toml = off}), "lm_loss_end"), "off");
  EXPECT_EQ(rule(resolve({.toml = "[case.a]\nrules.lm_loss = false\n"}), "lm_loss_end"), "off");
  EXPECT_EQ(rule(resolve({.toml = off, .overrides = {set("rules.lm_loss", "true")}}), "lm_loss_end"),
            "lm_loss last 10 mean +5% or +0.01");
  EXPECT_EQ(rule(resolve({.toml = "[rules.lm_loss]\nmetric = 'grad_norm'\n"}), "lm_loss_end"), "off");
}

TEST(RestOfCurve, IsARuleThatGateTomlMaySpeakOf) {
  EXPECT_EQ(rule(resolve({.toml = "[rules]\nlm_loss_end = false\n"}), "lm_loss_end"), "off");
  const ExplainedCase wider = resolve({.toml = "[rules]\nlm_loss = false\nlm_loss_end.tolerance = '+20%'\n"});
  EXPECT_EQ(rule(wider, "lm_loss_end"), "lm_loss last 10 mean +20%");
  EXPECT_TRUE(find(wider, "lm_loss_end").is_rest_of_curve);
  EXPECT_FALSE(find(wider, "lm_loss_end").is_built_in);
  const ExplainedCase other =
      resolve({.toml = "[rules.lm_loss_end]\nmetric = 'grad_norm'\ntolerance = '±5%'\n"});
  EXPECT_FALSE(find(other, "lm_loss_end").is_rest_of_curve);
  EXPECT_THAT(mistakes("[rules.lm_loss_end]\ntolerance = '-5%'\n"), StartsWith("gate.toml:2:13: "))
      << "lower is better";
}

TEST(RestOfCurve, GoesByWhatIsSaidOfItsBeginning) {
  const ExplainedCase a =
      resolve({.toml = "[rules.lm_loss]\nrank = 'mean'\nattempt = 'first'\ntolerance = '±2'\n"
                       "waive = { reason = 'bug 71', until = '2026-12-31' }\n"});
  const Rule& end = find(a, "lm_loss_end");
  EXPECT_EQ(end.rank, RankMode::mean);
  EXPECT_EQ(end.metric, find(a, "lm_loss").metric);
  EXPECT_EQ(end.waive->reason, "bug 71");
  EXPECT_TRUE(end.is_built_in);
  EXPECT_EQ(rule(a, "lm_loss_end"), end.metric + " last 10 mean +5% or +0.01");
}

TEST(Rules, AreChangedKeyByKey) {
  const std::string toml =
      "[rules.lm_loss]\ntolerance = '±0.02'\n"
      "[case.'pre/*']\nrules.lm_loss.window = 'first 5'\n"
      "[case.'pre/b'.rules.lm_loss]\nreduce = 'mean'\n";
  EXPECT_EQ(rule(resolve({.toml = toml}), "lm_loss"), "lm_loss first 15 each ±0.02");
  EXPECT_EQ(rule(resolve({.toml = toml, .case_name = "pre/a"}), "lm_loss"), "lm_loss first 5 each ±0.02");
  EXPECT_EQ(rule(resolve({.toml = toml, .case_name = "pre/b"}), "lm_loss"), "lm_loss first 5 mean ±0.02");
  EXPECT_EQ(rule(resolve({toml, "", {set("rules.lm_loss.tolerance", "exact")}, "pre/b"}), "lm_loss"),
            "lm_loss first 5 mean exact");
}

TEST(Rules, AreBuiltInUntilGateTomlSaysSomethingOfThem) {
  const ExplainedCase a = resolve({.toml = "[rules.lm_loss]\nwindow = 'first 15'\n"});
  EXPECT_FALSE(find(a, "lm_loss").is_built_in);
  EXPECT_TRUE(find(a, "throughput").is_built_in);
}

TEST(Rules, AMeanRelativeErrorAndItsBoundGoTogether) {
  const std::string error = "[rules.lm_loss]\nwindow = 'after 20'\nreduce = 'mean_relative_error'\n";
  EXPECT_EQ(rule(resolve({.toml = error + "tolerance = '<= 2%'\n"}), "lm_loss"),
            "lm_loss after 20 mean_relative_error <= 2%");
  EXPECT_EQ(
      mistakes(error),
      "gate.toml:3:10: a mean_relative_error is a percentage itself, so \"±0.01\" says nothing of it; write "
      "tolerance = \"<= 2%\"");
  EXPECT_THAT(mistakes(error + "tolerance = '<= 2'\n"),
              HasSubstr("gate.toml:4:13: a mean_relative_error is"));
  EXPECT_EQ(
      mistakes("[rules.lm_loss]\ntolerance = '<= 2%'\n"),
      "gate.toml:2:13: \"<= 2%\" bounds a mean relative error; write reduce = \"mean_relative_error\", or "
      "\"±2%\" for each value or mean");
}

TEST(Rules, TheBoundOfAnErrorMeetsTheReduceOfAnotherLayer) {
  const std::string toml =
      "[rules.lm_loss]\nreduce = 'mean_relative_error'\ntolerance = '<= 2%'\n[case.a.rules.lm_loss]\nreduce "
      "= 'mean'\n";
  EXPECT_THAT(mistakes(toml), HasSubstr("bounds a mean relative error"));
}

TEST(Rules, OnConvergedIsOnOrOffOrOneOfItsOwn) {
  EXPECT_EQ(rule(resolve({.toml = "[rules]\nconverged = false\n"}), "converged"), "off");
  const ExplainedCase own = resolve({.toml = "[rules.converged]\ntolerance = \">= 0.5\"\n"});
  EXPECT_EQ(rule(own, "converged"), "converged all each >= 0.5");
  EXPECT_EQ(own.rules.size(), resolve({}).rules.size());
}

TEST(Rules, AreSwitchedOffAndOnAgain) {
  const std::string off = "[rules]\nlm_loss = false\n";
  EXPECT_EQ(rule(resolve({.toml = off}), "lm_loss"), "off");
  EXPECT_EQ(rule(resolve({.overrides = {set("rules.lm_loss", "false")}}), "lm_loss"), "off");
  EXPECT_EQ(rule(resolve({.toml = off, .overrides = {set("rules.lm_loss", "true")}}), "lm_loss"),
            "lm_loss first 15 each ±0.01");
  EXPECT_EQ(rule(resolve({.toml = off + "[case.a]\nrules.lm_loss.tolerance = 'exact'\n"}), "lm_loss"),
            "lm_loss first 15 each exact");
  EXPECT_EQ(rule(resolve({.toml = "[case.a]\nrules.lm_loss = false\n"}), "lm_loss"), "off");
}

TEST(Rules, OfANewNameJudgeTheMetricOfThatName) {
  const ExplainedCase a = resolve({.toml = "[rules.grad_norm]\ntolerance = '±5%'\n"});
  EXPECT_EQ(rule(a, "grad_norm"), "grad_norm all each ±5%");
  EXPECT_EQ(names(a).back(), "grad_norm");
}

TEST(Rules, OfSeveralNamesMayJudgeOneMetric) {
  const ExplainedCase a = resolve({.toml = R"(
[rules."loss.late"]
metric = "lm_loss"
window = "after 100"
reduce = "mean"
tolerance = "±0.005"
)",
                                   .overrides = {set("rules.loss.late.window", "after 50")}});
  EXPECT_EQ(rule(a, "loss.late"), "lm_loss after 50 mean ±0.005");
  EXPECT_EQ(rule(a, "lm_loss"), "lm_loss first 15 each ±0.01");
}

TEST(Rules, HaveAllKeysOfTheTable) {
  const ExplainedCase a = resolve({.toml = R"(
[rules.throughput]
rank       = "min"
required   = true
cap        = 500.5
waive      = { reason = "bug 71", until = "2026-12-31" }
[rules.lm_loss]
max_misses = 2
)"});
  EXPECT_EQ(find(a, "throughput").rank, RankMode::min);
  EXPECT_TRUE(find(a, "throughput").required);
  EXPECT_EQ(find(a, "throughput").cap->to_string(), "500.5");
  EXPECT_EQ(find(a, "throughput").waive->reason, "bug 71");
  EXPECT_EQ(find(a, "throughput").waive->until, "2026-12-31");
  EXPECT_EQ(find(a, "lm_loss").max_misses, 2);
}

TEST(Rules, AreWaivedFromTheCommandLine) {
  const ExplainedCase a = resolve({.overrides = {set("rules.lm_loss.waive.reason", "bug 71"),
                                                 set("rules.lm_loss.waive.until", "2026-12-31")}});
  EXPECT_EQ(find(a, "lm_loss").waive->until, "2026-12-31");
  EXPECT_EQ(explain(a, "rules.lm_loss.waive.reason"), "rules.lm_loss.waive.reason = bug 71 (--set)");
  EXPECT_EQ(case_mistakes({.overrides = {set("rules.lm_loss.waive.reason", "bug 71")}}),
            "--set rules.lm_loss.waive.reason: the waiver has no until; it needs both reason and until");
}

TEST(Rules, OfAGroupAreActiveInTheirOwnRightWhereSomebodySpeaksOfThem) {
  EXPECT_EQ(find(resolve({}), "iteration_time").group, find(resolve({}), "throughput").group);
  const ExplainedCase a = resolve({.toml = "[rules.iteration_time]\ntolerance = '+3%'\n"});
  EXPECT_EQ(find(a, "iteration_time").group, "");
  EXPECT_NE(find(a, "samples_per_second").group, "");
  EXPECT_NE(find(resolve({.toml = "[rules.throughput]\ntolerance = '-3%'\n"}), "throughput").group, "");
}

TEST(RuleMistakes, AreNamedAtTheirPlace) {
  EXPECT_EQ(mistakes("[rules.lm_loss]\nreduce = 'avg'\n"),
            "gate.toml:2:10: unknown reduce \"avg\"; did you mean \"mean\"?");
  EXPECT_THAT(mistakes("[rules.lm_loss]\nwindow    = 'frist 15'\n"), StartsWith("gate.toml:2:13: "));
  EXPECT_THAT(mistakes("[rules.lm_loss]\ntolerance = '0.01'\n"), StartsWith("gate.toml:2:13: "));
  EXPECT_THAT(mistakes("[rules.lm_loss]\ntolerance = 0.01\n"), HasSubstr("0.01"));
  EXPECT_EQ(mistakes("[rules.lm_loss]\ntolerance = ['exact']\n"),
            "gate.toml:2:13: a list is no single value");
  EXPECT_EQ(mistakes("[rules.lm_loss]\nmax_misses = -1\n"), "gate.toml:2:14: -1 is below 0");
  EXPECT_EQ(mistakes("[rules.lm_loss]\ncap = 'much'\n"), "gate.toml:2:7: \"much\" is no number");
}

TEST(RuleMistakes, OfAKey) {
  EXPECT_EQ(mistakes("[rules.lm_loss]\ntolerence = '±0.01'\n"),
            "gate.toml:2:1: unknown key \"tolerence\"; did you mean \"tolerance\"?");
  EXPECT_EQ(mistakes("[case.'*']\nrules.lm_loss.tolerence = '±0.01'\n"),
            "gate.toml:2:15: unknown key \"tolerence\"; did you mean \"tolerance\"?");
}

TEST(RuleMistakes, OfAMetric) {
  EXPECT_EQ(mistakes("[rules.lm_los]\ntolerance = '±0.01'\n"),
            "gate.toml:1:8: unknown metric \"lm_los\"; did you mean \"lm_loss\"?");
  EXPECT_EQ(mistakes("[case.'*']\nrules.lm_los.tolerance = '±0.01'\n"),
            "gate.toml:2:7: unknown metric \"lm_los\"; did you mean \"lm_loss\"?");
  EXPECT_EQ(mistakes("[rules.late]\nmetric = 'lm_los'\ntolerance = '±0.01'\n"),
            "gate.toml:2:10: unknown metric \"lm_los\"; did you mean \"lm_loss\"?");
  EXPECT_EQ(
      mistakes("[rules.xyzzy]\ntolerance = '±0.01'\n"),
      "gate.toml:1:8: unknown metric \"xyzzy\"; declare it under [metrics] with a pattern, or name one with "
      "metric = \"...\"");
  EXPECT_EQ(case_mistakes({.overrides = {set("rules.lm_los.tolerance", "±0.02")}}),
            "--set rules.lm_los.tolerance: unknown metric \"lm_los\"; did you mean \"lm_loss\"?");
}

TEST(RuleMistakes, OfANewRuleWithoutATolerance) {
  EXPECT_EQ(mistakes("[rules.grad_norm]\nwindow = 'all'\n"),
            "gate.toml:1:8: rule \"grad_norm\" has no tolerance; write one such as tolerance = \"±0.01\"");
  EXPECT_EQ(mistakes("[rules.grad_norm]\n"),
            "gate.toml:1:8: rule \"grad_norm\" has no tolerance; write one such as tolerance = \"±0.01\"");
}

TEST(RuleMistakes, NoneWhereAnotherLayerGivesTheTolerance) {
  const std::string toml = "[rules.grad_norm]\nwindow = 'all'\n[case.a]\nrules.grad_norm.tolerance = '±5%'\n";
  EXPECT_EQ(rule(resolve({.toml = toml}), "grad_norm"), "grad_norm all each ±5%");
  EXPECT_EQ(case_mistakes({.toml = toml, .case_name = "b"}),
            "gate.toml:1:8: rule \"grad_norm\" has no tolerance; write one such as tolerance = \"±0.01\"");
}

TEST(RuleMistakes, OfADirection) {
  EXPECT_THAT(mistakes("[rules.throughput]\ntolerance = '+5%'\n"), StartsWith("gate.toml:2:13: "));
  EXPECT_THAT(mistakes("[case.'*']\nrules.throughput.tolerance = '+5%'\n"), StartsWith("gate.toml:2:30: "));
  EXPECT_THAT(mistakes("[rules.throughput]\nmetric = 'iteration_time'\n"), StartsWith("gate.toml:2:10: "));
  EXPECT_THAT(mistakes("[metrics.throughput]\nbetter = 'lower'\n"), StartsWith("gate.toml:1:10: "));
  EXPECT_THAT(case_mistakes({.overrides = {set("rules.throughput.tolerance", "+5%")}}),
              StartsWith("--set rules.throughput.tolerance: "));
}

TEST(RuleMistakes, OfTwoCaseBlocksTogether) {
  const std::string toml =
      "[case.'*a']\nrules.x.metric = 'throughput'\n[case.'b*']\nrules.x.tolerance = '+5%'\n"
      "rules.x.metric = 'iteration_time'\n[case.'ba']\nrules.x.metric = 'throughput'\n";
  EXPECT_THAT(case_mistakes({.toml = toml, .case_name = "ba"}), StartsWith("gate.toml:4:21: "));
}

TEST(RuleMistakes, OfMaxMissesWithAReduce) {
  EXPECT_EQ(
      mistakes("[rules.throughput]\nmax_misses = 1\n"),
      "gate.toml:2:14: max_misses counts steps, so it goes with reduce \"each\" only, not with \"mean\"");
}

TEST(RuleMistakes, OfAWaiver) {
  EXPECT_EQ(mistakes("[rules.lm_loss]\nwaive = { reason = 'bug 71' }\n"),
            "gate.toml:2:20: the waiver has no until; it needs both reason and until");
  EXPECT_EQ(mistakes("[rules.lm_loss]\nwaive = { until = 2026-12-31 }\n"),
            "gate.toml:2:19: the waiver has no reason; it needs both reason and until");
  EXPECT_EQ(mistakes("[rules.lm_loss]\nwaive = { reason = 'bug 71', until = '2026-02-30' }\n"),
            "gate.toml:2:38: \"2026-02-30\" is no date such as \"2026-12-31\"");
  EXPECT_EQ(mistakes("[rules.lm_loss]\nwaive = { reason = 'bug 71', untill = '2026-02-20' }\n"),
            "gate.toml:2:30: unknown key \"untill\"; did you mean \"until\"?");
  EXPECT_EQ(mistakes("[rules.lm_loss]\nwaive = true\n"),
            "gate.toml:2:9: true is no waiver such as { reason = \"...\", until = \"2026-12-31\" }");
  EXPECT_EQ(mistakes("[rules.lm_loss]\nwaive = { reason = 'bug 71', until = 2026-12-31 }\n"), "");
}

TEST(RuleMistakes, OfARuleThatIsNone) {
  EXPECT_EQ(mistakes("[rules]\nlm_los = false\n"),
            "gate.toml:2:1: unknown rule \"lm_los\"; did you mean \"lm_loss\"?");
  EXPECT_EQ(mistakes("[rules]\nlm_loss = '±0.01'\n"),
            "gate.toml:2:11: \"±0.01\" is no rule; write a table of keys, or false to switch it off");
  EXPECT_EQ(case_mistakes({.overrides = {set("rules.lm_los", "false")}}),
            "--set rules.lm_los: unknown rule \"lm_los\"; did you mean \"lm_loss\"?");
  EXPECT_EQ(mistakes("[rules.'a b']\ntolerance = 'exact'\n"),
            "gate.toml:1:8: \"a b\" is no name; write one without blanks and =");
}

}  // namespace
}  // namespace gate::config::rules_test
