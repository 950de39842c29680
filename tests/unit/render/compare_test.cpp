#include "gate/render/compare.h"

#include <gmock/gmock.h>

#include "../schema/validate.h"
#include "gate/judge/difference.h"

namespace gate::render::compare_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

Series series(const std::string& metric, std::optional<int> rank, const std::vector<std::string>& words) {
  Series made(metric, rank, "", Numbering::step);
  std::int64_t number = 0;
  for (const std::string& word : words) made.append({++number, parse_value(word).value_or(Value{}), word});
  return made;
}

ComparedSeries beside(const std::string& metric, std::optional<int> rank, const std::vector<std::string>& a,
                      const std::vector<std::string>& b, MetricKind kind = MetricKind::accuracy) {
  ComparedSeries one;
  one.metric = metric;
  one.rank = rank;
  one.kind = kind;
  one.difference = judge::difference_of(series(metric, rank, a), series(metric, rank, b));
  return one;
}

Comparison comparison_of(std::vector<ComparedSeries> all) {
  Comparison comparison;
  comparison.a = {"a.log", SideKind::log, "a.log"};
  comparison.b = {"1122-0203", SideKind::run, ".gate/runs/1122-0203"};
  comparison.cases.push_back({"c", {}, Verdict::passed, std::move(all), {}, {}, {}, {}});
  return comparison;
}

TEST(Compare, EqualSeriesAreSame) {
  const auto comparison = comparison_of({beside("lm_loss", {}, {"1.5", "2"}, {"1.50", "2"})});
  EXPECT_EQ(compare_closing(comparison), "SAME: 1 metric");
  EXPECT_EQ(schema::invalid(compare_json({comparison}), "gate.comparison.1.json"), "");
}

TEST(Compare, ClosingLineNamesAccuracyBeforeSpeed) {
  const auto comparison =
      comparison_of({beside("iteration_time", {}, {"1", "1"}, {"2", "1"}, MetricKind::speed),
                     beside("lm_loss", {}, {"1", "1"}, {"1", "2"})});
  EXPECT_EQ(compare_closing(comparison), "DIFFERENT: 2 of 2 metrics, first at lm_loss step 2");
}

TEST(Compare, OfGatesOwnClockNothingCounts) {
  auto comparison =
      comparison_of({beside("wall_time", {}, {"1"}, {"2"}), beside("lm_loss", {}, {"1"}, {"1"})});
  comparison.cases[0].series[0].measured_by = MeasuredBy::gate;
  EXPECT_EQ(compare_closing(comparison), "SAME: 2 metrics");
}

TEST(Compare, ACaseWithNothingToCompareIsNamed) {
  auto comparison = comparison_of({beside("lm_loss", {}, {"1"}, {"1"})});
  comparison.cases.push_back({"d", {}, {}, {}, {}, {}, {}, {}});
  EXPECT_EQ(compare_closing(comparison), "SAME: 1 metric in 2 cases; nothing to compare in d");
}

TEST(Compare, NothingInCommonIsNotComparable) {
  auto comparison = comparison_of({});
  comparison.cases[0].only_a = {"lm_loss"};
  EXPECT_EQ(compare_closing(comparison),
            "NOT COMPARABLE: no metric has a number that both have; 1 series only in A");
}

TEST(Compare, IsSaidInChinese) {
  const auto comparison = comparison_of({beside("lm_loss", 3, {"1", "1"}, {"1", "2", "4"})});
  EXPECT_EQ(compare_closing(comparison).in(Language::chinese),
            "不同：1 个指标中有 1 个，首处在 lm_loss rank 3 第 2 步");
  const std::string text = compare_text({comparison}, {.language = Language::chinese});
  EXPECT_THAT(text, HasSubstr("A  日志 a.log\nB  运行 1122-0203（.gate/runs/1122-0203）\n\nc  B 中通过\n"));
  EXPECT_THAT(text, HasSubstr("指标            共有  聚合         A  B    差值   首处不同\n"
                              "lm_loss rank 3  2     1, 2 的均值  1  1.5  +50 %  第 2 步\n"));
  EXPECT_THAT(text, HasSubstr("lm_loss rank 3：2 步中有 1 处不同；首处第 2 步：1 -> 2 (+1)\n"));
  EXPECT_THAT(text, HasSubstr("lm_loss rank 3：仅 B 有 1 步：3\n"));
}

