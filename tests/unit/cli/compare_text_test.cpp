#include "cli/compare_text.h"

#include <gmock/gmock.h>

#include "../schema/validate.h"

namespace gate::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* hostile = "</script><script>evil()\x1b[31m\n";

app::Comparison comparison() {
  judge::Distance apart;
  apart.common = 3;
  apart.different = 1;
  apart.only_a = 2;
  apart.first = judge::Apart{2, "2.4", "nan", ""};
  apart.mean_a = apart.mean_b = 2.5;
  app::ComparedCase one{hostile,   "passed", "regressed", {{hostile, 3, "ms", "step", apart}},
                        {hostile}, {},       {}};
  return {std::string("log ") + hostile, "run 1121-0203", {one}, {hostile}, {}};
}

TEST(CompareText, JsonFitsItsSchema) {
  EXPECT_EQ(schema::invalid(comparison_json(comparison()), "gate.comparison.1.json"), "");
}

TEST(CompareText, HostileNamesAreShown) {
  EXPECT_THAT(comparison_text(comparison(), {}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(comparison_html(comparison()), Not(HasSubstr("<script>evil")));
}

TEST(CompareText, ClosingLineTellsTheFirstStepOfAll) {
  app::Comparison both = comparison();
  app::ComparedSeries report = both.cases[0].series[0];
  report.metric = "memory";
  report.numbered = "report";
  report.distance.first->number = 1;
  both.cases[0].series[0].metric = "lm_loss";
  both.cases[0].series.push_back(report);
  EXPECT_THAT(comparison_text(both, {}),
              HasSubstr("DIFFERENT: 2 of 2 series in 1 case, first at step 2 of lm_loss rank 3\n"));
}

}  // namespace
}  // namespace gate::cli
