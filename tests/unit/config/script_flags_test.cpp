#include "gate/config/script_flags.h"

#include <gmock/gmock.h>

#include "gate/base/text.h"
#include "policy_text.h"

namespace gate::config::script_flags_test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;

// Return `tp=2 sp`; `tp=?` where the number is not told, `vpp=1|2` where it may be either.
std::string told(std::string_view script) {
  std::vector<std::string> words;
  for (const FeatureRow& row : features()) {
    const ScriptFlags flags = read_script_flags(script);
    const auto use = flags.features.find(row.name);
    if (use == flags.features.end() || (!words.empty() && words.back() == row.name)) continue;
    std::vector<std::string> numbers;
    for (const std::int64_t number : use->second.numbers) numbers.push_back(std::to_string(number));
    words.push_back(std::string(row.name) + (row.kind != FeatureKind::size ? ""
                                             : numbers.empty()             ? "=?"
                                                                           : "=" + join(numbers, "|")));
  }
  return join(words, " ");
}

TEST(ScriptFlags, AreReadWhereverTheyStand) {
  EXPECT_EQ(told("torchrun a.py --tensor-model-parallel-size 2 --pipeline-model-parallel-size=4"),
            "tp=2 pp=4");
  EXPECT_EQ(told("ARGS=(\n  --tensor-model-parallel-size 2\n  --sequence-parallel)\n"), "tp=2 sp");
  EXPECT_EQ(told("ARGS=\"--tensor-model-parallel-size 2 \\\n  --context-parallel-size \\\n 4\""),
            "tp=2 cp=4");
  EXPECT_EQ(told("ARGS+=\" --use-distributed-optimizer\"; B='--recompute-method block'"),
            "dist_opt recompute");
  EXPECT_EQ(told("# --tensor-model-parallel-size 2\n a.py #--sequence-parallel\n"), "");
  EXPECT_EQ(told("--expert-model-parallel-size-x 2 --sequence-parallelism"), "");
}

TEST(ScriptFlags, OfVariablesCountWhereTheScriptAssignsThemOnce) {
  EXPECT_EQ(told("TP=2\nexport PP=\"4\"\na.py --tensor-model-parallel-size $TP "
                 "--pipeline-model-parallel-size ${PP}"),
            "tp=2 pp=4");
  EXPECT_EQ(told("a.py --tensor-model-parallel-size \"${TP}\"; TP=8"), "tp=8");
  for (const char* other : {"", "TP=${TP:-2}\n", "TP=2\nTP=4\n", "TP=$((1+1))\n", "TP=0\n", "TP=$X\n"})
    EXPECT_EQ(told(std::string(other) + "a.py --tensor-model-parallel-size $TP"), "tp=?") << other;
  EXPECT_EQ(told("a --tensor-model-parallel-size 2\nb --tensor-model-parallel-size 4"), "tp=?");
  EXPECT_EQ(told("a --tensor-model-parallel-size 2\nb --tensor-model-parallel-size 2"), "tp=2");
  EXPECT_EQ(told("a --tensor-model-parallel-size"), "tp=?");
}

TEST(ScriptSwitches, AreWhatTheTrainingIsStartedWith) {
  struct {
    const char* script;
    const char* expected;  // NAME=VALUE, in the order of names
  } const rows[] = {
      {"./train --deterministic-mode\nwait\n", "--deterministic-mode=set"},
      {"ARGS=\"--lr 1 \\\n --npu-deterministic\"\n./train $ARGS", "--npu-deterministic=set"},
      {"./train --deterministic-mode=false", "--deterministic-mode=false"},
      {"./train --use_deterministic_algorithms 0", "--use-deterministic-algorithms=0"},
      {"export HCCL_DETERMINISTIC=true\n./train", "HCCL_DETERMINISTIC=true"},
      {"HCCL_DETERMINISTIC=true ./train", "HCCL_DETERMINISTIC=true"},
      {"D=true\nexport LCCL_DETERMINISTIC=$D\n./train", "LCCL_DETERMINISTIC=true"},
      {"train.py --deterministic-mode: true\n", "--deterministic-mode=true"},
      {"HCCL_DETERMINISTIC=true\n./train", ""},
      {"# ./train --deterministic-mode", ""},
      {"echo --deterministic-mode", ""},
      {"if [ $X ]; then\n./train --deterministic-mode\nfi", ""},
      {"ARGS='--deterministic-mode'\n./train", ""},
      {"export HCCL_DETERMINISTIC=$(nproc)\n./train", ""},
      {"export NCCL_ALGO=Ring\n./train --use-flash-attn", ""},
  };
  for (const auto& row : rows) {
    std::vector<std::string> found;
    for (const auto& [name, value] : read_script_switches(row.script)) found.push_back(name + "=" + value);
    EXPECT_EQ(join(found, " "), row.expected) << row.script;
  }
}

