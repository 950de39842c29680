#include "gate/stored/charts.h"

#include <gmock/gmock.h>

#include <fstream>
#include <tuple>

#include "../temporary.h"
#include "shown.h"

namespace gate::app::charts_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Series series(const std::string& metric, const std::vector<std::string>& words, std::optional<int> rank = {},
              Numbering numbered = Numbering::step) {
  Series made(metric, rank, "", numbered);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (const auto value = parse_value(words[i]); value && !words[i].empty())
      made.append({static_cast<std::int64_t>(i + 1), *value, words[i], 0, 0});
  return made;
}

Reference reference(std::vector<Series> all) {
  Reference made;
  for (Series& one : all) made.series.push_back({{std::move(one)}, "b.json", ""});
  return made;
}

CaseReport report_of(const Check& check) {
  CaseReport report;
  report.name = "c";
  report.checks = {check};
  return report;
}

Check each_check(const std::string& metric, CheckStatus status) {
  Check check;
  check.rule = check.metric = metric;
  check.reduce = Reduce::each;
  check.steps = shown::steps("1, 2");
  check.tolerance = parse_tolerance("±0.5").value();
  check.status = status;
  return check;
}

TEST(Charts, RunAndBaselineStandSideBySideInTheirBand) {
  CaseReport report = report_of(each_check("lm_loss", CheckStatus::fail));
  report.checks[0].first_miss = shown::miss(2, "2", "4", "2", "", 0);
  const auto charts = charts_of(report, {series("lm_loss", {"3", "4", "nan"})},
                                reference({series("lm_loss", {"3", "2", "1"})}));
  ASSERT_THAT(charts, SizeIs(2));
  const Chart& chart = charts[0];
  EXPECT_EQ(chart.title, "lm_loss");
  EXPECT_TRUE(chart.red);
  EXPECT_THAT(chart.x, ElementsAre(1, 2, 3));
  ASSERT_THAT(chart.curves, SizeIs(2));
  EXPECT_THAT(chart.curves[0].values, ElementsAre(3, 2, 1));
  EXPECT_THAT(chart.curves[1].values, ElementsAre(3, 4, std::nullopt));
  EXPECT_THAT(chart.low, ElementsAre(2.5, 1.5, std::nullopt));
  EXPECT_THAT(chart.high, ElementsAre(3.5, 2.5, std::nullopt));
  ASSERT_THAT(chart.marks, SizeIs(1));
  EXPECT_EQ(chart.marks[0].x, 2);
  EXPECT_EQ(chart.note, "no finite value at 3");
  EXPECT_EQ(charts[1].of, "run - baseline");
  EXPECT_THAT(charts[1].curves[0].values, ElementsAre(0, 2, std::nullopt));
  EXPECT_THAT(charts[1].low, ElementsAre(-0.5, -0.5, std::nullopt));
}

TEST(Charts, RedOnesComeFirstThenGatedOnes) {
  CaseReport report = report_of(each_check("b", CheckStatus::pass));
  report.checks.push_back(each_check("c", CheckStatus::fail));
  const std::vector<std::string> words{"1", "2"};
  std::vector<std::string> titles;
  for (const Chart& chart :
       charts_of(report, {series("a", words), series("b", words), series("c", words)}, {}))
    titles.push_back(chart.title);
  EXPECT_THAT(titles, ElementsAre("c", "b", "a"));
}

TEST(Charts, TheOneThatFailedComesBeforeAllOthers) {
  CaseReport report = report_of(each_check("a", CheckStatus::undecided));
  for (const auto& [metric, status] : {std::pair("b", CheckStatus::pass), std::pair("c", CheckStatus::fail),
                                       std::pair("device_memory", CheckStatus::fail)})
    report.checks.push_back(each_check(metric, status));
  const std::vector<std::string> words{"1", "2"};
  std::vector<std::string> titles;
  for (const Chart& chart : charts_of(
           report,
           {series("a", words), series("b", words), series("device_memory", words), series("c", words)}, {}))
    titles.push_back(chart.title);
  EXPECT_THAT(titles, ElementsAre("c", "device_memory", "a", "b"));
}

