#include "gate/config/policy.h"

#include <gmock/gmock.h>

#include "policy_text.h"

namespace gate::config::policy_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::StartsWith;

TEST(Policy, OfAnEmptyTextIsTheBuiltInOne) {
  const Policy p = policy("");
  EXPECT_EQ(p.name(), "");
  ASSERT_THAT(p.groups(), SizeIs(1));
  EXPECT_EQ(p.groups()[0].name, "");
  EXPECT_THAT(p.groups()[0].cases, ElementsAre("scripts/**.sh"));
  EXPECT_THAT(p.groups()[0].baselines, ElementsAre("baselines/{case}.json"));
  EXPECT_EQ(p.groups()[0].launch, "bash {script}");
  EXPECT_EQ(p.groups()[0].cwd, "{git_root}");
  EXPECT_EQ(p.platform(), "");
  EXPECT_EQ(p.history(), "");
  EXPECT_EQ(p.keep_runs(), 50);
  EXPECT_FALSE(p.shared());
  EXPECT_THAT(p.secrets(), IsEmpty());
  EXPECT_THAT(p.platforms(), IsEmpty());
}

TEST(Policy, ReadsAnExistingTreeInThreeLines) {
  const Policy p = policy(
      "[suite]\n"
      "cases = \"tests/st/shell_scripts/*.sh\"\n"
      "baselines = \"tests/st/baseline_results/{case}.json\"\n");
  EXPECT_THAT(p.groups()[0].cases, ElementsAre("tests/st/shell_scripts/*.sh"));
  EXPECT_THAT(p.groups()[0].baselines, ElementsAre("tests/st/baseline_results/{case}.json"));
}

TEST(Policy, ReadsTheWholeSuite) {
  const Policy p = policy(R"(
[suite]
name = "llm-st"
launch = "torchrun {script}"
cwd = "{suite}/work"
platform = "ascend-910b3"
history = "history.db"
keep_runs = 0
shared = true
secrets = ["MY_VAR", "CORP_*"]
strict = true
profile = "gate"
shadow = "none"
[platforms]
farm = ["ascend-910b2", "ascend-910b3"]
lone = []
)");
  EXPECT_EQ(p.name(), "llm-st");
  EXPECT_EQ(p.groups()[0].launch, "torchrun {script}");
  EXPECT_EQ(p.groups()[0].cwd, "{suite}/work");
  EXPECT_EQ(p.platform(), "ascend-910b3");
  EXPECT_EQ(p.history(), "history.db");
  EXPECT_EQ(p.keep_runs(), 0);
  EXPECT_TRUE(p.shared());
  EXPECT_THAT(p.secrets(), ElementsAre("MY_VAR", "CORP_*"));
  EXPECT_THAT(p.platforms(), ElementsAre(Pair("farm", ElementsAre("ascend-910b2", "ascend-910b3")),
                                         Pair("lone", IsEmpty())));
}

TEST(Policy, TakesOneSecretWithoutAList) {
  EXPECT_THAT(policy("[suite]\nsecrets = 'MY_VAR'\n").secrets(), ElementsAre("MY_VAR"));
}

TEST(Policy, IsCopiedWithEverythingInIt) {
  Policy copy = policy("");
  {
    const Policy original = policy("[suite]\nname = 'x'\n[rules.lm_loss]\ntolerance = 'exact'\n");
    copy = original;
  }
  EXPECT_EQ(copy.name(), "x");
  EXPECT_EQ(rule(*copy.resolve({"a", "a.sh", "", {}}), "lm_loss"), "lm_loss first 15 each exact");
}

TEST(Policy, GivesACaseItsNameAndScript) {
  const ExplainedCase a = resolve({.case_name = "pre/a"});
  EXPECT_EQ(a.name, "pre/a");
  EXPECT_EQ(a.script, "scripts/pre/a.sh");
}

TEST(PolicyMistakes, OfTables) {
  EXPECT_EQ(
      mistakes("[farms]\nnpu = 'x'\n"),
      "gate.toml:1:2: unknown table \"farms\"; known: suite, defaults, rules, metrics, jsonl, "
      "platforms, hosts, notify, store, peaks, strategy, worker, features, group, matrix, platform, case");
  EXPECT_EQ(mistakes("[rule.lm_loss]\ntolerance = 'exact'\n"),
            "gate.toml:1:2: unknown table \"rule\"; did you mean \"rules\"?");
  EXPECT_EQ(mistakes("suite = 3\n"), "gate.toml:1:9: [suite] is a table of keys, not 3");
  EXPECT_EQ(mistakes("[[case]]\nnodes = 1\n"),
            "gate.toml:1:1: [case] is a table of keys, not a list of tables or lists");
  EXPECT_EQ(mistakes("[case]\ntimeout = '1h'\n"),
            "gate.toml:2:1: [case] holds tables named by globs, such as [case.\"pretrain/*\"]");
}

TEST(PolicyMistakes, OfKeysUnderNoTable) {
  EXPECT_EQ(mistakes("timeout = '1h'\n"),
            "gate.toml:1:1: \"timeout\" stands under no table; write it in [defaults], #GATE, "
            "[case.\"GLOB\"], --set");
  EXPECT_EQ(mistakes("cases = 'x/*.sh'\n"),
            "gate.toml:1:1: \"cases\" stands under no table; write it under [suite]");
}

