#include "runner/session/kept_status.h"

#include <algorithm>
#include <utility>

namespace gate::app {

namespace {
constexpr Duration write_every{1000};
constexpr std::size_t many_cases = 100;  // so long a file is not written for each of them
}  // namespace

StatusFile::StatusFile(RunStatus status, store::RunFolder folder, const Environment& environment)
    : folder_(std::move(folder)), environment_(environment), status_(std::move(status)) {}

void StatusFile::on_event(const Event& event) {
  const std::lock_guard lock(mutex_);
  std::visit([this](const auto& one) { note(one); }, event);
}

void StatusFile::refresh() {
  const std::lock_guard lock(mutex_);
  if (changed_ && environment_.time.now() >= next_write_) write();
}

void StatusFile::note(const RunPlanned& event) {
  RunStatus planned = run_status_of(event.report);
  status_.cases = std::move(planned.cases);
  status_.started = planned.started;
  write();
}

void StatusFile::note(const CaseStarted& event) {
  status_.waits_for = {};
  CaseStatus* const status = find(event.name);
  if (status == nullptr) return;
  status->devices = event.devices;
  status->total = event.total;
  status->hosts = event.hosts;
  if (event.expected > Duration{}) status->expected = event.expected;
  curves_.insert_or_assign(event.name, CaseCurves(event.watched));
  enter(*status, JobState::running);
}

void StatusFile::note(const LaunchBegun& event) {
  CaseStatus* const status = find(event.case_name);
  if (status == nullptr) return;
  status->launches = event.number;
  status->step = 0;
  status->waits_for = {};
  status->curves.clear();
  if (const auto curves = curves_.find(event.case_name); curves != curves_.end()) curves->second.restart();
  write_change();
}

void StatusFile::note(const SampleSeen& event) {
  const auto curves = curves_.find(event.case_name);
  const bool is_drawn = curves != curves_.end() && curves->second.take(event);
  CaseStatus* const status = event.step ? find(event.case_name) : nullptr;
  const bool has_moved = status != nullptr && status->step != *event.step;
  if (has_moved) status->step = *event.step;
  if (has_moved && !status->total) status->total = event.total;
  changed_ = changed_ || has_moved || is_drawn;
  if (changed_ && environment_.time.now() >= next_write_) write();
}

void StatusFile::note(const CaseFinished& event) {
  CaseStatus* const status = find(event.report.name);
  if (status == nullptr) return;
  status->verdict = event.report.verdict;
  status->step = event.report.steps;
  status->waits_for = {};
  status->curves.clear();
  curves_.erase(event.report.name);
  enter(*status, job_state_of(event.report.verdict));
}

// What the folder says of the run stays until the run is closed.
void StatusFile::note(const RunFinished&) { ended_ = true; }

void StatusFile::note(const Message& event) {
  if (!event.is_waiting) return;
  CaseStatus* const status = find(event.case_name);
  (status == nullptr ? status_.waits_for : status->waits_for) = event.text;
  write_change();
}

CaseStatus* StatusFile::find(const std::string& case_name) {
  const auto it = std::ranges::find(status_.cases, case_name, &CaseStatus::name);
  return it == status_.cases.end() ? nullptr : &*it;
}

void StatusFile::enter(CaseStatus& status, JobState state) {
  status.state = state;
  status.since = to_iso(environment_.now());
  write_change();
}

void StatusFile::write_change() {
  changed_ = true;
  if (status_.cases.size() <= many_cases || environment_.time.now() >= next_write_) write();
}

void StatusFile::write() {
  if (ended_) return;
  changed_ = false;
  next_write_ = environment_.time.now() + write_every;
  status_.updated = to_iso(environment_.now());
  for (const auto& [name, curves] : curves_)
    if (CaseStatus* const status = find(name)) status->curves = curves.shown();
  [[maybe_unused]] const Status written = folder_.save_status(status_);
}

}  // namespace gate::app
