#include "app/run/launch_case.h"

#include <algorithm>
#include <cstdlib>

#include "app/run/early_stop.h"
#include "app/run/output_monitor.h"
#include "app/run/post_launch.h"
#include "gate/base/text.h"
#include "gate/launch/environment.h"

namespace gate::app {

namespace {

// That of its first node.
Host& host_of(const LaunchContext& context, const LaunchAttempt& attempt) {
  return context.environment.hosts->at(attempt.reservation.hosts.front());
}

std::map<std::string, std::string> environment_of(const LaunchContext& context, const PlannedCase& planned,
                                                  const LaunchAttempt& attempt, const LaunchFolders& folders,
                                                  const std::string& cookie) {
  const Host& host = host_of(context, attempt);
  const config::Settings& settings = planned.spec->settings;
  const std::vector<Device>& devices = attempt.reservation.devices;
  std::vector<std::string> indices;
  for (const Device& device : devices) indices.push_back(std::to_string(device.index));
  std::map<std::string, std::string> env = launch::script_environment(
      {.case_name = planned.spec->name,
       .run_id = context.folder.id(),
       .run_folder = context.folder.path().string(),
       .case_folder = folders.folder.string(),
       .scratch = folders.scratch().string(),
       .cookie = cookie,
       .device_variable = devices.empty() ? "" : devices::selection_variable(devices.front().vendor),
       .devices = planned.placement.shape.all_devices(),
       .nodes = settings.nodes,
       .device_list = join(indices, ","),
       .master_port = attempt.reservation.port,
       .has_ascend_log_path = host.variable("ASCEND_PROCESS_LOG_PATH").has_value()});
  for (const auto& [key, value] : settings.env) env[key] = value;
  return env;
}

// `[suite] launch` split into words before {script} is put in, so that no path is ever split or read by a
// shell.
Result<std::vector<std::string>> command_line(const Suite& suite, const PlannedCase& planned,
                                              const RunOptions& options) {
  const std::string script = (suite.root / planned.spec->script).string();
  std::vector<std::string> argv;
  for (const std::string_view word : split_words(suite.policy.launch())) {
    GATE_TRY(std::string expanded, config::expand(word, {{"script", script}, {"case", planned.spec->name}}));
    argv.push_back(std::move(expanded));
  }
  argv.insert(argv.end(), options.args.begin(), options.args.end());
  return argv;
}

// What an earlier launch left in the folder, if a run is taken up; another case's folder may stand there.
void remove_leftovers(const LaunchContext& context, const PlannedCase& planned, const fs::Path& folder) {
  std::error_code ignored;
  for (const char* kept : {"logs", "artifacts"}) {
    if (!fs::is_taken(folder / kept)) continue;
    const std::string name = planned.spec->name + "/" + kept;
    const bool is_taken = std::ranges::any_of(context.suite.cases, [&](const config::Case& other) {
      return other.name == name || other.name.starts_with(name + "/");
    });
    if (!is_taken) std::filesystem::remove_all(folder / kept, ignored);
  }
}

Result<LaunchFolders> make_folders(const LaunchContext& context, const PlannedCase& planned,
                                   const LaunchAttempt& attempt) {
  GATE_TRY(const fs::Path of_case, context.folder.case_folder(planned.spec->name));
  const fs::Path folder = attempt.number == 1 ? of_case : of_case / ("try-" + std::to_string(attempt.number));
  LaunchFolders folders{std::filesystem::absolute(folder).lexically_normal(), fs::FileTime::clock::now()};
  remove_leftovers(context, planned, folders.folder);
  GATE_TRY_STATUS(fs::make_folder(folders.scratch()));
  return folders;
}

extract::Options masked_options(const LaunchContext& context, const PlannedCase& planned) {
  extract::Options options = extract_options(*planned.spec, planned.against.reference);
  if (context.masker.has_secrets())
    options.mask = [masker = context.masker](std::string_view line) { return masker.mask(line); };
  return options;
}

launch::Limits limits_of(const LaunchContext& context, const PlannedCase& planned,
                         const LaunchAttempt& attempt) {
  const config::Settings& settings = planned.spec->settings;
  return {.timeout = settings.timeout,
          .startup = settings.startup,
          .hang = settings.hang,
          .grace = settings.grace,
          .rest = attempt.rest,
          .deadline = context.options.deadline.value_or(Duration{}),
          .has_steps = settings.judge == config::JudgeMode::series,
          .total_known = planned.against.reference.last_step || settings.steps,
          .wait_for_tree = settings.wait == config::Wait::tree};
}

launch::Command command_of(const LaunchContext& context, const PlannedCase& planned,
                           const LaunchAttempt& attempt, std::vector<std::string> argv,
                           const LaunchFolders& folders) {
  launch::Command command;
  command.argv = std::move(argv);
  command.cwd = context.suite.cwd.string();
  command.setup = planned.spec->settings.setup;
  command.cookie = context.folder.id() + "." + planned.spec->name + "." + std::to_string(attempt.number) +
                   "." + std::to_string(context.environment.now().time_since_epoch().count());
  command.env = environment_of(context, planned, attempt, folders, command.cookie);
  return command;
}

launch::Listener listener_of(const LaunchContext& context, const PlannedCase& planned,
                             OutputMonitor& monitor) {
  StopRequests& stops = context.stops;
  const std::string& name = planned.spec->name;
  launch::Listener listener{.on_output = [&](std::string_view bytes) { return monitor.on_output(bytes); },
                            .on_poll = nullptr,
                            .interrupted = [&] { return stops.of_case(name); },
                            .second_signal = [&] { return stops.must_hurry(name); }};
  if (!planned.spec->settings.log.empty()) listener.on_poll = [&] { return monitor.poll_extra_logs(); };
  return listener;
}

std::optional<Duration> script_time(const Result<launch::Ending>& ending) {
  const bool by_itself = ending && (std::holds_alternative<Exited>(ending->outcome) ||
                                    std::holds_alternative<Killed>(ending->outcome));
  return by_itself ? std::optional(ending->script_time) : std::nullopt;
}

LaunchResult launch_and_follow(const LaunchContext& context, const PlannedCase& planned,
                               const launch::Command& command, const launch::Limits& limits,
                               OutputMonitor& monitor, const LaunchFolders& folders, Host& host) {
  const Result<launch::Ending> ending = host.launch(command, limits, listener_of(context, planned, monitor));
  LaunchResult launched;
  launched.extraction = monitor.finish();
  launched.measures.arrivals = monitor.arrivals();
  launched.measures.script_time = script_time(ending);
  launched.artifacts["log"] = folders.log().string();
  if (monitor.has_kept_logs()) launched.artifacts["logs"] = (folders.folder / "logs").string();
  if (ending) {
    launched.outcome = ending->outcome;
    launched.duration = ending->duration;
    launched.leftovers = ending->leftovers;
    launched.survivors = ending->survivors;
    launched.problems = ending->remarks;
  } else {
    launched.outcome = NotStarted{ending.error().message};
  }
  if (const Status log = monitor.log_status(); !log) launched.outcome = GateFailed{log.error().message};
  clear_up(context, planned, folders, ending ? *ending : launch::Ending{}, launched);
  return launched;
}

void add_problems(CaseReport& report, ProblemKind kind, const std::string& what,
                  const std::vector<std::string>& texts) {
  for (const std::string& text : texts) report.problems.push_back({kind, "", 0, what + text});
}

void add_time(CaseReport& report, const PlannedCase& planned, const LaunchResult& launched) {
  report.duration += launched.duration;
  const int devices = planned.placement.shape.all_devices();
  if (devices > 0) report.device_time = report.device_time.value_or(Duration{}) + launched.duration * devices;
}

void add_processes(CaseReport& report, const LaunchResult& launched) {
  add_problems(report, ProblemKind::leftover, "outlived the script and was stopped: ", launched.leftovers);
  add_problems(report, ProblemKind::leftover, "could not be stopped, stop it by hand: ", launched.survivors);
}

// Fails if the script could not be started.
Result<LaunchResult> launch_prepared(const LaunchContext& context, const PlannedCase& planned,
                                     const LaunchAttempt& attempt) {
  Host& host = host_of(context, attempt);
  for (const std::string& need : planned.spec->settings.needs) {
    GATE_TRY(const bool there, host.exists(context.suite.cwd / need));
    if (!there) return fail("it needs " + need + ", which is not there");
  }
  GATE_TRY(const LaunchFolders folders, make_folders(context, planned, attempt));
  GATE_TRY(store::LogFile log, store::LogFile::create(folders.log()));
  GATE_TRY(std::vector<std::string> argv, command_line(context.suite, planned, context.options));
  GATE_TRY(extract::Extractor extractor, extract::Extractor::make(masked_options(context, planned)));
  extractor.begin_file(folders.log().string());
  const launch::Limits limits = limits_of(context, planned, attempt);
  const launch::Command command = command_of(context, planned, attempt, std::move(argv), folders);
  ExtraLogs extra(planned.spec->settings.log, context.suite.cwd, folders.log(), context.masker,
                  [&host, cookie = command.cookie] { return host.written_elsewhere(cookie); });
  LaunchBound bound{limits.timeout, "timeout " + to_string(limits.timeout)};
  if (limits.rest && *limits.rest < limits.timeout)
    bound = {*limits.rest, "--deadline " + to_string(limits.deadline)};
  OutputMonitor monitor(planned, attempt.purpose, std::move(bound), std::move(extractor), std::move(log),
                        std::move(extra), context.masker, context.sink, context.environment.time);
  return launch_and_follow(context, planned, command, limits, monitor, folders, host);
}

}  // namespace

LaunchResult launch_case(const LaunchContext& context, const PlannedCase& planned,
                         const LaunchAttempt& attempt) {
  Result<LaunchResult> launched = launch_prepared(context, planned, attempt);
  if (launched) return std::move(*launched);
  LaunchResult none;
  none.outcome = NotStarted{launched.error().message};
  return none;
}

void add_other_launch(CaseReport& report, const PlannedCase& planned, const LaunchResult& launched,
                      int number) {
  add_time(report, planned, launched);
  for (const auto& [name, path] : launched.artifacts)
    report.artifacts.emplace(name + "-" + std::to_string(number), path);
  add_processes(report, launched);
  add_problems(report, ProblemKind::other, "", launched.problems);
}

void add_launch(CaseReport& report, const PlannedCase& planned, const LaunchResult& launched) {
  report.devices = planned.placement.devices;
  if (!launched.hosts.empty()) report.devices += " on " + join(launched.hosts, ", ");
  report.hosts = launched.hosts;
  add_time(report, planned, launched);
  report.last_words = launched.last_words;
  report.device_time_saved = device_time_saved(launched.outcome, planned.placement.shape.all_devices());
  report.artifacts.insert(launched.artifacts.begin(), launched.artifacts.end());
  add_processes(report, launched);
  add_problems(report, ProblemKind::other, "", launched.problems);
}

}  // namespace gate::app
