// Matrices: which variants a case has, what they are called, and which parameters may be set by whom.
#include <gmock/gmock.h>

#include "policy_text.h"

namespace gate::config::matrix_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::StartsWith;

const std::string toml = R"([matrix."glm/pretrain"]
TP      = [1, 2]
size    = ["1x1", "1x8", "2x8"]
exclude = [{ size = "1x1", TP = 2 }]
repeat  = 3
mutable = ["TP", "batch"]
params  = { batch = 32, seed = 1 }
variant."2x8*" = { batch = 16 }
)";

using Files = std::vector<std::string>;
using Words = std::vector<Override>;

Override param(std::string key, std::string value) {
  return {"param." + std::move(key), std::move(value), "--set"};
}

Parsed<std::vector<CaseScript>> variants(const std::string& text, const Words& words = {},
                                         const Files& files = {"scripts/glm/pretrain.sh"}) {
  return policy(text).find_cases(files, words);
}

// Return the names between blanks, or the mistakes.
std::string names(const std::string& text, const Words& words = {},
                  const Files& files = {"scripts/glm/pretrain.sh"}) {
  const auto found = variants(text, words, files);
  if (!found) return to_string(found.error());
  std::string all;
  for (const CaseScript& one : *found) all += (all.empty() ? "" : " ") + one.name;
  return all;
}

Parsed<Case> variant(const std::string& text, const std::string& name, const Words& words = {},
                     const std::string& script = "") {
  const Policy p = policy(text);
  const auto found = p.find_cases(Files{"scripts/glm/pretrain.sh"}, words);
  if (!found) return tl::unexpected(found.error());
  for (const CaseScript& one : *found)
    if (one.name == name) return p.resolve({one.name, one.script, script, words, one.group, one.variant});
  return tl::unexpected(Diagnostics{{{}, "no " + name}});
}

std::string mistakes_of(const std::string& text, const std::string& name, const Words& words = {}) {
  const auto resolved = variant(text, name, words);
  return resolved ? "" : to_string(resolved.error());
}

TEST(Matrix, HasAVariantForEachChoiceThatIsNotExcluded) {
  EXPECT_EQ(names(toml),
            "glm/pretrain@1x1,TP=1 glm/pretrain@1x8,TP=1 glm/pretrain@1x8,TP=2 glm/pretrain@2x8,TP=1 "
            "glm/pretrain@2x8,TP=2");
  EXPECT_EQ(names(toml, {}, {"scripts/glm/pretrain.sh", "scripts/other.sh"}).substr(0, 21),
            "glm/pretrain@1x1,TP=1");
  EXPECT_EQ(names("[matrix.'**']\nA = ['x=1', 'y:2']\n", {}, {"scripts/a.sh", "scripts/b.sh"}),
            "a@A=x=1 a@A=y:2 b@A=x=1 b@A=y:2");
}

TEST(Matrix, SetsWhatAVariantIs) {
  const auto one = variant(toml, "glm/pretrain@1x8,TP=2");
  ASSERT_TRUE(one) << to_string(one.error());
  EXPECT_EQ(one->settings.nodes, 1);
  EXPECT_EQ(one->settings.devices, 8);
  EXPECT_EQ(one->settings.repeat, 3);
  EXPECT_THAT(one->settings.env, ElementsAre(Pair("TP", "2"), Pair("batch", "32"), Pair("seed", "1")));
  EXPECT_EQ(one->variant->base, "glm/pretrain");
  const auto two = variant(toml, "glm/pretrain@2x8,TP=1");
  EXPECT_EQ(two->settings.nodes, 2);
  EXPECT_EQ(two->settings.env.at("batch"), "16");
}

