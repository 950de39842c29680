#include "app/launch/launch_case.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>

#include "app/host/agent_files.h"
#include "app/judging/fault.h"
#include "app/launch/checkpoint_folder.h"
#include "app/launch/containers.h"
#include "app/launch/early_stop.h"
#include "app/launch/engine_job.h"
#include "app/launch/extra_logs.h"
#include "app/launch/launch_environment.h"
#include "app/launch/node_files.h"
#include "app/launch/node_launches.h"
#include "app/launch/objects.h"
#include "app/launch/output_monitor.h"
#include "app/launch/post_launch.h"
#include "app/launch/stages.h"
#include "app/launch/stragglers.h"
#include "app/plan/command_line.h"
#include "app/tests/pytest_launch.h"
#include "gate/base/text.h"
#include "gate/launch/needs.h"
#include "gate/schema/pytest_file.h"

namespace gate::app {

namespace {

constexpr const char* checkpoint_folder = "checkpoints";

// Another case's folder may stand there.
void remove_leftover(const LaunchContext& context, const PlannedCase& planned, const fs::Path& kept) {
  if (!fs::is_taken(kept)) return;
  const std::string name = planned.spec->name + "/" + kept.filename().string();
  const bool is_taken = std::ranges::any_of(context.suite.cases, [&](const config::Case& other) {
    return other.name == name || other.name.starts_with(name + "/");
  });
  std::error_code ignored;
  if (!is_taken) std::filesystem::remove_all(kept, ignored);
}

// What an earlier launch left in the folder, if a run is taken up.
void remove_leftovers(const LaunchContext& context, const PlannedCase& planned, const fs::Path& folder) {
  if (planned.phase == 0) remove_leftover(context, planned, folder / checkpoint_folder);
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().filename().string().starts_with("job-")) remove_leftover(context, planned, entry.path());
  for (int node = 0; node < planned.placement.shape.nodes; ++node)
    for (const char* kept : {"logs", "artifacts", "outputs"})
      remove_leftover(context, planned, of_node(folder / kept, static_cast<std::size_t>(node)));
}

// Of the case's run of that number: the first one has the case's own.
fs::Path run_of_case(const fs::Path& of_case, int number) {
  const fs::Path folder = number == 1 ? of_case : of_case / ("try-" + std::to_string(number));
  return std::filesystem::absolute(folder).lexically_normal();
}

Result<LaunchFolders> make_folders(const LaunchContext& context, const PlannedCase& planned,
                                   const LaunchAttempt& attempt, const TransferLimit& limit) {
  GATE_TRY(const fs::Path of_case, context.folder.case_folder(planned.spec->name));
  const config::Settings& settings = planned.spec->settings;
  fs::Path folder = run_of_case(of_case, attempt.number);
  if (planned.phase > 0) folder /= "phase-" + config::phase_name(settings, planned.phase);
  LaunchFolders folders{std::move(folder), planned.spec->cwd, fs::FileTime::clock::now()};
  remove_leftovers(context, planned, folders.folder);
  GATE_TRY_STATUS(fetch_golden(context, *planned.spec, limit));
  context.golden.keep(settings, stages_folder(context, *planned.spec));
  if (config::has_checkpoints(settings)) {
    folders.checkpoints = checkpoints_of(context, planned, attempt.number);
    GATE_TRY_STATUS(fs::make_folder(folders.checkpoints));
  }
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

std::string name_of_node(const LaunchContext& context, const std::vector<int>& hosts, std::size_t node) {
  return hosts.size() == 1 ? ""
                           : "node " + std::to_string(node) + " on " + hosts_in(context).name(hosts[node]);
}

// Of the case's devices there; "" where it uses none.
std::string vendor_on(const LaunchAttempt& attempt, int host) {
  for (const Device& device : attempt.reservation.devices)
    if (device.host == host) return device.vendor;
  return "";
}

// Data that container.mounts puts where it belongs is not mounted once more.
std::vector<std::string> folders_in_container(const LaunchContext& context, const PlannedCase& planned,
                                              const NodeFiles& files) {
  std::vector<std::string> folders{files.there().cwd.string(), files.there().run.string(),
                                   files.host().path_there(context.suite.root).string()};
  const std::string data = data_dir(planned, files.host());
  if (!data.empty() && !is_mounted(planned.spec->settings.container, data)) folders.push_back(data);
  return folders;
}

std::string new_cookie(const LaunchContext& context, const PlannedCase& planned,
                       const LaunchAttempt& attempt) {
  return context.folder.id() + "." + planned.spec->name + "." + std::to_string(attempt.number) + "." +
         std::to_string(context.environment.now().time_since_epoch().count()) +
         (attempt.start == 1 ? "" : ".start" + std::to_string(attempt.start));
}

// What an engine is to run.
Result<std::unique_ptr<hosts::EngineJob>> job_of(const LaunchContext& context, const PlannedCase& planned,
                                                 const LaunchAttempt& attempt, const LaunchFolders& folders,
                                                 const Asides& asides, hosts::JobEngine& engine) {
  JobPlace place{context.folder.id(),
                 std::filesystem::absolute(context.folder.path()).lexically_normal(),
                 folders.folder,
                 new_cookie(context, planned, attempt),
                 {},
                 {},
                 folders.checkpoints.string(),
                 has_stages(*planned.spec) ? stages_folder(context, *planned.spec).string() : ""};
  for (const auto& [variable, before] : attempt.before) place.before[variable] = before.string();
  if (!engine.row().has_pods()) {
    GATE_TRY(place.agents, put_agents(context.suite.root));
  }
  GATE_TRY(hosts::JobRequest request, job_request(context.suite, planned, context.options, place));
  for (launch::Command& command : request.nodes) command.asides = asides;
  return std::make_unique<hosts::EngineJob>(engine, std::move(request));
}

std::vector<NodeLaunch> nodes_of(hosts::EngineJob& job, Host& host) {
  std::vector<NodeLaunch> nodes;
  const std::vector<launch::Command>& commands = job.request().nodes;
  for (std::size_t node = 0; node < commands.size(); ++node)
    nodes.push_back(
        {&host, commands.size() == 1 ? "" : "node " + std::to_string(node), commands[node], &job});
  return nodes;
}

// What is started on each host.
Result<std::vector<NodeLaunch>> nodes_of(const LaunchContext& context, const PlannedCase& planned,
                                         const LaunchAttempt& attempt, const std::vector<NodeFiles>& files) {
  const std::vector<int>& hosts = attempt.reservation.hosts;
  const std::string cookie = new_cookie(context, planned, attempt);
  std::vector<NodeLaunch> nodes;
  for (std::size_t node = 0; node < hosts.size(); ++node) {
    Host& host = files[node].host();
    launch::Command command;
    command.cwd = files[node].there().cwd.string();
    command.setup = setup_of(planned);
    command.script = host.path_there(context.suite.root / planned.spec->script);
    command.script_sha256 = planned.script_sha256;
    command.asides = files[node].outputs.of_agent();
    if (planned.spec->settings.judge == config::JudgeMode::pytest && node == 0)
      command.watched = files[node].there().scratch / pytest_files(cookie);
    command.cookie = cookie + (node == 0 ? "" : "." + std::to_string(node));
    GATE_TRY(command.env,
             environment_of(context, planned, attempt, files[node].there(), command.cookie, node));
    GATE_TRY(command.argv,
             command_line(planned, context.options,
                          host.path_there(context.suite.root / planned.spec->script), node, command.env));
    const std::string name = name_of_node(context, hosts, node);
    auto started = in_container(host, planned.spec->settings.container, vendor_on(attempt, hosts[node]),
                                folders_in_container(context, planned, files[node]), std::move(command));
    if (!started) return fail((name.empty() ? "" : name + ": ") + started.error().message);
    nodes.push_back({&host, name, std::move(*started)});
  }
  return nodes;
}

Result<std::vector<NodeFiles>> files_of_nodes(const LaunchContext& context, const PlannedCase& planned,
                                              const LaunchAttempt& attempt, const LaunchFolders& folders) {
  std::vector<NodeFiles> all;
  for (const int number : attempt.reservation.hosts) {
    GATE_TRY(NodeFiles files, NodeFiles::make(hosts_in(context).at(number), context, folders, all.size()));
    files.outputs = OutputPlaces::of(context, planned, folders, files);
    all.push_back(std::move(files));
  }
  return all;
}

Result<std::vector<LogPlace>> note_logs(std::vector<NodeFiles>& nodes,
                                        const std::vector<std::string>& globs) {
  std::vector<LogPlace> places;
  if (globs.empty()) return places;
  for (NodeFiles* node : distinct(nodes)) {
    GATE_TRY(LogPlace place, node->note_logs(globs));
    places.push_back(std::move(place));
  }
  return places;
}

// Says what a job waits for, and that it begins then.
std::function<void(const std::string&)> waiting_told(const LaunchContext& context, const std::string& name,
                                                     int number, OutputMonitor& monitor) {
  return [&sink = context.sink, &monitor, name, number, has_waited = false](const std::string& why) mutable {
    if (why.empty()) monitor.begin();
    if (!why.empty())
      sink(Message{name, why, true});
    else if (has_waited)
      sink(LaunchBegun{name, number});
    has_waited = !why.empty();
  };
}

launch::Listener listener_of(const LaunchContext& context, const PlannedCase& planned, OutputMonitor& monitor,
                             std::size_t node, int number) {
  StopRequests& stops = context.stops;
  const config::Settings& settings = planned.spec->settings;
  const std::string& name = planned.spec->name;
  launch::Listener listener{
      .on_output = [&monitor, node](std::string_view bytes) { return monitor.on_output(node, bytes); },
      .on_poll = nullptr,
      .interrupted = [&] { return stops.of_case(name); },
      .second_signal = [&] { return stops.must_hurry(name); }};
  if (!settings.log.empty() || planned.placement.shape.nodes > 1)
    listener.on_poll = [&monitor, node] { return monitor.poll(node); };
  listener.on_fingerprint = [&monitor](const Fingerprint& seen) { return monitor.on_fingerprint(seen); };
  if (node == 0) listener.on_waiting = waiting_told(context, name, number, monitor);
  return listener;
}

std::optional<Duration> script_time(const launch::Ending& ending) {
  const bool by_itself =
      std::holds_alternative<Exited>(ending.outcome) || std::holds_alternative<Killed>(ending.outcome);
  return by_itself ? std::optional(ending.script_time) : std::nullopt;
}

void add_artifacts(const LaunchFolders& folders, std::size_t nodes, const OutputMonitor& monitor,
                   LaunchResult& launched) {
  launched.artifacts["log"] = folders.log().string();
  for (std::size_t node = 1; node < nodes; ++node)
    launched.artifacts["log_node" + std::to_string(node)] = of_node(folders.log(), node).string();
  for (std::size_t node = 0; monitor.has_kept_logs() && node < nodes; ++node)
    if (const fs::Path logs = of_node(folders.folder / "logs", node); fs::is_folder(logs))
      launched.artifacts[artifact_key(logs.filename().string())] = logs.string();
}

// What could not be taken of a node's logs cuts what is known of it.
void add_rest_of_logs(const LaunchContext& context, const PlannedCase& planned, NodeFiles& node,
                      std::vector<Problem>& cuts) {
  const auto must_stop = [&] { return context.stops.must_hurry(planned.spec->name); };
  for (const std::string& problem : node.finish_logs(must_stop))
    cuts.push_back({ProblemKind::torn, node.host().facts().name, 0, context.masker.mask(problem)});
}

std::vector<std::string> notes_on_nodes(const LaunchContext& context, const PlannedCase& planned,
                                        const std::vector<NodeLaunch>& nodes, const LaunchFolders& folders) {
  if (nodes.size() == 1) return {};
  std::vector<NodeLogFile> logs;
  for (std::size_t node = 0; node < nodes.size(); ++node)
    logs.push_back({nodes[node].name, of_node(folders.log(), node).string()});
  return stragglers(logs, masked_options(context, planned));
}

// That no series are in the log is nothing to say of a case that pytest judges.
void add_tests(const LaunchContext& context, const PlannedCase& planned, const NodeFiles& node,
               const launch::Command& command, const fs::Path& log, Extraction& extraction) {
  const std::string begin = pytest_files(command.cookie);
  std::vector<std::string> notes;
  constexpr auto scratch = &NodeFiles::Folders::scratch;
  const auto text_of = [&](const std::string& name) {
    return node.file_in(scratch, name, schema::most_pytest_bytes);
  };
  const std::vector<std::string> names = node.names_in(scratch, begin + "-*.xml");
  const std::string first = names.empty() ? begin + "-.xml" : names.front();
  std::map<std::string, std::string> further;
  for (std::size_t i = 1; i < names.size(); ++i)
    if (const auto text = text_of(names[i]); text && *text) further[names[i]] = **text;
  const auto twice = text_of(begin + ".twice");
  extraction.tests = tests_of_launch(
      {text_of(first), first, log,
       options_of_shell(command.env, config::variables_on(*planned.spec, planned.placement.platform)),
       std::move(further), twice && *twice},
      *planned.spec, context.masker, notes);
  if (extraction.series.empty()) {
    extraction.notes.clear();
    std::erase_if(extraction.problems,
                  [](const Problem& problem) { return problem.kind == ProblemKind::unreadable; });
  }
  std::ranges::move(notes, std::back_inserter(extraction.notes));
}

void add_tracker(const NodeFiles& node, LaunchResult& launched) {
  const CheckpointTracker tracker = read_tracker(node);
  launched.checkpoint = tracker.step;
  launched.torn_checkpoint = tracker.problem;
}

void remove_containers(const PlannedCase& planned, const std::vector<NodeLaunch>& nodes,
                       std::vector<std::string>& problems) {
  if (nodes.front().job != nullptr) return;
  for (const NodeLaunch& node : nodes)
    remove_container(*node.host, planned.spec->settings.container, node.command.cookie, problems);
}

// The starts of the script in one launch: one, and a second one where a fault ended the first.
class ScriptStarts {
 public:
  ScriptStarts(const LaunchContext& context, const PlannedCase& planned, const LaunchAttempt& attempt,
               std::vector<NodeLaunch>& nodes, const std::vector<NodeFiles>& files,
               const launch::Limits& limits, OutputMonitor& monitor)
      : context_(context),
        planned_(planned),
        attempt_(attempt),
        nodes_(nodes),
        files_(files),
        limits_(limits),
        monitor_(monitor) {}

  // See all starts to their end. The outcome is that of the last one; times are those of all.
  NodesEnding run() {
    NodesEnding first = launch();
    if (story_ = monitor_.fault_story(); !story_) return first;
    story_->inflicted = first.ending.inflicted;
    if (!wants_second_start(*story_, first.ending.outcome)) return first;
    return started_again(std::move(first));
  }

  // Put what became of the fault into the extraction.
  void tell(Extraction& extraction) {
    if (!story_) return;
    FaultStory story = *monitor_.fault_story();
    story.inflicted = story_->inflicted;
    story.checkpoint = story_->checkpoint;
    story.torn_checkpoint = story_->torn_checkpoint;
    extraction.not_shown = why_not_shown(story);
    extraction.unsteady = unsteady_steps(story);
    extraction.further_starts = story.starts.size() - 1;
    std::ranges::move(notes_on(story), std::back_inserter(extraction.notes));
  }

  // Return what went wrong between the starts.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  NodesEnding launch() {
    return launch_nodes(nodes_, limits_, [this](std::size_t node) {
      return listener_of(context_, planned_, monitor_, node, attempt_.number);
    });
  }

  Duration passed() const {
    return std::chrono::duration_cast<Duration>(context_.environment.time.now() - began_);
  }

  // Processes that the fault made orphans are no leftovers of the script's own.
  NodesEnding started_again(NodesEnding first) {
    remove_containers(planned_, nodes_, problems_);
    const CheckpointTracker tracker = read_tracker(files_.front());
    story_->checkpoint = tracker.step;
    story_->torn_checkpoint = tracker.problem;
    if (!tracker.problem.empty()) problems_.push_back(tracker.problem);
    context_.sink(Message{planned_.spec->name, "ended by fault = " + to_string(story_->fault) +
                                                   " behind step " + std::to_string(*story_->asked_at) +
                                                   "; starting it again"});
    const Status ready = prepare();
    limits_.spent = passed();
    if (std::optional<Outcome> outcome = why_not_again(ready)) {
      first.ending.outcome = std::move(*outcome);
      return first;
    }
    monitor_.begin_start(limits_.spent - story_->inflicted->at);
    NodesEnding second = launch();
    second.ending.duration += limits_.spent;
    second.ending.script_time += limits_.spent;
    std::ranges::copy(first.ending.survivors, std::back_inserter(second.ending.survivors));
    if (knowledge_of(second.ending.fingerprint) < knowledge_of(first.ending.fingerprint))
      second.ending.fingerprint = first.ending.fingerprint;
    return second;
  }

  Status prepare() {
    GATE_TRY_STATUS(attempt_.make_ready());
    ++attempt_.start;
    GATE_TRY(const std::vector<NodeLaunch> again, nodes_of(context_, planned_, attempt_, files_));
    std::ranges::copy(again, nodes_.begin());  // the logs of the first node are followed by its place
    return {};
  }

  std::optional<Outcome> why_not_again(const Status& ready) const {
    if (const auto interrupted = context_.stops.of_case(planned_.spec->name)) return *interrupted;
    if (limits_.rest && limits_.spent >= *limits_.rest) return PastDeadline{limits_.deadline};
    if (limits_.spent >= limits_.timeout) return TimedOut{limits_.timeout};
    return ready ? std::nullopt : std::optional<Outcome>(NotStarted{ready.error().message});
  }

  const LaunchContext& context_;
  const PlannedCase& planned_;
  LaunchAttempt attempt_;
  std::vector<NodeLaunch>& nodes_;
  const std::vector<NodeFiles>& files_;
  launch::Limits limits_;
  OutputMonitor& monitor_;
  const SteadyTime::Point began_ = context_.environment.time.now();
  std::optional<FaultStory> story_;  // of the first start
  std::vector<std::string> problems_;
};

LaunchResult launch_and_follow(const LaunchContext& context, const PlannedCase& planned,
                               const LaunchAttempt& attempt, std::vector<NodeLaunch>& nodes,
                               std::vector<NodeFiles>& files, const launch::Limits& limits,
                               OutputMonitor& monitor, const LaunchFolders& folders) {
  for (NodeFiles& node : files) node.follow_logs();
  ScriptStarts starts(context, planned, attempt, nodes, files, limits, monitor);
  const NodesEnding all = starts.run();
  const launch::Ending& ending = all.ending;
  std::vector<Problem> cuts;
  for (NodeFiles& node : files) add_rest_of_logs(context, planned, node, cuts);
  LaunchResult launched;
  launched.extraction = monitor.finish();
  starts.tell(launched.extraction);
  add_cuts(launched.extraction, std::move(cuts));
  std::ranges::move(notes_on_nodes(context, planned, nodes, folders),
                    std::back_inserter(launched.extraction.notes));
  if (planned.spec->settings.judge == config::JudgeMode::pytest)
    add_tests(context, planned, files.front(), nodes.front().command, folders.log(), launched.extraction);
  launched.measures.arrivals = monitor.arrivals();
  launched.measures.script_time = script_time(ending);
  add_artifacts(folders, nodes.size(), monitor, launched);
  launched.outcome = ending.outcome;
  launched.duration = ending.duration;
  launched.leftovers = ending.leftovers;
  launched.survivors = ending.survivors;
  launched.problems = starts.problems();
  std::ranges::copy(ending.remarks, std::back_inserter(launched.problems));
  launched.fingerprint = ending.fingerprint;
  if (!folders.checkpoints.empty()) add_tracker(files.front(), launched);
  if (const Status log = monitor.log_status(); !log) launched.outcome = GateFailed{log.error().message};
  launched.hosts = all.hosts;
  launched.places = all.places;
  const Container container = nodes.front().job == nullptr ? planned.spec->settings.container : Container{};
  remove_containers(planned, nodes, launched.problems);
  clear_up(context, planned, folders, files, ending, of_node(folders.log(), all.node.value_or(0)), launched);
  launched.outcome = outcome_in(container, std::move(launched.outcome), launched.last_words);
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

// What the case needs must be there on each of its hosts. Of an engine nobody here knows which they will be.
Status check_needs(const LaunchContext& context, const PlannedCase& planned, const LaunchAttempt& attempt) {
  const bool is_here = hosts_in(context).at(attempt.reservation.hosts.front()).far_files() == nullptr;
  if (is_here && planned.spec->settings.backend != Backend::slurm)
    GATE_TRY_STATUS(launch::check_script(context.suite.root / planned.spec->script, planned.script_sha256));
  std::vector<std::string> complaints;
  for (const int number : attempt.reservation.hosts) {
    Host& host = hosts_in(context).at(number);
    std::vector<std::string> lacking;
    if (host.engine() != nullptr) continue;
    for (std::string& need : config::needs_on(planned.spec->settings, planned.placement.platform)) {
      GATE_TRY(const bool there, host.exists(host.path_there(fs::Path(planned.spec->cwd) / need)));
      if (!there) lacking.push_back(std::move(need));
    }
    if (lacking.empty()) continue;
    const std::string where = number == 0 ? "" : " on " + hosts_in(context).name(number);
    complaints.push_back(launch::lacking_words(lacking) + where);
  }
  return complaints.empty() ? Status() : fail(join(complaints, "; "));
}

// A pod has no agent that could look.
void note_unchecked(const PlannedCase& planned, LaunchResult& launched) {
  const config::Settings& settings = planned.spec->settings;
  const std::vector<std::string> needs = config::needs_on(settings, planned.placement.platform);
  if (settings.backend == Backend::kubernetes && !needs.empty())
    launched.extraction.notes.push_back("not looked up in the pod: " + some_of(needs, 5));
}

// Fails if the script could not be started.
Result<LaunchResult> launch_prepared(const LaunchContext& context, const PlannedCase& planned,
                                     LaunchAttempt attempt, const TransferLimit& limit) {
  GATE_TRY_STATUS(check_needs(context, planned, attempt));
  GATE_TRY(const LaunchFolders folders, make_folders(context, planned, attempt, limit));
  if (attempt.rest) attempt.rest = limit.rest();
  extract::Options options = masked_options(context, planned);
  if (const std::vector<int>& hosts = attempt.reservation.hosts; hosts.size() == 1)
    options.is_foreign = hosts_in(context).at(hosts.front()).is_foreign();
  GATE_TRY(extract::Extractor extractor, extract::Extractor::make(std::move(options)));
  GATE_TRY(std::vector<NodeFiles> files, files_of_nodes(context, planned, attempt, folders));
  std::unique_ptr<hosts::EngineJob> job;  // its last act comes behind all that uses it
  std::vector<NodeLaunch> nodes;
  if (hosts::JobEngine* const engine = files.front().host().engine()) {
    GATE_TRY(job, job_of(context, planned, attempt, folders, files.front().outputs.of_agent(), *engine));
    nodes = nodes_of(*job, files.front().host());
  } else {
    GATE_TRY(nodes, nodes_of(context, planned, attempt, files));
  }
  std::vector<store::LogFile> logs;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const fs::Path file = of_node(folders.log(), node);
    GATE_TRY(store::LogFile log, store::LogFile::create(file));
    logs.push_back(std::move(log));
    extractor.begin_file(file.string());
  }
  const launch::Limits limits = limits_of(context, planned, attempt);
  GATE_TRY(std::vector<LogPlace> places, note_logs(files, planned.spec->settings.log));
  ExtraLogs extra(
      planned.spec->settings.log, std::move(places), folders.log(), context.masker,
      [&first = nodes.front()] { return first.host->written_elsewhere(first.command.cookie); }, nodes.size());
  LaunchBound bound{limits.timeout, "timeout " + to_string(limits.timeout)};
  if (limits.rest && *limits.rest < limits.timeout)
    bound = {*limits.rest, "--deadline " + to_string(limits.deadline)};
  OutputMonitor monitor(planned, attempt.purpose, std::move(bound), std::move(extractor), std::move(logs),
                        std::move(extra), context.masker, context.sink, context.environment.time);
  for (const NodeFiles* node : distinct(files)) GATE_TRY_STATUS(node->outputs.set_aside());
  return launch_and_follow(context, planned, attempt, nodes, files, limits, monitor, folders);
}

}  // namespace

