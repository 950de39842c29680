#include "app/run/run_conditions.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate::app {

namespace {

bool failed_on_speed(const CaseReport& report, const MetricTable& metrics) {
  return std::any_of(report.checks.begin(), report.checks.end(), [&](const Check& check) {
    return check.status == CheckStatus::fail && metrics.get(check.metric).kind == MetricKind::speed;
  });
}

}  // namespace

void RunConditions::enter(const std::string& case_name) {
  const std::lock_guard lock(mutex_);
  for (const std::string& other : running_) {
    neighbours_[case_name].insert(other);
    neighbours_[other].insert(case_name);
  }
  running_.insert(case_name);
}

void RunConditions::leave(const std::string& case_name) {
  const std::lock_guard lock(mutex_);
  running_.erase(case_name);
}

void RunConditions::set_clocked_down(const std::string& case_name, std::vector<std::string> words) {
  const std::lock_guard lock(mutex_);
  clocked_down_[case_name] = std::move(words);
}

void RunConditions::explain(CaseReport& report, const MetricTable& metrics) const {
  if (!failed_on_speed(report, metrics)) return;
  const std::lock_guard lock(mutex_);
  if (const auto it = clocked_down_.find(report.name); it != clocked_down_.end())
    for (const std::string& note : it->second) report.notes.push_back(plain_note(note));
  const auto beside = neighbours_.find(report.name);
  if (beside == neighbours_.end()) return;
  const std::vector<std::string> others(beside->second.begin(), beside->second.end());
  report.notes.push_back(
      plain_note("it ran beside " + some_of(others, 5) + "; exclusive = true keeps its host free"));
}

}  // namespace gate::app