TEST(Matrix, LiesBetweenTheScriptAndTheBlocksOfTheCase) {
  const std::string block = "[case.'glm/pretrain']\ntimeout = '9h'\nenv = { batch = '8' }\n";
  const auto one =
      variant(toml + block, "glm/pretrain@1x8,TP=1", {}, "#GATE env.seed=7 env.batch=7 timeout=1h\n");
  ASSERT_TRUE(one) << to_string(one.error());
  EXPECT_EQ(one->settings.timeout, std::chrono::hours(9)) << "a block of the case is of its variants";
  EXPECT_EQ(one->settings.env.at("seed"), "1");
  EXPECT_EQ(one->settings.env.at("batch"), "8");
}

TEST(Matrix, AParameterThatIsNotMutableIsNobodyElses) {
  const std::string name = "glm/pretrain@1x8,TP=1";
  const std::string tail =
      ", and not in mutable of [matrix.\"glm/pretrain\"]: take one of the two back, or make it "
      "mutable";
  EXPECT_EQ(mistakes_of(toml + "[case.'**']\nenv = { seed = '2' }\n", name),
            "gate.toml:10:16: seed is 1 at gate.toml:7:32" + tail);
  EXPECT_EQ(mistakes_of(toml + "[case.'**']\ndevices.nvidia-gb200 = 4\n", name).substr(0, 46),
            "gate.toml:10:24: size is an axis of [matrix.\"g");
  EXPECT_EQ(mistakes_of(toml, name, {param("seed", "2")}),
            "--set param.seed: seed is 1 at gate.toml:7:32" + tail);
  EXPECT_EQ(mistakes_of(toml, name, {set("env.seed", "2")}),
            "--set env.seed: seed is 1 at gate.toml:7:32" + tail);
  EXPECT_EQ(mistakes_of(toml + "[platform.'ascend-*'.matrix.'glm/pretrain']\nparams.seed = 2\n", name),
            "gate.toml:10:15: seed is 1 at gate.toml:7:32" + tail);
  EXPECT_EQ(mistakes_of(toml + "variant.'1x8*' = { seed = 2 }\n", name),
            "gate.toml:9:27: seed is 1 at gate.toml:7:32" + tail);
  EXPECT_EQ(mistakes_of(toml, name, {param("batch", "64")}), "");
  EXPECT_EQ(mistakes_of(toml, name, {set("env.other", "64")}), "");
}

TEST(Matrix, AnAxisIsSetByTheMatrixAlone) {
  const std::string name = "glm/pretrain@1x8,TP=1";
  EXPECT_THAT(mistakes_of(toml, name, {set("env.TP", "4")}),
              AllOf(StartsWith("--set env.TP: TP is an axis"), HasSubstr("1 at gate.toml:2:12")));
  EXPECT_THAT(mistakes_of(toml, name, {set("devices", "4")}),
              AllOf(StartsWith("--set devices: size is an axis"), HasSubstr("1x8 at gate.toml:3:19")));
  EXPECT_THAT(mistakes_of(toml + "[case.'**']\nnodes = 2\n", name),
              StartsWith("gate.toml:10:9: size is an axis"));
}

TEST(Matrix, ASizeProtectsTheVariablesByWhichItIsTold) {
  const std::string name = "glm/pretrain@1x8,TP=1";
  for (const char* variable : {"NPROC_PER_NODE", "WORLD_SIZE", "ASCEND_RT_VISIBLE_DEVICES"})
    EXPECT_THAT(mistakes_of(toml, name, {set(std::string("env.") + variable, "1")}),
                HasSubstr("size is an axis"));
  EXPECT_THAT(mistakes("[matrix.a]\nsize = ['1x2']\nNNODES = [1]\n"),
              HasSubstr("NNODES is told by the size"));
  EXPECT_EQ(mistakes("[matrix.a]\nNNODES = [1]\n"), "");
  EXPECT_THAT(mistakes("[matrix.a]\nGATE_CASE = [1]\n"), HasSubstr("GATE_CASE is gate's own"));
  EXPECT_THAT(mistakes("[matrix.a]\nTP = [1]\nparams.GATE_X = 1\n"), HasSubstr("GATE_X is gate's own"));
  EXPECT_THAT(mistakes("[matrix.a]\nTP = [1]\n[platform.cpu.matrix.a]\nparams.GATE_X = 1\n"),
              HasSubstr("gate.toml:4:8: GATE_X is gate's own"));
}

