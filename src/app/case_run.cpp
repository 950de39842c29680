#include "app/case_run.h"

#include <algorithm>
#include <cstdlib>

#include "app/early_stop.h"
#include "gate/base/text.h"
#include "gate/extract/extractor.h"
#include "gate/judge/watch.h"
#include "gate/launch/environment.h"

namespace gate::app {

namespace {

using Clock = std::chrono::steady_clock;

std::string device_list(const config::Settings& settings, int count) {
  if (!settings.device_list.empty()) return join(settings.device_list, ",");
  std::vector<std::string> all;
  for (int i = 0; i < count; ++i) all.push_back(std::to_string(i));
  return join(all, ",");
}

std::map<std::string, std::string> environment(const PlannedCase& planned, const store::RunFolder& folder,
                                               const fs::Path& case_folder, const std::string& cookie) {
  const config::Settings& settings = planned.the_case->settings;
  launch::ScriptFacts facts;
  facts.case_name = planned.the_case->name;
  facts.run_id = folder.id();
  facts.run_folder = folder.path().string();
  facts.case_folder = case_folder.string();
  facts.cookie = cookie;
  facts.platform = planned.placement.platform;
  facts.devices = planned.placement.device_count;
  facts.nodes = settings.nodes;
  facts.device_list = device_list(settings, planned.placement.device_count);
  facts.has_ascend_log_path = std::getenv("ASCEND_PROCESS_LOG_PATH") != nullptr;
  std::map<std::string, std::string> env = launch::script_environment(facts);
  for (const auto& [key, value] : settings.env) env[key] = value;
  return env;
}

// `[suite] launch` split into words before {script} is put in, so that no path is ever split or read by a
// shell.
Result<std::vector<std::string>> command_line(const Suite& suite, const PlannedCase& planned,
                                              const RunOptions& options) {
  const std::string script = (suite.root / planned.the_case->script).string();
  std::vector<std::string> argv;
  for (const std::string_view word : split_words(suite.policy.launch())) {
    Result<std::string> expanded =
        config::expand(word, {{"script", script}, {"case", planned.the_case->name}});
    if (!expanded) return tl::unexpected(expanded.error());
    argv.push_back(std::move(*expanded));
  }
  argv.insert(argv.end(), options.args.begin(), options.args.end());
  return argv;
}

// What is known while the script runs: extractor and watch fed, and what the last bytes meant for the runner.
class Follower {
 public:
  Follower(const PlannedCase& planned, Purpose purpose, extract::Extractor extractor, store::LogFile log,
           Machine& machine)
      : planned_(planned),
        purpose_(purpose),
        extractor_(std::move(extractor)),
        log_(std::move(log)),
        machine_(machine),
        watch_(planned.the_case->rules, planned.the_case->metrics, planned.against.reference,
               planned.placement.platform) {
    extractor_.on_sample([this](const extract::LiveSample& live) { take(live); });
  }

  launch::Pulse see(std::string_view bytes) {
    pulse_ = {};
    if (log_error_.empty())
      if (const Status written = log_.append(bytes); !written) log_error_ = written.error().message;
    const std::int64_t before = extractor_.last_step();
    extractor_.feed(bytes);
    const std::int64_t step = extractor_.last_step();
    if (step != before || pulse_.restarted) see_step(before, step);
    pulse_.total_known = demanded().has_value();
    pulse_.complete = demanded() && step >= *demanded();
    if (certain_ && stops_now(setting(), expected_rest(clock_, demanded()))) pulse_.stop = certain_->reason;
    return pulse_;
  }

  Extraction finish() {
    if (const Status closed = log_.close(); !closed && log_error_.empty())
      log_error_ = closed.error().message;
    return extractor_.finish();
  }

  const std::string& log_error() const { return log_error_; }

 private:
  void take(const extract::LiveSample& live) {
    if (live.new_attempt) {
      pulse_.restarted = true;
      certain_.reset();
      watch_.restart();
    }
    if (!certain_ && watching()) certain_ = watch_.see(live.metric, live.rank, live.sample);
    machine_.sink(SampleSeen{planned_.the_case->name, std::string(live.metric), live.rank, live.sample});
  }

  void see_step(std::int64_t before, std::int64_t step) {
    pulse_.sample = true;
    pulse_.samples =
        static_cast<int>(std::clamp<std::int64_t>(pulse_.restarted ? step : step - before, 1, 1000));
    const auto now = Clock::now();
    if (clock_.last_step == 0 || pulse_.restarted) {
      first_at_ = now;
      clock_.first_step = step;
    }
    clock_.last_step = step;
    clock_.since_first = std::chrono::duration_cast<std::chrono::milliseconds>(now - first_at_);
  }

