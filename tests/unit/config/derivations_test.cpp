#include <gmock/gmock.h>

#include "policy_text.h"

namespace gate::config::derivations_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

constexpr const char* tokens =
    "[metrics.tokens_per_second]\nformula = 'global_batch_size * 4096 / iteration_time * 1000'\n";
constexpr const char* utilization = "[metrics.utilization]\nformula = 'throughput / 989'\n";
constexpr const char* scaling =
    "[metrics.scaling_x2]\nformula = 'throughput(\"x2\") / (2 * throughput(\"x1\"))'\n";

using Names = std::vector<std::string>;

Names order(const Policy& policy) {
  Names names;
  for (const judge::Derivation& derivation : policy.derivations()) names.push_back(derivation.metric);
  return names;
}

TEST(Derivations, ABuiltInMetricKeepsWhatItIs) {
  const Policy p = policy(tokens);
  const Metric metric = p.metrics().get("tokens_per_second");
  EXPECT_EQ(metric.unit, "tokens/s");
  EXPECT_EQ(metric.kind, MetricKind::speed);
  EXPECT_EQ(metric.better, Better::higher);
  EXPECT_THAT(p.patterns(), IsEmpty());
  ASSERT_THAT(p.derivations(), SizeIs(1));
  EXPECT_EQ(p.derivations()[0].formula.text, "global_batch_size * 4096 / iteration_time * 1000");
}

TEST(Derivations, ANewMetricIsWhatItsKeysSay) {
  const Metric metric =
      policy(std::string(utilization) + "kind = 'speed'\nbetter = 'higher'\nunit = 'share'\n")
          .metrics()
          .get("utilization");
  EXPECT_EQ(metric.unit, "share");
  EXPECT_EQ(metric.kind, MetricKind::speed);
  EXPECT_EQ(metric.better, Better::higher);
  EXPECT_EQ(policy(utilization).metrics().get("utilization").unit, "");
}

TEST(Derivations, OfASpeedAreOneUnlessSomebodySaysOtherwise) {
  EXPECT_EQ(policy(utilization).metrics().get("utilization").kind, MetricKind::speed);
  EXPECT_EQ(policy(std::string(utilization) + "kind = 'other'\n").metrics().get("utilization").kind,
            MetricKind::other);
  const char* const mixed =
      "[metrics.m]\nformula = 'memory_allocated * 1'\n[metrics.n]\nformula = 'lm_loss * 2'\n";
  EXPECT_EQ(policy(mixed).metrics().get("m").kind, MetricKind::memory);
  EXPECT_EQ(policy(mixed).metrics().get("n").kind, MetricKind::other);
}

TEST(Derivations, TakeUnitAndNumberingFromTheirOperands) {
  const Metric slack =
      policy("[metrics.slack]\nformula = 'memory_max_allocated - memory_allocated'\n").metrics().get("slack");
  EXPECT_EQ(slack.unit, "MiB");
  EXPECT_EQ(slack.numbered, Numbering::report);
}

TEST(Derivations, MayUseOneAnotherInAnyOrder) {
  const Policy p = policy(
      "[metrics.a]\nformula = 'b + iteration_time'\n[metrics.b]\nformula = 'c - c'\n"
      "[metrics.c]\nformula = 'iteration_time + 1'\n");
  EXPECT_THAT(order(p), ElementsAre("c", "b", "a"));
  EXPECT_EQ(p.metrics().get("a").unit, "ms");
}

TEST(Derivations, KnowTheCasesThatTheyName) {
  const Policy p =
      policy(std::string(scaling) + "[metrics.percent]\nformula = '100 * scaling_x2'\n" + utilization);
  for (const judge::Derivation& derivation : p.derivations())
    EXPECT_EQ(derivation.cases, derivation.metric == "utilization" ? Names{} : Names({"x1", "x2"}));
}

TEST(Derivations, MayDifferInACaseAndOnTheCommandLine) {
  const std::string toml =
      std::string(utilization) + "[case.b]\nmetrics.utilization.formula = 'throughput / 312'\n";
  EXPECT_EQ(resolve({.toml = toml}).derivations.at(0).formula.text, "throughput / 989");
  EXPECT_EQ(resolve({.toml = toml, .case_name = "b"}).derivations.at(0).formula.text, "throughput / 312");
  const ExplainedCase set_there =
      resolve({.toml = toml, .overrides = {set("metrics.utilization.formula", "throughput/400")}});
  EXPECT_EQ(set_there.derivations.at(0).formula.text, "throughput/400");
  EXPECT_EQ(explain(set_there, "metrics.utilization.formula"),
            "metrics.utilization.formula = throughput/400 (--set)");
  EXPECT_EQ(explain(resolve({.toml = toml}), "metrics.utilization.formula"),
            "metrics.utilization.formula = throughput / 989 (gate.toml:2:11)");
}

