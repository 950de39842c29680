// Groups of cases: which files are cases of which, what they are called, and what they have of their group.
#include <gmock/gmock.h>

#include "policy_text.h"

namespace gate::config::groups_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* toml = R"([suite]
launch = "bash -e {script}"
[defaults]
timeout = "1h"
[group.st]
cases = ["st/*.sh", "pipeline/*/*.sh"]
baselines = ["st/{case}.json", "pipeline/{name}.json"]
timeout = "3h"
tags = ["nightly"]
[group.ut]
cases = "ut/**/test_*.py"
launch = "pytest -q {script}"
cwd = "{suite}"
[group.folders]
cases = "mc/*/*/model_config.yaml"
launch = "run {folder} {devices}"
)";

using Files = std::vector<std::string>;

std::string found(const Policy& policy, const Files& files) {
  const auto cases = policy.find_cases(files, {});
  if (!cases) return to_string(cases.error());
  std::string lines;
  for (const CaseScript& one : *cases)
    lines += one.name + " <- " + one.script + " " + std::to_string(one.group) + "." +
             std::to_string(one.glob) + "\n";
  return lines;
}

TEST(Groups, FindTheirCasesByTheirGlobs) {
  const Files files{"mc/gpt/a/model_config.yaml",
                    "mc/gpt/b/golden.json",
                    "pipeline/glm/train.sh",
                    "st/a.sh",
                    "st/deep/b.sh",
                    "ut/rope/test_x.py",
                    "ut/rope/helper.py"};
  EXPECT_EQ(found(policy(toml), files),
            "folders/gpt/a <- mc/gpt/a/model_config.yaml 2.0\n"
            "st/a <- st/a.sh 0.0\n"
            "st/glm/train <- pipeline/glm/train.sh 0.1\n"
            "ut/rope/test_x.py <- ut/rope/test_x.py 1.0\n");
}

TEST(Groups, TheSuitesCasesAreOneOnlyIfItSaysThem) {
  EXPECT_THAT(policy(toml).groups(), SizeIs(3));
  const Policy both = policy("[suite]\ncases = 'scripts/*.sh'\n[group.st]\ncases = 'st/*.sh'\n");
  EXPECT_EQ(found(both, {"scripts/a.sh", "st/a.sh"}), "a <- scripts/a.sh 0.0\nst/a <- st/a.sh 1.0\n");
}

TEST(Groups, HaveTheSuitesLaunchAndFolderUnlessTheySayTheirOwn) {
  const Policy p = policy(toml);
  EXPECT_EQ(p.groups()[0].launch, "bash -e {script}");
  EXPECT_EQ(p.groups()[0].cwd, "{git_root}");
  EXPECT_EQ(p.groups()[1].launch, "pytest -q {script}");
  EXPECT_EQ(p.groups()[1].cwd, "{suite}");
  EXPECT_THAT(p.groups()[1].baselines, IsEmpty()) << "baselines/{case}.json, by the whole name";
}

TEST(Groups, SetWhatLiesBetweenDefaultsAndTheScript) {
  const Policy p = policy(toml);
  const auto timeout = [&](std::size_t group, std::string_view script) {
    return p.resolve({"x", "x.sh", script, {}, group})->settings.timeout;
  };
  EXPECT_EQ(timeout(0, ""), std::chrono::hours(3));
  EXPECT_EQ(timeout(1, ""), std::chrono::hours(1));
  EXPECT_EQ(timeout(0, "#GATE timeout=5h\n"), std::chrono::hours(5));
  EXPECT_THAT(p.resolve({"x", "x.sh", "", {}, 0})->settings.tags, ElementsAre("nightly"));
  EXPECT_EQ(p.resolve({"x", "x.sh", "", {}, 0})->group, "st");
}

TEST(Groups, TwoFilesAreNotOneCase) {
  const Policy p = policy("[group.a]\ncases = ['x/*.sh', 'y/*.sh']\n");
  EXPECT_EQ(found(p, {"x/one.sh", "y/one.sh"}),
            "y/one.sh: is case a/one, and so is x/one.sh: put the two into groups of their own, "
            "[group.NAME]");
  EXPECT_EQ(found(policy("[group.a]\ncases = ['x/*.sh', 'x/o*.sh']\n"), {"x/one.sh"}),
            "a/one <- x/one.sh 0.0\n");
}

TEST(Groups, TellMistakesAtTheirPlace) {
  const auto one = [](const std::string& lines) { return mistakes("[group.st]\n" + lines); };
  EXPECT_THAT(one("timeout = '1h'\n"), HasSubstr("gate.toml:1:8: the group has no cases"));
  EXPECT_THAT(one("cases = ['a/*', 'b/*', 'c/*']\nbaselines = ['{case}.json', 'b/{case}.json']\n"),
              HasSubstr("gate.toml:1:8: 2 paths of baselines for 3 globs of cases"));
  EXPECT_THAT(one("cases = '../a/*'\n"), HasSubstr("gate.toml:2:9: the cases lie below the suite's folder"));
  EXPECT_THAT(one("cases = 'a/*'\nbaselines = 'b.json'\n"),
              HasSubstr("gate.toml:3:13: \"b.json\" lacks {case} or {name}"));
  EXPECT_THAT(one("cases = 'a/*'\nbaselines = '{case}/{name}.json'\n"), HasSubstr("has {case} and {name}"));
  EXPECT_THAT(one("cases = 'a/*'\nlaunch = 'bash x.sh'\n"),
              HasSubstr("gate.toml:3:10: \"bash x.sh\" lacks {script}"));
  EXPECT_THAT(one("cases = 'a/*'\ntimoeut = '1h'\n"), HasSubstr("did you mean \"timeout\"?"));
  EXPECT_THAT(one("cases = 'a/*'\nprofile = 'gate'\n"), HasSubstr("profile cannot be set in [group.NAME]"));
  EXPECT_THAT(mistakes("[group.'a/b']\ncases = 'a/*'\n"),
              HasSubstr("gate.toml:1:8: \"a/b\" is no name of a group"));
  EXPECT_THAT(mistakes("[group]\nst = 1\n"), HasSubstr("[group] holds tables named by groups of cases"));
}

}  // namespace
}  // namespace gate::config::groups_test
