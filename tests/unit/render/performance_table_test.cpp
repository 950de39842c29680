#include <gmock/gmock.h>

#include "gate/render/reporters.h"

namespace gate::render::performance_table_test {
namespace {

using testing::HasSubstr;
using testing::Not;

CaseReport measured(const std::string& name, const std::string& cluster, int speed,
                    const std::string& source = "", int reference = 0) {
  CaseReport one;
  one.name = name;
  one.verdict = Verdict::passed;
  one.platform = "ascend-910b3";
  CasePerformance performance{{"LLaMA2", "7B", "4K", "Mcore", cluster, "BF16"},
                              {{"tokens_per_second_per_device", "tokens/s/device", {speed, 0}, "a / b"}}};
  if (!source.empty()) {
    performance.reference = PerformanceRow{};
    performance.reference->unit = "tokens/p/s";
    performance.reference->source = source;
    performance.reference->label = "=1+1";
    performance.reference->contributor = "N|IE";
    if (reference > 0) performance.reference->reference = Decimal{reference, 0};
  }
  one.performance = performance;
  return one;
}

Report run_of(std::vector<CaseReport> cases) {
  Report report;
  report.suite = "s";
  report.run = "1126-1000";
  report.commit = "abc";
  report.started = "2026-11-26T10:00:00Z";
  report.gate_version = "1.0.0";
  report.cases = std::move(cases);
  return report;
}

TEST(PerformanceTable, HasTheReferencesInTheirOrderAndThenTheOthers) {
  const std::string text = performance_table(
      run_of({measured("z10", "1x8", 100), measured("z9", "1x8", 100),
              measured("b", "1x8", 4672, "R.md:9", 3850), measured("a", "2x8", 4000, "R.md:111")}),
      {});
  const std::size_t b = text.find("| b |"), a = text.find("| a |"), z9 = text.find("| z9 |"),
                    z10 = text.find("| z10 |");
  EXPECT_TRUE(b < a && a < z9 && z9 < z10 && z10 != std::string::npos) << text;
  EXPECT_THAT(text,
              HasSubstr("| LLaMA2 | 7B | 4K | Mcore | 1x8 | BF16 | 4672 | 3850 | 121 % | tokens/p/s |"));
  EXPECT_THAT(text, HasSubstr("| N\\|IE |"));
  EXPECT_THAT(text, HasSubstr("s, run 1126"));
  EXPECT_THAT(text, HasSubstr("2026-11-26, commit abc, gate 1.0.0"));
  EXPECT_THAT(text, HasSubstr("= a / b"));
}

TEST(PerformanceTable, HasGreenCasesAlone) {
  std::vector<CaseReport> cases{measured("ok", "1x8", 100), measured("red", "1x8", 100),
                                measured("idle", "1x8", 100), measured("none", "1x8", 100)};
  cases[1].verdict = Verdict::regressed;
  cases[2].quarantine.emplace();
  cases[3].performance->figures.clear();
  const std::string text = performance_table(run_of(cases), {});
  EXPECT_THAT(text, HasSubstr("| ok |"));
  EXPECT_THAT(text, Not(HasSubstr("| red |")));
  EXPECT_THAT(text, HasSubstr("left out: 3 cases not green, waived, or without a model and a speed that is "
                              "told: red, idle, none"));
}

TEST(PerformanceTable, HasAColumnForEachFurtherMetric) {
  CaseReport small = measured("m@1x1", "1x1", 100), large = measured("m@1x8", "1x8", 98);
  small.performance->figures.push_back({"mfu", "%", {41, 0}});
  small.performance->figures.push_back({"final_accuracy", "", {812, -3}});
  small.performance->figures.push_back({"e2e_time", "s", {16616, -1}});
  large.performance->figures.push_back({"device_memory", "MiB", {40321, 0}});
  small.performance->figures.push_back({"memory_max_allocated", "MiB", {30123, 0}});
  small.performance->shape.precision = large.performance->shape.precision = "";
  const std::string text = performance_table(run_of({small, large}), {});
  EXPECT_THAT(
      text, HasSubstr("| model | parameters | sequence | implementation | cluster | measured | unit | MFU | "
                      "linearity | final_accuracy | e2e_time (s) | memory_max_allocated (MiB) | "
                      "device_memory (MiB) | platform | case |"));
  EXPECT_THAT(text,
              HasSubstr("| 1x1 | 100 | tokens/s/device | 41.0 % |  | 0.812 | 1662 | 30123 |  | ascend"));
  EXPECT_THAT(text, HasSubstr("| 1x8 | 98 | tokens/s/device |  | 98 % of 1x1 |  |  |  | 40321 | ascend"));
}

TEST(PerformanceTable, IsSaidInChinese) {
  std::vector<CaseReport> cases{measured("m", "1x8", 4672, "R.md:9", 3850), measured("red", "1x8", 1)};
  cases[1].verdict = Verdict::regressed;
  const std::string text = performance_table(run_of(cases), {.language = Language::chinese});
  EXPECT_THAT(text, HasSubstr("| 模型 | 参数量 | 序列长度 | 实现 | 集群 | 精度 | 实测 | 参考 |"));
  EXPECT_THAT(text, HasSubstr("未列出：1 个用例不绿、被豁免，或没有写明模型和速度：red"));
}

TEST(PerformanceTable, PutsTheSizesOfATrainingBesideTheSmallest) {
  const std::string text = performance_table(
      run_of({measured("m@1x1", "1x1", 100), measured("m@2x8", "2x8", 90), measured("m@1x8", "1x8", 98)}),
      {});
  EXPECT_THAT(text, HasSubstr("| 98 | tokens/s/device | 98 % of 1x1 |"));
  EXPECT_THAT(text, HasSubstr("| 90 | tokens/s/device | 90 % of 1x1 |"));
}

TEST(PerformanceTable, KeepsASpreadsheetFromObeyingIt) {
  const std::string text = performance_table_csv(run_of({measured("b", "1x8", 4672, "R.md:9", 3850)}), {});
  EXPECT_THAT(text, HasSubstr("'=1+1"));
  EXPECT_THAT(performance_table_html(run_of({measured("<b>", "1x8", 1)}), {}), HasSubstr("&lt;b&gt;"));
}

TEST(PerformanceLine, StandsBelowTheCase) {
  CaseReport one = measured("b", "1x8", 4672, "R.md:9", 3850);
  EXPECT_THAT(text(run_of({one}), {}), HasSubstr("speed    4672 tokens/p/s (reference 3850: 121 %)"));
  one.performance->reference->unit = "samples/s";
  EXPECT_THAT(text(run_of({one}), {}), HasSubstr("speed    4672 tokens/s/device (reference 3850 samples/s)"));
  one.performance->reference.reset();
  EXPECT_THAT(text(run_of({one}), {}), Not(HasSubstr("speed    4672")));
}

}  // namespace
}  // namespace gate::render::performance_table_test
