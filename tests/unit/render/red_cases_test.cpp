// In which order red cases are told, and what of them is one line.
#include <gmock/gmock.h>

#include "gate/base/text.h"
#include "render/words/red_cases.h"
#include "render/words/totals.h"
#include "sample_reports.h"

namespace gate::render::red_cases_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

CaseReport moved(const std::string& name, const std::string& throughput) {
  CaseReport one = sample::case_of_speed(name, throughput);
  one.verdict = Verdict::regressed;
  return one;
}

CaseReport named(CaseReport one, const std::string& name) {
  one.name = name;
  return one;
}

CaseReport not_finite() {
  CaseReport one = named(sample::regressed_case(), "nan");
  one.checks = {sample::not_finite_loss()};
  return one;
}

CaseReport alone() {
  CaseReport one = named(sample::regressed_case(), "a-lone-metric");
  one.checks = {sample::failed_loss()};
  return one;
}

// Nine cases that moved together, and one of each other cause, by name last to first.
Report suite() {
  std::vector<CaseReport> cases{alone(),
                                moved("b-slowest", "40.00"),
                                not_finite(),
                                named(sample::crashed_case(), "o-crashed"),
                                named(sample::hung_case(), "z-hung"),
                                sample::passed_case()};
  for (int i = 0; i < 9; ++i) cases.push_back(moved("c" + std::to_string(i), "122.90"));
  return sample::report(cases, 1);
}

std::vector<std::string> names_of(const std::vector<const CaseReport*>& cases) {
  return texts_of(cases, [](const CaseReport* one) { return one->name; });
}

TEST(RedCases, AreToldByTheirCauses) {
  const Report report = suite();
  const RedCases red = red_cases(report);
  EXPECT_THAT(names_of(red.told), ElementsAre("z-hung", "o-crashed", "nan", "b-slowest", "a-lone-metric"));
  EXPECT_EQ(names_of(red.moved).size(), 9U);
  EXPECT_EQ(red.moved_line, "9 red cases moved with the rest, throughput -8.4 %");
  EXPECT_EQ(red.all().back()->name, "c8");
}

TEST(RedCases, OfAFewThatMovedEachIsTold) {
  Report report = suite();
  for (CaseReport& one : report.cases)
    if (one.name.front() == 'c' && one.name > "c1") one.verdict = Verdict::passed;
  const RedCases red = red_cases(report);
  EXPECT_THAT(red.moved, IsEmpty());
  EXPECT_EQ(red.told.back()->name, "c1") << "behind the others";
  report.cases[1].quarantine = Quarantine{};
  EXPECT_THAT(names_of(red_cases(report).told), Not(testing::Contains("b-slowest")));
}

TEST(RedCases, AreALineOnTheTerminalAndLookNamesAnother) {
  const Report report = suite();
  const std::string told = text(report, Style{.width = 200});
  EXPECT_THAT(told, HasSubstr("\n9 red cases moved with the rest, throughput -8.4 %: see shift\n"
                              "look    gate explain z-hung --run"));
  EXPECT_THAT(told, Not(HasSubstr("REGRESSED c0")));
  EXPECT_THAT(text(report, Style{.width = 200, .quiet = true}), HasSubstr("throughput -8.4 %\nlook"));
  EXPECT_THAT(text(report, Style{.width = 200, .verbose = true}), HasSubstr("REGRESSED c0"));
}

TEST(RedCases, WhereAllMovedLookNamesTheFirst) {
  std::vector<CaseReport> cases;
  for (const char* name : {"b", "a", "c"}) cases.push_back(moved(name, "122.90"));
  const std::string told = text(sample::report(cases, 1), Style{.width = 200});
  EXPECT_THAT(told, HasSubstr("\n3 red cases moved with the rest, throughput -8.4 %: see shift\n"
                              "look    gate explain a --run"));
}

TEST(RedCases, AreCountedByTheirCauses) {
  const Report report = suite();
  EXPECT_THAT(totals(report).english(),
              HasSubstr("1 passed, 14 RED: 1 hung, 1 crashed, 1 not finite, 11 regressed "));
  EXPECT_EQ(closing_line(report), "RED: 1 hung, 1 crashed, 1 not finite, 11 regressed, 1 passed (exit 1)");
  EXPECT_THAT(totals(sample::report({sample::hung_case()}, 1)).english(), HasSubstr("1 RED   "))
      << "one kind";
}

TEST(RedCases, AreInThisOrderOnThePage) {
  const std::string page = html(suite(), Style{});
  std::size_t at = 0;
  for (const char* name : {"z-hung", "o-crashed", "nan", "b-slowest", "a-lone-metric", "c0", "c8"}) {
    const std::size_t next = page.find(std::string("\">") + name + "<");
    EXPECT_LT(at, next) << name;
    at = next;
  }
  EXPECT_NE(at, std::string::npos);
  EXPECT_THAT(page, HasSubstr("9 red cases moved with the rest"));
}

}  // namespace
}  // namespace gate::render::red_cases_test
