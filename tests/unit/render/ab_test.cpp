#include "gate/render/ab.h"

#include <gmock/gmock.h>

#include "../schema/validate.h"
#include "gate/words/ab.h"

namespace gate::render::ab_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

AbMetric metric(AbAnswer answer, MetricKind kind = MetricKind::speed) {
  AbMetric made{.rule = "throughput", .metric = "throughput", .what = "mean of last 10", .unit = "TFLOP/s"};
  made.kind = kind;
  made.better = kind == MetricKind::memory ? Better::lower : Better::higher;
  made.tolerated = 0.05;
  made.pairs = {{100, 97}, {102, 98}, {98, 96}};
  made.change = PairedChange{3, -0.0303, -0.0391, -0.0218, 0.012, answer};
  return made;
}

AbResult result_of(std::vector<AbMetric> metrics, int exit_code = 0) {
  AbResult result;
  result.case_name = "dp2";
  result.a = {"main", std::string(40, 'a')};
  result.b = {"HEAD", std::string(40, 'b')};
  result.pairs = 3;
  result.most = 10;
  result.confidence = 0.95;
  result.metrics = std::move(metrics);
  result.exit_code = exit_code;
  return result;
}

TEST(Ab, SaysWhatIsWorse) {
  const AbResult result = result_of({metric(AbAnswer::worse)}, 1);
  EXPECT_EQ(ab_closing(result), "SLOWER: throughput -3.03 % (-3.91 % .. -2.18 %) after 3 pairs (exit 1)");
  EXPECT_THAT(ab_rows(result)[1], ElementsAre("throughput", "mean of last 10", "100", "97 TFLOP/s", "-3.03 %",
                                              "-3.91 % .. -2.18 %", "1.2 %", "slower"));
  EXPECT_THAT(ab_text(result, {}), HasSubstr("A  main (aaaaaaa"));
}

TEST(Ab, SaysItOfMemoryInOtherWords) {
  EXPECT_THAT(ab_closing(result_of({metric(AbAnswer::worse, MetricKind::memory)}, 1)).english(),
              testing::StartsWith("MORE MEMORY: "));
  EXPECT_THAT(ab_closing(result_of({metric(AbAnswer::better)})).english(), testing::StartsWith("FASTER: "));
}

TEST(Ab, IsSaidInChinese) {
  const std::string text = ab_text(result_of({metric(AbAnswer::worse)}, 1), {.language = Language::chinese});
  EXPECT_THAT(text, HasSubstr("dp2：3 对，最多 10 对\n"));
  EXPECT_THAT(text, HasSubstr("B 相对 A  95 % 区间"));
  EXPECT_THAT(text, HasSubstr("\n变慢：throughput -3.03 %（-3.91 % .. -2.18 %），共 3 对（退出码 1）\n"));
}

TEST(Ab, SaysWithinWhatThereIsNoDifference) {
  EXPECT_EQ(ab_closing(result_of({metric(AbAnswer::none)})),
            "NO DIFFERENCE: throughput -3.03 % (-3.91 % .. -2.18 %), within 5 % after 3 pairs (exit 0)");
}

TEST(Ab, SaysWhatMorePairsWouldHaveShown) {
  const AbResult result = result_of({metric(AbAnswer::none), metric(AbAnswer::undecided)}, 3);
  EXPECT_EQ(ab_closing(result),
            "UNDECIDED: throughput -3.03 % (-3.91 % .. -2.18 %) after 3 pairs; 10 pairs detect a "
            "change of 1.2 % in throughput with 90 % power (exit 3)");
}

TEST(Ab, SaysWhoseLaunchFailed) {
  AbResult result = result_of({}, 4);
  result.failure = AbFailure{"B", 2, Verdict::crashed, "exited 1", "/runs/1/try-4/log.txt"};
  EXPECT_EQ(ab_closing(result), "CRASHED: B, pair 2: exited 1 (exit 4)");
  EXPECT_THAT(ab_text(result, {}), HasSubstr("/runs/1/try-4/log.txt"));
  EXPECT_EQ(schema::invalid(ab_json(result), "gate.ab.1.json"), "");
}

TEST(Ab, SaysWhatTheLossesDo) {
  AbResult result = result_of({metric(AbAnswer::none)});
  result.losses.push_back({.series = "grad_norm", .common = 30, .first = {}});
  result.losses.push_back(
      {.series = "lm_loss",
       .common = 30,
       .different = 3,
       .first = DifferentAt{7, parse_value("1.50").value(), parse_value("1.51").value(), {}}});
  EXPECT_THAT(words::ab_details(result),
              ElementsAre("lm_loss: differs in 3 of 3 pairs, first at 7: 1.50 -> 1.51",
                          "grad_norm: equal as printed in 3 pairs"));
  EXPECT_EQ(schema::invalid(ab_json(result), "gate.ab.1.json"), "");
}

TEST(Ab, ShowsWhatIsHostileAndObeysNothing) {
  AbResult result = result_of({metric(AbAnswer::worse)});
  result.a.rev = "<script>\x1b[31m";
  result.notes = {"<script>\x1b[31m"};
  for (const std::string& shown : {ab_text(result, {}), ab_json(result), ab_html(result)})
    EXPECT_THAT(shown, Not(HasSubstr("\x1b")));
  EXPECT_THAT(ab_html(result), Not(HasSubstr("<script>\\x1b")));
}

TEST(Ab, DrawsThePairs) {
  const std::string page = ab_html(result_of({metric(AbAnswer::worse)}, 1));
  EXPECT_THAT(page, HasSubstr("<h1 class=\"bad\">SLOWER: "));
  EXPECT_THAT(page, HasSubstr("\"pair\""));
}

}  // namespace
}  // namespace gate::render::ab_test
