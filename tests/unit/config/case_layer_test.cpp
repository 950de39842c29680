// Cases that are no scripts: what model_config.yaml of Megatron-LM means for gate.
#include <gmock/gmock.h>

#include "gate/base/text.h"
#include "policy_text.h"

namespace gate::config::case_layer_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* toml = R"([suite]
cases = "mc/*/*/model_config.yaml"
kind = "megatron"
launch = "torchrun --nproc {devices} {env.SCRIPT} {args}"
profile = "megatron"
)";

constexpr std::string_view config =
    "ENV_VARS:\n  A: 1\n  NVTE_ALLOW_NONDETERMINISTIC_ALGO: 1\n  SKIP_PYTEST: 1\n"
    "MODEL_ARGS:\n  --data-path: ${DATA_PATH}/x y\n  --train-iters: 20\n  --bf16: true\n"
    "METRICS:\n  - lm loss\n  - num-zeros\n"
    "BEFORE_SCRIPT: |\n  export X=1\n"
    "TEST_TYPE: frozen-start\n";

Case case_of(std::string_view text, std::vector<Override> overrides = {}) {
  const Policy policy = *Policy::parse(toml, "gate.toml");
  const auto resolved = policy.resolve({"gpt/a", "mc/gpt/a/model_config.yaml", text, overrides});
  EXPECT_TRUE(resolved) << (resolved ? "" : to_string(resolved.error()));
  return resolved ? *resolved : Case{};
}

CaseFile file_of(std::string_view text) {
  const auto file = read_case_file(CaseKind::megatron, text, "m.yaml");
  EXPECT_TRUE(file) << (file ? "" : to_string(file.error()));
  return file ? *file : CaseFile{};
}

std::string why_not(const std::string& keys) {
  return file_of("MODEL_ARGS: {--a: 1}\n" + keys).unsupported.english();
}

TEST(CaseLayer, SettingsOfAMegatronCase) {
  const Settings settings = case_of(config).settings;
  EXPECT_EQ(settings.env.at("A"), "1");
  EXPECT_THAT(settings.recipe_metrics, ElementsAre("lm loss", "num-zeros"));
  EXPECT_EQ(settings.setup, "export X=1\n");
  EXPECT_EQ(settings.steps, 20);
  EXPECT_THAT(settings.tags, ElementsAre("frozen-start"));
  EXPECT_EQ(settings.judge, JudgeMode::exit);
  EXPECT_TRUE(settings.recipe_nondeterministic);
  EXPECT_EQ(case_of(config, {{"env.A", "2", "--env"}}).settings.env.at("A"), "2") << "others come above";
  const Settings plain = case_of("MODEL_ARGS: {}\n").settings;
  EXPECT_EQ(plain.judge, JudgeMode::series);
  EXPECT_FALSE(plain.recipe_nondeterministic);
  EXPECT_TRUE(plain.tags.empty() && plain.recipe_metrics.empty());
}

TEST(CaseLayer, EachHasItsPlace) {
  const auto lines = header_settings(CaseKind::megatron, config, "m.yaml");
  std::vector<std::string> told;
  for (const SettingOrigin& line : lines) told.push_back(line.key + " " + line.origin.english());
  EXPECT_THAT(told, ElementsAre("env.A m.yaml:2:3", "env.NVTE_ALLOW_NONDETERMINISTIC_ALGO m.yaml:3:3",
                                "env.SKIP_PYTEST m.yaml:4:3", "recipe.metrics m.yaml:9:1",
                                "setup m.yaml:12:1", "steps m.yaml:5:1", "tags m.yaml:14:1",
                                "judge m.yaml:1:1", "recipe.nondeterministic m.yaml:1:1"));
  const auto skipped = header_settings(CaseKind::megatron, "MODEL_ARGS: {}\nMODE: inference\n", "m.yaml");
  EXPECT_EQ(skipped.back().key, "skipped");
  const auto wrong = header_settings(CaseKind::megatron, "ENV_VARS: [\n", "m.yaml");
  ASSERT_EQ(wrong.size(), 1U);
  EXPECT_EQ(wrong.front().key, "unreadable");
  EXPECT_THAT(wrong.front().value, HasSubstr("m.yaml:2:1: syntax error"));
}

// What it does is not asked for in the words of a training.
TEST(CaseLayer, ACaseThatDoesNotTrainIsReadAsFarAsItCanBe) {
  const std::string text = "MODE: inference\nENV_VARS: {A-B: 1}\nMETRICS: {a: 1}\n";
  EXPECT_EQ(file_of(text).unsupported, "MODE inference prints no training: gate does not run it");
  EXPECT_EQ(file_of(text).unsupported.in(Language::chinese), "MODE inference 不打印训练过程：gate 不运行它");
  EXPECT_FALSE(read_case_file(CaseKind::megatron, text.substr(text.find('\n') + 1), "m.yaml"));
}

TEST(CaseLayer, MistakesOfAFileAreItsOwn) {
  EXPECT_TRUE(are_of_file({{{"a.sh", 1, 2}, "x"}, {{"a.sh:3:4"}, "y"}}, "a.sh"));
  EXPECT_FALSE(are_of_file({{{"a.sh", 1, 2}, "x"}, {{"gate.toml", 1, 1}, "y"}}, "a.sh"));
  EXPECT_FALSE(are_of_file({{{"a.sh2", 1, 2}, "x"}}, "a.sh"));
  EXPECT_FALSE(are_of_file({{{}, "x"}}, ""));
}