TEST(Derivations, AreJudgedByRulesOfTheirName) {
  EXPECT_EQ(rule(resolve({.toml = std::string(utilization) +
                                  "better = 'higher'\n[rules.utilization]\ntolerance = '-5%'\n"}),
                 "utilization"),
            "utilization all each -5%");
  EXPECT_THAT(mistakes(std::string(utilization) + "[rules.utilization]\ntolerance = '-5%'\n"),
              HasSubstr("utilization has no better side, and only one is bounded"));
}

TEST(DerivationMistakes, StandAtTheFormula) {
  EXPECT_EQ(
      mistakes("[metrics.utilization]\nformula = 'throughput / / 989'\n"),
      "gate.toml:2:11: formula \"throughput / / 989\": expected a number, a metric or \"(\" at character 14, "
      "found \"/\"");
  EXPECT_EQ(mistakes("[metrics.utilization]\nformula = 'throuhgput / 989'\n"),
            "gate.toml:2:11: formula \"throuhgput / 989\": unknown metric \"throuhgput\" at character 1; did "
            "you mean "
            "\"throughput\"?");
  EXPECT_EQ(
      mistakes("[metrics.m]\nunit = 'x'\nformula = 'iteration_time + memory_allocated'\n"),
      "gate.toml:3:11: formula \"iteration_time + memory_allocated\": \"+\" at character 16 stands between "
      "ms "
      "and MiB\n"
      "gate.toml:3:11: formula \"iteration_time + memory_allocated\": iteration_time is numbered by step, "
      "memory_allocated by report");
  EXPECT_THAT(
      mistakes("[metrics.tokens_per_second]\nformula = 'throughput'\n"),
      StartsWith(
          "gate.toml:2:11: formula \"throughput\": it gives TFLOP/s/device, and the unit of the metric "
          "is tokens/s"));
  EXPECT_EQ(mistakes("[metrics.utilization]\nformula = 5\n"),
            "gate.toml:2:11: 5 is no text; write it in quotes");
  EXPECT_EQ(
      case_mistakes({.overrides = {set("metrics.utilization.formula", "throughput *")}}),
      "--set metrics.utilization.formula: formula \"throughput *\": expected a number, a metric or \"(\" at "
      "character "
      "13, found nothing");
}

TEST(DerivationMistakes, AFormulaExcludesWhatIsOfALog) {
  EXPECT_EQ(
      mistakes(std::string(utilization) + "pattern = 'utilization (?P<value>.*)'\n"),
      "gate.toml:2:11: metric \"utilization\" has both a formula and pattern, which is of what a log prints; "
      "leave one "
      "of them out");
  for (const char* key : {"scale = 2", "numbered = 'step'", "pick = 'last'"})
    EXPECT_THAT(mistakes(std::string(utilization) + key + "\n"),
                StartsWith("gate.toml:2:11: metric \"utilization\" has both"))
        << key;
}

TEST(DerivationMistakes, ACircleIsNamed) {
  EXPECT_EQ(mistakes("[metrics.throughput]\nformula = 'throughput * 2'\n"),
            "gate.toml:2:11: formula \"throughput * 2\": it uses itself: throughput -> throughput");
  EXPECT_EQ(
      mistakes(
          "[metrics.a]\nformula = 'b'\n[metrics.b]\nformula = 'lm_loss + c'\n[metrics.c]\nformula = 'b'\n"),
      "gate.toml:4:11: formula \"lm_loss + c\": it uses itself: b -> c -> b");
}

TEST(DerivationMistakes, ComparingComparisons) {
  EXPECT_EQ(
      mistakes(std::string(scaling) + "[metrics.m]\nformula = 'scaling_x2(\"x1\") / 2'\n"),
      "gate.toml:4:11: formula \"scaling_x2(\"x1\") / 2\": scaling_x2(\"x1\") at character 1 compares cases "
      "itself; write its formula out");
}

TEST(DerivationMistakes, LongChainsDoNotNest) {
  constexpr int links = SANITIZED ? 700 : 2000;
  std::string toml = "[metrics.m0]\nformula = 'lm_loss'\n";
  for (int i = 1; i < links; ++i)
    toml += "[metrics.m" + std::to_string(i) + "]\nformula = 'm" + std::to_string(i - 1) + "'\n";
  EXPECT_EQ(mistakes(toml), "");
  EXPECT_THAT(mistakes(toml + "[metrics.lm_loss]\nformula = 'm" + std::to_string(links - 1) + "'\n"),
              HasSubstr("it uses itself: lm_loss -> m" + std::to_string(links - 1) + " -> "));
}

}  // namespace
}  // namespace gate::config::derivations_test
