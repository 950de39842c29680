// Cases over the same runs, from values in literals.
#include "suite/history/suite_trend.h"

#include <gmock/gmock.h>

#include "gate/suite/history.h"

namespace gate::app::suite_trend_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Ran {
  std::string run;
  std::int64_t number;
  double loss = 2.5;
  CheckStatus status = CheckStatus::pass;
};

// All runs are of one second.
CaseTrend trend(const std::string& name, const std::vector<Ran>& runs) {
  CaseHistory history{name, "cpu", {}, {{{"lm_loss", "lm_loss", {}, "", "all", "each"}, "±0.01", {}}}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Ran& ran = runs[i];
    const Verdict verdict = ran.status == CheckStatus::pass ? Verdict::passed : Verdict::hung;
    history.runs.push_back(
        {ran.run, "h", "c", "2026-11-27T04:09:10Z", "run", false, verdict, "s", Duration(5), {}, ran.number});
    history.series[0].points.push_back({i, ran.status, ran.loss, ran.loss});
  }
  return trend_of(std::move(history));
}

TEST(SuiteTrendRuns, OfOneSecondStandAsTheyWereRemembered) {
  const SuiteTrend suite =
      suite_trend({trend("a", {{"r-2", 2}, {"r-10", 10}}), trend("b", {{"r", 1}, {"r-10", 10}})});
  std::vector<std::string> runs;
  for (const SuiteRun& run : suite.runs) runs.push_back(run.run);
  EXPECT_THAT(runs, ElementsAre("r", "r-2", "r-10"));
  EXPECT_THAT(suite.cells[0], ElementsAre(HeatCell::not_run, HeatCell::green, HeatCell::green));
}

TEST(SuiteTrendRuns, ThatHungMoveNothing) {
  const auto hung = [](CheckStatus status) {
    return suite_trend({trend("a", {{"r", 1}, {"r-2", 2}}), trend("b", {{"r", 1}, {"r-2", 2}}),
                        trend("c", {{"r", 1}, {"r-2", 2, 2.9, status}})});
  };
  EXPECT_THAT(hung(CheckStatus::missing).latest.apart, IsEmpty());
  EXPECT_THAT(hung(CheckStatus::undecided).latest.apart, IsEmpty());
  EXPECT_EQ(hung(CheckStatus::fail).latest.apart.size(), 1U);
  const SuiteTrend suite = hung(CheckStatus::undecided);
  const CaseTrend& c = suite.cases[2];
  EXPECT_THAT(c.trends[0].values, ElementsAre(2.5));
  EXPECT_EQ(c.trends[0].baselines, 1U) << "it has had one baseline";
}

// The letters of a case that is green in each run, with these values in percent of 200, and a baseline each.
std::string letters(const std::vector<double>& percents, const std::vector<double>& baselines = {}) {
  CaseHistory history{"a", "cpu", {}, {{{"throughput", "throughput", {}, "", "last 10", "mean"}, "-5%", {}}}};
  history.series[0].better = Better::higher;
  for (std::size_t i = 0; i < percents.size(); ++i) {
    const std::string run = "r" + std::to_string(i);
    history.runs.push_back({run,
                            "h",
                            "c",
                            "2026-11-27T04:09:10Z",
                            "run",
                            false,
                            Verdict::passed,
                            "s",
                            Duration(5),
                            {},
                            static_cast<std::int64_t>(i)});
    const double baseline = baselines.empty() ? 200 : baselines[i];
    history.series[0].points.push_back({i, CheckStatus::pass, 2 * percents[i] + (i % 2 ? 0.2 : 0), baseline});
  }
  std::string letters;
  const SuiteTrend suite = suite_trend({trend_of(std::move(history))});
  for (const HeatCell cell : suite.cells[0])
    letters += cell == HeatCell::green ? 'G' : cell == HeatCell::drifted ? 'D' : '?';
  return letters;
}

std::vector<double> levels(const std::vector<std::pair<int, double>>& parts) {
  std::vector<double> all;
  for (const auto& [count, percent] : parts) all.insert(all.end(), static_cast<std::size_t>(count), percent);
  return all;
}

TEST(SuiteTrendDrift, BeginsWithAChangeForTheWorseAndEndsWhereItIsUndone) {
  EXPECT_EQ(letters(levels({{12, 100}, {4, 98}})), "GGGGGGGGGGGGDDDD");
  EXPECT_EQ(letters(levels({{8, 100}, {4, 98}, {4, 100}})), "GGGGGGGGDDDDGGGG");
  EXPECT_EQ(letters(levels({{8, 100}, {4, 98}, {6, 101.5}})), "GGGGGGGGDDDDGGGGGG") << "it is better now";
  EXPECT_EQ(letters(levels({{12, 100}, {4, 102}})), "GGGGGGGGGGGGGGGG") << "for the better";
  EXPECT_EQ(letters(levels({{12, 100}, {4, 99.84}})), "GGGGGGGGGGGGGGGG") << "a fifth of 5 % is 1 %";
}

TEST(SuiteTrendDrift, EndsWithABaselineThatKnowsOfIt) {
  const std::vector<double> slower = levels({{10, 100}, {6, 97}});
  EXPECT_EQ(letters(slower, levels({{13, 200}, {3, 194}})), "GGGGGGGGGGDDDGGG");
  EXPECT_EQ(letters(slower, levels({{5, 200}, {11, 201}})), "GGGGGGGGGGDDDDDD") << "it was accepted before";
}

TEST(SuiteTrendDrift, OfARampBeginsOnItsWay) {
  std::vector<double> ramp = levels({{20, 100}});
  for (int i = 1; i <= 20; ++i) ramp.push_back(100 - 0.1 * i);
  EXPECT_EQ(letters(ramp).substr(0, 22), "GGGGGGGGGGGGGGGGGGGGGG");
  EXPECT_EQ(letters(ramp).substr(28), "DDDDDDDDDDDD");
}

}  // namespace
}  // namespace gate::app::suite_trend_test
