#include "extract/attempts/report_tape.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace gate::extract::report_tape_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A report after `step` iterations on that line, with that word.
RankReport report(std::int64_t step, std::uint32_t line, const std::string& word = "1.5") {
  RankReport made;
  made.step = step;
  made.place.line = line;
  made.lines = line;
  made.behind = line;
  made.words = std::hash<std::string>()(word);
  return made;
}

std::optional<std::size_t> unknown(const RankReport&) { return std::nullopt; }

// Return the nearest attempt where the k-th begins on the k-th of these lines.
NearestAttempt by_lines(std::vector<std::uint32_t> begins) {
  return [begins](const RankReport& each) -> std::optional<std::size_t> {
    const auto at = std::upper_bound(begins.begin(), begins.end(), each.place.line);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(at - begins.begin(), 1) - 1);
  };
}

// `step:attempt` of each report; attempts from 0.
std::vector<std::string> assigned(std::vector<RankReport> reports,
                                  const std::vector<std::int64_t>& first_steps,
                                  const NearestAttempt& nearest = unknown) {
  assign_attempts(reports, first_steps, nearest);
  std::vector<std::string> texts;
  for (const RankReport& r : reports)
    texts.push_back(std::to_string(r.step) + ":" + std::to_string(r.attempt));
  return texts;
}

TEST(ReportTape, begins_an_attempt_where_a_step_falls_or_repeats) {
  EXPECT_THAT(assigned({report(1, 1), report(2, 2), report(1, 3), report(1, 5)}, {1, 1, 1}),
              ElementsAre("1:0", "2:0", "1:1", "1:2"));
}

TEST(ReportTape, goes_with_the_nearest_step_line) {
  EXPECT_THAT(assigned({report(1, 1), report(5, 12), report(6, 25)}, {1, 1, 1}, by_lines({1, 10, 20})),
              ElementsAre("1:0", "5:1", "6:2"));
}

TEST(ReportTape, does_not_go_back) {
  EXPECT_THAT(assigned({report(1, 12), report(2, 5)}, {1, 1}, by_lines({1, 10})), ElementsAre("1:1", "2:1"));
}

TEST(ReportTape, begins_an_attempt_at_a_resume_in_another_file) {
  EXPECT_THAT(assigned({report(1, 1), report(2, 2), report(41, 3), report(42, 4)}, {1, 41}),
              ElementsAre("1:0", "2:0", "41:1", "42:1"));
}

TEST(ReportTape, begins_no_more_attempts_than_the_steps_have) {
  EXPECT_THAT(assigned({report(1, 1), report(41, 45), report(41, 46)}, {1, 41}),
              ElementsAre("1:0", "41:0", "41:1"));
}

TEST(ReportTape, drops_a_report_that_is_written_twice) {
  std::vector<RankReport> reports{report(1, 1), report(1, 1), report(2, 3), report(2, 3)};
  EXPECT_EQ(assign_attempts(reports, std::vector<std::int64_t>{1}, unknown).size(), 2U);
  EXPECT_EQ(reports.size(), 2U);
}

TEST(ReportTape, keeps_reports_that_differ_or_have_steps_between) {
  std::vector<RankReport> differ{report(1, 1), report(1, 1, "2.5")};
  EXPECT_THAT(assign_attempts(differ, std::vector<std::int64_t>{1}, unknown), IsEmpty());
  std::vector<RankReport> apart{report(1, 1), report(1, 2)};
  EXPECT_THAT(assign_attempts(apart, std::vector<std::int64_t>{1}, unknown), IsEmpty());
}

TEST(ReportTape, drops_one_behind_its_step_that_was_written_twice) {
  const auto dropped = [](std::int64_t behind, std::int64_t again_behind) {
    std::vector<RankReport> reports{report(1, 1), report(2, 4), report(2, 5), report(3, 7)};
    reports[1].behind = behind;
    reports[2].behind = again_behind;
    return assign_attempts(reports, std::vector<std::int64_t>{1}, by_lines({1})).size();
  };
  EXPECT_EQ(dropped(2, 2), 1U);
  EXPECT_EQ(dropped(1, 2), 1U) << "it stands before its step";
  EXPECT_EQ(dropped(4, 4), 1U);
  EXPECT_EQ(dropped(2, 3), 0U) << "a run died before it printed a step";
}

TEST(ReportTape, keeps_one_that_came_late_in_its_attempt) {
  const std::vector<RankReport> late{report(2, 1), report(1, 2), report(4, 3), report(3, 4), report(5, 5)};
  EXPECT_THAT(assigned(late, {1, 1}, by_lines({1})), ElementsAre("2:0", "1:0", "4:0", "3:0", "5:0"));
  EXPECT_THAT(assigned(late, {1, 1, 3}, by_lines({1, 2, 4})), ElementsAre("2:0", "1:1", "4:1", "3:2", "5:2"));
  EXPECT_THAT(assigned({report(1, 1), report(2, 2), report(1, 3)}, {1, 1}, by_lines({1})),
              ElementsAre("1:0", "2:0", "1:1"))
      << "it was reported";
}

TEST(ReportTape, may_be_empty) { EXPECT_THAT(assigned({}, {1}), IsEmpty()); }

TEST(ReportTape, needs_no_steps) {
  EXPECT_THAT(assigned({report(1, 0), report(2, 0), report(1, 0)}, {}), ElementsAre("1:0", "2:0", "1:1"));
}

}  // namespace
}  // namespace gate::extract::report_tape_test
