// Which layer wins, and what --explain says of it.
#include <gmock/gmock.h>

#include "policy_text.h"

namespace gate::config::layers_test {
namespace {

using std::chrono::minutes;
using testing::ElementsAre;
using testing::Pair;

constexpr const char* toml = R"([defaults]
timeout = "1h"
hang    = "10m"
env     = { A = "1", B = "1" }

[case."pre/*"]
timeout = "3h"
env     = { C = "3" }

[case."pre/b"]
timeout = "4h"
)";

constexpr const char* script = "#GATE timeout=2h startup=5m env.B=2\n";

TEST(Layers, LaterWinsKeyByKey) {
  EXPECT_EQ(settings_of({.toml = toml}).timeout, minutes(60));
  EXPECT_EQ(settings_of({.toml = toml, .script_text = script}).timeout, minutes(120));
  EXPECT_EQ(settings_of({.toml = toml, .script_text = script, .case_name = "pre/a"}).timeout, minutes(180));
  EXPECT_EQ(settings_of({.toml = toml, .script_text = script, .case_name = "pre/b"}).timeout, minutes(240));
  EXPECT_EQ(settings_of({toml, script, {set("timeout", "5h"), set("timeout", "6h")}, "pre/b"}).timeout,
            minutes(360));
  EXPECT_EQ(settings_of({toml, script, {}, "pre/b"}).hang, minutes(10));
  EXPECT_EQ(settings_of({toml, script, {}, "pre/b"}).startup, minutes(5));
}

TEST(Layers, MergeTheEnvironmentByVariable) {
  EXPECT_THAT(settings_of({toml, script, {set("env.D", "4")}, "pre/a"}).env,
              ElementsAre(Pair("A", "1"), Pair("B", "2"), Pair("C", "3"), Pair("D", "4")));
}

TEST(Layers, ReplaceAListAsAWhole) {
  EXPECT_THAT(settings_of({"[case.a]\ntags = ['x']\n", "#GATE tags=p,q\n", {}, "a"}).tags, ElementsAre("x"));
}

TEST(Layers, CaseBlocksCountInFileOrder) {
  const char* wide_last = "[case.'pre/b']\nnodes = 2\n[case.'pre/*']\nnodes = 3\n";
  EXPECT_EQ(settings_of({.toml = wide_last, .case_name = "pre/b"}).nodes, 3);
  const char* names_fall = "[case.'z*']\nnodes = 2\n[case.'*a']\nnodes = 3\n";
  EXPECT_EQ(settings_of({.toml = names_fall, .case_name = "za"}).nodes, 3);
}

TEST(Layers, AStarDoesNotCrossASlash) {
  EXPECT_EQ(settings_of({.toml = "[case.'pre*']\nnodes = 2\n", .case_name = "pre/a"}).nodes, 1);
  EXPECT_EQ(settings_of({.toml = "[case.'pre**']\nnodes = 2\n", .case_name = "pre/a"}).nodes, 2);
}

TEST(Explain, NamesTheOriginOfEveryValue) {
  const ExplainedCase a =
      resolve({toml, script, {set("grace", "1s"), {"backend", "local", "--backend"}}, "pre/a"});
  EXPECT_EQ(explain(a, "wait"), "wait = tree (built-in)");
  EXPECT_EQ(explain(a, "devices"), "devices = auto (built-in)");
  EXPECT_EQ(explain(a, "hang"), "hang = 10m (gate.toml:3:11)");
  EXPECT_EQ(explain(a, "startup"), "startup = 5m (scripts/pre/a.sh:1:18 #GATE)");
  EXPECT_EQ(explain(a, "timeout"), "timeout = 3h (gate.toml:7:11)");
  EXPECT_EQ(explain(a, "grace"), "grace = 1s (--set)");
  EXPECT_EQ(explain(a, "backend"), "backend = local (--backend)");
  EXPECT_EQ(explain(a, "env.B"), "env.B = 2 (scripts/pre/a.sh:1:29 #GATE)");
}

TEST(Explain, NamesTheOriginOfEveryKeyOfARule) {
  const ExplainedCase a =
      resolve({.toml = "[rules.lm_loss]\nwindow = 'first 5'\n[rules]\nmemory_allocated = false\n",
               .overrides = {set("rules.lm_loss.tolerance", "±0.02")}});
  EXPECT_EQ(explain(a, "rules.lm_loss.window"), "rules.lm_loss.window = first 5 (gate.toml:2:10)");
  EXPECT_EQ(explain(a, "rules.lm_loss.tolerance"), "rules.lm_loss.tolerance = ±0.02 (--set)");
  EXPECT_EQ(explain(a, "rules.lm_loss.reduce"), "rules.lm_loss.reduce = each (built-in)");
  EXPECT_EQ(explain(a, "rules.memory_allocated"), "rules.memory_allocated = false (gate.toml:4:20)");
  EXPECT_EQ(explain(a, "rules.memory_allocated.tolerance"), "");
}

TEST(Explain, WritesListsAsTheCommandLineTakesThem) {
  const ExplainedCase a = resolve({.toml = "[case.a]\ntags = ['tp', 'pp']\ndevices = 8\n"});
  EXPECT_EQ(explain(a, "tags"), "tags = tp,pp (gate.toml:2:8)");
  EXPECT_EQ(explain(a, "devices"), "devices = 8 (gate.toml:3:11)");
}

TEST(Overrides, NameUnknownKeys) {
  EXPECT_EQ(case_mistakes({.overrides = {set("tiemout", "1h")}}),
            "--set tiemout: unknown key \"tiemout\"; did you mean \"timeout\"?");
  EXPECT_EQ(case_mistakes({.overrides = {set("rules.lm_loss.tolerence", "1")}}),
            "--set rules.lm_loss.tolerence: unknown key \"tolerence\"; did you mean \"tolerance\"?");
  EXPECT_EQ(case_mistakes({.overrides = {set("metrics.reward.patern", "1")}}),
            "--set metrics.reward.patern: unknown key \"patern\"; did you mean \"pattern\"?");
  EXPECT_EQ(case_mistakes({.overrides = {set("cases", "*.sh")}}),
            "--set cases: cases is set in gate.toml under [suite] only");
}

TEST(Overrides, NameTheFlagThatWasWrong) {
  EXPECT_EQ(case_mistakes({.overrides = {{"timeout", "soon", "--timeout"}}}),
            "--timeout: \"soon\" is no duration such as \"30s\", \"30m\", \"2h\" or \"1h30m\"");
}

TEST(Overrides, OfScriptAndCommandLineAreReportedTogether) {
  EXPECT_EQ(case_mistakes({"", "#GATE nodes=0", {set("steps", "x")}, "a"}),
            "--set steps: \"x\" is no count, a whole number from 1 on\n"
            "scripts/a.sh:1:13: \"0\" is below 1");
}

TEST(Overrides, SetWhatOnlyTheSuiteSets) {
  using judge::Strict;
  EXPECT_EQ(settings_of({.overrides = {set("strict", "true")}}).strict, Strict::yes);
  EXPECT_EQ(settings_of({.toml = "[suite]\nstrict = true\n"}).strict, Strict::yes);
  EXPECT_EQ(settings_of({.toml = "[suite]\nstrict = true\n", .overrides = {set("strict", "false")}}).strict,
            Strict::no);
  EXPECT_EQ(settings_of({.toml = "[suite]\nstrict = false\n[case.'*']\nstrict = 'accuracy'\n"}).strict,
            Strict::accuracy);
}

}  // namespace
}  // namespace gate::config::layers_test
