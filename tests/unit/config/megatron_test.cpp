#include "gate/config/megatron.h"

#include <gmock/gmock.h>

#include "gate/base/text.h"

namespace gate::config::megatron_test {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::HasSubstr;
using testing::IsEmpty;

// Return the mistakes of the file, or `good`.
std::string said(std::string_view text) {
  const auto read = read_megatron_case(text, "m.yaml");
  return read ? "good" : to_string(read.error());
}

MegatronCase case_of(std::string_view text) {
  auto read = read_megatron_case(text, "m.yaml");
  EXPECT_TRUE(read) << (read ? "" : to_string(read.error()));
  return read ? *std::move(read) : MegatronCase{};
}

// Flags and words, one behind the other.
std::vector<std::string> argument_words(std::span<const MegatronArgument> args) {
  std::vector<std::string> out;
  for (const MegatronArgument& argument : args) {
    out.push_back(argument.flag);
    out.insert(out.end(), argument.words.begin(), argument.words.end());
  }
  return out;
}

std::string words(std::string_view args) {
  return join(argument_words(case_of("MODEL_ARGS:\n" + std::string(args)).args), "|");
}

constexpr std::string_view resume =
    "ENV_VARS:\n"
    "  CUDA_DEVICE_MAX_CONNECTIONS: 1\n"
    "  NVTE_ALLOW_NONDETERMINISTIC_ALGO: 0\n"
    "  CUBLAS_WORKSPACE_CONFIG: :4096:8\n"
    "MODEL_ARGS:\n"
    "  --num-layers: 12\n"
    "  --tensorboard-dir: ${TENSORBOARD_PATH}\n"
    "  --train-iters: 100\n"
    "  --min-lr: 1.0e-5 # as it is written\n"
    "  --bf16: true\n"
    "METRICS:\n  - \"lm loss\"\n  - num-zeros\n"
    "BEFORE_SCRIPT: |\n  rm -rf x\n  mkdir x\n"
    "TEST_TYPE: ckpt-resume\n"
    "SOMETHING_NEW: [1]\n";

TEST(MegatronConfig, OfACase) {
  const MegatronCase one = case_of(resume);
  EXPECT_EQ(one.test_type, "ckpt-resume");
  EXPECT_THAT(one.metrics, ElementsAre("lm loss", "num-zeros"));
  EXPECT_EQ(*one.variable("CUBLAS_WORKSPACE_CONFIG"), ":4096:8");
  EXPECT_EQ(one.variable("NONE"), nullptr);
  EXPECT_EQ(join(argument_words(one.args), " "),
            "--num-layers 12 --tensorboard-dir ${TENSORBOARD_PATH} --train-iters 100 --min-lr 1.0e-5 --bf16");
  EXPECT_EQ(one.before_script, "rm -rf x\nmkdir x\n");
  EXPECT_EQ(one.steps(), 100);
  EXPECT_TRUE(one.is_deterministic());
  EXPECT_FALSE(one.skips_comparison());
  EXPECT_EQ(one.args[2].at.line, 8);
  ASSERT_EQ(one.other.size(), 1U);
  EXPECT_EQ(one.other[0].name, "SOMETHING_NEW");
  EXPECT_EQ(one.other[0].at.line, 18);
}

TEST(MegatronConfig, SwitchesAndSteps) {
  const MegatronCase one = case_of(
      "ENV_VARS: {NVTE_ALLOW_NONDETERMINISTIC_ALGO: 1, SKIP_PYTEST: '1'}\n"
      "MODEL_ARGS: {--train-iters: 1000, --exit-interval: 50}\n");
  EXPECT_FALSE(one.is_deterministic());
  EXPECT_TRUE(one.skips_comparison());
  EXPECT_EQ(one.steps(), 50);
  EXPECT_EQ(case_of("MODEL_ARGS: {--train-iters: many}").steps(), std::nullopt);
  EXPECT_EQ(case_of("MODEL_ARGS: {--train-samples: 5}").steps(), std::nullopt);
}

TEST(MegatronConfig, TheSecondRunHasFlagsOfItsOwnWhereTheyAreWritten) {
  const MegatronCase both = case_of("MODEL_ARGS: {--a: 1}\nMODEL_ARGS_2: {--b: 2}\n");
  EXPECT_EQ(both.args_of(1)[0].flag, "--a");
  EXPECT_EQ(both.args_of(2)[0].flag, "--b");
  EXPECT_EQ(case_of("MODEL_ARGS: {--a: 1}\n").args_of(2)[0].flag, "--a");
}

TEST(MegatronConfig, FlagsAsWords) {
  EXPECT_EQ(words("  --a: true\n  --b: 'true'\n  --c: True\n"), "--a|--b|--c");
  EXPECT_EQ(words("  --a: false\n  --b: 0\n  -v: x\n"), "--a|false|--b|0|-v|x");
  EXPECT_EQ(words("  --a: ''\n  --b: 1\n"), "--b|1") << "an empty text leaves it out";
  EXPECT_EQ(words("  --a: ([0]*3+[1]*45)\n  --b: two words\n"), "--a|([0]*3+[1]*45)|--b|two words");
  EXPECT_EQ(words("  --a: \"[attn moe_router]\"\n  --b: [x, 'y z']\n"), "--a|attn|moe_router|--b|x|y z");
  EXPECT_EQ(words("  --a: $(rm -rf /)\n  --b: '`x`'\n"), "--a|$(rm -rf /)|--b|`x`") << "words, no shell";
}

TEST(MegatronConfig, MergeKeysStandForTheKeysOfTheirTables) {
  const auto merged = [](const std::string& table) {
    const std::string text = "x: &x {--a: 1, --b: 2}\ny: &y {--b: 3, --c: 4}\nMODEL_ARGS:\n" + table;
    return join(argument_words(case_of(text).args), "|");
  };
  EXPECT_EQ(merged("  <<: *x\n  --a: 9\n"), "--a|9|--b|2");
  EXPECT_EQ(merged("  --b: 9\n  <<: *x\n"), "--b|9|--a|1") << "wherever it stands";
  EXPECT_EQ(merged("  <<: [*x, *y]\n"), "--a|1|--b|2|--c|4") << "the first one holds";
  EXPECT_EQ(merged("  <<: {--d: 5}\n  --e: 6\n"), "--e|6|--d|5");
  EXPECT_EQ(merged("  '<<': 7\n"), "<<|7") << "in quotes it is a key";
}

TEST(MegatronConfig, MistakesHaveTheirPlaces) {
  EXPECT_EQ(said(""), "m.yaml:1:1: no model_config.yaml of a case: there is no MODEL_ARGS");
  EXPECT_THAT(said("- a\n"), HasSubstr("there is no MODEL_ARGS"));
  EXPECT_EQ(words("  --a:\n  --b: ~\n"), "--a|null|--b|null") << "as Megatron's runner writes it";
  EXPECT_THAT(said("MODEL_ARGS:\n  a: 1\n"), Eq("good"));
  EXPECT_EQ(said("MODEL_ARGS:\n  --a: {b: 1}\n"), "m.yaml:2:8: --a is one text or a list of texts");
  EXPECT_EQ(said("MODEL_ARGS: x\n"), "m.yaml:1:13: MODEL_ARGS is no table of names and values");
  EXPECT_EQ(said("MODEL_ARGS: {}\nENV_VARS: {A-B: 1, C: [1]}\n"),
            "m.yaml:2:12: \"A-B\" is no name of a variable\nm.yaml:2:23: C is one text");
  EXPECT_EQ(said("MODEL_ARGS: {}\nTEST_TYPE: [a]\nMETRICS: {a: 1}\n"),
            "m.yaml:2:12: TEST_TYPE is one text\nm.yaml:3:10: METRICS is a list of names");
  EXPECT_EQ(said("MODEL_ARGS: {}\nMODEL_ARGS: {}\n"),
            "m.yaml:2:1: the key \"MODEL_ARGS\" stands twice in one table");
  EXPECT_EQ(words("  --a: 1\n  --a: 2\n"), "--a|1|--a|2") << "the program decides";
  EXPECT_EQ(said("MODEL_ARGS: {}\nENV_VARS: {A: 1, A: 2}\n"),
            "m.yaml:2:18: the key \"A\" stands twice in one table");
  EXPECT_THAT(said("MODEL_ARGS: {--a: \"x\\0y\"}\n"), HasSubstr("m.yaml:1:19: a text holds a NUL byte"));
  EXPECT_EQ(said("\xEF\xBB\xBFMODEL_ARGS: {}\n"), "good") << "a byte order mark";
}

TEST(MegatronConfig, YamlIsReadWithinBounds) {
  EXPECT_THAT(said("MODEL_ARGS: {\n"), HasSubstr("syntax error: "));
  EXPECT_THAT(said("a: \"\\xq\"\n"), HasSubstr("m.yaml:1:"));
  EXPECT_THAT(said("MODEL_ARGS: {}\n---\nb: 1\n"), HasSubstr("m.yaml:2:1: a second document begins"));
  EXPECT_THAT(said("MODEL_ARGS: *x\n"), HasSubstr("m.yaml:1:13: the alias *x has no anchor before it"));
  EXPECT_THAT(said("MODEL_ARGS: &x\n  --a: *x\n"), HasSubstr("the alias *x has no anchor before it"));
  EXPECT_THAT(said("MODEL_ARGS:\n  <<: x\n"),
              HasSubstr("m.yaml:2:7: what << merges is a table, or a list of tables"));
  EXPECT_THAT(said("? [a]\n: 1\n"), HasSubstr("a key is one text"));
  EXPECT_THAT(said(std::string(40, '[') + std::string(40, ']')), HasSubstr("nested too deeply"));
  EXPECT_THAT(said(std::string(500'000, '[')), HasSubstr("nested too deeply"));
  EXPECT_THAT(said(std::string((1 << 20) + 1, ' ')), HasSubstr("larger than 1 MiB"));
  EXPECT_THAT(said(std::string_view("a: \0b\n", 6)), HasSubstr("syntax error"));
  EXPECT_THAT(said("a: \xff\n"), HasSubstr("syntax error"));
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1), name = "a" + std::to_string(i);
    laughs += name + ": &" + name + " [" + before + ", " + before + ", " + before + ", " + before + ", " +
              before + "]\n";
  }
  EXPECT_THAT(said(laughs), HasSubstr("aliases make more than 100000 values"));
  std::string deep = "a0: &a0 [x]\n";
  for (int i = 1; i < 40; ++i)
    deep += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  EXPECT_THAT(said(deep), HasSubstr("aliases are nested too deeply"));
}

TEST(MegatronConfig, AliasesStandForWhatTheyName) {
  const MegatronCase both = case_of("MODEL_ARGS: &all\n  --a: &one 1\n  --b: *one\nMODEL_ARGS_2: *all\n");
  EXPECT_EQ(join(argument_words(both.args_of(2)), " "), "--a 1 --b 1");
}

TEST(MegatronConfig, VariablesInATextAreNamed) {
  EXPECT_THAT(variables_in("${A}/${B_1}${A} $C ${} ${1} ${D"), ElementsAre("A", "B_1", "A"));
}

TEST(MegatronConfig, VariablesAreExpandedOnce) {
  const std::map<std::string, std::string, std::less<>> known{{"A", "x"}, {"B", "${A}"}};
  const auto expanded = [&](std::string_view text) {
    const auto out = expand_variables(text, {"m.yaml", 3, 4}, known);
    return out ? *out : to_string(out.error());
  };
  EXPECT_EQ(expanded("${A}/y${A}"), "x/yx");
  EXPECT_EQ(expanded("${B}"), "${A}");
  EXPECT_EQ(expanded("$A ${ ${} ${A"), "$A ${ ${} ${A");
  EXPECT_EQ(expanded("${C}${D}"),
            "m.yaml:3:4: ${C} is not known; set env.C\nm.yaml:3:4: ${D} is not known; set env.D");
}

std::string rows(std::string_view text) {
  const auto read = read_megatron_recipe(text, "r.yaml");
  if (!read) return to_string(read.error());
  std::string out;
  for (const MegatronRow& row : *read)
    out += row.model + "/" + row.test_case + " " + row.environment + " " + row.scope + " " + row.platform +
           " " + std::to_string(row.nodes.value_or(0)) + "x" + std::to_string(row.gpus.value_or(0)) + " n" +
           std::to_string(row.n_repeat.value_or(0)) + " t" + std::to_string(row.time_limit.value_or(0)) +
           " [" + join(row.cadence, ",") + "] line " + std::to_string(row.at.line) + "\n";
  return out;
}

constexpr std::string_view spec =
    "type: basic\nformat_version: 1\nspec:\n  name: \"{test_case}_{environment}\"\n  model: moe\n  nodes: 1\n"
    "  gpus: 8\n  n_repeat: 5\n  platforms: dgx_a100\n  artifacts: {/x: y}\n  script: |-\n    bash run.sh\n";

TEST(MegatronRecipe, ListsAreMultipliedOut) {
  EXPECT_EQ(
      rows(std::string(spec) +
           "products:\n  - test_case: [a]\n    cadence: [nightly]\n    products:\n"
           "      - environment: [dev, lts]\n        scope: [mr, weekly]\n        platforms: [dgx_h100]\n"
           "      - environment: [dev]\n        scope: mr\n        n_repeat: [1]\n        cadence: [pr, "
           "weekly]\n"
           "        time_limit: [1800]\n  - test_case: [b]\n    products:\n      - scope: [mr]\n        "
           "nodes: [2]\n"),
      "moe/a dev mr dgx_h100 1x8 n5 t0 [nightly] line 17\n"
      "moe/a dev weekly dgx_h100 1x8 n5 t0 [nightly] line 17\n"
      "moe/a lts mr dgx_h100 1x8 n5 t0 [nightly] line 17\n"
      "moe/a lts weekly dgx_h100 1x8 n5 t0 [nightly] line 17\n"
      "moe/a dev mr dgx_a100 1x8 n1 t1800 [pr,weekly] line 20\n"
      "moe/b  mr dgx_a100 2x8 n5 t0 [] line 27\n");
  EXPECT_EQ(rows(std::string(spec) + "products:\n  - {test_case: [a, b], environment: [dev], scope: [mr]}\n"),
            "moe/a dev mr dgx_a100 1x8 n5 t0 [] line 14\nmoe/b dev mr dgx_a100 1x8 n5 t0 [] line 14\n");
  EXPECT_EQ(rows(spec), "");
}

TEST(MegatronRecipe, RowsKeepWhatIsWritten) {
  const auto read = read_megatron_recipe(
      std::string(spec) + "products:\n  - test_case: [a]\n    products: [{environment: [dev], tag: [new]}]\n",
      "r.yaml");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->at(0).script, "bash run.sh");
  EXPECT_EQ(read->at(0).name, "{test_case}_{environment}");
  EXPECT_EQ(read->at(0).other.at(0).name, "tag");
  EXPECT_EQ(read->at(0).other.at(0).value, "new");
}

TEST(MegatronRecipe, Mistakes) {
  EXPECT_THAT(rows("- a\n"), HasSubstr("r.yaml:1:1: no recipe"));
  EXPECT_THAT(rows("format_version: 2\n"), HasSubstr("r.yaml:1:17: format_version 2 is not known"));
  EXPECT_THAT(rows("products: {}\n"), HasSubstr("products is a list of tables"));
  EXPECT_THAT(rows("products:\n  - scope: [mr]\n"), HasSubstr("r.yaml:2:5: a product without test_case"));
  EXPECT_THAT(rows("products:\n  - {test_case: [a], nodes: [0]}\n"),
              HasSubstr("nodes is a number from 1 to 4096"));
  EXPECT_THAT(rows("products:\n  - {test_case: [a], time_limit: x}\n"), HasSubstr("time_limit is a number"));
  EXPECT_THAT(rows("products:\n  - {test_case: [[a]]}\n"), HasSubstr("test_case is one text here"));
  EXPECT_THAT(rows("products:\n  - {test_case: [a], products: [{cadence: [[x]]}]}\n"),
              HasSubstr("cadence is a list"));
  std::string axis = "[0";
  for (int i = 1; i < 60; ++i) axis += "," + std::to_string(i);
  axis += "]";
  EXPECT_THAT(rows("products:\n  - {test_case: " + axis + ", x: " + axis + ", y: " + axis + "}\n"),
              HasSubstr("the products make more than 10000 rows"));
}

TEST(MegatronRecipe, AnEmptyListMakesNoRow) {
  EXPECT_EQ(rows("products:\n  - {test_case: [a], scope: []}\n"), "");
}

TEST(MegatronRecipe, WhatItsScriptGivesTheRunner) {
  MegatronRow row;
  row.model = "gpt";
  row.test_case = "a";
  row.script =
      "ARGUMENTS=(\n  \"DATA_PATH='/mnt/artifacts'\"\n  \"OUT={assets_dir}/x\"\n  "
      "'SCRIPT=pretrain_{model}.py'\n"
      "  PLAIN=a  \"MODE=${{MODE}}\" DATA_PATHS=no EMPTY=\n)\n";
  EXPECT_EQ(recipe_argument(row, "DATA_PATH"), "/mnt/artifacts");
  EXPECT_EQ(recipe_argument(row, "SCRIPT"), "pretrain_gpt.py");
  EXPECT_EQ(recipe_argument(row, "PLAIN"), "a");
  for (const char* none : {"OUT", "MODE", "EMPTY", "DATA", "NOT_THERE"})
    EXPECT_EQ(recipe_argument(row, none), std::nullopt) << none;
}

}  // namespace
}  // namespace gate::config::megatron_test
