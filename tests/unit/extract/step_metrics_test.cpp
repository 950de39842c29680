// Memory of event files, which is numbered by step, beside what logs print by report.
#include "extract/events/step_metrics.h"

#include <gmock/gmock.h>

namespace gate::extract::step_metrics_test {
namespace {

using testing::ElementsAre;

Series series(const std::string& metric, std::optional<int> rank, Numbering numbered) {
  Series made(metric, rank, "", numbered);
  made.append({7, Value{ValueKind::finite, Decimal{5, 0}}, "5", 0, 0});
  return made;
}

std::vector<std::string> told(const std::vector<Series>& all) {
  std::vector<std::string> lines;
  for (const Series& one : all)
    lines.push_back(label(one) + " " + std::string(to_string(one.numbered())) + " " + one.unit() + " " +
                    std::to_string(one.samples().last_number()));
  return lines;
}

TEST(StepMetrics, HaveTheirMetricsNamesUnitsAndPlaces) {
  Extraction extraction;
  extraction.series = {series("lm_loss", {}, Numbering::step), series("grad_norm", {}, Numbering::step),
                       series("own", {}, Numbering::step),
                       series("memory_allocated by step", {}, Numbering::step)};
  extraction.attempts.push_back({"", 1, 7, extraction.series});
  extraction.lacked = {{"memory_allocated by step", "x"}, {"lm_loss", "y"}};
  name_step_series(extraction, MetricTable());
  EXPECT_THAT(told(extraction.series), ElementsAre("lm_loss step  7", "grad_norm step  7",
                                                   "memory_allocated step MiB 7", "own step  7"));
  EXPECT_EQ(told(extraction.attempts[0].series), told(extraction.series));
  EXPECT_EQ(extraction.lacked[0].metric, "memory_allocated");
  EXPECT_EQ(extraction.lacked[1].metric, "lm_loss");
}

TEST(StepMetrics, StandBesideReportsOfRanksAndBehindThoseOfNone) {
  Extraction extraction;
  extraction.series = {series("memory_allocated", 0, Numbering::report),
                       series("memory_reserved", {}, Numbering::report),
                       series("memory_allocated by step", {}, Numbering::step),
                       series("memory_reserved by step", {}, Numbering::step)};
  name_step_series(extraction, MetricTable());
  EXPECT_THAT(told(extraction.series),
              ElementsAre("memory_allocated rank 0 report  7", "memory_allocated step MiB 7",
                          "memory_reserved report  7"));
}

}  // namespace
}  // namespace gate::extract::step_metrics_test