TEST(Charts, SeriesWithOtherStepsShareAnAxis) {
  Series sparse("m", {}, "", Numbering::step), late("m", {}, "", Numbering::step);
  for (const std::int64_t number : {2, 5}) sparse.append({number, *parse_value("7"), "7", 0, 0});
  for (const std::int64_t number : {1, 5, 6}) late.append({number, *parse_value("9"), "9", 0, 0});
  Reference baseline;
  baseline.series.push_back({{sparse, late}, "b.json", ""});
  const Chart chart = charts_of({}, {series("m", {"1", "2", "3"})}, baseline).at(0);
  EXPECT_THAT(chart.x, ElementsAre(1, 2, 3, 5, 6));
  EXPECT_THAT(chart.curves[0].values, ElementsAre(9, 7, std::nullopt, 8, 9));
  EXPECT_THAT(chart.curves[1].values, ElementsAre(1, 2, 3, std::nullopt, std::nullopt));
  EXPECT_EQ(chart.note, "");
}

TEST(Charts, RanksShareOneWithoutABand) {
  const auto charts = charts_of(report_of(each_check("m", CheckStatus::pass)),
                                {series("m", {"1", "2"}, 0), series("m", {"3", "4"}, 1)}, {});
  ASSERT_THAT(charts, SizeIs(1));
  EXPECT_EQ(charts[0].curves[1].name, "run rank 1");
  EXPECT_THAT(charts[0].low, IsEmpty());
}

TEST(Charts, EndOfARunThatWasCutIsMarked) {
  CaseReport report = report_of(each_check("m", CheckStatus::undecided));
  report.outcome = StoppedEarly{"m step 2"};
  report.steps = 2;
  const auto charts = charts_of(report, {series("m", {"1", "2"})}, reference({series("m", {"1", "2", "3"})}));
  ASSERT_THAT(charts[0].marks, SizeIs(1));
  EXPECT_EQ(charts[0].marks[0].text, "stopped early");
  EXPECT_EQ(charts[0].marks[0].kind, MarkKind::end);
}

TEST(Charts, StepsStandOnTheAxisOfTheHardware) {
  const auto charts = charts_of(
      {},
      {series("startup_time", {"2000"}, {}, Numbering::report), series("step_wall_time", {"", "500", "1500"}),
       series("device_power", {"300", "310"}, 0, Numbering::time)},
      {});
  std::vector<std::string> grouped;
  for (const Chart& chart : charts)
    if (chart.group == "hardware") grouped.push_back(chart.title);
  EXPECT_THAT(grouped, ElementsAre("device_power", "step_wall_time"));
  EXPECT_THAT(charts.back().x, ElementsAre(2.5, 4));
}

// Of 100 steps the last ten are reduced to their mean; the first one is a warm-up.
struct Reduced {
  CaseReport report;
  std::vector<Series> run;
  Reference baseline;
};

Reduced reduced() {
  std::vector<std::string> slow(100, "95"), fast(100, "100");
  slow[0] = fast[0] = "20";
  slow[50] = "90";
  Check check = each_check("throughput", CheckStatus::fail);
  check.reduce = Reduce::mean;
  check.steps = shown::steps("91-100");
  check.tolerance = parse_tolerance("-4%").value();
  check.baseline = shown::value("100");
  check.actual = shown::value("95");
  check.limit = shown::limit("96");
  return {report_of(check), {series("throughput", slow)}, reference({series("throughput", fast)})};
}