// Return `--seq-length $N: N=4096`, `--seq-length $N: N`, `--seq-length 4096: 4096`, `--seq-length $N: ?`.
std::string length(std::string_view script) {
  const SequenceLength length = read_sequence_length(script);
  if (length.text.empty()) return "";
  const std::string number = length.number ? std::to_string(*length.number) : "";
  const std::string equals = length.variable.empty() || number.empty() ? "" : "=";
  const std::string said = length.variable + equals + number;
  return length.text + ": " + (said.empty() ? "?" : said);
}

TEST(SequenceLength, IsTheValueOfItsFlags) {
  EXPECT_EQ(length("a.py --seq-length 4096"), "--seq-length 4096: 4096");
  EXPECT_EQ(length("ARGS=(\n  --seq_length=4096\n)"), "--seq_length 4096: 4096");
  EXPECT_EQ(length("a.py --training.seq_len 1048576"), "--training.seq_len 1048576: 1048576");
  EXPECT_EQ(length("MODEL_ARGS:\n  --seq-length: 1024\n"), "--seq-length 1024: 1024") << "a YAML file";
  EXPECT_EQ(length("a --seq-len \"512\"\nb --seq-len 512"), "--seq-len 512: 512");
  EXPECT_EQ(length("a --seq-len 512\nb --max-seq-len 1024"), "--seq-len 512, --max-seq-len 1024: ?");
  for (const char* none : {"", "# --seq-length 4096", "a --seq-lengths 4096", "a -seq-length 4096"})
    EXPECT_EQ(length(none), "") << none;
  for (const char* wrong : {"0", "-1", "4k", "4096.0", "$((4 * 1024))", "1000000001", "$1"})
    EXPECT_THAT(length("a --seq-length " + std::string(wrong)), EndsWith(": ?")) << wrong;
  EXPECT_EQ(length("a --seq-length"), "--seq-length : ?");
}

TEST(SequenceLength, MayBeInAVariable) {
  EXPECT_EQ(length("N=4096\na --seq-length $N"), "--seq-length $N: N=4096");
  EXPECT_EQ(length("N=\"4096\"; M=${N}\na --seq-length \"${M}\""), "--seq-length ${M}: N=4096");
  EXPECT_EQ(length("a --seq-length $N"), "--seq-length $N: N");
  EXPECT_EQ(length("a --seq-length ${N:-512}"), "--seq-length ${N:-512}: N");
  EXPECT_EQ(length("N=${N:-512}\na --seq-length $N"), "--seq-length $N: N");
  EXPECT_EQ(length("M=${N-512}\na --seq-length $M"), "--seq-length $M: N");
  EXPECT_EQ(length("N=512\nN=1024\na --seq-length $N"), "--seq-length $N: ?");
  EXPECT_EQ(length("A=$B\nB=$A\na --seq-length $A"), "--seq-length $A: ?") << "in a circle";
  EXPECT_EQ(length("a --seq-length $N\nb --seq-length $M"), "--seq-length $N, --seq-length $M: ?");
}

