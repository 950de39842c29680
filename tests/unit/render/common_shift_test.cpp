#include "render/words/common_shift.h"

#include <gmock/gmock.h>

#include "sample_reports.h"

namespace gate::render::common_shift_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CaseReport moved(double percent, CheckStatus status) {
  CaseReport one = sample::passed_case();
  one.checks = {sample::speed(status, "120", "-14", percent)};
  return one;
}

TEST(CommonShift, SuiteThatMovesTogetherIsToldOnce) {
  std::vector<CaseReport> cases(9, moved(-8.4, CheckStatus::fail));
  cases.push_back(moved(-0.1, CheckStatus::pass));
  const Report report = sample::report(cases, 1);
  EXPECT_THAT(common_shift(report),
              ElementsAre("throughput: 9 of 10 cases moved alike, -8.4 % in the median: look "
                          "for what they share"));
  EXPECT_THAT(text(report, Style{}), HasSubstr("\nthroughput: 9 of 10 cases moved alike"));
  EXPECT_THAT(markdown(report, Style{}), HasSubstr("throughput: 9 of 10 cases moved alike"));
  EXPECT_THAT(html(report, Style{}), HasSubstr("throughput: 9 of 10 cases moved alike"));
}

TEST(CommonShift, SingleCasesAreNoSuite) {
  EXPECT_THAT(common_shift(sample::report({moved(-8, CheckStatus::fail), moved(-8, CheckStatus::fail)}, 1)),
              IsEmpty());
}

TEST(CommonShift, CasesThatMoveApartAreNot) {
  std::vector<CaseReport> cases(4, moved(-8, CheckStatus::fail));
  for (int i = 0; i < 4; ++i) cases.push_back(moved(6, CheckStatus::pass));
  EXPECT_THAT(common_shift(sample::report(cases, 1)), IsEmpty());
}

TEST(CommonShift, WaveringCasesAreNot) {
  std::vector<CaseReport> cases(12, moved(0.2, CheckStatus::pass));
  for (int i = 0; i < 3; ++i) cases.push_back(moved(-9, CheckStatus::fail));
  for (std::size_t i = 0; i < 6; ++i) cases[i] = moved(-0.3, CheckStatus::pass);
  EXPECT_THAT(common_shift(sample::report(cases, 1)), IsEmpty());
}

}  // namespace
}  // namespace gate::render::common_shift_test
