#include "gate/config/training_flags.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "gate/base/text.h"
#include "gate/config/training.h"

namespace gate::config::training_flags_test {
namespace {

using Variables = std::map<std::string, std::string>;

constexpr std::string_view tp = "--tensor-model-parallel-size";
const Feature size_feature{"TP", "", FeatureKind::size, {std::string(tp)}};
const Feature flag_feature{"MC2", "", FeatureKind::on_off, {"--use-mc2"}};

// Return `on`, `off` or `? TEXT`.
std::string told(std::string_view script, const Feature& feature = flag_feature,
                 const Variables& given = {}) {
  const FeatureUse use = TrainingFlags(script, given).use_of(feature);
  if (use.told == Told::not_told) return "? " + use.text;
  return use.told == Told::on ? "on" : "off";
}

std::string told_size(std::string_view value, std::string_view before = "", const Variables& given = {}) {
  return told(
      std::string(before) + "\ntorchrun a.py --x " + std::string(tp) + " " + std::string(value) + "\n",
      size_feature, given);
}

TEST(TrainingShape, HasNoPrecisionThatNobodyTells) {
  const auto precision = [](const char* script, const char* told = "") {
    Case spec;
    spec.training_text = std::make_shared<const std::string>(script);
    spec.settings.model.precision = told;
    return precision_of(spec, training_flags(spec, ""));
  };
  EXPECT_EQ(precision("torchrun a.py --x 1"), "");
  EXPECT_EQ(precision(""), "");
  EXPECT_EQ(precision("torchrun a.py --bf16"), "BF16");
  EXPECT_EQ(precision("torchrun a.py --fp16"), "FP16");
  EXPECT_EQ(precision("torchrun a.py --fp16 --bf16"), "");
  EXPECT_EQ(precision("torchrun a.py --bf16 --fp8-format hybrid"), "FP8");
  EXPECT_EQ(precision("torchrun a.py $UNKNOWN"), "");
  EXPECT_EQ(precision("torchrun a.py --bf16", "FP32"), "FP32");
}

TEST(TrainingShape, HasTheModelOfThePath) {
  for (const auto& [script, model] : std::vector<std::pair<std::string, std::string>>{
           {"training/benchmarks/bert/pytorch/run_pretraining.py", "bert"},
           {"examples/mcore/llama2/pretrain_llama2_7b_ptd.sh", "llama2"},
           {"a/examples/legacy/glm/x.sh", "glm"},
           {"tests/functional_tests/test_cases/gpt/gpt3_mcore/model_config.yaml", "gpt"},
           {"examples/train.sh", ""},
           {"examples/mcore/train.sh", ""},
           {"examples", ""},
           {"scripts/llama2.sh", ""},
           {"", ""}})
    EXPECT_EQ(model_in_path(script), model) << script;
}

TEST(TrainingFlags, StandInCommandsAndInVariablesThatCommandsAreHanded) {
  EXPECT_EQ(told("torchrun a.py --use-mc2"), "on");
  EXPECT_EQ(told("torchrun a.py --use-mc"), "off");
  EXPECT_EQ(told("A=(\n --x 1\n --use-mc2\n)\ntorchrun a.py ${A[@]}"), "on");
  EXPECT_EQ(told("A=\"\n --use-mc2 \\\n --y\n\"\nB=\"$A --z\"\ntorchrun a.py $B"), "on");
  EXPECT_EQ(told("torchrun a.py \\\n  --x \\\n  --use-mc2 | tee log"), "on");
  EXPECT_EQ(told("run() {\n torchrun a.py --use-mc2\n}\nrun"), "on");
  EXPECT_EQ(told("torchrun a.py --x # --use-mc2\n# --use-mc2"), "off");
}

TEST(TrainingFlags, AreNotToldByWhatAValueIsThePrintOf) {
  EXPECT_EQ(told("ROOT=$(cd \"$(dirname \"$0\")/..\" && pwd)\ntorchrun $ROOT/a.py --x"), "off");
  EXPECT_EQ(told("A=$(get --use-mc2)\ntorchrun a.py --x $A"), "? --use-mc2");
}

TEST(TrainingFlags, KeepTheirValuesThroughArithmeticThatAssignsNothing) {
  for (const char* arithmetic : {"if (((N * 8) % (TP * 4) != 0)); then\nexit 2\nfi", "echo $((TP * 2))",
                                 "((TP >= 2))", "((TP == 2))", "((TP <= 4 && N > -1))"})
    EXPECT_EQ(told_size("$TP", std::string("TP=2\n") + arithmetic), "on") << arithmetic;
  for (const char* arithmetic : {"((TP = 4))", "((TP += 2))", "((TP++))", "((--TP))", "((TP <<= 1))",
                                 "((N == 1 && (TP = 1)))", "echo $((TP = 3))"})
    EXPECT_EQ(told_size("$TP", std::string("TP=2\n") + arithmetic), "? " + std::string(tp) + " $TP")
        << arithmetic;
}

TEST(TrainingFlags, AreNeverOffWhereTheTextDoesNotTellThem) {
  EXPECT_EQ(told("A=(--use-mc2)\ntorchrun a.py --x"), "? --use-mc2");  // nobody is handed A
  EXPECT_EQ(told("A=(--use-mc2)\nB=$A\ntorchrun a.py --x $C; C=1"), "? --use-mc2");
  EXPECT_EQ(told("if true; then\n A=--use-mc2\nfi\ntorchrun a.py --x $A"), "? --use-mc2");
  EXPECT_EQ(told("torchrun a.py --x\n[ $1 ] && torchrun a.py --use-mc2"), "? --use-mc2");
  EXPECT_EQ(told("torchrun a.py --x\necho --use-mc2"), "? --use-mc2");
  EXPECT_EQ(told("torchrun a.py --x\ncat <<E\n --use-mc2\nE"), "? --use-mc2");
  EXPECT_EQ(told("torchrun a.py --x $MORE_ARGS"), "? $MORE_ARGS");
  EXPECT_EQ(told("torchrun a.py --x 1 ${MORE[@]}"), "? ${MORE[@]}");
  EXPECT_EQ(told("A=(--use-mc2)\nA=(--y)\ntorchrun a.py --x ${A[@]}"), "? --use-mc2");
  EXPECT_EQ(told("A=(--use-mc2)\nA+=(--y)\ntorchrun a.py --x ${A[@]}"), "on");
  EXPECT_EQ(told("A=--use-mc2\nA=\"$A --y\"\ntorchrun a.py --x $A"), "on");
  EXPECT_EQ(told("A=(--use-mc2)\nif [ -n \"$A\" ]; then\ntorchrun a.py --x\nfi"), "? --use-mc2");
  EXPECT_EQ(told("torchrun a.py --x\nexit 0\ntorchrun a.py --use-mc2"), "? --use-mc2");
  EXPECT_EQ(told("torchrun a.py --note \"with --use-mc2 on\""), "? --use-mc2");
  EXPECT_EQ(told("torchrun a.py --x --$NAME"), "? --$NAME");
  EXPECT_EQ(told("torchrun a.py --x 1 $(cat args)"), "? $(cat...)");
  EXPECT_EQ(told("torchrun a.py --x 1 @args.txt"), "? @args.txt");
  EXPECT_EQ(told("torchrun a.py --yaml-cfg a.yaml"), "? --yaml-cfg");
  EXPECT_EQ(told("bash b.sh"), "? a script without flags");
  EXPECT_EQ(told(". b.sh"), "? . b.sh");
  EXPECT_EQ(told(""), "? a script without flags");
}

TEST(TrainingFlags, EndWhereTheirCommandEnds) {
  EXPECT_EQ(told("torchrun a.py --x \\\n # note \\\n --use-mc2"), "? --use-mc2") << "the comment ends it";
  EXPECT_EQ(told("torchrun a.py --x \\ \n --use-mc2"), "? --use-mc2")
      << "the backslash is not the last character";
  EXPECT_EQ(told("torchrun a.py --x | tee --use-mc2"), "? --use-mc2");
  EXPECT_EQ(told("torchrun a.py --x\ngrep -q --use-mc2 log"), "? --use-mc2");
  EXPECT_EQ(told("torchrun a.py --x; exit $?\ntorchrun a.py --use-mc2"), "? --use-mc2");
  EXPECT_EQ(told("A=\"--x\n # --use-mc2\"\ntorchrun a.py $A"), "? --use-mc2") << "no comment in quotes";
}

TEST(TrainingFlags, OfArraysAndValuesAreThoseThatAreHandedWhole) {
  EXPECT_EQ(told("A=(--x --use-mc2)\ntorchrun a.py --y $A"), "? --use-mc2") << "its first word alone";
  EXPECT_EQ(told("A=(--x --use-mc2)\ntorchrun a.py --y \"${A[@]:1:1}\""), "? --use-mc2");
  EXPECT_EQ(told("A=(--x --use-mc2)\ntorchrun a.py --y \"${A[@]}\""), "on");
  EXPECT_EQ(told("A=(--x --use-mc2)\ntorchrun a.py --y ${A[*]}"), "on");
  EXPECT_EQ(told("A=--use-mc2\nA=${A/--use-mc2/}\ntorchrun a.py --y $A"), "? --use-mc2");
  EXPECT_EQ(told("A=--use-mc2\ntorchrun a.py --y '$A'"), "? --use-mc2");
  EXPECT_EQ(told("torchrun a.py --y $A\nA=--use-mc2"), "? --use-mc2") << "too late";
  EXPECT_EQ(told("f() {\n torchrun a.py --y $A\n}\nA=--use-mc2\nf"), "on");
}

TEST(TrainingFlags, OfFunctionsCountWhereTheyAreCalled) {
  EXPECT_EQ(told("f() {\n torchrun a.py --use-mc2\n}\ntorchrun a.py --x"), "? --use-mc2");
  EXPECT_EQ(told("f() {\n torchrun a.py --use-mc2\n}\ng() {\n f\n}\ng"), "on");
  EXPECT_EQ(told("function f {\n torchrun a.py --use-mc2\n}\ng() {\n f\n}\ntorchrun a.py --x"),
            "? --use-mc2");
  EXPECT_EQ(told("f() {\n local A=--use-mc2\n}\nf\ntorchrun a.py --x $A"), "? --use-mc2");
}

TEST(TrainingFlags, BehindAFlagWithoutAValueAreWords) {
  EXPECT_EQ(told("torchrun a.py --bf16 $COMMON"), "? $COMMON");
  EXPECT_EQ(told("torchrun a.py --no-load-optim ${COMMON}"), "? ${COMMON}");
  EXPECT_EQ(told("torchrun a.py --bf16 $(cat flags)"), "? $(cat...)");
  EXPECT_EQ(told("torchrun a.py --load $CKPT"), "off");
  EXPECT_EQ(told("torchrun a.py --bf16 $COMMON", flag_feature, {{"COMMON", "--y --use-mc2"}}), "on");
  EXPECT_EQ(told("msrun a.py --config x.yaml --bf16"), "? x.yaml");
  EXPECT_EQ(told("a.py --config=x.yaml --bf16"), "? --config=x.yaml");
  EXPECT_EQ(told("bash inner.sh --bf16"), "? inner.sh");
}

TEST(TrainingFlags, OfArgumentsAreThoseThatStandBehindTheScript) {
  EXPECT_EQ(told("torchrun a.py --x \"$@\""), "off");
  EXPECT_EQ(told("torchrun a.py --x \"$@\"\nbash a.sh --use-mc2"), "on");
}

TEST(TrainingFlags, OfVariablesThatGateGivesAreTheirs) {
  EXPECT_EQ(told("torchrun a.py --x $MORE_ARGS", flag_feature, {{"MORE_ARGS", "--y --use-mc2"}}), "on");
  EXPECT_EQ(told("torchrun a.py --x $MORE_ARGS", flag_feature, {{"MORE_ARGS", ""}}), "off");
}

TEST(TrainingFlags, OfSizesAreOnFromTwoOn) {
  EXPECT_EQ(told_size("2"), "on");
  EXPECT_EQ(told_size("1"), "off");
  EXPECT_EQ(told_size("$TP", "TP=4"), "on");
  EXPECT_EQ(told_size("${TP}", "TP=1"), "off");
  EXPECT_EQ(told_size("$A", "TP=8\nA=$TP"), "on");
  EXPECT_EQ(told_size("$TP", "source env.sh\nTP=8"), "on");
  for (const char* before :
       {"", "TP=${TP:-2}", "TP=2\nTP=4", "TP=$((1+1))", "if x; then\nTP=2\nfi", "TP=2\nsource env.sh"})
    EXPECT_EQ(told_size("$TP", before), "? --tensor-model-parallel-size $TP") << before;
  EXPECT_EQ(told_size("$TP", "", {{"TP", "2"}}), "on");
  EXPECT_EQ(told_size("${TP:-2}", "", {{"TP", "1"}}), "off");
  EXPECT_EQ(told_size("$TP", "TP=${TP:-2}", {{"TP", "8"}}), "on");
  EXPECT_EQ(told_size("$TP", "TP=1", {{"TP", "8"}}), "off");  // the script's own value holds
  EXPECT_EQ(told_size("2 " + std::string(tp) + " 1"), "? --tensor-model-parallel-size 1");
}

TEST(TrainingFlags, LayersOfVirtualStagesAreOnWhateverTheirNumber) {
  const Feature vpp{"VPP", "", FeatureKind::size, {std::string(layers_of_stage_flag)}};
  EXPECT_EQ(told("torchrun a.py --num-layers-per-virtual-pipeline-stage 1", vpp), "on");
}

TEST(TrainingFlags, MayBeVariables) {
  const Feature env{"", "", FeatureKind::on_off, {}, false, "HCCL_DETERMINISTIC"};
  EXPECT_EQ(told("export HCCL_DETERMINISTIC=True\na.py --x", env), "on");
  EXPECT_EQ(told("export HCCL_DETERMINISTIC=false\na.py --x", env), "off");
  EXPECT_EQ(told("a.py --x", env), "off");
  EXPECT_EQ(told("source env.sh\na.py --x", env), "? source env.sh");
  EXPECT_EQ(told("a.py --x", env, {{"HCCL_DETERMINISTIC", "1"}}), "on");
  EXPECT_EQ(told("HCCL_DETERMINISTIC=True\na.py --x", env), "? HCCL_DETERMINISTIC") << "it is not exported";
  EXPECT_EQ(told("HCCL_DETERMINISTIC=True torchrun a.py --x", env), "on");
  const Feature size{"", "", FeatureKind::size, {}, false, "NUM"};
  EXPECT_EQ(told("export NUM=1\na.py --x", size), "off");
  EXPECT_EQ(told("export NUM=2\na.py --x", size), "on");
  EXPECT_EQ(told("if y; then\nexport HCCL_DETERMINISTIC=True\nfi", env), "? HCCL_DETERMINISTIC");
}

TEST(TrainingFlags, HaveValues) {
  const TrainingFlags flags("H=4096\na.py --hidden-size $H --num-layers 32 --a 1 --a 2 --b $X --bf16", {});
  EXPECT_EQ(flags.number_of("--hidden-size").value_or(0), 4096);
  EXPECT_EQ(flags.number_of("--num-layers").value_or(0), 32);
  EXPECT_EQ(flags.number_of("--a").value_or(0), 0);
  EXPECT_EQ(flags.number_of("--b").value_or(0), 0);
  EXPECT_EQ(flags.has("--bf16"), Told::on);
  EXPECT_EQ(flags.has("--fp16"), Told::off);
}

TEST(TrainingFlags, AnyTextIsRead) {
  for (const char* text :
       {"(((", "'\"", "A=\"(", "$", "${", "=", "A=", "--", "--=", "\\", "A=(\n", "<<", "\xff$\xfe=("})
    for (const Feature& feature : {flag_feature, size_feature}) (void)told(text, feature);
}

TEST(Features, HaveTitlesOfTheirOwnAndFlags) {
  std::set<std::string_view> titles, in_chinese;
  for (const FeatureRow& row : features()) {
    EXPECT_TRUE(titles.insert(row.title.english).second) << row.title.english;
    EXPECT_TRUE(in_chinese.insert(row.title.chinese).second) << row.title.chinese;
    EXPECT_FALSE(row.group.english.empty()) << row.title.english;
    EXPECT_NE(row.flags[0].empty(), row.variable.empty()) << row.title.english;
  }
}

// Every flag of the published table of ModelLink is known, with what it says of the Legacy models.
TEST(Features, AreThoseOfModelLink) {
  std::ifstream file(GATE_SOURCE_DIR "/../shared/data/modellink_flags.csv");
  if (!file) GTEST_SKIP() << "no shared data here";
  std::string line;
  std::getline(file, line);
  int lines = 0;
  while (std::getline(file, line)) {
    std::vector<std::string_view> cells = split(line, ',');
    const auto flag = std::ranges::find_if(
        cells, [](std::string_view cell) { return cell.starts_with("--") || cell == "HCCL_DETERMINISTIC"; });
    ASSERT_TRUE(flag != cells.end()) << line;
    const auto row = std::ranges::find_if(features(), [&](const FeatureRow& one) {
      return one.variable == *flag || std::ranges::find(one.flags, *flag) != one.flags.end();
    });
    ASSERT_TRUE(row != features().end()) << *flag;
    const bool tells_legacy = flag + 2 < cells.end() && !flag[2].empty();
    EXPECT_TRUE(!tells_legacy || row->is_mcore_only == (flag[2] == "No")) << *flag;
    ++lines;
  }
  EXPECT_EQ(lines, 77);
}

}  // namespace
}  // namespace gate::config::training_flags_test
