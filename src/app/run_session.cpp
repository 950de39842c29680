#include "app/run_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "app/differs.h"
#include "app/further_logs.h"
#include "app/masking.h"
#include "app/run_again.h"
#include "app/run_clocks.h"
#include "app/works.h"
#include "gate/app/devices.h"
#include "gate/app/git.h"
#include "gate/app/read_logs.h"
#include "gate/base/text.h"
#include "gate/schedule/dispatch.h"
#include "gate/schema/baseline_file.h"

namespace gate::app {

namespace {

// Tell whether the run holds all that it should; whether within tolerance is another question.
bool is_complete(const CaseReport& report) {
  return report.outcome && ended_well(*report.outcome) && report.verdict != Verdict::incomplete;
}

Result<Baseline> read_series(const std::string& path) {
  GATE_TRY(const std::string text, fs::read_file(path));
  return schema::read_baseline(text, path);
}

Result<store::RunFolder> folder_for(const Suite& suite, const RunOptions& options, Machine& machine) {
  if (const Status made = store::make_gate_folder(suite.layout); !made && options.out.empty())
    return tl::unexpected(made.error());
  if (options.resume) return store::RunFolder::reopen(suite.root, *options.resume, machine.now());
  return store::RunFolder::create(suite.root, machine.now(), options.out);
}

std::string new_uid() {
  std::random_device random;
  std::string uid;
  for (int i = 0; i < 4; ++i) uid += fmt::format("{:08x}", random());
  return uid;
}

// A run that is taken up again stays the same run.
std::string uid_of(const Suite& suite, const RunOptions& options) {
  const auto earlier = options.resume ? store::read_run(suite.root, *options.resume) : fail("");
  return earlier && !earlier->uid.empty() ? earlier->uid : new_uid();
}

// One event after the other, whichever thread sends it.
Sink one_by_one(Sink sink) {
  return [sink = std::move(sink), mutex = std::make_shared<std::mutex>()](const Event& event) {
    const std::lock_guard lock(*mutex);
    sink(event);
  };
}

}  // namespace

RunSession::RunSession(const Suite& suite, const RunOptions& options, const RunPlan& plan,
                       store::RunFolder folder, Report report, Masker masker, Seats seats, Machine& machine)
    : suite_(suite),
      options_(options),
      plan_(plan),
      folder_(std::move(folder)),
      report_(std::move(report)),
      masker_(std::move(masker)),
      machine_(machine),
      sink_(one_by_one(masked(machine.sink, masker_))),
      seats_(std::move(seats)) {}

Answer<RunSession> RunSession::begin(const Suite& suite, const RunOptions& options, const RunPlan& plan,
                                     const std::string& command, Machine& machine) {
  Result<store::RunFolder> folder = folder_for(suite, options, machine);
  if (!folder) return infra(folder.error());
  Report report = planned_report(suite, options, plan, machine.host.facts(), machine.now());
  report.command = command;
  report.run = folder->id();
  report.uid = uid_of(suite, options);
  GATE_TRY(Seats seats, Seats::open(plan, machine, report.run));
  RunSession session(suite, options, plan, std::move(*folder), std::move(report), masker_for(suite),
                     std::move(seats), machine);
  session.memory_ = Memory::open(suite, Memory::Missing::made);
  if (const Status opened = session.open(); !opened) return infra(opened.error());
  return session;
}

Status RunSession::open() {
  mask(report_, masker_);
  if (options_.resume) take_up_finished();
  GATE_TRY_STATUS(folder_.save(report_));
  sink_(RunPlanned{report_, folder_.path().string()});
  for (const std::string& weakness : machine_.host.facts().weaknesses) tell("", weakness);
  tell_of_leases();
  return {};
}

void RunSession::take_up_finished() {
  std::set<std::string> left;
  for (const PlannedCase& planned : plan_.cases) {
    const std::string& name = planned.the_case->name;
    std::optional<CaseReport> saved = folder_.saved_case(name);
    const bool finished = saved && has_finished(*saved);
    const std::string why = finished ? why_again(*saved, planned, left) : "";
    if (!why.empty()) tell(name, "runs again: " + why);
    if (finished && why.empty())
      report_of(planned) = std::move(*saved);
    else
      left.insert(name);
  }
}

Answer<Report> RunSession::run_all(const std::function<CaseReport(const PlannedCase&)>& run_one,
                                   const std::function<std::string()>& conclusion) {
  const std::vector<const PlannedCase*> cases = cases_to_run();
  const std::vector<schedule::Work> works = works_of(cases, suite_.cwd, memory_, is_recording());
  const schedule::Pool pool = pool_of(healthy(plan_.devices), options_.jobs);
  const schedule::World world{
      [&](const schedule::Start& start) {
        return seats_.take(*cases[start.work], start.devices, works[start.work].alone);
      },
      [&](const schedule::Start& start) {
        return run_case(*cases[start.work], numbers_of(start.devices), works[start.work].expected, run_one);
      },
      [&](std::size_t work) { give_up(*cases[work]); },
      [&](const std::vector<DeviceId>& devices) {
        const std::string words = seats_.holders(devices);
        if (words != std::exchange(waited_, words) && !words.empty()) tell("", "waiting for " + words);
      },
      [&] { return must_stop(); },
      [&] { tell_of_leases(); }};
  begin_sampling(cases);
  schedule::dispatch(works, pool, order_of(works, pool), world);
  sampler_.reset();
  if (const std::string note = conclusion ? conclusion() : ""; !note.empty()) report_.notes.push_back(note);
  return end();
}

std::vector<const PlannedCase*> RunSession::cases_to_run() {
  std::vector<const PlannedCase*> cases;
  for (const PlannedCase& planned : plan_.cases)
    if (planned.placement.kind == Placement::Kind::run && !has_finished(report_of(planned)))
      cases.push_back(&planned);
  return cases;
}

// Called by the thread of the case. Returns the devices that no case may have any more.
std::vector<DeviceId> RunSession::run_case(const PlannedCase& planned, const std::string& devices,
                                           Duration expected,
                                           const std::function<CaseReport(const PlannedCase&)>& run_one) {
  const std::string& name = planned.the_case->name;
  sink_(CaseStarted{name, planned.against.reference.last_step, devices, expected});
  circumstances_->enter(name);
  CaseReport report = run_one(planned);
  std::vector<DeviceId> lost = leave(planned, report);
  finish(std::move(report));
  return lost;
}

void RunSession::tell_of_leases() {
  for (const std::string& words : seats_.look()) tell("", words);
}

// Devices that others use are left out as well: the next case would wait for them as long again.
std::vector<DeviceId> RunSession::leave(const PlannedCase& planned, CaseReport& report) {
  constexpr Duration longest = std::chrono::minutes(2);  // memory comes back up to a minute after a kill
  const Duration limit = std::min(longest, planned.the_case->settings.idle_wait);
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
  circumstances_->leave(report.name);
  circumstances_->explain(report, planned.the_case->metrics);
  tell_differences(planned, report);
  const std::lock_guard lock(*mutex_);
  lost_.insert(lost.begin(), lost.end());
  return lost;
}

void RunSession::give_up(const PlannedCase& planned) {
  seats_.give_up(planned);
  CaseReport report;
  {
    const std::lock_guard lock(*mutex_);
    report = report_of(planned);
    std::vector<std::string> lost;
    for (const DeviceId& device : lost_) lost.push_back(std::to_string(device.index));
    report.reason =
        "needs " + planned.placement.devices + "; of these " +
        (lost.empty() ? "too few are healthy" : "device " + join(lost, ", ") + " is not usable any more");
  }
  report.verdict = Verdict::infra;
  report.outcome = NotStarted{report.reason};
  finish(std::move(report));
}

Patience RunSession::patience(const PlannedCase& planned, Duration limit) {
  return {limit, [this] { return must_stop(); },
          [this, name = planned.the_case->name](const std::string& words) {
            tell(name, "waiting until its devices are idle: " + words);
          }};
}

Launched RunSession::launch(const PlannedCase& planned, Purpose purpose, int number) {
  const std::string& name = planned.the_case->name;
  const Status ready = seats_.make_ready(planned, purpose == Purpose::recording,
                                         patience(planned, planned.the_case->settings.idle_wait));
  if (!ready || is_past_deadline()) return not_ready(ready);
  const RunFrame frame{suite_, options_, folder_, masker_, sink_, machine_, purpose, seats_.seat(planned)};
  Try which{number, std::nullopt};
  if (options_.deadline) which.rest = *options_.deadline - elapsed();
  const auto began = Sampler::Clock::now();
  Launched launched = launch_case(frame, planned, which);
  add_hardware(planned, frame.seat, began, launched);
  circumstances_->set_clocked_down(name, launched.clocked_down);
  const std::lock_guard lock(*mutex_);
  if (const auto* failed = std::get_if<GateFailed>(&launched.outcome)) remember(fail(failed->why));
  return launched;
}

void RunSession::add_hardware(const PlannedCase& planned, const Seat& seat, Sampler::Clock::time_point began,
                              Launched& launched) const {
  const Duration every = std::chrono::seconds(planned.the_case->settings.sample);
  if (!sampler_ || every == Duration{}) return;
  const std::vector<Snapshot> seen = sampler_->since(began);
  add_readings(launched.extraction, seen, seat.devices, began, every, planned.the_case->metrics);
  launched.clocked_down = clocked_down(seen, seat.devices, began, launched.arrivals);
}

// As often as the case that wants it most.
void RunSession::begin_sampling(const std::vector<const PlannedCase*>& cases) {
  int every = 0;
  for (const PlannedCase* planned : cases)
    if (const int own = planned->the_case->settings.sample; !planned->placement.shape.is_on_cpu() && own > 0)
      every = every == 0 ? own : std::min(every, own);
  if (every == 0) return;
  try {
    sampler_ = std::make_unique<Sampler>([this] { return machine_.host.inventory().devices; },
                                         std::chrono::seconds(every));
  } catch (const std::system_error& error) {
    tell("", "no readings of devices: no thread is to be had: " + error.code().message());
  }
}

bool RunSession::is_past_deadline() const { return options_.deadline && elapsed() >= *options_.deadline; }

Launched RunSession::not_ready(const Status& ready) const {
  Launched launched;
  if (!ready) launched.outcome = NotStarted{ready.error().message};
  if (is_past_deadline()) launched.outcome = PastDeadline{*options_.deadline};
  if (machine_.interrupted && machine_.interrupted()) launched.outcome = Interrupted{*machine_.interrupted()};
  return launched;
}

Partners RunSession::partners(const PlannedCase& planned) {
  Partners partners;
  for (const std::string& name : partners_of(*planned.the_case)) partners[name] = partner(name);
  return partners;
}

Partner RunSession::partner(const std::string& case_name) {
  const auto planned = std::find_if(plan_.cases.begin(), plan_.cases.end(), [&](const PlannedCase& other) {
    return other.the_case->name == case_name;
  });
  if (planned == plan_.cases.end()) return {"case " + case_name + " is no part of this run", {}, {}};
  const CaseReport report = [&] {
    const std::lock_guard lock(*mutex_);
    return report_of(*planned);
  }();
  const auto log = report.artifacts.find("log");
  if (!is_complete(report) || log == report.artifacts.end())
    return {
        "case " + case_name + " has no complete run here: " + std::string(to_string(report.verdict)), {}, {}};
  const Reference& reference = planned->against.reference;
  Answer<Extraction> extraction = read_launch(log->second, planned->the_case->settings.log,
                                              extract_options(*planned->the_case, reference));
  if (!extraction) return {"case " + case_name + ": " + extraction.error().message, {}, {}};
  if (const auto series = report.artifacts.find("series"); series != report.artifacts.end())
    if (const auto recorded = read_series(series->second))
      take_clocks(*extraction, *recorded, planned->the_case->metrics);
  return {"", with_derived(*planned->the_case, std::move(*extraction), {}),
          with_derived(*planned->the_case, reference, {})};
}

bool RunSession::must_stop() {
  const std::lock_guard lock(*mutex_);
  if (stopped_.empty()) stopped_ = why_stop();
  return !stopped_.empty();
}

std::string RunSession::why_stop() const {
  const auto failures = std::ranges::count_if(report_.cases, is_failure, &CaseReport::verdict);
  if (machine_.interrupted && machine_.interrupted()) return "interrupted before";
  if (!write_error_.empty()) return write_error_;
  if (is_past_deadline()) return "--deadline " + to_string(*options_.deadline) + " was up";
  if (options_.max_failures && failures >= *options_.max_failures) return "--max-failures reached";
  return deaths_.verdict();
}

CaseReport& RunSession::report_of(const PlannedCase& planned) {
  return *std::find_if(report_.cases.begin(), report_.cases.end(),
                       [&](const CaseReport& c) { return c.name == planned.the_case->name; });
}

Provenance RunSession::provenance(const PlannedCase& planned) const {
  Provenance provenance;
  provenance.gate_version = GATE_VERSION;
  provenance.date = to_iso(machine_.now());
  provenance.host = machine_.host.facts().name;
  provenance.device = planned.placement.platform;
  provenance.device_count = planned.placement.shape.all_devices();
  provenance.driver = machine_.host.facts().driver;
  provenance.toolkit = machine_.host.facts().toolkit;
  provenance.commit = report_.commit;
  provenance.script_sha256 = planned.script_sha256;
  provenance.run = folder_.id();
  provenance.args = options_.args;
  provenance.set = options_.set;
  mask(provenance.args, masker_);
  mask(provenance.set, masker_);
  return provenance;
}

Baseline RunSession::candidate(const PlannedCase& planned, const Launched& launched) const {
  Provenance made = provenance(planned);
  made.ended_well = ended_well(launched.outcome);
  return make_candidate(planned.the_case->name, planned.placement.platform, launched.extraction,
                        std::move(made));
}

// A baseline that no run recorded knows of no surroundings.
void RunSession::tell_differences(const PlannedCase& planned, CaseReport& report) const {
  const Provenance& baseline = planned.against.provenance;
  if (is_failure(report.verdict) && !baseline.host.empty())
    report.differs = differences(baseline, provenance(planned));
}

void RunSession::keep_series(const Baseline& candidate, Launched& launched) {
  const auto log = launched.artifacts.find("log");
  if (log == launched.artifacts.end() || launched.extraction.series.empty()) return;
  const fs::Path path = fs::Path(log->second).parent_path() / "series.json";
  const Status written = fs::write_file(path, schema::write_baseline(candidate));
  const std::lock_guard lock(*mutex_);
  if (!written) return remember(written);
  launched.artifacts["series"] = path.string();
}

void RunSession::finish(CaseReport report) {
  report.args = options_.args;
  const std::lock_guard lock(*mutex_);
  const auto place = std::find_if(report_.cases.begin(), report_.cases.end(),
                                  [&](const CaseReport& c) { return c.name == report.name; });
  report.inputs = place->inputs;
  mask(report, masker_);
  const Status saved = folder_.save_case(report);
  if (saved) ++saved_cases_;
  remember(saved);
  deaths_.see(report);
  *place = std::move(report);
  report_.finished = to_iso(machine_.now());
  report_.exit_code = exit_code_of(report_, plan_.named);
  if (saving_.is_due()) save();
  sink_(CaseFinished{*place, report_});
}

void RunSession::save() {
  saving_.run([&] { remember(folder_.save(report_)); });
}

Report RunSession::end() {
  const bool interrupted = machine_.interrupted && machine_.interrupted();
  for (CaseReport& c : report_.cases)
    if (c.verdict == Verdict::not_run && !c.outcome) c.reason = "not run: " + stopped_;
  report_.finished = to_iso(machine_.now());
  report_.duration = elapsed();
  report_.exit_code = exit_code_of(report_, plan_.named);
  if (interrupted)
    report_.exit_code = worst_exit_code(std::vector<int>{report_.exit_code, 128 + *machine_.interrupted()});
  learn();
  save();
  remember(store::prune_runs(suite_.root, suite_.policy.keep_runs()));
  if (!write_error_.empty())
    report_.exit_code = worst_exit_code(std::vector<int>{report_.exit_code, exit_code::infra});
  sink_(RunFinished{report_});
  return report_;
}

// What the history has to say of this run goes into its report; then the run goes into the history.
void RunSession::learn() {
  const bool interrupted = machine_.interrupted && machine_.interrupted();
  if (!interrupted) memory_.add_green_until(report_, suite_.root, machine_.host);
  memory_.add(report_);
  if (!interrupted && !is_recording()) memory_.add_drift(report_, suite_);
  if (const std::string& trouble = memory_.trouble(); !trouble.empty())
    report_.notes.push_back(masker_.mask(trouble));
}

Duration RunSession::elapsed() const {
  return std::chrono::duration_cast<Duration>(machine_.time.now() - began_);
}

// The first failure to write is told with what is safe by then.
void RunSession::remember(const Status& status) {
  if (status || !write_error_.empty()) return;
  write_error_ = masker_.mask(status.error().message);
  tell("", write_error_ + "; saved in " + folder_.path().string() + ": the results of " +
               count_of(saved_cases_, "finished case") + ", and junit.xml, red for every other case");
}

}  // namespace gate::app
