#include "gate/model/reports/run_status.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gate {

namespace {

constexpr std::array<std::string_view, 5> names_of_states{"pending", "running", "success", "failed",
                                                          "stopped"};
constexpr int first_signal = 128;

CaseStatus status_of_case(const CaseReport& report, const Report& run) {
  CaseStatus status;
  status.name = report.name;
  status.total = report.total;
  status.step = report.steps;
  status.since = run.started;
  if (report.verdict == Verdict::not_run && !is_held_back(report)) return status;
  status.verdict = report.verdict;
  status.state = job_state_of(report.verdict);
  status.since = run.finished;
  return status;
}

}  // namespace

std::string_view to_string(JobState state) { return names_of_states.at(static_cast<std::size_t>(state)); }

std::optional<JobState> parse_job_state(std::string_view name) {
  const auto it = std::ranges::find(names_of_states, name);
  if (it == names_of_states.end()) return std::nullopt;
  return static_cast<JobState>(it - names_of_states.begin());
}

JobState job_state_of(Verdict verdict) {
  if (verdict == Verdict::passed) return JobState::success;
  return verdict == Verdict::interrupted || verdict == Verdict::not_run ? JobState::stopped
                                                                        : JobState::failed;
}

JobState job_state_of(int exit_code) {
  if (exit_code == exit_code::ok) return JobState::success;
  return exit_code > first_signal ? JobState::stopped : JobState::failed;
}

std::int64_t RunStatus::count(JobState wanted) const {
  return std::ranges::count(cases, wanted, &CaseStatus::state);
}

std::optional<Duration> whole_time(Duration gone, Duration before, std::int64_t step,
                                   std::optional<std::int64_t> total) {
  Duration whole = before;
  if (whole <= gone && total && step > 0)
    whole = Duration(std::llround(static_cast<double>(gone.count()) * static_cast<double>(*total) /
                                  static_cast<double>(step)));
  return whole > gone ? std::optional(whole) : std::nullopt;
}

RunStatus run_status_of(const Report& report) {
  RunStatus status;
  status.run = report.run;
  status.uid = report.uid;
  status.suite = report.suite;
  status.command = report.command;
  status.host = report.host;
  status.started = status.updated = report.started;
  if (!report.finished.empty()) status.updated = report.finished;
  for (const CaseReport& c : report.cases)
    if (c.verdict != Verdict::skipped) status.cases.push_back(status_of_case(c, report));
  return status;
}

}  // namespace gate