  bool watching() const {
    const config::Settings& settings = planned_.the_case->settings;
    return purpose_ == Purpose::judging && settings.judge == config::JudgeMode::series && !settings.restarts;
  }

  config::EarlyStop setting() const { return planned_.the_case->settings.early_stop; }

  std::optional<std::int64_t> demanded() const {
    if (extractor_.total()) return extractor_.total();
    if (planned_.against.reference.last_step) return planned_.against.reference.last_step;
    if (planned_.the_case->settings.steps) return *planned_.the_case->settings.steps;
    return std::nullopt;
  }

  const PlannedCase& planned_;
  Purpose purpose_;
  extract::Extractor extractor_;
  store::LogFile log_;
  Machine& machine_;
  judge::Watch watch_;
  launch::Pulse pulse_;
  StepClock clock_;
  Clock::time_point first_at_{};
  std::optional<judge::Certain> certain_;
  std::string log_error_;
};

Launched not_started(std::string why) {
  Launched launched;
  launched.outcome = NotStarted{std::move(why)};
  return launched;
}

// Return the first path of `needs` that is not there, or "".
std::string missing_need(const Suite& suite, const config::Settings& settings) {
  for (const std::string& need : settings.needs)
    if (!fs::exists(suite.cwd / need)) return need;
  return "";
}

launch::Job make_job(const Suite& suite, const PlannedCase& planned, std::vector<std::string> argv,
                     const store::RunFolder& folder, const fs::Path& case_folder, Machine& machine) {
  const config::Settings& settings = planned.the_case->settings;
  launch::Job job;
  job.argv = std::move(argv);
  job.cwd = suite.cwd.string();
  job.setup = settings.setup;
  job.limits = {settings.timeout, settings.startup, settings.hang, settings.grace};
  job.has_steps = settings.judge == config::JudgeMode::series;
  job.total_known = planned.against.reference.last_step || settings.steps;
  job.wait_for_tree = settings.wait == config::Wait::tree;
  job.cookie = folder.id() + "." + planned.the_case->name + ".1." +
               std::to_string(machine.now().time_since_epoch().count());
  job.env = environment(planned, folder, case_folder, job.cookie);
  job.interrupted = machine.interrupted;
  job.hurried = machine.hurried;
  return job;
}

}  // namespace

Launched launch_case(const Suite& suite, const PlannedCase& planned, const RunOptions& options,
                     const store::RunFolder& folder, Purpose purpose, Machine& machine) {
  if (const std::string need = missing_need(suite, planned.the_case->settings); !need.empty())
    return not_started("it needs " + need + ", which is not there");
  const Result<fs::Path> case_folder = folder.case_folder(planned.the_case->name);
  if (!case_folder) return not_started(case_folder.error().message);
  const fs::Path log_path = *case_folder / "log.txt";
  Result<store::LogFile> log = store::LogFile::create(log_path);
  if (!log) return not_started(log.error().message);
  const Result<std::vector<std::string>> argv = command_line(suite, planned, options);
  if (!argv) return not_started(argv.error().message);
  Result<extract::Extractor> extractor =
      extract::Extractor::make(extract_options(*planned.the_case, planned.against.reference));
  if (!extractor) return not_started(extractor.error().message);
  extractor->begin_file(log_path.string());
  Follower follower(planned, purpose, std::move(*extractor), std::move(*log), machine);
  launch::Job job = make_job(suite, planned, *argv, folder, *case_folder, machine);
  job.on_output = [&](std::string_view bytes) { return follower.see(bytes); };
  Result<launch::Ending> ending = machine.runner.run(job);
  Launched launched;
  launched.extraction = follower.finish();
  launched.log = log_path.string();
  launched.log_error = follower.log_error();
  launched.outcome = ending ? ending->outcome : Outcome(NotStarted{ending.error().message});
  if (ending) launched.duration = ending->duration;
  if (ending) launched.leftovers = ending->leftovers;
  if (ending) launched.survivors = ending->survivors;
  return launched;
}

void add_launch(CaseReport& report, const PlannedCase& planned, const Launched& launched) {
  report.devices = planned.placement.devices;
  report.duration = launched.duration;
  if (!launched.log.empty()) report.artifacts["log"] = launched.log;
  for (const std::string& leftover : launched.leftovers)
    report.problems.push_back(
        {ProblemKind::leftover, "", 0, "outlived the script and was stopped: " + leftover});
  for (const std::string& survivor : launched.survivors)
    report.problems.push_back(
        {ProblemKind::leftover, "", 0, "could not be stopped, stop it by hand: " + survivor});
  if (!launched.log_error.empty())
    report.problems.push_back(
        {ProblemKind::other, launched.log, 0, "the raw log is not complete: " + launched.log_error});
}

}  // namespace gate::app
