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

}  // namespace
}  // namespace gate::app::suite_trend_test
