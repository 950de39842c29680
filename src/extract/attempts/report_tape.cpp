#include "extract/attempts/report_tape.h"

#include <algorithm>

namespace gate::extract {

namespace {

bool repeats_report(const Report& report, const Report& before) {
  return report.step == before.step && report.tape == before.tape && report.lines == before.lines &&
         report.words == before.words;
}

// Return whether the reports' places told their attempts.
bool assign_by_places(std::vector<Report>& reports, const NearestAttempt& nearest) {
  bool told = false;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const bool falls = i > 0 && reports[i].step <= reports[i - 1].step;
    const std::size_t least = i == 0 ? 0 : reports[i - 1].attempt + (falls ? 1 : 0);
    const std::optional<std::size_t> near = nearest(reports[i]);
    told |= near.has_value();
    reports[i].attempt = static_cast<std::uint32_t>(std::max(least, near.value_or(least)));
  }
  return told;
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

bool begins_resume(const Report& report, std::span<const std::int64_t> first_steps) {
  const std::size_t next = report.attempt + 1;
  return next < first_steps.size() && first_steps[next] > first_steps[report.attempt] &&
         report.step >= first_steps[next];
}

// Begin an attempt at reports of a resume too, as long as there are fewer attempts than the steps have.
void split_at_resumes(std::vector<Report>& reports, std::span<const std::int64_t> first_steps) {
  std::size_t missing = first_steps.size() - std::min(first_steps.size(), attempts(reports));
  std::size_t more = 0;
  for (Report& report : reports) {
    report.attempt += more;
    if (missing == 0 || !begins_resume(report, first_steps)) continue;
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

std::vector<Report> assign_attempts(std::vector<Report>& reports, std::span<const std::int64_t> first_steps,
                                    const NearestAttempt& nearest) {
  std::vector<Report> dropped;
  if (reports.empty()) return dropped;
  bool told = assign_by_places(reports, nearest);
  if (!first_steps.empty() && attempts(reports) > first_steps.size()) {
    dropped = drop_repeated(reports);
    told = assign_by_places(reports, nearest);
  }
  if (!told) split_at_resumes(reports, first_steps);
  count_reports(reports);
  return dropped;
}

SampleTape samples_of(std::span<const Report> reports, const SampleTape& column) {
  SampleTape samples;
  for_each_value(reports, column, [&](const Report&, const SampleView& sample) { samples.append(sample); });
  return samples;
}

}  // namespace gate::extract
