#include <gmock/gmock.h>

#include "policy_text.h"

namespace gate::config::metrics_test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

constexpr const char* reward = R"(
[metrics.reward]
pattern  = 'iteration:\s*(?P<step>\d+) .*reward/mean : (?P<value>\S+)'
better   = "higher"
unit     = "points"
scale    = 0.001
kind     = "accuracy"
pick     = "max"
[rules.reward]
window = "last 10"
reduce = "mean"
tolerance = "-0.05"
)";

TEST(Metrics, AreTheBuiltInOnesWhereNobodySaysAnything) {
  EXPECT_EQ(policy("").metrics().all().size(), built_in_metrics().size());
  EXPECT_THAT(policy("").patterns(), IsEmpty());
}

TEST(Metrics, AreDeclaredWithAPattern) {
  const Policy p = policy(reward);
  const Metric metric = p.metrics().get("reward");
  EXPECT_EQ(metric.unit, "points");
  EXPECT_EQ(metric.better, Better::higher);
  EXPECT_EQ(metric.kind, MetricKind::accuracy);
  EXPECT_EQ(metric.numbered, Numbering::step);
  EXPECT_EQ(metric.pick, Pick::max);
  ASSERT_THAT(p.patterns(), SizeIs(1));
  EXPECT_EQ(p.patterns()[0].metric, "reward");
  EXPECT_EQ(p.patterns()[0].regex, R"(iteration:\s*(?P<step>\d+) .*reward/mean : (?P<value>\S+))");
  EXPECT_EQ(p.patterns()[0].scale.to_string(), "0.001");
}

TEST(Metrics, HaveAGroupEachWhereAPatternReadsSeveral) {
  const Policy p = policy(
      "[metrics.lm_loss]\npattern = 's(?P<step>\\d+) (?P<value>\\S+) (?P<acc>\\S+) (?P<ppl>\\S+)'\n"
      "[metrics.acc]\nunit = 'share'\nscale = 100\n");
  ASSERT_THAT(p.patterns(), SizeIs(3));
  EXPECT_EQ(p.patterns()[0].metric + " " + p.patterns()[0].group, "lm_loss value");
  EXPECT_EQ(p.patterns()[1].metric + " " + p.patterns()[1].group, "acc acc");
  EXPECT_EQ(p.patterns()[1].scale.to_string(), "100");
  EXPECT_EQ(p.patterns()[2].metric, "ppl");
  EXPECT_EQ(p.metrics().get("acc").unit, "share");
  EXPECT_NE(p.metrics().find("ppl"), nullptr);
}

TEST(MetricMistakes, AreMetricsThatTwoPatternsRead) {
  EXPECT_EQ(
      mistakes("[metrics.a]\npattern = '(?P<value>x) (?P<b>y)'\n[metrics.b]\npattern = 'b(?P<value>y)'\n"),
      "gate.toml:2:11: the group b is a metric that [metrics.b] reads already; leave one of them out");
}

TEST(Metrics, OfAFurtherFileLieOnTop) {
  const auto both = Policy::parse("[metrics.a]\npattern = 'a(?P<value>x)'\nunit = 'ms'\n", "gate.toml",
                                  "[suite]\nname = 'not this'\n[metrics.a]\nunit = 's'\n", "own.toml");
  ASSERT_TRUE(both);
  EXPECT_EQ(both->metrics().get("a").unit, "s");
  EXPECT_THAT(both->patterns(), SizeIs(1));
  EXPECT_EQ(both->name(), "");
}

TEST(Metrics, OfJsonLinesHaveAKey) {
  const char* toml =
      "[jsonl]\nstep = 'opt.step'\nrank = 'r'\n[metrics.acc]\nkey = 'train.acc'\nscale = 100\n"
      "[case.b]\nmetrics.acc.key = 'acc'\n";
  const extract::JsonNames names = policy(toml).json();
  EXPECT_EQ(names.step + " " + names.total + " " + names.rank, "opt.step  r");
  ASSERT_THAT(names.metrics, SizeIs(1));
  EXPECT_EQ(names.metrics[0].metric + " " + names.metrics[0].key, "acc train.acc");
  EXPECT_EQ(names.metrics[0].scale.to_string(), "100");
  EXPECT_THAT(policy(toml).patterns(), IsEmpty());
  const ExplainedCase b = resolve({.toml = toml, .case_name = "b"});
  EXPECT_EQ(b.json.step + " " + b.json.metrics.at(0).key, "opt.step acc");
  EXPECT_TRUE(policy("").json().empty());
}