// A wrong number would be a wrong speed.
TEST(SequenceLength, IsNotToldWhereTheScriptMayMeanAnother) {
  for (const char* other :
       {"false && N=4096", "if true; then N=4096; fi", "if true\nthen\n  N=4096\nfi", "N=4096; ((N/=4))",
        "N=4096\nlet N/=4", "N=4096\nfor N in 1024; do", "N=4096\nread -r N <file",
        "N=4096\nprintf -v N 1024", "N=4096\nunset N", "N=4096\neval \"N=1024\"", "source env.sh",
        ". ./env.sh", "true || N=4096", "case $1 in\na) N=4096 ;;\nesac",
        "while read -r x\ndo\n  N=4096\ndone", "cat <<EOF\nN=4096\nEOF"})
    EXPECT_THAT(length(std::string(other) + "\na --seq-length ${N:-1024}"), EndsWith(": ?")) << other;
  for (const char* maybe :
       {"cat <<'EOF'\na --seq-length 4096\nEOF", "false && ARGS=\"--seq-length 4096\"",
        "if false; then a --seq-length 4096; fi", "if false\nthen\na --seq-length 4096\nfi"})
    EXPECT_THAT(length(maybe), EndsWith(": ?")) << maybe;
  for (const char* sure :
       {"a --seq-length 4096 && echo done", "a --seq-length 4096 || exit 1",
        "if true; then echo; fi\na --seq-length 4096", "cat <<EOF\nx\nEOF\na --seq-length 4096",
        "for i in 1 2; do\na --seq-length 4096\ndone", "b <<<x\na --seq-length 4096",
        "source env.sh\na --seq-length 4096"})
    EXPECT_THAT(length(sure), EndsWith("4096: 4096")) << sure;
}

TEST(ScriptFlags, LayersOfAVirtualStageMayMeanStages) {
  EXPECT_EQ(told("a --num-layers-per-virtual-pipeline-stage 1"), "vpp=1");
  EXPECT_EQ(
      told("a --num-layers 8 --pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 1"),
      "pp=4 vpp=1|2");
  EXPECT_EQ(
      told("a --num-layers 9 --pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 1"),
      "pp=4 vpp=1");
  EXPECT_EQ(
      told("a --num-layers 8 --pipeline-model-parallel-size 2 --num-virtual-stages-per-pipeline-rank 2"),
      "pp=2 vpp=2");
}

TEST(ScriptFlags, WhatMayBringMoreIsTold) {
  const auto further = [](std::string_view script) { return read_script_flags(script).further; };
  EXPECT_EQ(further("A=1\nB=(x)\na.py --load $CKPT $A ${B[@]} \"${A}\""), "");
  EXPECT_EQ(further("a.py \"$@\""), "$@");
  EXPECT_EQ(further("a.py --x 1 $MORE"), "$MORE");
  EXPECT_EQ(further("a.py ${MORE[@]}"), "${MORE[@]}");
  EXPECT_EQ(further("source ./args.sh\na.py"), "source ./args.sh");
  EXPECT_EQ(further("source set_env.sh\na.py --sequence-parallel"), "") << "it sets the environment";
}

constexpr const char* naming = "{model}_{parallelism}";
constexpr const char* script =
    "a --num-layers 8 --tensor-model-parallel-size 2 --pipeline-model-parallel-size 4 "
    "--num-layers-per-virtual-pipeline-stage 1 --sequence-parallel";

NameFindings findings(std::string_view name, std::string_view text = script) {
  return check_name(naming, name, text);
}

TEST(Naming, ANameThatSaysWhatTheScriptDoesIsWell) {
  for (const char* name :
       {"pretrain/llama2_tp2_pp4_vpp2_ptd", "llama2_tp2_pp4_vpp2_sp", "LLaMA2_TP2_PP4_VPP2",
        "x_tp2pp4vpp2_mem_recompute", "llama2_tp2_pp4_vpp2_ep1_cp1.sh"}) {
    EXPECT_THAT(findings(name).contradictions, IsEmpty()) << name;
    EXPECT_THAT(findings(name).hints, IsEmpty()) << name;
  }
}

