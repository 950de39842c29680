#include "extract/report_tape.h"

#include <algorithm>

namespace gate::extract {

namespace {

bool same_words(const Report& a, const Report& b) {
  return std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                    [](const ReportValue& x, const ReportValue& y) {
                      return x.metric == y.metric && x.sample.text == y.sample.text;
                    });
}

bool repeats_report(const Report& report, const Report& before) {
  return report.step == before.step && report.lines_before == before.lines_before &&
         same_words(report, before);
}

void assign_by_falls(std::vector<Report>& reports) {
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const bool falls = i > 0 && reports[i].step <= reports[i - 1].step;
    reports[i].attempt = i == 0 ? 0 : reports[i - 1].attempt + (falls ? 1 : 0);
  }
}

std::size_t attempts(const std::vector<Report>& reports) { return reports.back().attempt + 1; }

std::vector<Report> drop_repeated(std::vector<Report>& reports) {
  std::vector<Report> kept, dropped;
  for (Report& report : reports) {
    const bool again = !kept.empty() && repeats_report(report, kept.back());
    (again ? dropped : kept).push_back(std::move(report));
  }
  reports = std::move(kept);
  return dropped;
}

bool begins_resume(const Report& report, std::size_t attempt, std::span<const AttemptSpan> steps) {
  return attempt + 1 < steps.size() && steps[attempt + 1].first_step > steps[attempt].first_step &&
         report.step >= steps[attempt + 1].first_step && report.lines_before >= steps[attempt].end;
}

// Begin an attempt at reports of a resume too, as long as there are fewer attempts than the steps have.
void split_at_resumes(std::vector<Report>& reports, std::span<const AttemptSpan> steps) {
  std::size_t missing = steps.size() - std::min(steps.size(), attempts(reports));
  std::size_t more = 0;
  for (Report& report : reports) {
    report.attempt += more;
    if (missing == 0 || !begins_resume(report, report.attempt, steps)) continue;
    ++report.attempt;
    ++more;
    --missing;
  }
}

void count_reports(std::vector<Report>& reports) {
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const bool goes_on = i > 0 && reports[i].attempt == reports[i - 1].attempt;
    reports[i].number = goes_on ? reports[i - 1].number + 1 : 1;
  }
}

}  // namespace

std::vector<Report> assign_attempts(std::vector<Report>& reports, std::span<const AttemptSpan> steps) {
  std::vector<Report> dropped;
  if (reports.empty()) return dropped;
  assign_by_falls(reports);
  if (!steps.empty() && attempts(reports) > steps.size()) {
    dropped = drop_repeated(reports);
    assign_by_falls(reports);
  }
  split_at_resumes(reports, steps);
  count_reports(reports);
  return dropped;
}

}  // namespace gate::extract
