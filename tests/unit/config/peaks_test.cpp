#include <gmock/gmock.h>

#include "policy_text.h"

namespace gate::config::peaks_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* peaks = R"([peaks.any]
fp16 = 1e12
[peaks."ascend-*"]
fp16 = 200e12
[peaks.ascend-910b3]
fp16 = 313e12
[peaks.nvidia-a100]
fp16 = 312e12
bf16 = 312_000_000_000_000
int8 = 624e12
)";
constexpr const char* mfu = "[metrics.mfu]\nformula = '100 * throughput * 1e12 / peak(\"fp16\")'\n";

// Return the numbers of the case's only formula on the platform.
std::vector<std::string> numbers_on(const std::string& toml, const std::string& platform,
                                    const std::vector<Override>& words = {}) {
  const Case spec = resolve({.toml = toml, .overrides = words});
  std::vector<std::string> numbers;
  for (const judge::Term& term : formula_on(spec, spec.derivations.at(0).formula, platform).terms)
    if (term.is_told()) numbers.push_back(term.number.to_string());
  return numbers;
}

std::string why_on(const std::string& toml, const std::string& platform) {
  const Case spec = resolve({.toml = toml});
  return why_open(spec, formula_on(spec, spec.derivations.at(0).formula, platform), platform).english();
}

TEST(Peaks, AreThoseOfTheMostSpecificGlobThatHasTheType) {
  const std::string toml = std::string(peaks) + mfu;
  EXPECT_THAT(numbers_on(toml, "ascend-910b3"), ElementsAre("313000000000000"));
  EXPECT_THAT(numbers_on(toml, "ascend-910b4"), ElementsAre("200000000000000"));
  EXPECT_THAT(numbers_on(toml, "cpu"), ElementsAre("1000000000000"));
  EXPECT_THAT(numbers_on(toml, ""), ElementsAre("1000000000000")) << "any";
  const std::string of_bf16 = std::string(peaks) + "[metrics.m]\nformula = 'throughput / peak(\"bf16\")'\n";
  EXPECT_THAT(numbers_on(of_bf16, "nvidia-a100"), ElementsAre("312000000000000"));
  EXPECT_EQ(why_on(of_bf16, "ascend-910b3"), "no peak bf16 of ascend-910b3 in [peaks]");
  EXPECT_EQ(why_on(of_bf16, ""), "no peak bf16 of a platform that is not known: --platform");
  EXPECT_EQ(why_on(of_bf16, "nvidia-a100"), "");
}

TEST(Peaks, GoWithTheCaseWhereAFormulaNamesThem) {
  const Case spec = resolve({.toml = std::string(peaks) + mfu});
  ASSERT_EQ(spec.peaks.size(), 1U);
  EXPECT_EQ(spec.peaks.begin()->first, "fp16");
  EXPECT_THAT(resolve({.toml = peaks}).peaks, IsEmpty());
  EXPECT_EQ(spec.metrics.get("mfu").unit, "%") << "a number carries any unit";
}

TEST(Peaks, AreExplained) {
  const ExplainedCase named = resolve({.toml = std::string(peaks) + mfu});
  EXPECT_EQ(explain(named, "peaks.ascend-910b3.fp16"),
            "peaks.ascend-910b3.fp16 = 313000000000000 (gate.toml:6:8)");
  EXPECT_EQ(explain(named, "peaks.nvidia-a100.int8"), "") << "no formula names it";
  std::vector<std::string> keys;
  for (const SettingOrigin& line : policy(peaks).explain_suite())
    if (line.key.starts_with("peaks.")) keys.push_back(line.key + "=" + line.value);
  EXPECT_THAT(
      keys, ElementsAre("peaks.nvidia-a100.bf16=312000000000000", "peaks.any.fp16=1000000000000",
                        "peaks.ascend-*.fp16=200000000000000", "peaks.ascend-910b3.fp16=313000000000000",
                        "peaks.nvidia-a100.fp16=312000000000000", "peaks.nvidia-a100.int8=624000000000000"));
}

TEST(Peaks, MayHaveAUnit) {
  for (const char* value : {"313e12", "'313e12'", "'313 TFLOP/s'", "'0.313 PFLOP/s'", "'313000 gflops'",
                            "'313TFLOPS'", "'313e12 FLOP/s'", "' 0.000313 EFLOPs/s '"}) {
    const std::string toml = "[peaks.a]\nfp16 = " + std::string(value) + "\n" + mfu;
    EXPECT_THAT(numbers_on(toml, "a"), ElementsAre("313000000000000")) << value;
  }
}

