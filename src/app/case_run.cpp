#include "app/case_run.h"

#include <algorithm>
#include <cstdlib>

#include "app/aftermath.h"
#include "app/early_stop.h"
#include "app/follower.h"
#include "gate/base/text.h"
#include "gate/launch/environment.h"

namespace gate::app {

namespace {

std::string device_list(const Seat& seat) {
  std::vector<std::string> indices;
  for (const Device& device : seat.devices) indices.push_back(std::to_string(device.index));
  return join(indices, ",");
}

std::map<std::string, std::string> environment(const RunFrame& frame, const PlannedCase& planned,
                                               const LaunchFolders& folders, const std::string& cookie) {
  const config::Settings& settings = planned.the_case->settings;
  launch::ScriptFacts facts;
  facts.case_name = planned.the_case->name;
  facts.run_id = frame.folder.id();
  facts.run_folder = frame.folder.path().string();
  facts.case_folder = folders.folder.string();
  facts.scratch = folders.scratch().string();
  facts.cookie = cookie;
  facts.devices = planned.placement.shape.all_devices();
  facts.nodes = settings.nodes;
  facts.device_list = device_list(frame.seat);
  if (!frame.seat.devices.empty())
    facts.device_variable = devices::selection_variable(frame.seat.devices.front().vendor);
  facts.master_port = frame.seat.port;
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
    GATE_TRY(std::string expanded,
             config::expand(word, {{"script", script}, {"case", planned.the_case->name}}));
    argv.push_back(std::move(expanded));
  }
  argv.insert(argv.end(), options.args.begin(), options.args.end());
  return argv;
}

Status check_needs(const Suite& suite, const config::Settings& settings) {
  for (const std::string& need : settings.needs)
    if (!fs::exists(suite.cwd / need)) return fail("it needs " + need + ", which is not there");
  return {};
}

// What an earlier launch left in the folder, where a run is taken up; another case's folder may stand there.
void remove_leftovers(const RunFrame& frame, const PlannedCase& planned, const fs::Path& folder) {
  std::error_code ignored;
  for (const char* kept : {"logs", "artifacts"}) {
    if (!fs::is_taken(folder / kept)) continue;
    const std::string name = planned.the_case->name + "/" + kept;
    const bool is_taken = std::ranges::any_of(frame.suite.cases, [&](const config::Case& other) {
      return other.name == name || other.name.starts_with(name + "/");
    });
    if (!is_taken) std::filesystem::remove_all(folder / kept, ignored);
  }
}

Result<LaunchFolders> make_folders(const RunFrame& frame, const PlannedCase& planned, const Try& which) {
  GATE_TRY(const fs::Path of_case, frame.folder.case_folder(planned.the_case->name));
  const fs::Path folder = which.number == 1 ? of_case : of_case / ("try-" + std::to_string(which.number));
  LaunchFolders folders{std::filesystem::absolute(folder).lexically_normal(), fs::FileTime::clock::now()};
  remove_leftovers(frame, planned, folders.folder);
  GATE_TRY_STATUS(fs::make_folder(folders.scratch()));
  return folders;
}

extract::Options masked_options(const RunFrame& frame, const PlannedCase& planned) {
  extract::Options options = extract_options(*planned.the_case, planned.against.reference);
  if (frame.masker.has_secrets())
    options.mask = [masker = frame.masker](std::string_view line) { return masker.mask(line); };
  return options;
}

launch::Limits limits_of(const RunFrame& frame, const PlannedCase& planned, const Try& which) {
  const config::Settings& settings = planned.the_case->settings;
  return {.timeout = settings.timeout,
          .startup = settings.startup,
          .hang = settings.hang,
          .grace = settings.grace,
          .rest = which.rest,
          .deadline = frame.options.deadline.value_or(Duration{}),
          .has_steps = settings.judge == config::JudgeMode::series,
          .total_known = planned.against.reference.last_step || settings.steps,
          .wait_for_tree = settings.wait == config::Wait::tree};
}

Follower::Bound bound_of(const launch::Limits& limits) {
  if (limits.rest && *limits.rest < limits.timeout)
    return {*limits.rest, "--deadline " + to_string(limits.deadline)};
  return {limits.timeout, "timeout " + to_string(limits.timeout)};
}

launch::Command command_of(const RunFrame& frame, const PlannedCase& planned, const Try& which,
                           std::vector<std::string> argv, const LaunchFolders& folders) {
  launch::Command command;
  command.argv = std::move(argv);
  command.cwd = frame.suite.cwd.string();
  command.setup = planned.the_case->settings.setup;
  command.cookie = frame.folder.id() + "." + planned.the_case->name + "." + std::to_string(which.number) +
                   "." + std::to_string(frame.machine.now().time_since_epoch().count());
  command.env = environment(frame, planned, folders, command.cookie);
  return command;
}

launch::Listener listener_of(const RunFrame& frame, const PlannedCase& planned, Follower& follower) {
  launch::Listener listener{.on_output = [&](std::string_view bytes) { return follower.see(bytes); },
                            .on_look = nullptr,
                            .interrupted = frame.machine.interrupted,
                            .hurried = frame.machine.hurried};
  if (!planned.the_case->settings.log.empty()) listener.on_look = [&] { return follower.look(); };
  return listener;
}

std::optional<Duration> script_time(const Result<launch::Ending>& ending) {
  const bool by_itself = ending && (std::holds_alternative<Exited>(ending->outcome) ||
                                    std::holds_alternative<Killed>(ending->outcome));
  return by_itself ? std::optional(ending->script_time) : std::nullopt;
}

void take_ending(const launch::Ending& ending, Launched& launched) {
  launched.outcome = ending.outcome;
  launched.duration = ending.duration;
  launched.leftovers = ending.leftovers;
  launched.survivors = ending.survivors;
}

Launched launch_and_follow(const RunFrame& frame, const PlannedCase& planned, const launch::Command& command,
                           const launch::Limits& limits, Follower& follower, const LaunchFolders& folders) {
  const Result<launch::Ending> ending =
      frame.machine.host.launch(command, limits, listener_of(frame, planned, follower));
  Launched launched;
  launched.extraction = follower.finish(script_time(ending));
  launched.arrivals = follower.arrivals();
  launched.artifacts["log"] = folders.log().string();
  if (follower.has_kept_logs()) launched.artifacts["logs"] = (folders.folder / "logs").string();
  launched.outcome = ending ? ending->outcome : Outcome(NotStarted{ending.error().message});
  if (ending) take_ending(*ending, launched);
  if (const Status log = follower.log_status(); !log) launched.outcome = GateFailed{log.error().message};
  clear_up(frame, planned, folders, ending ? *ending : launch::Ending{}, launched);
  return launched;
}

void add_problems(CaseReport& report, ProblemKind kind, const std::string& what,
                  const std::vector<std::string>& texts) {
  for (const std::string& text : texts) report.problems.push_back({kind, "", 0, what + text});
}

void add_time(CaseReport& report, const PlannedCase& planned, const Launched& launched) {
  report.duration += launched.duration;
  const int devices = planned.placement.shape.all_devices();
  if (devices > 0) report.device_time = report.device_time.value_or(Duration{}) + launched.duration * devices;
}

void add_processes(CaseReport& report, const Launched& launched) {
  add_problems(report, ProblemKind::leftover, "outlived the script and was stopped: ", launched.leftovers);
  add_problems(report, ProblemKind::leftover, "could not be stopped, stop it by hand: ", launched.survivors);
}

// Fails where the script could not be started.
Result<Launched> launch_prepared(const RunFrame& frame, const PlannedCase& planned, const Try& which) {
  GATE_TRY_STATUS(check_needs(frame.suite, planned.the_case->settings));
  GATE_TRY(const LaunchFolders folders, make_folders(frame, planned, which));
  GATE_TRY(store::LogFile log, store::LogFile::create(folders.log()));
  GATE_TRY(std::vector<std::string> argv, command_line(frame.suite, planned, frame.options));
  GATE_TRY(extract::Extractor extractor, extract::Extractor::make(masked_options(frame, planned)));
  extractor.begin_file(folders.log().string());
  const launch::Limits limits = limits_of(frame, planned, which);
  const launch::Command command = command_of(frame, planned, which, std::move(argv), folders);
  FurtherLogs further(
      planned.the_case->settings.log, frame.suite.cwd, folders.log(), frame.masker,
      [&machine = frame.machine, cookie = command.cookie] { return machine.host.written_elsewhere(cookie); });
  Follower follower(planned, frame.purpose, bound_of(limits), std::move(extractor), std::move(log),
                    std::move(further), frame.masker, frame.sink, frame.machine.time);
  return launch_and_follow(frame, planned, command, limits, follower, folders);
}

}  // namespace

Launched launch_case(const RunFrame& frame, const PlannedCase& planned, const Try& which) {
  Result<Launched> launched = launch_prepared(frame, planned, which);
  if (launched) return std::move(*launched);
  Launched none;
  none.outcome = NotStarted{launched.error().message};
  return none;
}

void add_other_launch(CaseReport& report, const PlannedCase& planned, const Launched& launched, int number) {
  add_time(report, planned, launched);
  for (const auto& [name, path] : launched.artifacts)
    report.artifacts.emplace(name + "-" + std::to_string(number), path);
  add_processes(report, launched);
  add_problems(report, ProblemKind::other, "", launched.problems);
}

void add_launch(CaseReport& report, const PlannedCase& planned, const Launched& launched) {
  report.devices = planned.placement.devices;
  add_time(report, planned, launched);
  report.last_words = launched.last_words;
  report.device_time_saved = device_time_saved(launched.outcome, planned.placement.shape.all_devices());
  report.artifacts.insert(launched.artifacts.begin(), launched.artifacts.end());
  add_processes(report, launched);
  add_problems(report, ProblemKind::other, "", launched.problems);
}

}  // namespace gate::app
