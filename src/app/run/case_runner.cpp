#include "app/run/case_runner.h"

#include <algorithm>
#include <utility>

#include "app/run/further_logs.h"
#include "app/run/run_candidate.h"
#include "app/run/tasks.h"
#include "app/series/series_sources.h"
#include "gate/app/read_logs.h"
#include "gate/base/text.h"
#include "gate/schedule/dispatch.h"

namespace gate::app {

namespace {

// Tell whether the run holds all that it should; whether within tolerance is another question.
bool is_complete(const CaseReport& report) {
  return report.outcome && ended_well(*report.outcome) && report.verdict != Verdict::incomplete;
}

std::string devices_lost(const std::set<DeviceId>& lost) {
  std::vector<std::string> devices;
  for (const DeviceId& device : lost) devices.push_back(std::to_string(device.index));
  return lost.empty() ? "too few are healthy" : "device " + join(devices, ", ") + " is not usable any more";
}

// As often as the case that wants it most; zero where none does.
Duration sampling_period(const std::vector<const PlannedCase*>& cases) {
  int every = 0;
  for (const PlannedCase* planned : cases)
    if (const int own = planned->spec->settings.sample; !planned->placement.shape.is_on_cpu() && own > 0)
      every = every == 0 ? own : std::min(every, own);
  return std::chrono::seconds(every);
}

}  // namespace

Answer<CaseRunner> CaseRunner::open(RunSession& session) {
  GATE_TRY(DevicePool seats, DevicePool::open(session.plan(), session.machine(), session.id()));
  return CaseRunner(session, std::move(seats));
}

Answer<Report> CaseRunner::run_all(const Task& work, const std::function<std::string()>& conclusion) {
  if (const Status begun = session_->begin(); !begun) return infra(begun.error());
  tell_of_leases();
  const std::vector<const PlannedCase*> cases = session_->unfinished();
  const std::vector<schedule::Task> works =
      tasks_of(cases, session_->suite().cwd, session_->memory(), session_->is_recording());
  const schedule::Pool pool = pool_of(healthy(session_->plan().devices), session_->options().jobs);
  const schedule::DispatchHooks world{
      .take =
          [&](const schedule::Start& start) {
            return seats_.take(*cases[start.work], start.devices, works[start.work].alone);
          },
      .run =
          [&](const schedule::Start& start) {
            return run_case(*cases[start.work], start, works[start.work].expected, work);
          },
      .give_up = [&](std::size_t index) { give_up(*cases[index]); },
      .wait = [&](const std::vector<DeviceId>& devices) { tell_waiting(devices); },
      .must_stop = [&] { return session_->must_stop(); },
      .look = [&] { tell_of_leases(); }};
  begin_sampling(cases);
  schedule::dispatch(works, pool, order_of(works, pool), world);
  sampler_.reset();
  return session_->end(conclusion ? conclusion() : "");
}

// One case, in the thread that is its own: its devices are reserved. Returns those that no case may have any
// more.
std::vector<DeviceId> CaseRunner::run_case(const PlannedCase& planned, const schedule::Start& start,
                                           Duration expected, const Task& work) {
  session_->start(planned, numbers_of(start.devices), expected);
  circumstances_->enter(planned.spec->name);
  CaseReport report = work(planned);
  std::vector<DeviceId> lost = release(planned, report);
  circumstances_->leave(report.name);
  circumstances_->explain(report, planned.spec->metrics);
  add_differences(session_->context(), planned, report);
  session_->finish(std::move(report));
  return lost;
}

LaunchResult CaseRunner::launch(const PlannedCase& planned, Purpose purpose, int number) {
  const Status ready = seats_.make_ready(planned, purpose == Purpose::recording,
                                         patience(planned, planned.spec->settings.idle_wait));
  if (!ready || session_->is_past_deadline()) return not_launched(ready);
  const LaunchAttempt attempt{number, purpose, seats_.seat(planned), session_->rest()};
  const auto began = Sampler::Clock::now();
  LaunchResult launched = launch_case(session_->context(), planned, attempt);
  launched.measures.readings = readings(planned, began);
  launched.measures.devices = attempt.seat.devices;
  launched.measures.began = began;
  add_series(launched.extraction, After::launch, {*planned.spec, launched.measures, {}});
  circumstances_->set_clocked_down(
      planned.spec->name,
      clocked_down(launched.measures.readings, launched.measures.devices, began, launched.measures.arrivals));
  if (const auto* failed = std::get_if<GateFailed>(&launched.outcome)) session_->remember(fail(failed->why));
  return launched;
}

// Devices that others use are left out as well: the next case would wait for them as long again.
std::vector<DeviceId> CaseRunner::release(const PlannedCase& planned, CaseReport& report) {
  constexpr Duration longest = std::chrono::minutes(2);  // memory comes back up to a minute after a kill
  const Duration limit = std::min(longest, planned.spec->settings.idle_wait);
  std::vector<DeviceId> lost;
  tell_of_leases();
  for (const std::string& doubt : seats_.seat(planned).doubts)
    report.problems.push_back({ProblemKind::other, "", 0, doubt});
  for (const auto& [device, why] : seats_.leave(planned, patience(planned, limit))) {
    report.problems.push_back(
        {ProblemKind::leftover, "", 0,
         "device " + std::to_string(device.index) + ": no other case of the run may use it: " + why});
    lost.push_back(device);
  }
  const std::lock_guard lock(*mutex_);
  lost_.insert(lost.begin(), lost.end());
  return lost;
}

void CaseRunner::give_up(const PlannedCase& planned) {
  seats_.give_up(planned);
  CaseReport report = session_->report_of(planned);
  {
    const std::lock_guard lock(*mutex_);
    report.reason = "needs " + planned.placement.devices + "; of these " + devices_lost(lost_);
  }
  report.verdict = Verdict::infra;
  report.outcome = NotStarted{report.reason};
  session_->finish(std::move(report));
}

void CaseRunner::begin_sampling(const std::vector<const PlannedCase*>& cases) {
  const Duration every = sampling_period(cases);
  if (every == Duration{}) return;
  try {
    sampler_ = std::make_unique<Sampler>(
        [&host = session_->machine().host] { return host.inventory().devices; }, every);
  } catch (const std::system_error& error) {
    session_->tell("", "no readings of devices: no thread is to be had: " + error.code().message());
  }
}

std::vector<Snapshot> CaseRunner::readings(const PlannedCase& planned,
                                           Sampler::Clock::time_point began) const {
  const bool wanted = sampler_ && planned.spec->settings.sample > 0;
  return wanted ? sampler_->since(began) : std::vector<Snapshot>();
}

LaunchResult CaseRunner::not_launched(const Status& ready) const {
  LaunchResult launched;
  const Environment& machine = session_->machine();
  if (!ready) launched.outcome = NotStarted{ready.error().message};
  if (session_->is_past_deadline()) launched.outcome = PastDeadline{*session_->options().deadline};
  if (machine.interrupted && machine.interrupted()) launched.outcome = Interrupted{*machine.interrupted()};
  return launched;
}

Partners CaseRunner::partners(const PlannedCase& planned) const {
  Partners partners;
  for (const std::string& name : partners_of(*planned.spec)) partners[name] = partner(name);
  return partners;
}

Partner CaseRunner::partner(const std::string& case_name) const {
  const std::vector<PlannedCase>& cases = session_->plan().cases;
  const auto planned =
      std::ranges::find_if(cases, [&](const PlannedCase& other) { return other.spec->name == case_name; });
  if (planned == cases.end()) return {"case " + case_name + " is no part of this run", {}, {}};
  const CaseReport report = session_->report_of(*planned);
  const config::Case& spec = *planned->spec;
  const Reference& reference = planned->against.reference;
  const auto log = report.artifacts.find("log");
  if (!is_complete(report) || log == report.artifacts.end())
    return {
        "case " + case_name + " has no complete run here: " + std::string(to_string(report.verdict)), {}, {}};
  Answer<Extraction> run = read_launch(log->second, spec.settings.log, extract_options(spec, reference));
  if (!run) return {"case " + case_name + ": " + run.error().message, {}, {}};
  if (const auto series = report.artifacts.find("series"); series != report.artifacts.end())
    add_kept_clocks(*run, series->second, spec.metrics);
  return {"", with_derived(spec, std::move(*run), {}), with_derived(spec, reference, {})};
}

Patience CaseRunner::patience(const PlannedCase& planned, Duration limit) const {
  return {limit, [session = session_] { return session->must_stop(); },
          [session = session_, name = planned.spec->name](const std::string& words) {
            session->tell(name, "waiting until its devices are idle: " + words);
          }};
}

void CaseRunner::tell_waiting(const std::vector<DeviceId>& devices) {
  const std::string words = seats_.holders(devices);
  if (words != std::exchange(waited_, words) && !words.empty()) session_->tell("", "waiting for " + words);
}

void CaseRunner::tell_of_leases() {
  for (const std::string& words : seats_.look()) session_->tell("", words);
}

}  // namespace gate::app