TEST(Compare, RanksThatDifferAlikeShareARow) {
  const auto comparison =
      comparison_of({beside("memory", 0, {"5", "5"}, {"5", "6"}), beside("memory", 1, {"5", "5"}, {"5", "9"}),
                     beside("memory", 2, {"5", "5"}, {"5", "5"})});
  const auto rows = compare_rows(comparison.cases[0]);
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[1], ElementsAre("memory ranks 0, 1", "2", "mean of 1, 2", "5", "7", "+40 %", "step 2"));
  EXPECT_THAT(rows[2],
              ElementsAre("memory rank 2", "2", "mean of 1, 2", "5", "5", "0 %", "equal at all 2 steps"));
  EXPECT_THAT(compare_details(comparison.cases[0]),
              ElementsAre("memory ranks 0, 1: differs at 1 of 2 steps, rank 1; first step 2: 5 -> 9 (+4)"));
}

TEST(Compare, TextFitsEightyColumns) {
  Style style;
  style.width = 80;
  std::vector<std::string> long_ones(40, "10.25"), others(40, "10.75");
  const std::string text =
      compare_text({comparison_of({beside("tokens_per_second", {}, long_ones, others)})}, style);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_THAT(text, HasSubstr("B  run 1122-0203 (.gate/runs/1122-0203)\n"));
}

TEST(Compare, EverythingInJsonFollowsTheSchema) {
  auto comparison = comparison_of({beside("lm_loss", 3, {"1", "nan", ""}, {"2", "nan", "1", "4"})});
  comparison.cases[0].series[0].beyond =
      Beyond{"lm_loss", "±0.01", {1, *parse_value("1"), *parse_value("2"), parse_value("1")}};
  comparison.cases[0].only_b = {"grad_norm"};
  comparison.cases[0].notes = {"note"};
  comparison.only_a = {"d"};
  const std::string json = compare_json({comparison});
  EXPECT_EQ(schema::invalid(json, "gate.comparison.1.json"), "");
  const auto one = nlohmann::json::parse(json)["cases"][0]["series"][0];
  EXPECT_EQ(one["common"], 3);
  EXPECT_EQ(one["only_b"], "4");
  EXPECT_EQ(one["first"]["delta"], "+1");
  EXPECT_EQ(one["not_finite_a"], "left out at 3; nan at 2");
  EXPECT_EQ(one["beyond"]["tolerance"], "±0.01");
}

TEST(Compare, HostileNamesAreInert) {
  auto comparison = comparison_of({beside("\x1b[31m##[error]<script>", {}, {"1"}, {"2"})});
  comparison.cases[0].name = "::error::x\n::warning::y";
  comparison.cases[0].only_a = {"##vso[x]\x1b"};
  Style style;
  for (const std::string& text : {compare_text({comparison}, style), compare_json({comparison})}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("##[")));
    EXPECT_THAT(text, Not(HasSubstr("##vso[")));
    EXPECT_THAT(text, Not(HasSubstr("\n::")));
  }
  EXPECT_THAT(compare_html({comparison}), Not(HasSubstr("<script>\n[")));
  EXPECT_THAT(compare_html({comparison}), HasSubstr("&lt;script&gt;"));
  EXPECT_EQ(schema::invalid(compare_json({comparison}), "gate.comparison.1.json"), "");
}

TEST(Compare, PageHasTheClosingLineAndTheChart) {
  auto comparison = comparison_of({beside("lm_loss", {}, {"1", "1"}, {"1", "2"})});
  Chart chart;
  chart.title = "lm_loss";
  chart.x = {1, 2};
  chart.curves = {{"A", CurveRole::baseline, {1, 1}}, {"B", CurveRole::run, {1, 2}}};
  comparison.cases[0].charts = {chart};
  const std::string page = compare_html({comparison});
  EXPECT_THAT(page, HasSubstr("DIFFERENT: 1 of 1 metric, first at lm_loss step 2"));
  EXPECT_THAT(page, HasSubstr("application/json"));
  EXPECT_THAT(page, Not(HasSubstr("<th scope=\"col\">case")));
}

