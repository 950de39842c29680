#include "gate/model/reports/report.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate {

namespace {

int code_of(const CaseReport& report) {
  const Interrupted* interrupted = report.outcome ? std::get_if<Interrupted>(&*report.outcome) : nullptr;
  if (report.verdict == Verdict::interrupted && interrupted != nullptr) return 128 + interrupted->signal;
  return row(report.verdict).exit_code;
}

std::optional<Duration> sum_of(const std::vector<CaseReport>& cases,
                               std::optional<Duration> CaseReport::*time) {
  std::optional<Duration> sum;
  for (const CaseReport& c : cases)
    if (c.*time) sum = sum.value_or(Duration{}) + *(c.*time);
  return sum;
}

// The one stage that was asked for was done, and others judge the case.
bool has_done_stage(const CaseReport& report, std::optional<Stage> only) {
  return only && report.verdict == Verdict::skipped && !report.stages.empty() &&
         report.stages.back().stage == *only && !report.stages.back().has_failed();
}

}  // namespace

void LaunchRecord::add_problems(const std::vector<Sentence>& texts, const Sentence& what, ProblemKind kind) {
  for (const Sentence& text : texts) problems.push_back({kind, "", 0, what + text});
}

void LaunchRecord::add(const LaunchRecord& launch, const std::string& name) {
  duration += launch.duration;
  if (launch.device_time) device_time = device_time.value_or(Duration{}) + *launch.device_time;
  problems.insert(problems.end(), launch.problems.begin(), launch.problems.end());
  const std::string end = name.empty() ? "" : "-" + name;
  for (const auto& [artifact, path] : launch.artifacts) artifacts.emplace(artifact + end, path);
  if (!name.empty()) return;
  devices = launch.devices;
  hosts = launch.hosts;
  device_time_saved = launch.device_time_saved;
  if (!launch.last_words.empty()) last_words = launch.last_words;  // else a further phase's stand
}

std::vector<std::string> Report::case_names() const { return texts_of(cases, &CaseReport::name); }

std::int64_t Report::count(Verdict verdict) const {
  return std::count_if(cases.begin(), cases.end(),
                       [&](const CaseReport& c) { return c.verdict == verdict && !c.quarantine; });
}

std::int64_t Report::count_quarantined() const {
  return std::count_if(cases.begin(), cases.end(),
                       [](const CaseReport& c) { return c.quarantine.has_value(); });
}

std::int64_t Report::count_quarantined_red() const {
  return std::count_if(cases.begin(), cases.end(), [](const CaseReport& c) {
    return c.quarantine && c.verdict != Verdict::passed && c.verdict != Verdict::skipped;
  });
}

std::optional<Duration> Report::device_time() const { return sum_of(cases, &CaseReport::device_time); }

std::optional<Duration> Report::device_time_saved() const {
  return sum_of(cases, &CaseReport::device_time_saved);
}

bool is_held_back(const CaseReport& report) {
  return report.verdict == Verdict::not_run && report.outcome &&
         std::holds_alternative<NotStarted>(*report.outcome);
}

bool has_finished(const CaseReport& report) {
  return (report.verdict != Verdict::not_run || is_held_back(report)) &&
         report.verdict != Verdict::interrupted;
}

void add_loosened(Report& report, const CaseReport& of_case) {
  if (!report.policy) return;
  for (const PolicyFinding& finding : of_case.loosened) add_finding(report.policy->findings, finding);
}

int exit_code_of(const Report& report, const std::vector<std::string>& named) {
  if (report.cases.empty() && report.nothing_ok) return exit_code::ok;
  std::vector<int> codes;
  for (const CaseReport& c : report.cases) {
    if (c.quarantine) continue;
    const bool asked_for = std::find(named.begin(), named.end(), c.name) != named.end();
    if (has_done_stage(c, report.only)) continue;
    codes.push_back(c.verdict == Verdict::skipped && asked_for ? exit_code::refused : code_of(c));
  }
  const bool judged = std::any_of(report.cases.begin(), report.cases.end(), [&](const CaseReport& c) {
    return has_done_stage(c, report.only) || (c.verdict != Verdict::skipped && !c.quarantine);
  });
  if (!judged) codes.push_back(exit_code::refused);
  return worst_exit_code(codes);
}

}  // namespace gate