TEST(PeaksMistakes, HaveTheirPlaces) {
  EXPECT_EQ(mistakes("[peaks]\nfp16 = 1e12\n"),
            "gate.toml:2:1: [peaks] holds tables named by platforms or globs of them, such as "
            "[peaks.nvidia-a100]");
  EXPECT_EQ(mistakes("peaks = 3\n"), "gate.toml:1:9: [peaks] is a table of keys, not 3");
  EXPECT_EQ(mistakes("[peaks.a]\nfp-16 = 1\n'' = 1\n"),
            "gate.toml:2:1: \"fp-16\" is no type of number; write letters, digits and _, as in fp16\n"
            "gate.toml:3:1: \"\" is no type of number; write letters, digits and _, as in fp16");
  const std::string none = " is no number of FLOP/s, such as 313e12 or \"313 TFLOP/s\"";
  for (const auto& [value, what] : std::vector<std::pair<std::string, std::string>>{
           {"0", "0 is no number above 0"},
           {"-1.5", "-1.5 is no number above 0"},
           {"inf", "inf" + none},
           {"nan", "nan" + none},
           {"true", "true" + none},
           {"[1]", "a list is no single value"},
           {"'fast'", "\"fast\"" + none},
           {"'313 TFLOP'", "\"313 TFLOP\"" + none},
           {"'TFLOP/s'", "\"TFLOP/s\"" + none},
           {"'-3 TFLOP/s'", "\"-3 TFLOP/s\" is no number above 0"},
           {"'1e60 TFLOP/s'", "\"1e60 TFLOP/s\" is out of range"},
           {"{ a = 1 }", "a table is no single value"},
           {"1e99", "1e+99 is out of range"},
           {"1e-99", "1e-99 is out of range"}})
    EXPECT_EQ(mistakes("[peaks.a]\nfp16 = " + value + "\n"), "gate.toml:2:8: " + what) << value;
}

TEST(PeaksMistakes, ATypeThatNoPlatformHasIsToldAtTheFormula) {
  const std::string wrong = "[metrics.m]\nformula = 'throughput / peak(\"half\")'\n";
  const std::string where =
      "formula \"throughput / peak(\"half\")\": unknown peak \"half\" at character 14; ";
  EXPECT_EQ(mistakes(wrong), "gate.toml:2:11: " + where + "known: auto, bf16, fp16, tf32, fp32");
  EXPECT_EQ(mistakes(peaks + wrong),
            "gate.toml:12:11: " + where + "known: auto, bf16, fp16, int8, tf32, fp32");
  EXPECT_THAT(mistakes("[peaks.a]\nhal = 1\n" + wrong), HasSubstr("did you mean \"hal\"?"));
  EXPECT_EQ(mistakes("[peaks.a]\nhalf = 0\n" + wrong), "gate.toml:2:8: 0 is no number above 0");
  EXPECT_EQ(
      case_mistakes({.toml = peaks, .overrides = {set("metrics.m.formula", "throughput / peak('half')")}}),
      "--set metrics.m.formula: formula \"throughput / peak('half')\": unknown peak \"half\" at "
      "character 14; known: auto, bf16, fp16, int8, tf32, fp32");
}

TEST(ToldNumbers, DevicesAreNotToldWhereTheScriptHasOthers) {
  Case spec = resolve({.toml = "[metrics.m]\nformula = 'throughput * devices'\n",
                       .overrides = {set("devices", "8"), set("nodes", "2")}});
  for (const auto& [script, number] :
       std::vector<std::pair<std::string, std::string>>{{"NPUS_PER_NODE=8", "16"},
                                                        {"NPUS_PER_NODE=16", "0"},
                                                        {"torchrun --nproc_per_node 4 a.py", "0"},
                                                        {"NPUS_PER_NODE=${N:-16}", "0"},
                                                        {"NNODES=2", "16"},
                                                        {"NNODES=1", "0"},
                                                        {"torchrun --nproc_per_node 8 --nnodes 4 a.py", "0"},
                                                        {"python a.py", "16"}}) {
    spec.training_text = std::make_shared<const std::string>(script + "\n");
    const judge::Formula formula = formula_on(spec, spec.derivations.at(0).formula, "cpu");
    for (const judge::Term& term : formula.terms)
      if (term.is_told()) {
        EXPECT_EQ(term.number.to_string(), number) << script;
      }
  }
  spec.training_text = std::make_shared<const std::string>("NPUS_PER_NODE=16\n");
  EXPECT_EQ(
      why_open(spec, formula_on(spec, spec.derivations.at(0).formula, "cpu"), "cpu").english(),
      "the script uses 16 devices a node, and the case has devices = 8: set devices = 16, or let the script "
      "take $NPUS_PER_NODE from gate");
  spec.training_text = std::make_shared<const std::string>("NNODES=4\n");
  EXPECT_EQ(
      why_open(spec, formula_on(spec, spec.derivations.at(0).formula, "cpu"), "cpu").english(),
      "the script uses 4 nodes, and the case has nodes = 2: set nodes = 4, or let the script take $NNODES "
      "from gate");
}

TEST(ToldNumbers, AreTheCasesOwn) {
  const std::string toml = "[metrics.m]\nformula = 'throughput * devices * nodes * seq_length'\n";
  EXPECT_THAT(numbers_on(toml, "cpu", {set("devices", "8"), set("nodes", "2")}), ElementsAre("16", "2", "0"));
  EXPECT_THAT(numbers_on(toml, "cpu"), ElementsAre("0", "1", "0"));
  EXPECT_EQ(why_on(toml, "cpu"), "the case does not say how many devices it uses: devices");
  EXPECT_TRUE(needs_seq_length(resolve({.toml = toml})));
  EXPECT_FALSE(needs_seq_length(resolve({.toml = std::string(peaks) + mfu})));
}

TEST(ToldNumbers, HaveNamesThatNoMetricInAFormulaHas) {
  EXPECT_EQ(
      mistakes("[metrics.seq_length]\nkey = 'seq'\n[metrics.m]\nformula = 'throughput * seq_length'\n"),
      "gate.toml:4:11: formula \"throughput * seq_length\": seq_length at character 14 is a number that "
      "the case tells, and a metric has this name, too; rename it");
  EXPECT_EQ(mistakes("[metrics.seq_length]\nkey = 'seq'\n"), "");
}

}  // namespace
}  // namespace gate::config::peaks_test