TEST(MetricMistakes, OfJsonLinesAreNamedAtTheirPlace) {
  EXPECT_EQ(mistakes("[jsonl]\nstp = 'x'\n"), "gate.toml:2:1: unknown key \"stp\"; did you mean \"step\"?");
  EXPECT_EQ(mistakes("[jsonl]\nrank = 3\n"), "gate.toml:2:8: 3 is no text; write it in quotes");
  EXPECT_EQ(mistakes("[metrics.a]\nkey = ''\n"), "gate.toml:2:7: the text is empty");
  EXPECT_EQ(mistakes("[metrics.a]\nkey = 'x'\npattern = '(?P<value>x)'\n"),
            "gate.toml:2:7: metric \"a\" has both a pattern and a key; leave one of them out");
  EXPECT_EQ(
      mistakes("[metrics.a]\nkey = 'x'\nformula = 'lm_loss * 2'\n"),
      "gate.toml:3:11: metric \"a\" has both a formula and key, which is of what a log prints; leave one of "
      "them out");
}

TEST(Metrics, AreJudgedByRulesOfTheirName) {
  EXPECT_EQ(rule(resolve({.toml = reward}), "reward"), "reward last 10 mean -0.05");
}

TEST(Metrics, ThatAreBuiltInAreChangedKeyByKey) {
  const Metric metric =
      policy("[metrics.memory_allocated]\npick = 'last'\n").metrics().get("memory_allocated");
  EXPECT_EQ(metric.pick, Pick::last);
  EXPECT_EQ(metric.kind, MetricKind::memory);
  EXPECT_EQ(metric.numbered, Numbering::report);
}

TEST(Metrics, MayDifferInACase) {
  const std::string toml = std::string(reward) + "[case.b]\nmetrics.reward.pattern = 'r=(?P<value>\\S+)'\n";
  EXPECT_EQ(resolve({.toml = toml, .case_name = "b"}).patterns.at(0).regex, "r=(?P<value>\\S+)");
  EXPECT_EQ(resolve({.toml = toml}).patterns.at(0).regex, policy(reward).patterns().at(0).regex);
  const ExplainedCase a = resolve({.toml = toml, .overrides = {set("metrics.reward.unit", "1")}});
  EXPECT_EQ(a.metrics.get("reward").unit, "1");
  EXPECT_EQ(explain(a, "metrics.reward.unit"), "metrics.reward.unit = 1 (--set)");
}

TEST(MetricMistakes, AreNamedAtTheirPlace) {
  EXPECT_EQ(mistakes("[metrics.reward]\npatern = 'x'\n"),
            "gate.toml:2:1: unknown key \"patern\"; did you mean \"pattern\"?");
  EXPECT_THAT(mistakes("[metrics.reward]\npattern = '(?P<value>'\n"), StartsWith("gate.toml:2:11: "));
  EXPECT_THAT(mistakes("[metrics.reward]\npattern = 'reward (\\S+)'\n"), StartsWith("gate.toml:2:11: "));
  EXPECT_EQ(mistakes("[metrics.reward]\npattern = '(?P<value>x)'\nbetter = 'hihger'\n"),
            "gate.toml:3:10: unknown better \"hihger\"; did you mean \"higher\"?");
  EXPECT_EQ(mistakes("[metrics.reward]\npattern = '(?P<value>x)'\nscale = 0\n"),
            "gate.toml:3:9: a scale of 0 leaves nothing to judge");
  EXPECT_EQ(mistakes("[metrics.reward]\npattern = '(?P<value>x)'\nscale = 'much'\n"),
            "gate.toml:3:9: \"much\" is no number");
}

TEST(MetricMistakes, OfANewMetricWithoutAPattern) {
  EXPECT_EQ(
      mistakes("[metrics.lm_los]\npick = 'last'\n"),
      "gate.toml:1:10: metric \"lm_los\" is not built in and has neither a pattern, a key nor a formula; did "
      "you mean \"lm_loss\"?");
  EXPECT_EQ(
      mistakes("[metrics.xyzzy]\npick = 'last'\n"),
      "gate.toml:1:10: metric \"xyzzy\" is not built in and has neither a pattern, a key nor a formula");
  EXPECT_EQ(mistakes("[metrics.xyzzy]\n"),
            "gate.toml:1:1: a table is no metric; write a table with a pattern");
  EXPECT_EQ(mistakes("[metrics]\nxyzzy = 1\n"),
            "gate.toml:2:9: 1 is no metric; write a table with a pattern");
}

TEST(MetricMistakes, DoNotMakeMistakesOfRules) {
  EXPECT_EQ(
      mistakes(
          "[metrics.reward]\npattern = '(?P<value>x)'\nbetter = 'up'\n[rules.reward]\ntolerance = '-1%'\n"),
      "gate.toml:3:10: unknown better \"up\"; known: none, higher, lower");
}

}  // namespace
}  // namespace gate::config::metrics_test
