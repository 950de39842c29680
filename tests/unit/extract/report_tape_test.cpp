#include "extract/report_tape.h"

#include <gmock/gmock.h>

namespace gate::extract::report_tape_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A report after `step` iterations with that word, when so many step lines had come.
Report report(std::int64_t step, std::size_t lines_before, const std::string& word = "1.5") {
  Report made;
  made.step = step;
  made.lines_before = lines_before;
  made.values = {{"memory_allocated", {}, {step, *parse_value(word), word}}};
  return made;
}

// `step:attempt.number` of each report; attempts from 0.
std::vector<std::string> assigned(std::vector<Report> reports, const std::vector<AttemptSpan>& steps) {
  assign_attempts(reports, steps);
  std::vector<std::string> texts;
  for (const Report& r : reports)
    texts.push_back(std::to_string(r.step) + ":" + std::to_string(r.attempt) + "." +
                    std::to_string(r.number));
  return texts;
}

TEST(ReportTape, begins_an_attempt_where_a_step_falls_or_repeats) {
  EXPECT_THAT(assigned({report(1, 1), report(2, 2), report(1, 3), report(1, 5)}, {{1, 2}, {1, 4}, {1, 6}}),
              ElementsAre("1:0.1", "2:0.2", "1:1.1", "1:2.1"));
}

TEST(ReportTape, begins_an_attempt_at_a_resume) {
  EXPECT_THAT(assigned({report(1, 1), report(2, 2), report(41, 45), report(42, 46)}, {{1, 45}, {41, 60}}),
              ElementsAre("1:0.1", "2:0.2", "41:1.1", "42:1.2"));
}

TEST(ReportTape, does_not_take_a_report_of_the_attempt_before_for_the_resume) {
  EXPECT_THAT(assigned({report(1, 1), report(43, 43), report(45, 45)}, {{1, 45}, {41, 60}}),
              ElementsAre("1:0.1", "43:0.2", "45:1.1"));
  EXPECT_THAT(assigned({report(1, 1), report(2, 45)}, {{1, 45}, {41, 60}}), ElementsAre("1:0.1", "2:0.2"));
}

TEST(ReportTape, begins_no_more_attempts_than_the_steps_have) {
  EXPECT_THAT(assigned({report(1, 1), report(41, 45), report(41, 46)}, {{1, 45}, {41, 60}}),
              ElementsAre("1:0.1", "41:0.2", "41:1.1"));
}

TEST(ReportTape, drops_a_report_that_is_written_twice) {
  std::vector<Report> reports{report(1, 1), report(1, 1), report(2, 3), report(2, 3)};
  EXPECT_EQ(assign_attempts(reports, std::vector<AttemptSpan>{{1, 9}}).size(), 2U);
  EXPECT_EQ(reports.size(), 2U);
}

TEST(ReportTape, keeps_reports_that_differ_or_have_steps_between) {
  std::vector<Report> differ{report(1, 1), report(1, 1, "2.5")};
  EXPECT_THAT(assign_attempts(differ, std::vector<AttemptSpan>{{1, 9}}), IsEmpty());
  std::vector<Report> apart{report(1, 1), report(1, 2)};
  EXPECT_THAT(assign_attempts(apart, std::vector<AttemptSpan>{{1, 9}}), IsEmpty());
}

TEST(ReportTape, may_be_empty) { EXPECT_THAT(assigned({}, {{1, 2}}), IsEmpty()); }

TEST(ReportTape, needs_no_steps) {
  EXPECT_THAT(assigned({report(1, 0), report(2, 0), report(1, 0)}, {}),
              ElementsAre("1:0.1", "2:0.2", "1:1.1"));
}

}  // namespace
}  // namespace gate::extract::report_tape_test