LaunchResult launch_case(const LaunchContext& context, const PlannedCase& planned,
                         const LaunchAttempt& attempt) {
  const TransferLimit limit =
      TransferLimit::fetching(context, planned.spec->name, planned.spec->settings.timeout, attempt.rest);
  Result<LaunchResult> prepared = launch_prepared(context, planned, attempt, limit);
  LaunchResult launched;
  if (prepared) {
    launched = std::move(*prepared);
    note_unchecked(planned, launched);
  } else {
    launched.outcome = limit.outcome().value_or(NotStarted{prepared.error().message});
  }
  if (!attempt.leaves_checkpoints) remove_checkpoints(context, planned, attempt, launched.problems);
  return launched;
}

fs::Path checkpoints_of(const LaunchContext& context, const PlannedCase& planned, int number) {
  return run_of_case(context.folder.path() / planned.spec->name, number) / checkpoint_folder;
}

void add_other_launch(CaseReport& report, const PlannedCase& planned, const LaunchResult& launched,
                      const std::string& name) {
  add_time(report, planned, launched);
  for (const auto& [artifact, path] : launched.artifacts)
    report.artifacts.emplace(artifact + "-" + name, path);
  add_processes(report, launched);
  add_problems(report, ProblemKind::other, "", launched.problems);
}

void add_launch(CaseReport& report, const PlannedCase& planned, const LaunchResult& launched) {
  report.devices = planned.placement.devices;
  const std::vector<std::string>& places = launched.places.empty() ? launched.hosts : launched.places;
  if (!places.empty()) report.devices += " on " + join(places, ", ");
  report.hosts = launched.hosts;
  add_time(report, planned, launched);
  report.last_words = launched.last_words;
  report.device_time_saved = device_time_saved(launched.outcome, planned.placement.shape.all_devices());
  report.artifacts.insert(launched.artifacts.begin(), launched.artifacts.end());
  add_processes(report, launched);
  add_problems(report, ProblemKind::other, "", launched.problems);
}

}  // namespace gate::app