TEST(Matrix, NoTwoLayersSetAParameterThatIsNotMutable) {
  const std::string name = "glm/pretrain@1x8,TP=1";
  EXPECT_THAT(
      mistakes_of(toml + "variant.'1x8*' = { Q = 'variant' }\n[case.'**']\nenv = { Q = 'case' }\n", name),
      HasSubstr("Q is case at gate.toml:11:13, and not in mutable"));
  EXPECT_THAT(mistakes_of(toml + "[platform.'c*'.matrix.'glm/pretrain']\nparams.A = 1\n"
                                 "[platform.cpu.matrix.'glm/pretrain']\nparams.A = 2\n",
                          name),
              HasSubstr("gate.toml:12:12: A is 1 at gate.toml:10:12, and not in mutable"));
  EXPECT_EQ(mistakes_of(toml + "[platform.'c*'.matrix.'glm/pretrain']\nparams.A = 1\n"
                               "[platform.'n*'.matrix.'glm/pretrain']\nparams.A = 2\n",
                        name),
            "");
}

TEST(Matrix, AParamIsOfTheMatricesThatSpeakOfIt) {
  const std::string text = toml + "[matrix.y]\nB = [1]\n";
  const Policy p = policy(text);
  const Words words{param("batch", "9")};
  const auto found = p.find_cases(Files{"scripts/glm/pretrain.sh", "scripts/y.sh"}, words);
  ASSERT_TRUE(found) << to_string(found.error());
  const CaseScript& y = found->back();
  ASSERT_EQ(y.name, "y@B=1");
  EXPECT_THAT(p.resolve({y.name, y.script, "", words, 0, y.variant})->settings.env,
              ElementsAre(Pair("B", "1")));
  EXPECT_FALSE(p.narrows(words));
  EXPECT_TRUE(p.narrows(Words{param("TP", "1")}));
}

TEST(Matrix, AParamNarrowsAMutableAxis) {
  EXPECT_EQ(names(toml, {param("TP", "2")}), "glm/pretrain@1x8,TP=2 glm/pretrain@2x8,TP=2");
  EXPECT_THAT(names(toml, {param("TP", "4")}), HasSubstr("has no value \"4\"; it has 1, 2"));
  EXPECT_THAT(names(toml, {param("size", "1x8")}),
              HasSubstr("--set param.size: \"size\" is an axis, gate.toml:3:1, and not in mutable"));
  EXPECT_THAT(names(toml, {param("TP", "a/b")}), HasSubstr("cannot be part of a variant's name"));
  EXPECT_THAT(names(toml, {param("batc", "4")}),
              HasSubstr("--set param.batc: no matrix has the parameter \"batc\"; did you mean \"batch\"?"));
  EXPECT_THAT(names("", {param("x", "4")}, {}), HasSubstr("there is no [matrix.\"CASE\"]"));
}

TEST(Matrix, HasParametersOfItsOwnOnAPlatform) {
  const std::string text = toml + "[platform.'ascend-*'.matrix.'glm/pretrain']\nparams.batch = 64\n";
  const auto one = variant(text, "glm/pretrain@1x8,TP=1");
  ASSERT_TRUE(one) << to_string(one.error());
  EXPECT_EQ(variables_on(*one, "ascend-910b3").at("batch"), "64");
  EXPECT_EQ(variables_on(*one, "nvidia-a100").at("batch"), "32");
  const auto later = variant(text, "glm/pretrain@2x8,TP=1");
  EXPECT_EQ(variables_on(*later, "ascend-910b3").at("batch"), "16") << "a variant's own is above";
  const auto word = variant(text, "glm/pretrain@1x8,TP=1", {param("batch", "2")});
  EXPECT_EQ(variables_on(*word, "ascend-910b3").at("batch"), "2");
}

