#include "gate/config/phases.h"

#include <gmock/gmock.h>

#include "policy_text.h"

namespace gate::config::phases_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr const char* three = R"([case.a]
phases = ["full", "resume", "last"]
phase.resume = { args = "--load  x", env = { A = "b c" }, window = "after 5", from_step = 5, tolerance = "rules" }
phase.last = { args = ["a b", "-c"], against = "resume" }
)";

TEST(Phases, AreWhatIsSaidOfThem) {
  const Settings s = settings_of({.toml = three});
  EXPECT_EQ(count_starts(s), 3u);
  EXPECT_EQ(phase_name(s, 1), "resume");
  EXPECT_TRUE(has_checkpoints(s));
  const CasePhase& resume = phase_at(s, 1);
  EXPECT_THAT(resume.args, ElementsAre("--load", "x"));
  EXPECT_THAT(resume.env, ElementsAre(Pair("A", "b c")));
  EXPECT_EQ(resume.window, (Window{Window::Kind::after, 5, 0}));
  EXPECT_EQ(resume.from, 5);
  EXPECT_EQ(resume.tolerance, CasePhase::Tolerance::rules);
  EXPECT_THAT(phase_at(s, 2).args, ElementsAre("a b", "-c"));
  EXPECT_EQ(phase_at(s, 0).tolerance, std::nullopt);
}

TEST(Phases, AreJudgedAgainstTheFirstOneWhereNobodySaysWhich) {
  const Settings s = settings_of({.toml = three});
  EXPECT_EQ(phase_against(s, 0), std::nullopt);
  EXPECT_EQ(phase_against(s, 1), 0u);
  EXPECT_EQ(phase_against(s, 2), 1u);
  const Settings other = settings_of({.toml = three, .overrides = {set("phase.last.against", "baseline")}});
  EXPECT_EQ(phase_against(other, 2), std::nullopt);
}

TEST(Phases, OfACaseWithoutAnyIsOneStartWithoutAName) {
  const Settings s = settings_of({});
  EXPECT_EQ(count_starts(s), 1u);
  EXPECT_EQ(phase_name(s, 0), "");
  EXPECT_FALSE(has_checkpoints(s));
  EXPECT_THAT(phase_at(s, 0).args, IsEmpty());
}

TEST(Phases, AreLayeredKeyByKey) {
  const Settings s = settings_of({.toml = "[defaults]\nphases = [\"a\", \"b\"]\nphase.b.args = \"x\"\n",
                                  .script_text = "#GATE phase.b.from_step=3",
                                  .overrides = {set("phase.b.args", "y z"), set("phase.b.env.V", "1")}});
  EXPECT_THAT(phase_at(s, 1).args, ElementsAre("y", "z"));
  EXPECT_EQ(phase_at(s, 1).from, 3);
  EXPECT_THAT(phase_at(s, 1).env, ElementsAre(Pair("V", "1")));
}

std::string refused(const std::string& keys) { return case_mistakes({.toml = "[case.a]\n" + keys}); }

TEST(Phases, ThatDoNotGoTogetherAreRefusedAtTheirPlace) {
  EXPECT_THAT(refused("phase.b.args = \"x\"\n"), HasSubstr("gate.toml:2:16: the case has no phase b"));
  EXPECT_THAT(refused("phases = [\"a\"]\nphase.b.args = \"x\"\n"), HasSubstr("its phases are a"));
  EXPECT_THAT(refused("phases = [\"a\", \"b\"]\nphase.b.against = \"b\"\n"),
              HasSubstr("is no phase before b"));
  EXPECT_THAT(refused("phases = [\"a\"]\nphase.a.against = \"a\"\n"), HasSubstr("the first phase is judged"));
  EXPECT_EQ(refused("phases = [\"a\"]\nphase.a.against = \"baseline\"\n"), "");
}

TEST(Phases, HaveNamesAndKeysOfTheirOwn) {
  for (const char* names : {"[\"a\", \"a\"]", "[\"baseline\"]", "[\"a b\"]", "[\"\"]", "[\"a/b\"]", "3"})
    EXPECT_NE(mistakes("[case.a]\nphases = " + std::string(names)), "") << names;
  for (const char* entry :
       {"phase.b.arg = \"x\"", "phase.b = \"x\"", "phase = \"x\"", "phase.b.from_step = 0",
        "phase.b.window = \"x\"", "phase.b.tolerance = \"loose\"", "phase.b.env = \"A\"",
        "phase.b.env.\"A=\" = \"x\"", "phase.b.args.c = 1"})
    EXPECT_NE(mistakes("[case.a]\nphases = [\"a\", \"b\"]\n" + std::string(entry)), "") << entry;
}

}  // namespace
}  // namespace gate::config::phases_test
