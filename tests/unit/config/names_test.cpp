#include "gate/config/case_names.h"

#include <gmock/gmock.h>

namespace gate::config::names_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> found(std::string_view glob, std::vector<std::string> files) {
  std::vector<std::string> lines;
  for (const CaseScript& one : find_cases(glob, files)) lines.push_back(one.name + " <- " + one.script);
  return lines;
}

TEST(FindCases, NamesScriptsByTheirPathBelowTheFixedFolder) {
  EXPECT_THAT(found("scripts/**.sh", {"scripts/b.sh", "scripts/pre/a.sh", "README.md", "tools/c.sh"}),
              ElementsAre("b <- scripts/b.sh", "pre/a <- scripts/pre/a.sh"));
  EXPECT_THAT(found("tests/st/shell_scripts/*.sh", {"tests/st/shell_scripts/x.sh", "tests/st/run.sh"}),
              ElementsAre("x <- tests/st/shell_scripts/x.sh"));
  EXPECT_THAT(found("./scripts/*.sh", {"scripts/b.sh"}), ElementsAre("b <- scripts/b.sh"));
  EXPECT_THAT(found("*.sh", {"b.sh"}), ElementsAre("b <- b.sh"));
}

TEST(FindCases, LeavesOutPartsWithUnderscoreOrDot) {
  EXPECT_THAT(found("scripts/**.sh", {"scripts/_common.sh", "scripts/.x.sh", "scripts/_lib/a.sh",
                                      "scripts/a/.b/c.sh", "scripts/a_b.sh"}),
              ElementsAre("a_b <- scripts/a_b.sh"));
  EXPECT_THAT(found(".ci/*.sh", {".ci/a.sh"}), ElementsAre("a <- .ci/a.sh"));
}

TEST(FindCases, StarDoesNotCrossASlash) {
  EXPECT_THAT(found("scripts/*.sh", {"scripts/pre/a.sh"}), IsEmpty());
  EXPECT_THAT(found("scripts/*/run.sh", {"scripts/a/run.sh"}), ElementsAre("a/run <- scripts/a/run.sh"));
}

TEST(FindCases, SortsByName) {
  EXPECT_THAT(found("scripts/**", {"scripts/a-b.sh", "scripts/a.sh", "scripts/a/x.sh"}),
              ElementsAre("a <- scripts/a.sh", "a-b <- scripts/a-b.sh", "a/x <- scripts/a/x.sh"));
}

const std::vector<CaseScript> cases{
    {"llama2", "scripts/llama2.sh"}, {"pre/a", "scripts/pre/a.sh"}, {"pre/b", "scripts/pre/b.sh"}};

std::vector<std::string> selected(std::vector<std::string> words) {
  const Result<std::vector<std::string>> names = select(words, cases);
  return names ? *names : std::vector<std::string>{"error: " + names.error().message};
}

TEST(Select, TakesNamesGlobsAndPaths) {
  EXPECT_THAT(selected({}), ElementsAre("llama2", "pre/a", "pre/b"));
  EXPECT_THAT(selected({"pre/b", "llama2"}), ElementsAre("llama2", "pre/b"));
  EXPECT_THAT(selected({"pre/*"}), ElementsAre("pre/a", "pre/b"));
  EXPECT_THAT(selected({"scripts/pre/a.sh"}), ElementsAre("pre/a"));
  EXPECT_THAT(selected({"./scripts/pre/a.sh"}), ElementsAre("pre/a"));
  EXPECT_THAT(selected({"scripts/pre/*.sh"}), ElementsAre("pre/a", "pre/b"));
  EXPECT_THAT(selected({"pre/a", "pre/*", "pre/a"}), ElementsAre("pre/a", "pre/b"));
  EXPECT_THAT(selected({"**"}), ElementsAre("llama2", "pre/a", "pre/b"));
}