TEST(Matrix, TellsMistakesAtTheirPlace) {
  const auto one = [](const std::string& lines) { return mistakes("[matrix.a]\n" + lines); };
  EXPECT_THAT(one(""), HasSubstr("gate.toml:1:9: a matrix without an axis"));
  EXPECT_THAT(one("size = ['8']\n"), HasSubstr("gate.toml:2:9: \"8\" is no size"));
  EXPECT_THAT(one("size = ['01x1']\n"), HasSubstr("is no size"));
  EXPECT_THAT(one("size = ['1x01']\n"), HasSubstr("is no size"));
  EXPECT_THAT(one("TP = 2\n"), HasSubstr("gate.toml:2:6: 2 is no axis; write a list of values"));
  EXPECT_THAT(one("TP = [1, 1]\n"), HasSubstr("gate.toml:2:10: 1 is listed twice"));
  EXPECT_THAT(one("TP = []\n"), HasSubstr("gate.toml:2:6: the axis has no value"));
  EXPECT_THAT(one("TP = [[1]]\n"), HasSubstr("is no value of an axis"));
  EXPECT_THAT(one("'T P' = [1]\n"), HasSubstr("is no axis; write size"));
  for (const char* value : {"a/b", "a,b", "a@b", "a*", "a[b", " a", "", "a\\\\b", "a\\u0007"})
    EXPECT_THAT(one("TP = [\"" + std::string(value) + "\"]\n"),
                HasSubstr("cannot be part of a variant's name"))
        << value;
  EXPECT_THAT(one("TP = [1]\nexclude = [{ PP = 1 }]\n"),
              HasSubstr("gate.toml:3:14: the matrix has no axis \"PP\""));
  EXPECT_THAT(one("TP = [1]\nexclude = [{ TP = 2 }]\n"), HasSubstr("TP is never \"2\": nothing is excluded"));
  EXPECT_THAT(one("TP = [1]\nexclude = 5\n"), HasSubstr("excludes nothing"));
  EXPECT_THAT(one("TP = [1]\nrepeat = 0\n"), HasSubstr("gate.toml:3:10"));
  EXPECT_THAT(mistakes("[matrix]\na = 1\n"), HasSubstr("[matrix] holds tables named by cases"));
  EXPECT_THAT(mistakes("[platform.x.matrix.a]\nparams.b = 1\n"), HasSubstr("there is no [matrix.\"a\"]"));
  EXPECT_THAT(mistakes("[matrix.a]\nTP = [1]\n[platform.x.matrix.a]\nTP = [2]\n"),
              HasSubstr("unknown key \"TP\""));
  EXPECT_THAT(mistakes("[platform.x]\ntimeout = 1\n"), HasSubstr("unknown key \"timeout\""));
}

TEST(Matrix, IsOfCasesThatThereAreAndOfThoseOfNoOther) {
  EXPECT_THAT(names("[matrix.'glm/pretrian']\nTP = [1]\n"),
              HasSubstr("gate.toml:1:9: no case matches \"glm/pretrian\": there is no "
                        "scripts/glm/pretrian.sh; did you mean \"glm/pretrain\"?"));
  EXPECT_THAT(names("[matrix.'glm/*']\nTP = [1]\n[matrix.'**']\nPP = [1]\n"),
              HasSubstr("gate.toml:3:9: glm/pretrain is of two matrices; the other is gate.toml:1:9"));
  EXPECT_THAT(names("[matrix.'**']\nTP = [1]\nexclude = [{ TP = 1 }]\n"),
              HasSubstr("all variants of glm/pretrain are excluded"));
}