TEST(Charts, BothMeansAndTheLimitStandOverTheWindow) {
  const Reduced data = reduced();
  const Chart chart = charts_of(data.report, data.run, data.baseline).at(0);
  EXPECT_EQ(chart.judged, (AxisStretch{91, 100}));
  std::vector<std::tuple<LevelRole, std::string, double>> levels;
  for (const ChartLevel& level : chart.levels)
    levels.emplace_back(level.role, level.name.english(), level.value);
  EXPECT_THAT(levels,
              ElementsAre(std::tuple(LevelRole::baseline, "mean", 100),
                          std::tuple(LevelRole::run, "mean", 95), std::tuple(LevelRole::limit, "limit", 96)));
  EXPECT_THAT(chart.low, IsEmpty());
}

TEST(Charts, AReducedCheckIsShownInPercentOfTheBaseline) {
  const Reduced data = reduced();
  const auto charts = charts_of(data.report, data.run, data.baseline);
  ASSERT_THAT(charts, SizeIs(2));
  EXPECT_EQ(charts[1].of, "run against baseline");
  EXPECT_EQ(charts[1].unit, "%");
  ASSERT_THAT(charts[1].curves, SizeIs(1));
  EXPECT_EQ(charts[1].curves[0].values[0], 0);
  EXPECT_NEAR(*charts[1].curves[0].values[1], -5, 1e-9);
  EXPECT_NEAR(charts[1].levels.back().value, -4, 1e-9);
}

TEST(Charts, AShortWindowIsShownWithAsMuchOnEitherSide) {
  const Reduced data = reduced();
  const Chart chart = charts_of(data.report, data.run, data.baseline).at(0);
  EXPECT_EQ(chart.shown_x, (AxisStretch{82, 100}));
}

TEST(Charts, AWarmUpDoesNotFlattenTheWindow) {
  Reduced data = reduced();
  data.report.checks[0].steps = shown::steps("41-100");
  const Chart chart = charts_of(data.report, data.run, data.baseline).at(0);
  EXPECT_EQ(chart.shown_x, std::nullopt);
  EXPECT_EQ(chart.shown_y,
            (AxisStretch{87.5, 102.5}));  // from the value at 51 to the baseline, and a quarter
}

TEST(Charts, AMissFarFromTheRestOfItsWindowIsShown) {
  CaseReport report = report_of(each_check("m", CheckStatus::fail));
  report.checks[0].steps = shown::steps("1-4");
  const Chart chart = charts_of(report, {series("m", {"1", "99", "1", "1"})},
                                reference({series("m", {"1", "1", "1", "1"})}))[0];
  EXPECT_EQ(chart.shown_y, std::nullopt);
}

class Excerpts : public Temporary {};

TEST_F(Excerpts, ShowTheLinesAroundAMissAndTheEndOfALogThatBrokeOff) {
  const std::string file = (root / "log.txt").string();
  std::ofstream out(file);
  for (int i = 1; i <= 40; ++i) out << "line " << i << "\n";
  out.close();
  CaseReport report = report_of(each_check("m", CheckStatus::fail));
  report.checks[0].first_miss = shown::miss(2, "2", "4", "2", file, 20);
  report.artifacts["log"] = file;
  report.outcome = Exited{1};
  const auto excerpts = excerpts_of(report);
  ASSERT_THAT(excerpts, SizeIs(2));
  EXPECT_EQ(excerpts[0].first, 16u);
  EXPECT_EQ(excerpts[0].pointed, 20u);
  EXPECT_EQ(excerpts[0].lines.front(), "line 16");
  EXPECT_EQ(excerpts[0].lines.back(), "line 24");
  EXPECT_EQ(excerpts[1].first, 29u);
  EXPECT_EQ(excerpts[1].lines.back(), "line 40");
}

TEST_F(Excerpts, OfFilesThatAreGoneAreNone) {
  CaseReport report = report_of(each_check("m", CheckStatus::fail));
  report.checks[0].first_miss = shown::miss(2, "2", "4", "2", (root / "gone").string(), 20);
  EXPECT_THAT(excerpts_of(report), IsEmpty());
}

}  // namespace
}  // namespace gate::app::charts_test