TEST(Compare, SeveralSidesAreLaidOverOnePage) {
  Comparison b = comparison_of({beside("lm_loss", {}, {"1", "1"}, {"1", "2"})});
  Chart chart;
  chart.title = "lm_loss";
  chart.x = {1, 2};
  chart.curves = {{"A", CurveRole::baseline, {1, 1}, {}, 1},
                  {"B", CurveRole::run, {1, 2}, {}, 2},
                  {"C", CurveRole::run, {1, 1}, {}, 3}};
  b.cases[0].charts = {chart};
  Comparison c = comparison_of({beside("lm_loss", {}, {"1", "1"}, {"1", "1"})});
  c.second = c.cases[0].second = "C";
  c.only_b = {"d"};
  const std::string page = compare_html({b, c});
  EXPECT_THAT(page,
              HasSubstr("<h1 class=\"warn\">B  DIFFERENT: 1 of 1 metric, first at lm_loss step 2</h1>"));
  EXPECT_THAT(page, HasSubstr("<h1 class=\"warn\">C  DIFFERENT: 0 of 1 metric; 1 case only in C</h1>"));
  EXPECT_THAT(page, HasSubstr("<span class=\"badge warn\">B: 1 of 1 differ, C: 0 of 1 differ</span>"));
  EXPECT_THAT(page, HasSubstr("<span class=\"side3\">C</span>"));
  EXPECT_THAT(page, HasSubstr("<path class=\"side1\""));
  EXPECT_THAT(page, HasSubstr("cases only in C"));
  const std::string json = compare_json({b, c});
  EXPECT_EQ(schema::invalid(json, "gate.comparison.1.json"), "");
  EXPECT_EQ(nlohmann::json::parse(json)["further"][0]["only_b"][0], "d");
}

// The charts are the first pair's, and hold all sides.
TEST(Compare, EachPairHasItsCurvesInTheTable) {
  auto b = comparison_of({beside("lm_loss", {}, {"1", "1"}, {"1", "2"})});
  auto c = comparison_of({beside("lm_loss", {}, {"1", "1"}, {"1", "3"})});
  c.second = c.cases[0].second = "C";
  Chart chart;
  chart.title = "lm_loss";
  chart.x = {1, 2};
  chart.curves = {{"A", CurveRole::baseline, {1, 1}, {}, 1},
                  {"B", CurveRole::run, {1, 2}, {}, 2},
                  {"C", CurveRole::run, {1, 3}, {}, 3}};
  chart.red = true;
  b.cases[0].charts = {chart};
  const std::string page = compare_html({b, c});
  const std::size_t first = page.find("class=\"spark\"");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(page.find("class=\"spark\"", first + 1), std::string::npos);
}

TEST(Compare, PageOfSeveralCasesBeginsWithATableOfThem) {
  auto comparison = comparison_of({beside("lm_loss", {}, {"1", "1"}, {"1", "2"})});
  comparison.cases[0].name = "first";
  comparison.cases[0].a = Verdict::passed;
  comparison.cases[0].b = Verdict::regressed;
  comparison.cases.push_back(comparison.cases[0]);
  comparison.cases[1].name = "second";
  Chart chart;
  chart.title = "lm_loss";
  chart.x = {1, 2};
  chart.curves = {{"A", CurveRole::baseline, {1, 1}}, {"B", CurveRole::run, {1, 2}}};
  chart.red = true;
  comparison.cases[1].charts = {chart};
  comparison.cases[1].series = {beside("steady", {}, {"1", "1"}, {"1", "1"}),
                                beside("grad_norm", {}, {"1", "1"}, {"1", "2"}),
                                beside("lm_loss", {}, {"1", "1"}, {"1", "0"})};
  comparison.cases[1].series[2].difference.delta_percent = -80;
  const std::string page = compare_html({comparison});
  EXPECT_THAT(page,
              HasSubstr("<a href=\"#case-second\">second</a></td><td data-name=\"verdicts\" class=\"warn\">"
                        "passed -&gt; regressed</td><td data-name=\"metrics that differ\" "
                        "class=\"warn\">2 of 3</td><td data-name=\"farthest apart\" data-order=\"80\">"
                        "lm_loss -80 %</td><td data-name=\"curves\"><svg class=\"spark\""));
  EXPECT_LT(page.find("href=\"#case-second\""), page.find("href=\"#case-first\""));
  EXPECT_LT(page.find("id=\"case-second\""), page.find("id=\"case-first\""));
  std::vector<std::string> metrics;
  for (const TextRow& row : compare_rows(comparison.cases[1])) metrics.push_back(row.front().english());
  EXPECT_THAT(metrics, ElementsAre("metric", "lm_loss", "grad_norm", "steady"));
}

}  // namespace
}  // namespace gate::render::compare_test
