#include "runner/session/run_session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <utility>

#include "gate/base/text.h"
#include "gate/config/case_names.h"
#include "gate/places/output_places.h"
#include "gate/runner/run.h"
#include "gate/suite/git.h"
#include "gate/suite/suite_masker.h"
#include "gate/words/values.h"
#include "runner/session/run_again.h"

namespace gate::app {

namespace {

Result<store::RunFolder> folder_for(const Suite& suite, const RunOptions& options, Environment& environment) {
  if (const Status made = store::make_gate_folder(suite.layout); !made && options.out.empty())
    return tl::unexpected(made.error());
  if (options.resume) return store::RunFolder::reopen(suite.root, *options.resume, environment.now());
  return store::RunFolder::create(suite.root, environment.now(), options.out);
}

std::string new_uid() {
  std::random_device random;
  std::string uid;
  for (int i = 0; i < 4; ++i) uid += fmt::format("{:08x}", random());
  return uid;
}

// One event after the other, whichever thread sends it; first into the run's folder.
Sink one_by_one(Sink sink, std::shared_ptr<StatusFile> status) {
  return [sink = std::move(sink), status = std::move(status),
          mutex = std::make_shared<std::mutex>()](const Event& event) {
    const std::lock_guard lock(*mutex);
    status->on_event(event);
    sink(event);
  };
}

// Who runs it, and where.
std::shared_ptr<StatusFile> status_of_run(const Suite& suite, const Report& report,
                                          const store::RunFolder& folder, const Environment& environment) {
  RunStatus status = run_status_of(report);
  status.root = fs::whole_path(suite.root).string();
  status.folder = fs::whole_path(folder.path()).string();
  status.user = environment.user;
  status.pid = ::getpid();
  return std::make_shared<StatusFile>(std::move(status), folder, environment);
}

}  // namespace

RunSession::RunSession(const Suite& suite, const RunOptions& options, const RunPlan& plan,
                       store::RunFolder folder, Report report, Masker masker, Environment& environment)
    : suite_(suite),
      options_(options),
      plan_(plan),
      folder_(std::move(folder)),
      report_(std::move(report)),
      masker_(std::move(masker)),
      environment_(environment),
      status_(status_of_run(suite, report_, folder_, environment)),
      stops_(std::make_unique<StopRequests>(folder_, environment)),
      sink_(masked(one_by_one(environment.sink, status_), masker_)) {
  report_.devices = std::ssize(plan.devices);
  put_back_outputs();
  store::remove_unfinished(suite.root);
  for (const PlannedCase& planned : plan.cases) golden_->keep(planned.spec->settings, {});
}

Answer<RunSession> RunSession::create(const Suite& suite, const RunOptions& options, const RunPlan& plan,
                                      const std::string& command, Environment& environment) {
  Result<store::RunFolder> folder = folder_for(suite, options, environment);
  if (!folder) return infra(folder.error());
  Report report = planned_report(suite, options, plan, environment.host.facts(), environment.now());
  report.command = command;
  if (Sentence uncommitted = uncommitted_words(suite.root); !uncommitted.empty())
    report.notes.push_back(std::move(uncommitted));
  if (command == "record")  // a candidate is good or not, whatever gates
    for (CaseReport& one : report.cases) one.quarantine.reset();
  report.run = folder->id();
  report.uid = new_uid();
  const auto earlier = options.resume ? store::read_run(suite.root, *options.resume) : fail("");
  if (earlier && !earlier->uid.empty()) {  // a run that is taken up again stays the same run
    report.uid = earlier->uid;
    report.started = earlier->started;
  }
  return RunSession(suite, options, plan, std::move(*folder), std::move(report), masker_for(suite),
                    environment);
}

Status RunSession::begin() {
  folder_.clear_requests();  // those of a run before, in the same folder
  mask(report_, masker_);
  if (options_.resume) take_up_finished();
  sink_(RunPlanned{report_,
                   folder_.path().string()});  // first of all: what is begun is open until it is closed
  GATE_TRY_STATUS(folder_.begin(report_));
  history_ = RunHistory::open(suite_, RunHistory::Missing::made);
  for (const Sentence& weakness : environment_.host.facts().weaknesses) tell("", weakness);
  return {};
}

void RunSession::take_up_finished() {
  std::set<std::string> left;
  for (const PlannedCase& planned : plan_.cases) {
    const std::string& name = planned.spec->name;
    std::optional<CaseReport> saved = folder_.saved_case(name);
    const bool finished = saved && has_finished(*saved);
    const auto why = finished ? why_again(*saved, planned, left) : std::nullopt;
    if (why) tell(name, say({"runs again: {}", "重新运行：{}"}, *why));
    if (finished && !why) {
      slot_of(name) = std::move(*saved);
      add_loosened(report_, slot_of(name));
    } else {
      left.insert(name);
    }
  }
}

std::vector<const PlannedCase*> RunSession::unfinished() const {
  std::vector<const PlannedCase*> cases;
  for (const PlannedCase& planned : plan_.cases)
    if (planned.placement.kind == Placement::Kind::run && !has_finished(slot_of(planned.spec->name)))
      cases.push_back(&planned);
  return cases;
}

// A loss without a rule is worth looking at, too.
std::vector<WatchedMetric> watched_metrics(const config::Case& spec) {
  std::vector<WatchedMetric> watched;
  for (const Rule& rule : spec.rules) {
    const Metric metric = spec.metrics.get(rule.metric);
    const bool is_shown = metric.kind == MetricKind::accuracy || metric.kind == MetricKind::speed;
    const bool is_known = row_in(watched, rule.metric, &WatchedMetric::metric) != nullptr;
    if (is_shown && metric.numbered == Numbering::step && !rule.is_rest_of_curve && !is_known)
      watched.push_back({rule.metric, metric.unit, metric.kind, rule.tolerance, rule.reduce == Reduce::each});
  }
  if (row_in(watched, "lm_loss", &WatchedMetric::metric) == nullptr)
    watched.push_back({"lm_loss", "", MetricKind::accuracy, {}, true});
  return watched;
}

void RunSession::start(const PlannedCase& planned, const std::string& devices, const std::vector<int>& hosts,
                       Duration expected) const {
  Sentence place = planned.place.name;
  if (place.empty()) place = join(environment_.hosts->far_names(hosts), ", ");
  sink_(CaseStarted{planned.spec->name, planned.against.reference.last_step, devices, expected,
                    std::move(place), watched_metrics(*planned.spec)});
}

CaseReport& RunSession::slot_of(const std::string& case_name) {
  return *std::ranges::find(report_.cases, case_name, &CaseReport::name);
}

const CaseReport& RunSession::slot_of(const std::string& case_name) const {
  return *std::ranges::find(report_.cases, case_name, &CaseReport::name);
}

CaseReport RunSession::report_of(const PlannedCase& planned) const {
  const std::lock_guard lock(*mutex_);
  return slot_of(planned.spec->name);
}

Sentence RunSession::why_held_back(const PlannedCase& planned) const {
  const std::vector<std::string>& names = planned.spec->settings.after;
  if (names.empty()) return {};
  const std::lock_guard lock(*mutex_);
  for (const std::string& name : names) {
    const auto before = std::ranges::find(report_.cases, name, &CaseReport::name);
    if (before == report_.cases.end())
      return say({"{}, which it comes after, is no part of this run", "它的前置用例 {} 不在这次运行里"},
                 name);
    const bool is_open = before->verdict == Verdict::not_run && !before->outcome;
    if (before->verdict != Verdict::passed && !is_open)
      return say({"{}, which it comes after, is {}", "它的前置用例 {} 的判定是{}"}, name,
                 words::verdict_text(before->verdict));
  }
  return {};
}

std::map<std::string, fs::Path> RunSession::folders_before(const PlannedCase& planned) const {
  std::map<std::string, fs::Path> folders;
  const std::lock_guard lock(*mutex_);
  for (const std::string& name : planned.spec->settings.after)
    if (const auto log = slot_of(name).artifacts.find("log"); log != slot_of(name).artifacts.end())
      folders[config::variable_after(name)] = fs::Path(log->second).parent_path();
  return folders;
}

LaunchContext RunSession::context(const Suite& suite) const {
  return {suite, options_, folder_, masker_, sink_, environment_, *stops_, *golden_, report_.commit};
}

bool RunSession::must_stop() {
  const std::lock_guard lock(*mutex_);
  if (stopped_.empty()) stopped_ = why_stop();
  return !stopped_.empty();
}

Sentence RunSession::why_stopped() const {
  const std::lock_guard lock(*mutex_);
  return stopped_;
}

std::optional<Interrupted> RunSession::interruption(const PlannedCase& planned) const {
  return stops_->of_case(planned.spec->name);
}

Sentence RunSession::why_stop() const {
  if (const auto interrupted = stops_->of_run())
    return interrupted->by.empty() ? say({"interrupted before", "此前已中断"}) : text(Outcome(*interrupted));
  if (!write_error_.empty()) return write_error_;
  if (is_past_deadline())
    return say({"--deadline {} was up", "--deadline {} 已到"}, to_string(*options_.deadline));
  const auto counts = [](const CaseReport& one) { return is_failure(one.verdict) && !one.quarantine; };
  if (options_.max_failures && std::ranges::count_if(report_.cases, counts) >= *options_.max_failures)
    return say({"--max-failures reached", "已达到 --max-failures"});
  return deaths_.why_stop().value_or(Sentence());
}

bool RunSession::is_past_deadline() const { return options_.deadline && elapsed() >= *options_.deadline; }

std::optional<Duration> RunSession::rest() const {
  return options_.deadline ? std::optional(*options_.deadline - elapsed()) : std::nullopt;
}

Duration RunSession::elapsed() const {
  return std::chrono::duration_cast<Duration>(environment_.time.now() - began_);
}

void RunSession::finish(CaseReport report) {
  const std::lock_guard lock(*mutex_);
  CaseReport& slot = slot_of(report.name);
  report.args = slot.args;
  report.inputs = slot.inputs;
  report.quarantine = slot.quarantine;
  mask(report, masker_);
  const Status saved = folder_.save_case(report);
  if (saved) ++saved_cases_;
  remember_unlocked(saved);
  deaths_.on_report(report);
  slot = std::move(report);
  add_loosened(report_, slot);
  if (!saving_.is_due()) return sink_(CaseFinished{slot});
  saving_.run([&] {
    report_.finished = to_iso(environment_.now());
    report_.exit_code = exit_code_of(report_, plan_.named);
    save();
    sink_(CaseFinished{slot, &report_});
  });
}

void RunSession::save() { remember_unlocked(folder_.save(report_)); }

void RunSession::remember(const Status& status) {
  const std::lock_guard lock(*mutex_);
  remember_unlocked(status);
}

void RunSession::remember_unlocked(const Status& status) {
  if (status || !write_error_.empty()) return;
  write_error_ = masker_.mask(status.error().message);
  tell("",
       say({"{}; saved in {}: the results of {}, and junit.xml, red for every other case",
            "{}；{} 里已保存：{}的结果，以及 junit.xml，其余用例都算红"},
           write_error_, folder_.path().string(), count_of(saved_cases_, "finished case", "个已结束的用例")));
}

Report RunSession::end(const Sentence& conclusion) {
  if (!conclusion.empty()) report_.notes.push_back(conclusion);
  for (CaseReport& c : report_.cases)
    if (c.verdict == Verdict::not_run && !c.outcome) c.reason = say({"not run: {}", "未运行：{}"}, stopped_);
  report_.finished = to_iso(environment_.now());
  report_.duration = elapsed();
  report_.exit_code = exit_code_of(report_, plan_.named);
  if (const auto interrupted = stops_->of_run()) {
    report_.exit_code = worst_exit_code(std::vector<int>{report_.exit_code, 128 + interrupted->signal});
    if (!interrupted->by.empty())
      report_.notes.push_back(say({"the run was {}", "运行{}"}, text(Outcome(*interrupted))));
  }
  learn();
  save();
  remove_old_runs();
  if (!write_error_.empty())
    report_.exit_code = worst_exit_code(std::vector<int>{report_.exit_code, exit_code::infra});
  sink_(RunFinished{report_});
  if (!is_judging()) end_status();
  return report_;
}

void RunSession::close(int exit_code) {
  if (std::exchange(report_.exit_code, exit_code) != exit_code && !options_.bisecting) save();
  end_status();
}

// They are nothing of this run.
void RunSession::remove_old_runs() {
  const int keep = suite_.policy.keep_runs();
  const Status removed = store::remove_runs(suite_.root, store::old_runs(suite_.root, keep), keep);
  if (!removed)
    tell("", say({"{}; remove it (sudo rm -r), or keep all runs: keep_runs = 0 under [suite]",
                  "{}；请自行删除（sudo rm -r），或保留所有运行：在 [suite] 下设 keep_runs = 0"},
                 masker_.mask(removed.error().message)));
}

// As long as it stays, the run seems to be cut off.
void RunSession::end_status() {
  if (const Status cleared = folder_.clear_status(); !cleared)
    tell("", say({"{}; remove it: the run has ended", "{}；请删除它：运行已经结束"},
                 masker_.mask(cleared.error().message)));
}

// What the history has to say of this run goes into its report; then the run goes into the history, unless it
// is of two other commits, or a rehearsal.
void RunSession::learn() {
  if (report_.command == "ab" || report_.rehearsal) return;
  const bool interrupted = stops_->of_run().has_value();
  const AskTool ask = [this](const auto& words) { return environment_.host.run_tool(words, Cut{}); };
  if (!interrupted) history_.add_green_until(report_, suite_.root, ask);
  if (!options_.bisecting) history_.add(report_);
  if (!interrupted && is_judging()) history_.add_drift(report_, suite_);
  if (const Status& usable = history_.status(); !usable)
    report_.notes.push_back(masker_.mask(usable.error().message));
}

}  // namespace gate::app