TEST(CaseLayer, WordsAreOneEach) {
  const CaseFile file = file_of(config);
  std::vector<std::string> words;
  for (const CaseWord& word : file.args) words.push_back(word.text);
  EXPECT_THAT(words, ElementsAre("--data-path", "${DATA_PATH}/x y", "--train-iters", "20", "--bf16"));
  EXPECT_EQ(file.args[1].at.line, 6);
  EXPECT_FALSE(file.begins_from_scratch);
  EXPECT_EQ(file.unsupported, "");
  EXPECT_TRUE(file_of("MODEL_ARGS: {}\nTEST_TYPE: regular\n").begins_from_scratch);
  EXPECT_TRUE(read_case_file(CaseKind::script, "TEST_TYPE: [", "a.sh")->args.empty())
      << "a script is not read";
}

TEST(CaseLayer, TestsOfTwoRunsHavePhases) {
  const auto lines = [](const std::string& type) {
    std::vector<std::string> told;
    const auto all =
        header_settings(CaseKind::megatron, "MODEL_ARGS: {--train-iters: 9}\nTEST_TYPE: " + type, "m.yaml");
    for (const SettingOrigin& line : all)
      if (line.key.starts_with("phase")) told.push_back(line.key + "=" + line.value);
    return told;
  };
  EXPECT_THAT(lines("ckpt-resume"),
              ElementsAre("phases=full,resume", "phase.resume.window=after 4", "phase.resume.from_step=4"));
  EXPECT_THAT(lines("frozen-resume"), ElementsAre("phases=full,resume", "phase.resume.window=after 4"));
  EXPECT_THAT(lines("frozen-start"), ElementsAre());
  const CaseFile file = file_of("MODEL_ARGS: {--a: 1}\nMODEL_ARGS_2: {--b: 2}\nTEST_TYPE: frozen-resume\n");
  EXPECT_EQ(args_of_phase(file, 0).front().text, "--a");
  EXPECT_EQ(args_of_phase(file, 1).front().text, "--b");
  EXPECT_TRUE(file.begins_from_scratch);
  EXPECT_TRUE(file.goes_on_from_data);
  EXPECT_EQ(args_of_phase(file_of("MODEL_ARGS: {--a: 1}\n"), 1).front().text, "--a");
}

TEST(CaseLayer, WhatOneLaunchCannotShowIsSaid) {
  EXPECT_EQ(why_not("TEST_TYPE: regular\nMODE: pretraining\n"), "");
  EXPECT_EQ(why_not("TEST_TYPE: release\n"), "");
  EXPECT_EQ(why_not("TEST_TYPE: ckpt-resume\n"), "");
  EXPECT_EQ(why_not("TEST_TYPE: frozen-resume\n"), "");
  EXPECT_THAT(file_of("MODEL_ARGS: {--train-iters: 1}\nTEST_TYPE: ckpt-resume\n").unsupported.english(),
              HasSubstr("no middle"));
  EXPECT_THAT(why_not("TEST_TYPE: checkpoint-consistency\n"), HasSubstr("none that gate runs"));
  EXPECT_THAT(why_not("MODE: inference\n"), HasSubstr("MODE inference"));
  EXPECT_THAT(why_not("AFTER_SCRIPT: x\n"), HasSubstr("AFTER_SCRIPT"));
  EXPECT_THAT(file_of("MODEL_ARGS: {trainer.max_steps: 5}\n").unsupported.english(), HasSubstr("NeMo"));
}

TEST(CaseLayer, AnUnknownWordIsAMistake) {
  const auto mistake = [](const std::string& keys) {
    const auto file = read_case_file(CaseKind::megatron, "MODEL_ARGS: {--a: 1}\n" + keys, "m.yaml");
    return file ? "" : to_string(file.error());
  };
  EXPECT_THAT(
      mistake("TEST_TYPE: ckpt_resume\n"),
      HasSubstr("m.yaml:2:1: TEST_TYPE ckpt_resume: unknown; did you mean \"ckpt-resume\"? (it is one "
                "of regular, frozen-start, release, ckpt-resume, frozen-resume, "
                "checkpoint-consistency)"));
  EXPECT_THAT(mistake("MODE: pretrainig\n"),
              HasSubstr("MODE pretrainig: unknown; did you mean \"pretraining\"?"));
  EXPECT_EQ(mistake("MODE: inference\nTEST_TYPE: any\n"), "");
}

// Return the mistakes of a gate.toml with this key in [suite].
std::string mistakes(const std::string& keys) {
  const auto policy = Policy::parse("[suite]\n" + keys, "gate.toml");
  return policy ? "" : to_string(policy.error());
}

TEST(CaseLayer, LaunchAndKindGoTogether) {
  EXPECT_EQ(mistakes("kind = \"megatron\"\nlaunch = \"x {args}\"\n"), "");
  EXPECT_THAT(mistakes("kind = \"megatron\"\n"),
              HasSubstr("gate.toml:1:2: a launch of kind megatron has {args}"));
  EXPECT_THAT(mistakes("launch = \"x {args}\"\n"), HasSubstr("write kind = \"megatron\""));
  EXPECT_THAT(mistakes("kind = \"megatron\"\nlaunch = \"x a{args}\"\n"), HasSubstr("a word of its own"));
  EXPECT_THAT(mistakes("kind = \"yaml\"\n"), HasSubstr("gate.toml:2:8: unknown kind \"yaml\""));
  EXPECT_EQ(mistakes("launch = \"x {script} {env.A_1}\"\n"), "");
  EXPECT_THAT(mistakes("launch = \"x {script} {env.1A}\"\n"), HasSubstr("unknown placeholder \"{env.1A}\""));
  const auto group = Policy::parse("[group.a]\ncases = \"a/**.sh\"\nkind = \"megatron\"\n", "gate.toml");
  ASSERT_FALSE(group);
  EXPECT_THAT(to_string(group.error()), HasSubstr("gate.toml:1:8: a launch of kind megatron"));
}

}  // namespace
}  // namespace gate::config::case_layer_test