TEST(PolicyMistakes, OfKeys) {
  EXPECT_EQ(mistakes("[defaults]\ntiemout = '1h'\n"),
            "gate.toml:2:1: unknown key \"tiemout\"; did you mean \"timeout\"?");
  EXPECT_EQ(mistakes("[suite]\nbaseline = 'x'\n"),
            "gate.toml:2:1: unknown key \"baseline\"; did you mean \"baselines\"?");
  EXPECT_EQ(mistakes("[case.'*']\nrule.lm_loss.tolerance = 'exact'\n"),
            "gate.toml:2:1: unknown key \"rule\"; did you mean \"rules\"?");
}

TEST(PolicyMistakes, OfKeysInTheWrongTable) {
  EXPECT_EQ(mistakes("[defaults]\nplatform = 'ascend-*'\n"),
            "gate.toml:2:1: platform cannot be set in [defaults]; set it in #GATE, [case.\"GLOB\"]");
  EXPECT_EQ(mistakes("[case.'*']\nprofile = 'gate'\n"),
            "gate.toml:2:1: profile cannot be set in [case.\"GLOB\"]; set it in [suite], --set");
  EXPECT_EQ(
      mistakes("[suite]\ntimeout = '1h'\n"),
      "gate.toml:2:1: timeout cannot be set in [suite]; set it in [defaults], #GATE, [case.\"GLOB\"], --set");
}

TEST(PolicyMistakes, OfTemplates) {
  EXPECT_EQ(mistakes("[suite]\nbaselines = 'golden/{cases}.json'\n"),
            "gate.toml:2:13: unknown placeholder \"{cases}\"; did you mean \"{case}\"?");
  EXPECT_EQ(mistakes("[suite]\nbaselines = 'golden.json'\n"),
            "gate.toml:2:13: \"golden.json\" lacks {case} or {name}");
  EXPECT_EQ(mistakes("[suite]\nlaunch = 'bash'\n"), "gate.toml:2:10: \"bash\" lacks {script}");
  EXPECT_EQ(mistakes("[suite]\ncwd = '{home'\n"), "gate.toml:2:7: a { of \"{home\" is not closed");
  EXPECT_EQ(mistakes("[suite]\ncases = '../*.sh'\n"),
            "gate.toml:2:9: the cases lie below the suite's folder; write a path without ..");
  EXPECT_EQ(mistakes("[suite]\ncases = ''\n"), "gate.toml:2:9: an item of the list is empty");
}

TEST(PolicyMistakes, OfSecrets) {
  const std::string not_a_name =
      "gate.toml:2:11: secrets are names or globs of variables such as [\"MY_VAR\", \"CORP_*\"], not their "
      "values";
  EXPECT_EQ(mistakes("[suite]\nsecrets = ['A', '$B']\n"), not_a_name);
  EXPECT_EQ(mistakes("[suite]\nsecrets = ['B=value']\n"), not_a_name);
  EXPECT_EQ(mistakes("[suite]\nsecrets = 3\n"),
            "gate.toml:2:11: 3 is no list of texts such as [\"a\", \"b\"]");
  EXPECT_EQ(mistakes("[suite]\nsecrets = ['']\n"), "gate.toml:2:11: an item of the list is empty");
}

TEST(PolicyMistakes, AreAllReported) {
  EXPECT_EQ(mistakes(R"([suite]
keep_runs = -1
[defaults]
wait = "trea"
[hots]
x = 1
[rules.lm_loss]
reduce = "avg"
[rules.lm_los]
tolerance = "exact"
[case."a"]
timeot = "1h"
rules.throughput.reduce = "men"
)"),
            "gate.toml:2:13: -1 is below 0\n"
            "gate.toml:4:8: unknown wait \"trea\"; did you mean \"tree\"?\n"
            "gate.toml:5:2: unknown table \"hots\"; did you mean \"hosts\"?\n"
            "gate.toml:8:10: unknown reduce \"avg\"; did you mean \"mean\"?\n"
            "gate.toml:9:8: unknown metric \"lm_los\"; did you mean \"lm_loss\"?\n"
            "gate.toml:12:1: unknown key \"timeot\"; did you mean \"timeout\"?\n"
            "gate.toml:13:27: unknown reduce \"men\"; did you mean \"mean\"?");
}

TEST(PolicyMistakes, OfSyntax) {
  EXPECT_EQ(mistakes("[suite]\nname = \n"),
            "gate.toml:2:8: syntax error while parsing key-value pair: expected value, saw '\\n'");
  EXPECT_THAT(mistakes("[suite]\nname = 'a'\nname = 'b'\n"),
              StartsWith("gate.toml:3:8: this is defined twice"));
}

TEST(PolicyMistakes, OfABlockThatMatchesNoCase) {
  const Policy p = policy("[case.'pretrian']\nnodes = 2\n[case.'pre*']\nnodes = 3\n");
  const std::vector<std::string> names{"pretrain", "other"};
  EXPECT_EQ(to_string(p.unmatched_blocks(names)),
            "gate.toml:1:7: no case matches \"pretrian\": there is no scripts/pretrian.sh; did you mean "
            "\"pretrain\"?");
}

}  // namespace
}  // namespace gate::config::policy_test