TEST(Matrix, NoScriptHasTheNameOfAVariant) {
  EXPECT_THAT(names("[matrix.glm]\nTP = [1]\n", {}, {"scripts/glm.sh", "scripts/glm@TP=1.sh"}),
              HasSubstr("is case glm@TP=1, and so is"));
  EXPECT_THAT(names(toml + "variant.'9x9*' = { a = 1 }\n"),
              HasSubstr("gate.toml:9:9: no variant matches \"9x9*\""));
  EXPECT_EQ(names("[matrix.gone]\nTP = [1]\n").substr(0, 13), "gate.toml:1:9");
  EXPECT_TRUE(policy("[matrix.gone]\nTP = [1]\n").find_cases(Files{"scripts/a.sh"}, {}, Unmatched::allowed));
}

TEST(Matrix, HasABoundedNumberOfVariantsWithNamesThatFilesCanHave) {
  std::string many = "[matrix.'**']\n";
  for (const char* axis : {"A", "B", "C", "D", "E", "F"})
    many += std::string(axis) + " = [1,2,3,4,5,6,7,8]\n";
  EXPECT_THAT(names(many), HasSubstr("gate.toml:1:9: more than 100000 variants"));
  EXPECT_THAT(names("[matrix.'**']\nA = ['" + std::string(250, 'x') + "']\n"),
              HasSubstr("longer than 200 bytes"));
}

TEST(Matrix, FormulasKnowTheCountsAndTheVariantsBeside) {
  const std::string text =
      toml + "[metrics.scaling]\nformula = 'throughput / throughput(\"@1x8\") / devices * nodes'\n";
  const auto one = variant(text, "glm/pretrain@2x8,TP=2");
  ASSERT_TRUE(one) << to_string(one.error());
  ASSERT_THAT(one->derivations, SizeIs(1));
  EXPECT_THAT(one->derivations[0].cases, ElementsAre("glm/pretrain@1x8,TP=2"));
  std::vector<std::string> numbers;
  for (const judge::Term& term : formula_on(*one, one->derivations[0].formula, "cpu").terms)
    if (term.kind == judge::TermKind::number) numbers.push_back(term.number.to_string());
  EXPECT_THAT(numbers, ElementsAre("16", "2"));
  const std::string rule = "[rules.s]\ntolerance = '>= 0.9'\nwindow = 'last 3'\nreduce = 'mean'\n";
  const std::string no_axis = "[metrics.s]\nformula = 'throughput / throughput(\"@PP=1\")'\n";
  EXPECT_EQ(mistakes_of(toml + no_axis, "glm/pretrain@2x8,TP=2"), "") << "nobody judges it";
  EXPECT_THAT(mistakes_of(toml + no_axis + rule, "glm/pretrain@2x8,TP=2"),
              HasSubstr("the matrix has no axis PP"));
  EXPECT_THAT(case_mistakes({.toml = "[metrics.s]\nformula = 'throughput / throughput(\"@1x8\")'\n" + rule}),
              HasSubstr("\"@1x8\" is a variant, and this case is of no matrix"));
}

TEST(Matrix, WordsSelectVariants) {
  const auto found = variants(toml);
  const auto chosen = [&](const std::string& word) {
    return select(std::vector{word}, *found).value_or(Files{});
  };
  EXPECT_THAT(chosen("glm/pretrain"), SizeIs(5));
  EXPECT_THAT(chosen("scripts/glm/pretrain.sh"), SizeIs(5));
  EXPECT_THAT(chosen("*/pretrain@1x8*"), SizeIs(2));
  EXPECT_THAT(chosen("**@*,TP=2"), SizeIs(2));
  EXPECT_THAT(chosen("glm/pretrain@2x8,TP=1"), ElementsAre("glm/pretrain@2x8,TP=1"));
  EXPECT_THAT(chosen("glm"), IsEmpty());
}

}  // namespace
}  // namespace gate::config::matrix_test