TEST(Select, RefusesAWordThatSelectsNothing) {
  EXPECT_THAT(selected({"lama2"}), ElementsAre("error: no case \"lama2\"; did you mean \"llama2\"?"));
  EXPECT_THAT(selected({"llama2", "q*"}), ElementsAre("error: no case \"q*\""));
  EXPECT_THAT(selected({"scripts/lama2.sh"}),
              ElementsAre("error: no case \"scripts/lama2.sh\"; did you mean \"scripts/llama2.sh\"?"));
  EXPECT_THAT(selected({"x", "y"}), ElementsAre("error: no case \"x\"\nno case \"y\""));
  EXPECT_THAT(selected({"pre"}), ElementsAre("error: no case \"pre\"; write 'pre/**' for those below it"));
  EXPECT_THAT(selected({"./scripts/pre/"}),
              ElementsAre("error: no case \"./scripts/pre/\"; write 'scripts/pre/**' for those below it"));
  EXPECT_THAT(selected({"pr*"}),
              ElementsAre("error: no case \"pr*\"; a * ends at a /: write 'pr**' for those below it"));
  EXPECT_EQ(select(std::vector<std::string>{"x"}, {}).error().message,
            "no case \"x\"; the suite has no cases");
}

TEST(Select, TakesAKeyOfFlagPerfWhereNothingIsCalledSo) {
  const std::string key = "glm:pytorch_1.8:A100:1:8:1";
  std::vector<CaseScript> variants{
      {"bert/pytorch@1x8", "b"}, {"glm/pytorch@1x1", "g"}, {"glm/pytorch@1x8", "g"}};
  EXPECT_THAT(*select(std::vector{key}, variants), ElementsAre("glm/pytorch@1x8"));
  EXPECT_THAT(*select(std::vector<std::string>{"bert*/*", key}, variants),
              ElementsAre("bert/pytorch@1x8", "glm/pytorch@1x8"));
  const auto complaint = [](const std::string& word, std::span<const CaseScript> scripts) {
    const std::string said = select(std::vector{word}, scripts).error().message;
    return said.substr(0, said.find("; of a key that is new in CASES gate init --dry-run prints the lines"));
  };
  EXPECT_EQ(complaint("glm:pytorch:A100:2:8:1", variants),
            "no case \"glm:pytorch:A100:2:8:1\"; of glm/pytorch there are glm/pytorch@1x1, glm/pytorch@1x8");
  EXPECT_EQ(
      complaint("cpm:pytorch:A100:1:8:1", variants),
      "no case \"cpm:pytorch:A100:1:8:1\"; there are bert/pytorch@1x8, glm/pytorch@1x1, glm/pytorch@1x8");
  EXPECT_EQ(complaint(key, {}), "no case \"" + key + "\"; the suite has no cases");
  variants.push_back({key, "k"});
  EXPECT_THAT(*select(std::vector{key}, variants), ElementsAre(key));
}

std::string expanded(std::string_view text) {
  const Result<std::string> result = expand(text, {{"case", "pre/a"}, {"platform", "cpu"}});
  return result ? *result : "error: " + result.error().message;
}

TEST(Expand, ReplacesPlaceholders) {
  EXPECT_EQ(expanded("b/{platform}/{case}.json"), "b/cpu/pre/a.json");
  EXPECT_EQ(expanded("{case}{case}"), "pre/apre/a");
  EXPECT_EQ(expanded("plain"), "plain");
  EXPECT_EQ(expanded("a}b"), "a}b");
  EXPECT_EQ(expanded(""), "");
}

TEST(Expand, RefusesUnknownPlaceholders) {
  EXPECT_EQ(expanded("{cases}.json"), "error: unknown placeholder \"{cases}\"; did you mean \"{case}\"?");
  EXPECT_EQ(expanded("{x}.json"), "error: unknown placeholder \"{x}\"; known: {case}, {platform}");
  EXPECT_EQ(expanded("{case"), "error: a { of \"{case\" is not closed");
}

TEST(Expand, DoesNotExpandWhatItInserted) { EXPECT_EQ(*expand("{a}", {{"a", "{b}"}, {"b", "x"}}), "{b}"); }

TEST(Holes, InTheirOrder) {
  EXPECT_EQ(holes_of("a {b} c{d}{} {e"), (std::vector<std::string>{"b", "d", ""}));
  EXPECT_TRUE(holes_of("a } b").empty());
  EXPECT_EQ(variable_of_hole("env.A_1"), "A_1");
  for (const char* none : {"env.", "env.1A", "env.A-B", "case", "ENV.A"})
    EXPECT_EQ(variable_of_hole(none), "") << none;
}

}  // namespace
}  // namespace gate::config::names_test
