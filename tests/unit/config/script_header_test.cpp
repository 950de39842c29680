#include <gmock/gmock.h>

#include "policy_text.h"

namespace gate::config::script_header_test {
namespace {

using std::chrono::minutes;
using testing::ElementsAre;
using testing::Pair;

TEST(ScriptHeader, SaysWhatTheScriptNeeds) {
  const Settings s = header(
      "#!/bin/bash\n"
      "# Qwen3 8B on one host\n"
      "#GATE devices=8 nodes=1 timeout=30m tags=tp,pp\n"
      "#GATE owner=\"zhang wei\" platform=ascend-*\n"
      "set -e\n");
  EXPECT_EQ(s.devices, 8);
  EXPECT_EQ(s.timeout, minutes(30));
  EXPECT_THAT(s.tags, ElementsAre("tp", "pp"));
  EXPECT_EQ(s.owner, "zhang wei");
  EXPECT_THAT(s.platform, ElementsAre("ascend-*"));
}

TEST(ScriptHeader, EndsAtTheFirstCommand) {
  EXPECT_EQ(header("#!/bin/bash\n\n# text\n\n#GATE nodes=2\n").nodes, 2);
  EXPECT_EQ(header("#!/bin/bash\nset -e\n#GATE nodes=2 nonsense\n").nodes, 1);
}

TEST(ScriptHeader, IsNoOtherComment) {
  EXPECT_EQ(header_mistakes("#GATEWAY x\n#gate y\n# GATE z\n##GATE z\n"), "");
  EXPECT_EQ(header_mistakes("#GATE\n#GATE   \n"), "");
}

TEST(ScriptHeader, MayHaveAnyLineEndAndIndent) {
  EXPECT_EQ(header("\xEF\xBB\xBF#GATE nodes=2\r\n#GATE steps=5\r\n").nodes, 2);
  EXPECT_EQ(header("#GATE nodes=2\r\n#GATE steps=5\r\n").steps, 5);
  EXPECT_EQ(header("  #GATE\tnodes=2").nodes, 2);
}

TEST(ScriptHeader, TakesPartsInQuotesAsTheyAre) {
  EXPECT_THAT(header(R"(#GATE tags="a, b",c)").tags, ElementsAre("a, b", "c"));
  EXPECT_EQ(header(R"(#GATE setup="echo \"x\" \\ \n")").setup, R"(echo "x" \ \n)");
  EXPECT_THAT(header(R"(#GATE env=A="x y",B=2)").env, ElementsAre(Pair("A", "x y"), Pair("B", "2")));
  EXPECT_THAT(header(R"(#GATE env.A=1,2 env.B="")").env, ElementsAre(Pair("A", "1,2"), Pair("B", "")));
  EXPECT_EQ(header(R"(#GATE owner="")").owner, "");
}

TEST(ScriptHeader, MayEndInAComment) { EXPECT_EQ(header("#GATE nodes=2 # two hosts=2").nodes, 2); }

TEST(ScriptHeader, NamesTheUnknownKeyAtItsPlace) {
  EXPECT_EQ(header_mistakes("#!/bin/bash\n#GATE devices=8 tiemout=30m"),
            "scripts/a.sh:2:17: unknown key \"tiemout\"; did you mean \"timeout\"?");
}

TEST(ScriptHeader, NamesTheWrongValueAtItsPlace) {
  EXPECT_EQ(header_mistakes("#GATE timeout=soon"),
            "scripts/a.sh:1:15: \"soon\" is no duration such as \"30s\", \"30m\", \"2h\" or \"1h30m\"");
  EXPECT_EQ(header_mistakes("#GATE nodes="), "scripts/a.sh:1:13: the value is missing");
  EXPECT_EQ(header_mistakes("#GATE nodes= 2"),
            "scripts/a.sh:1:13: the value is missing\nscripts/a.sh:1:14: \"2\" is no KEY=VALUE");
}

TEST(ScriptHeader, CountsColumnsInCharacters) {
  EXPECT_EQ(header_mistakes("#GATE owner=张伟 nodes=x"),
            "scripts/a.sh:1:22: \"x\" is no count, a whole number from 1 on");
}

TEST(ScriptHeader, RefusesAKeyTwice) {
  EXPECT_EQ(header_mistakes("#GATE nodes=1\n#GATE steps=3 nodes=2"),
            "scripts/a.sh:2:15: nodes is set twice; first at scripts/a.sh:1:7");
}

TEST(ScriptHeader, RefusesWordsThatAreNoKeyAndValue) {
  EXPECT_EQ(header_mistakes("#GATE devices 8"),
            "scripts/a.sh:1:7: \"devices\" is no KEY=VALUE\nscripts/a.sh:1:15: \"8\" is no KEY=VALUE");
  EXPECT_EQ(header_mistakes("#GATE =8"), "scripts/a.sh:1:7: \"=8\" is no KEY=VALUE");
  EXPECT_EQ(header_mistakes("#GATE owner=\"zhang"), "scripts/a.sh:1:13: the quote is not closed");
}

TEST(ScriptHeader, RefusesWhatIsPolicy) {
  EXPECT_EQ(header_mistakes("#GATE strict=true"),
            "scripts/a.sh:1:7: strict cannot be set in #GATE; set it in [suite], [group.NAME], "
            "[case.\"GLOB\"], --set");
  EXPECT_EQ(header_mistakes("#GATE rules.lm_loss.tolerance=exact"),
            "scripts/a.sh:1:7: rules and metrics are policy; write them in gate.toml under [case.\"GLOB\"]");
}

TEST(ScriptHeader, ReportsEveryMistake) {
  EXPECT_EQ(header_mistakes("#GATE nodes=0 wait=all\n#GATE steps=no"),
            "scripts/a.sh:1:13: \"0\" is below 1\n"
            "scripts/a.sh:1:20: unknown wait \"all\"; known: tree, script\n"
            "scripts/a.sh:2:13: \"no\" is no count, a whole number from 1 on");
}

}  // namespace
}  // namespace gate::config::script_header_test
