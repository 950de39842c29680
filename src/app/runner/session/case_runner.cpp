#include "runner/session/case_runner.h"

#include <algorithm>
#include <utility>

#include "gate/base/text.h"
#include "gate/devices/idle.h"
#include "gate/judging/read_logs.h"
#include "gate/judging/series_sources.h"
#include "gate/places/checkpoint_folder.h"
#include "gate/places/extra_logs.h"
#include "gate/schedule/dispatch.h"
#include "gate/suite/predecessors.h"
#include "gate/words/values.h"
#include "runner/course/candidate.h"
#include "runner/session/tasks.h"

namespace gate::app {

namespace {

// As often as the case that wants it most; zero if none does.
Duration sampling_period(const std::vector<const PlannedCase*>& cases) {
  int every = 0;
  for (const PlannedCase* planned : cases)
    if (const int own = planned->spec->settings.sample; !planned->placement.shape.is_on_cpu() && own > 0)
      every = every == 0 ? own : std::min(every, own);
  return std::chrono::seconds(every);
}

// Of those hosts that can be heard at the moment.
Snapshot snapshot_of(const Hosts& hosts, std::set<int> numbers, const Cut& cut) {
  std::erase_if(numbers, [&](int number) { return !hosts.at(number).is_up(); });
  Snapshot snapshot;
  for (const auto& [number, attached] : hosts.inventories(numbers, cut))
    snapshot.devices.insert(snapshot.devices.end(), attached.devices.begin(), attached.devices.end());
  snapshot.hosts = hosts.usages(numbers, cut);
  return snapshot;
}

bool has_lost_one(const Hosts& hosts, const std::vector<int>& numbers) {
  return std::ranges::any_of(numbers, [&](int number) { return !hosts.at(number).why_lost().empty(); });
}

}  // namespace

void RunConditions::on_start(const std::string& case_name) {
  const std::lock_guard lock(mutex_);
  for (const std::string& other : running_) {
    neighbours_[case_name].insert(other);
    neighbours_[other].insert(case_name);
  }
  running_.insert(case_name);
}

void RunConditions::on_end(const std::string& case_name) {
  const std::lock_guard lock(mutex_);
  running_.erase(case_name);
}

void RunConditions::set_clocked_down(const std::string& case_name, std::vector<Sentence> words) {
  const std::lock_guard lock(mutex_);
  clocked_down_[case_name] = std::move(words);
}

void RunConditions::explain(CaseReport& report, const MetricTable& metrics) const {
  const bool failed_on_speed = std::ranges::any_of(report.checks, [&](const Check& check) {
    return check.status == CheckStatus::fail && metrics.get(check.metric).kind == MetricKind::speed;
  });
  if (!failed_on_speed) return;
  const std::lock_guard lock(mutex_);
  if (const auto it = clocked_down_.find(report.name); it != clocked_down_.end())
    for (const Sentence& note : it->second) report.notes.push_back(plain_note(note));
  const auto beside = neighbours_.find(report.name);
  if (beside == neighbours_.end()) return;
  const std::vector<std::string> others(beside->second.begin(), beside->second.end());
  report.notes.push_back(plain_note(say({"it ran beside {}; share_host = no keeps its host free",
                                         "它与 {} 同时运行；share_host = no 可独占主机"},
                                        listed(others, 5))));
}

Answer<CaseRunner> CaseRunner::open(RunSession& session) {
  GATE_TRY(DevicePool pool, DevicePool::open(session.plan(), session.environment(), session.id()));
  return CaseRunner(session, std::move(pool));
}

Answer<Report> CaseRunner::run_all(const CaseFunction& run, const std::function<Sentence()>& conclusion) {
  if (const Status begun = session_->begin(); !begun) return infra(begun.error());
  tell_of_leases();
  const std::vector<const PlannedCase*> cases = session_->unfinished();
  const std::vector<schedule::Task> tasks = tasks_of(cases, session_->history(), !session_->is_judging());
  const schedule::Resources resources = resources_of(session_->plan(), session_->options().jobs);
  Sentence told;  // of waiting for others' devices
  const schedule::DispatchHooks hooks{
      .reserve =
          [&](schedule::Start start) {
            start.hosts = hosts_among(std::move(start.hosts));
            return pool_.reserve(*cases[start.task], start, tasks[start.task].exclusive);
          },
      .run =
          [&](schedule::Start start) {
            start.hosts = hosts_among(std::move(start.hosts));
            return run_case(*cases[start.task], start, tasks[start.task].expected, run);
          },
      .on_unschedulable = [&](std::size_t index) { on_unschedulable(*cases[index]); },
      .wait =
          [&](const std::vector<DeviceId>& devices) {
            const Sentence words = pool_.holders(devices);
            if (!(words == std::exchange(told, words)) && !words.empty())
              session_->tell_waiting("", say({"waiting for {}", "正在等待：{}"}, words));
          },
      .must_stop = [&] { return session_->must_stop(); },
      .is_cancelled =
          [&](std::size_t task) {
            return (session_->interruption(*cases[task]) || has_lost_hosts(*cases[task]) ||
                    !session_->why_held_back(*cases[task]).empty()) &&
                   !session_->must_stop();
          },
      .poll =
          [&] {
            lost_hosts(hosts_among(resources.hosts));
            tell_of_leases();
            session_->refresh_status();
          }};
  begin_sampling(cases);
  schedule::dispatch(tasks, resources, order_of(tasks, resources), hooks);
  for (const PlannedCase* planned : session_->unfinished())
    if (std::optional<Elsewhere> nowhere = take_put_off(*planned))
      session_->finish(std::move(nowhere->report));
  sampler_.reset();
  return session_->end(conclusion ? conclusion() : Sentence());
}

// One case, in the thread that is its own: its devices are reserved.
schedule::TaskEnding CaseRunner::run_case(const PlannedCase& planned, const schedule::Start& start,
                                          Duration expected, const CaseFunction& run) {
  const PastLaunches past = take_put_off(planned).value_or(Elsewhere{}).past;
  session_->start(planned, numbers_of(start.devices), start.hosts, expected);
  conditions_->on_start(planned.spec->name);
  CaseReport report = run(planned, past);
  schedule::TaskEnding ended{release(planned, report), lost_hosts(start.hosts)};
  conditions_->on_end(report.name);
  conditions_->explain(report, planned.spec->metrics);
  ended.runs_again = put_off(planned, report);
  if (!ended.runs_again) session_->finish(std::move(report));
  return ended;
}

CaseReport CaseRunner::follow(Course& course) {
  const PlannedCase& planned = course.planned();
  LaunchRecord left;  // of checkpoints that could not be removed
  CourseStep step = course.begin();
  const auto announce = [&](const auto& next) {
    if (!next.announced.empty()) session_->tell(planned.spec->name, next.announced);
  };
  while (auto* next = std::get_if<NextLaunch>(&step)) {
    const int number = next->number;
    const bool leaves_checkpoints = next->leaves_checkpoints;
    Measured last = measured(course, std::move(*next));
    step = course.next(std::move(last), standstill(planned));
    std::visit(announce, step);
    const auto* behind = std::get_if<NextLaunch>(&step);
    if (leaves_checkpoints && (behind == nullptr || behind->number != number))
      drop_checkpoints(planned, number, left);
  }
  Done done;
  if (auto* elsewhere = std::get_if<Elsewhere>(&step)) {
    done.report = elsewhere->report;
    const std::lock_guard lock(*mutex_);
    put_off_[&planned] = std::move(*elsewhere);
  } else {
    done = std::get<Done>(std::move(step));
  }
  std::ranges::copy(left.problems, std::back_inserter(done.report.problems));
  if (done.series) session_->remember(keep_series(*done.series, done.report, done.log));
  return done.report;
}

Measured CaseRunner::measured(const Course& course, NextLaunch next) {
  const PlannedCase& planned = course.planned();
  LaunchResult launched = launch(planned, next);
  Partners beside = course.is_judged(next) ? partners(planned) : Partners{};
  CaseReport report = course.judged(next, launched, beside);
  if (next.keeps_series && !launched.extraction.series.empty())
    session_->remember(keep_series(candidate_of(next.of(planned), launched), launched));
  return {std::move(next), std::move(launched), std::move(report), std::move(beside)};
}

Standstill CaseRunner::standstill(const PlannedCase& planned) const {
  const Hosts& hosts = *session_->environment().hosts;
  const auto is_left = [&](int number) { return hosts.at(number).why_lost().empty(); };
  Standstill now{.of_run = session_->must_stop(), .why = session_->why_stopped()};
  if (const std::optional<Interrupted> interrupted = session_->interruption(planned)) {
    now.is_interrupted = true;
    if (now.why.empty()) now.why = text(Outcome(*interrupted));
  }
  now.has_lost_its_host = has_lost_one(hosts, pool_.reservation(planned).hosts);
  now.can_run_elsewhere =
      std::ranges::count_if(planned.place.hosts, is_left) >= planned.placement.shape.nodes;
  return now;
}

// What `next` names is launched on that which `planned` has reserved: both need as many devices. The series
// are those of every source; if nothing was launched, the outcome says why.
LaunchResult CaseRunner::launch(const PlannedCase& planned, const NextLaunch& next) {
  const PlannedCase& what = next.of(planned);
  const Status ready = pool_.make_ready(planned, next.purpose == Purpose::recording,
                                        idle_wait(planned, planned.spec->settings.idle_wait));
  if (!ready || session_->is_past_deadline() || session_->interruption(planned))
    return not_launched(planned, ready);
  session_->begin_launch(planned, next.number);
  const LaunchAttempt attempt{
      next.number,
      next.purpose,
      pool_.reservation(planned),
      session_->rest(),
      session_->folders_before(planned),
      next.leaves_checkpoints,
      1,
      [&] { return pool_.make_ready(planned, false, idle_wait(planned, planned.spec->settings.idle_wait)); }};
  const auto began = Sampler::Clock::now();
  LaunchResult launched = launch_case(
      next.suite == nullptr ? session_->context() : session_->context(*next.suite), what, attempt);
  put_devices(launched, planned.placement);
  launched.extraction.provenance = provenance_of(session_->context(), planned, launched);
  LaunchMeasures measures = std::exchange(launched.measures, {});  // nobody needs them behind this
  if (sampler_ && planned.spec->settings.sample > 0) measures.readings = sampler_->snapshots_since(began);
  measures.hardware = {attempt.reservation.devices, attempt.reservation.hosts};
  measures.began = began;
  add_series(launched.extraction, After::launch, {*what.spec, what.placement.platform, measures, {}});
  if (next.purpose != Purpose::explaining)
    conditions_->set_clocked_down(
        planned.spec->name,
        clocked_down(measures.readings, measures.hardware.devices, began, measures.arrivals));
  if (const auto* failed = std::get_if<GateFailed>(&*launched.outcome))
    session_->remember(fail(failed->why.english()));
  return launched;
}

void CaseRunner::drop_checkpoints(const PlannedCase& planned, int number, LaunchRecord& record) {
  LaunchAttempt attempt;
  attempt.number = number;
  attempt.reservation = pool_.reservation(planned);
  remove_checkpoints(session_->context(), planned, attempt, record);
}

// Returns whether the case is to run once more; the report is kept for it then.
bool CaseRunner::put_off(const PlannedCase& planned, const CaseReport& report) {
  const std::lock_guard lock(*mutex_);
  const auto waiting = put_off_.find(&planned);
  if (waiting == put_off_.end()) return false;
  waiting->second.report = report;
  return true;
}

// Returns what is known of a case that waited to run elsewhere, and waits no more.
std::optional<Elsewhere> CaseRunner::take_put_off(const PlannedCase& planned) {
  const std::lock_guard lock(*mutex_);
  const auto waiting = put_off_.extract(&planned);
  return waiting.empty() ? std::nullopt : std::optional(std::move(waiting.mapped()));
}

std::vector<int> CaseRunner::lost_hosts(const std::vector<int>& hosts) {
  std::vector<int> lost;
  for (const int number : hosts) {
    const Sentence why = session_->environment().hosts->at(number).why_lost();
    if (why.empty()) continue;
    lost.push_back(number);
    const std::lock_guard lock(*mutex_);
    if (lost_hosts_.emplace(number, why).second)
      session_->tell("", say({"{}; no further case starts there", "{}；不再在那里启动用例"}, why));
  }
  return lost;
}

// All on which the case could run.
bool CaseRunner::has_lost_hosts(const PlannedCase& planned) const {
  const std::lock_guard lock(*mutex_);
  const std::vector<int>& hosts = planned.place.hosts;
  return !lost_hosts_.empty() && !hosts.empty() &&
         std::ranges::all_of(hosts, [&](int number) { return lost_hosts_.contains(number); });
}

// Devices that others use are left out as well: the next case would wait for them as long again.
std::vector<DeviceId> CaseRunner::release(const PlannedCase& planned, CaseReport& report) {
  constexpr Duration longest = std::chrono::minutes(2);  // memory comes back up to a minute after a kill
  const Duration limit = std::min(longest, planned.spec->settings.idle_wait);
  std::vector<DeviceId> lost;
  tell_of_leases();
  report.add_problems(pool_.reservation(planned).doubts);
  IdleWait wait = idle_wait(planned, limit);
  const std::vector<int> hosts = pool_.reservation(planned).hosts;
  wait.is_cancelled = [this, &hosts] {  // others want the devices of a case that was stopped
    return session_->must_stop() || has_lost_one(*session_->environment().hosts, hosts);
  };
  for (const auto& [device, why] : pool_.release(planned, std::move(wait))) {
    report.add_problems({say({"device {}: no other case of the run may use it: {}",
                              "设备 {}：本次运行的其他用例不得使用它：{}"},
                             device.index, why)},
                        "", ProblemKind::leftover);
    lost.push_back(device);
  }
  const std::lock_guard lock(*mutex_);
  lost_.insert(lost.begin(), lost.end());
  return lost;
}

Sentence CaseRunner::why_unschedulable(const PlannedCase& planned) const {
  std::vector<std::string> devices;
  std::vector<Sentence> hosts;
  const std::lock_guard lock(*mutex_);
  for (const auto& [number, why] : lost_hosts_)
    if (std::ranges::find(planned.place.hosts, number) != planned.place.hosts.end()) hosts.push_back(why);
  if (!hosts.empty())
    return say({"no host is left for it: {}", "没有可用的主机：{}"}, join(hosts, semicolon));
  for (const DeviceId& device : lost_)
    devices.push_back((device.host == 0 ? "" : session_->environment().hosts->name(device.host) + " ") +
                      std::to_string(device.index));
  const Sentence& needed = planned.placement.devices;
  std::vector<Sentence> sick;
  for (const Device& device : session_->plan().devices)
    if (const std::optional<Sentence> why = devices::sickness(device))
      sick.push_back(say({"{}: {}", "{}：{}"}, device.name, *why));
  if (devices.empty())
    return say({"needs {}; of these too few are healthy", "需要 {}；其中正常的太少"}, needed) +
           (sick.empty() ? Sentence() : say({" ({})", "（{}）"}, join(sick, semicolon)));
  return say({"needs {}; of these device {} is not usable any more", "需要 {}；其中设备 {} 已不可用"}, needed,
             join(devices, ", "));
}

void CaseRunner::on_unschedulable(const PlannedCase& planned) {
  pool_.withdraw(planned);
  if (std::optional<Elsewhere> nowhere = take_put_off(planned))
    return session_->finish(std::move(nowhere->report));
  CaseReport report = session_->report_of(planned);
  const std::optional<Interrupted> stopped = session_->interruption(planned);
  const Sentence held_back = session_->why_held_back(planned);
  report.verdict = stopped ? Verdict::interrupted : held_back.empty() ? Verdict::infra : Verdict::not_run;
  report.reason = stopped             ? text(Outcome(*stopped))
                  : held_back.empty() ? why_unschedulable(planned)
                                      : held_back;
  report.outcome = stopped ? Outcome(*stopped) : NotStarted{report.reason};
  session_->finish(std::move(report));
}

void CaseRunner::begin_sampling(const std::vector<const PlannedCase*>& cases) {
  const Duration every = sampling_period(cases);
  if (every == Duration{}) return;
  try {
    std::set<int> numbers;
    for (const Device& device : session_->plan().devices) numbers.insert(device.host);
    sampler_ = std::make_unique<Sampler>([hosts = session_->environment().hosts, numbers](
                                             const Cut& cut) { return snapshot_of(*hosts, numbers, cut); },
                                         every);
  } catch (const std::system_error& error) {
    session_->tell(
        "", say({"no readings of devices: no thread is to be had: {}", "没有设备读数：无法创建线程：{}"},
                error.code().message()));
  }
}

LaunchResult CaseRunner::not_launched(const PlannedCase& planned, const Status& ready) const {
  LaunchResult launched;
  if (!ready) launched.outcome = NotStarted{ready.error().message};
  if (session_->is_past_deadline()) launched.outcome = PastDeadline{*session_->options().deadline};
  if (const auto interrupted = session_->interruption(planned)) launched.outcome = *interrupted;
  put_devices(launched, planned.placement);
  return launched;
}

Partners CaseRunner::partners(const PlannedCase& planned) const {
  Partners partners;
  for (const std::string& name : partners_of(*planned.spec)) partners[name] = partner(name);
  return partners;
}

Partner CaseRunner::partner(const std::string& case_name) const {
  const std::vector<PlannedCase>& cases = session_->plan().cases;
  const auto planned = std::ranges::find(cases, case_name, [](const auto& one) { return one.spec->name; });
  if (planned == cases.end())
    return {say({"case {} is no part of this run", "用例 {} 不在这次运行里"}, case_name), {}, {}};
  const CaseReport report = session_->report_of(*planned);
  const config::Case& spec = *planned->spec;
  const Reference& reference = planned->against.reference;
  const auto first_log = report.artifacts.find("log");
  const bool is_complete =  // whether within tolerance is another question
      report.has_ended_well() && report.verdict != Verdict::incomplete;
  if (!is_complete || first_log == report.artifacts.end())
    return {say({"case {} has no complete run here: {}", "用例 {} 在这里没有完整的运行：{}"}, case_name,
                words::verdict_text(report.verdict)),
            {},
            {}};
  Partner found;
  for (int number = 1; number <= spec.settings.repeat; ++number) {
    const std::string end = number == 1 ? "" : "-" + std::to_string(number);
    const auto log = report.artifacts.find("log" + end), series = report.artifacts.find("series" + end);
    if (log == report.artifacts.end()) break;
    Answer<Extraction> run = read_launch(log->second, spec.settings.log, extract_options(spec, reference));
    if (!run) return {say({"case {}: {}", "用例 {}：{}"}, case_name, run.error().message), {}, {}};
    if (series != report.artifacts.end()) add_kept_clocks(*run, series->second, spec.metrics);
    Extraction derived = with_derived(spec, std::move(*run), planned->placement.platform, {});
    if (number == 1)
      found.extraction = std::move(derived);
    else
      found.further.push_back(std::move(derived));
  }
  found.reference = with_derived(spec, reference, planned->placement.platform, {});
  found.underived = underived(spec, planned->placement.platform, {});
  return found;
}

IdleWait CaseRunner::idle_wait(const PlannedCase& planned, Duration limit) const {
  return {limit, [session = session_, &planned] { return session->must_stop(planned); },
          [session = session_, name = planned.spec->name](const Sentence& words) {
            session->tell_waiting(
                name, say({"waiting until its devices are idle: {}", "正在等待它的设备空闲：{}"}, words));
          }};
}

void CaseRunner::tell_of_leases() {
  for (const Sentence& words : pool_.poll()) session_->tell("", words);
}

}  // namespace gate::app