TEST(Naming, AnotherNumberAndNoFlagContradict) {
  EXPECT_THAT(findings("m_tp4_pp4_vpp2").contradictions,
              ElementsAre("the name says tp4, the script --tensor-model-parallel-size 2"));
  EXPECT_THAT(findings("m_tp2_pp4_vpp2_ep2_dist_opt_recompute").contradictions,
              ElementsAre("the name says ep2, and the script has no --expert-model-parallel-size",
                          "the name says dist_opt, and the script has no --use-distributed-optimizer",
                          "the name says recompute, and the script has no --recompute-granularity"));
  EXPECT_THAT(findings("m_tp2_tp8_pp4_vpp2").contradictions,
              ElementsAre("the name says tp8, the script --tensor-model-parallel-size 2"));
  EXPECT_THAT(findings("m_tp4", "TP=2\na --tensor-model-parallel-size $TP").contradictions,
              ElementsAre("the name says tp4, the script --tensor-model-parallel-size $TP = 2"));
}

TEST(Naming, WhatIsNotToldIsAHintAndNeverOff) {
  const auto hint = [](std::string_view name, std::string_view text) {
    const NameFindings found = findings(name, text);
    EXPECT_THAT(found.contradictions, IsEmpty());
    return join(found.hints, "\n");
  };
  EXPECT_EQ(hint("m_tp2", "a --tensor-model-parallel-size $TP"),
            "tp2 cannot be compared: the script's text does not tell --tensor-model-parallel-size $TP");
  EXPECT_EQ(hint("m_tp2", "a \"$@\""),
            "tp2 cannot be compared: the script has no --tensor-model-parallel-size in its text, and $@ may "
            "bring it");
  EXPECT_EQ(hint("m_pp1", "a --tensor-model-parallel-size 8 --context-parallel-size 1"),
            "the script has tp8 (--tensor-model-parallel-size 8), and the name does not tell it");
  EXPECT_EQ(findings("llama2_ptd", "a").form, "the name is not of the form {model}_{parallelism}");
  EXPECT_EQ(findings("llama2-tp1", "a").form, "the name is not of the form {model}_{parallelism}");
  EXPECT_EQ(findings("tp1", "a").form, "the name is not of the form {model}_{parallelism}");
  EXPECT_EQ(findings("tp1_llama", "a").form, "the name is not of the form {model}_{parallelism}");
  EXPECT_EQ(findings("m_tp99999999999999999999", "a").form,
            "the name is not of the form {model}_{parallelism}");
}

TEST(Naming, TheFormIsATemplateWithParallelism) {
  EXPECT_EQ(policy("[suite]\nnaming = \"{model}_{parallelism}\"\n").naming(""), naming);
  const std::string grouped =
      "[suite]\nnaming = \"{model}_{parallelism}\"\n[group.a]\ncases = [\"a/*.sh\"]\nnaming = "
      "\"a_{parallelism}\"\n"
      "[group.b]\ncases = [\"b/*.sh\"]\n";
  EXPECT_EQ(policy(grouped).naming("a"), "a_{parallelism}");
  EXPECT_EQ(policy(grouped).naming("b"), naming);
  EXPECT_EQ(mistakes("[suite]\nnaming = \"{model}\"\n"), "gate.toml:2:10: \"{model}\" lacks {parallelism}");
  EXPECT_EQ(mistakes("[suite]\nnaming = \"{modle}_{parallelism}\"\n"),
            "gate.toml:2:10: unknown placeholder \"{modle}\"; did you mean \"{model}\"?");
  EXPECT_NE(mistakes("[suite]\nnaming = \"*{parallelism}\"\n"), "");
  EXPECT_THAT(check_name("st_{parallelism}", "st_tp2", "a --tensor-model-parallel-size 2").form, IsEmpty());
  EXPECT_EQ(check_name("st_{parallelism}", "x_tp2", "a --tensor-model-parallel-size 2").form,
            "the name is not of the form st_{parallelism}");
}

}  // namespace
}  // namespace gate::config::script_flags_test
