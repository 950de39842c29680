#include "gate/places/launch_case.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>

#include "gate/base/text.h"
#include "gate/judging/pytest_launch.h"
#include "gate/places/checkpoint_folder.h"
#include "gate/places/early_stop.h"
#include "gate/places/extra_logs.h"
#include "gate/places/objects.h"
#include "gate/places/place.h"
#include "gate/places/post_launch.h"
#include "gate/places/stage_commands.h"
#include "gate/schema/pytest_file.h"
#include "places/launch/cuts.h"
#include "places/launch/fault_watch.h"
#include "places/launch/output_monitor.h"
#include "places/launch/seats.h"

namespace gate::app {

namespace {

constexpr const char* checkpoint_folder = "checkpoints";

// Of the case's run of that number: the first one has the case's own.
fs::Path run_of_case(const fs::Path& of_case, int number) {
  const fs::Path folder = number == 1 ? of_case : of_case / ("try-" + std::to_string(number));
  return std::filesystem::absolute(folder).lexically_normal();
}

Result<LaunchFolders> make_folders(const LaunchContext& context, const PlannedCase& planned,
                                   const LaunchAttempt& attempt) {
  GATE_TRY(const fs::Path of_case, context.folder.case_folder(planned.spec->name));
  const config::Settings& settings = planned.spec->settings;
  fs::Path folder = run_of_case(of_case, attempt.number);
  if (planned.phase > 0) folder /= "phase-" + config::phase_name(settings, planned.phase);
  LaunchFolders folders{std::move(folder), planned.spec->cwd, fs::FileTime::clock::now()};
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

Result<std::vector<LogPlace>> note_logs(std::vector<Seat>& seats, const std::vector<std::string>& globs) {
  std::vector<LogPlace> places;
  if (globs.empty()) return places;
  for (NodeFiles* node : distinct(seats)) {
    GATE_TRY(LogPlace place, node->note_logs(globs));
    places.push_back(std::move(place));
  }
  return places;
}

// Says what a job waits for, and that it begins then.
std::function<void(const Sentence&)> waiting_told(const LaunchContext& context, const std::string& name,
                                                  int number, OutputMonitor& monitor) {
  return [&sink = context.sink, &monitor, name, number, has_waited = false](const Sentence& why) mutable {
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
void add_rest_of_logs(const LaunchContext& context, NodeFiles& node, std::vector<Problem>& cuts) {
  for (const std::string& problem : node.finish_logs())
    cuts.push_back({ProblemKind::torn, node.host().facts().name, 0, context.masker.mask(problem)});
}

std::vector<Sentence> notes_on_nodes(const LaunchContext& context, const PlannedCase& planned,
                                     const std::vector<Seat>& seats, const LaunchFolders& folders) {
  if (seats.size() == 1) return {};
  std::vector<NodeLogFile> logs;
  for (std::size_t node = 0; node < seats.size(); ++node)
    logs.push_back({seats[node].name, of_node(folders.log(), node).string()});
  return stragglers(logs, masked_options(context, planned));
}

// That no series are in the log is nothing to say of a case that pytest judges.
void add_tests(const LaunchContext& context, const PlannedCase& planned, const Seat& seat,
               const fs::Path& log, Extraction& extraction) {
  const NodeFiles& node = *seat.files;
  const std::string begin = pytest_files(seat.command.cookie);
  std::vector<Sentence> notes;
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
       options_of_shell(seat.command.env, config::variables_on(*planned.spec, planned.placement.platform)),
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

// A pod has no agent that could look.
void note_unchecked(const PlannedCase& planned, LaunchResult& launched) {
  const config::Settings& settings = planned.spec->settings;
  const std::vector<std::string> needs = config::needs_on(settings, planned.placement.platform);
  if (!traits_of(settings.backend).has_agent && !needs.empty())
    launched.extraction.notes.push_back(
        say({"not looked up in the pod: {}", "没有在 pod 里查看：{}"}, listed(needs, 5)));
}

// One launch of a case: its script from start to end, and once more from its start where a fault ended it.
class Launch {
 public:
  Launch(const LaunchContext& context, const PlannedCase& planned, const LaunchAttempt& attempt)
      : context_(context),
        planned_(planned),
        attempt_(attempt),
        place_(place_of(context, planned, attempt.reservation)),
        limit_(TransferLimit::fetching(context, planned.spec->name, planned.spec->settings.timeout,
                                       attempt.rest)),
        cut_(limit_.cut()) {}

  // Make all that the first start needs. Fails with what stands against it.
  Status prepare() {
    GATE_TRY(folders_, make_folders(context_, planned_, attempt_));
    GATE_TRY_STATUS(place_->open(order(), seats_, cut_));
    GATE_TRY_STATUS(fetch_golden(context_, *planned_.spec, limit_));
    context_.golden.keep(planned_.spec->settings, stages_folder(context_, *planned_.spec));
    if (attempt_.rest) attempt_.rest = limit_.rest();
    limits_ = limits_of(context_, planned_, attempt_);
    GATE_TRY_STATUS(make_monitor());
    for (const NodeFiles* node : distinct(seats_)) GATE_TRY_STATUS(node->outputs.set_aside());
    return {};
  }

  // See all starts to their end. The outcome is that of the last one; times are those of all.
  NodesEnding run() {
    for (Seat& seat : seats_) seat.files->follow_logs();
    NodesEnding first = start();
    if (story_ = monitor_->fault_story(); !story_) return first;
    story_->inflicted = first.ending.inflicted;
    if (!wants_second_start(*story_, first.ending.outcome)) return first;
    return started_again(std::move(first));
  }

  // Take what the script left, and clear the rest away.
  LaunchResult finish(NodesEnding all) {
    launch::Ending& ending = all.ending;
    const Cut behind = cut_behind(context_, planned_, limits_, ending.duration);
    for (Seat& seat : seats_) seat.files->take_cut(behind);
    std::vector<Problem> cuts;
    for (Seat& seat : seats_) add_rest_of_logs(context_, *seat.files, cuts);
    if (!cuts.empty() && ended_well(ending.outcome))  // before all was taken
      if (const auto interrupted = context_.stops.of_case(planned_.spec->name)) ending.outcome = *interrupted;
    LaunchResult launched;
    launched.extraction = read(std::move(cuts), ending);
    launched.measures.arrivals = monitor_->arrivals();
    launched.measures.script_time = script_time(ending);
    add_artifacts(folders_, seats_.size(), *monitor_, launched);
    if (!folders_.checkpoints.empty()) add_tracker(*seats_.front().files, launched);
    place_->close(seats_, ending, behind);
    launched.outcome = ending.outcome;
    launched.duration = ending.duration;
    launched.add_problems(ending.leftovers,
                          {"outlived the script and was stopped: ", "脚本结束后仍在运行，已停止："},
                          ProblemKind::leftover);
    launched.add_problems(ending.survivors,
                          {"could not be stopped, stop it by hand: ", "无法停止，请手动停止："},
                          ProblemKind::leftover);
    launched.add_problems(problems_);
    launched.fingerprint = ending.fingerprint;
    if (const Status log = monitor_->log_status(); !log) launched.outcome = GateFailed{log.error().message};
    launched.hosts = std::move(all.hosts);
    launched.places = std::move(all.places);
    const fs::Path log = of_node(folders_.log(), all.node.value_or(0));
    clear_up(context_, planned_, folders_, seats_, ending, log, launched);
    launched.add_problems(ending.remarks);
    launched.outcome = place_->outcome_of(*std::move(launched.outcome), launched.last_words);
    note_unchecked(planned_, launched);
    return launched;
  }

  // Return what is known of a launch that did not come to a start.
  LaunchResult not_started(const std::string& why) const {
    LaunchResult launched;
    launched.outcome = limit_.outcome().value_or(NotStarted{why});
    return launched;
  }

  const Place& place() const { return *place_; }

 private:
  LaunchOrder order() const { return {context_, planned_, attempt_, folders_}; }

  Status make_monitor() {
    extract::Options options = masked_options(context_, planned_);
    options.is_foreign = place_->is_foreign();
    GATE_TRY(extract::Extractor extractor, extract::Extractor::make(std::move(options)));
    std::vector<store::LogFile> logs;
    for (std::size_t node = 0; node < seats_.size(); ++node) {
      const fs::Path file = of_node(folders_.log(), node);
      GATE_TRY(store::LogFile log, store::LogFile::create(file));
      logs.push_back(std::move(log));
      extractor.begin_file(file.string());
    }
    const std::vector<std::string>& globs = planned_.spec->settings.log;
    GATE_TRY(std::vector<LogPlace> places, note_logs(seats_, globs));
    ExtraLogs extra(
        globs, std::move(places), folders_.log(), context_.masker,
        [this] { return place_->written_elsewhere(seats_.front().command.cookie, cut_); }, seats_.size());
    LaunchBound bound{limits_.timeout, "timeout " + to_string(limits_.timeout)};
    if (limits_.rest && *limits_.rest < limits_.timeout)
      bound = {*limits_.rest, "--deadline " + to_string(limits_.deadline)};
    monitor_.emplace(planned_, attempt_.purpose, std::move(bound), std::move(extractor), std::move(logs),
                     std::move(extra), context_.masker, context_.sink, context_.environment);
    return {};
  }

  NodesEnding start() {
    const auto listener = [this](std::size_t node) {
      return listener_of(context_, planned_, *monitor_, node, attempt_.number);
    };
    launch::Limits limits = limits_;
    if (auto ending = launch::wait_for_start([this] { return place_->wait(seats_); }, limits, listener(0)))
      return {std::move(*ending)};
    return RunningSeats(seats_, limits, listener, context_.environment).see_to_end();
  }

  Duration passed() const {
    return std::chrono::duration_cast<Duration>(context_.environment.time.now() - began_);
  }

  // Processes that the fault made orphans are no leftovers of the script's own.
  NodesEnding started_again(NodesEnding first) {
    launch::Ending closing;
    place_->close(seats_, closing, cut_);
    problems_ = std::move(closing.remarks);
    const CheckpointTracker tracker = read_tracker(*seats_.front().files);
    story_->checkpoint = tracker.step;
    story_->torn_checkpoint = tracker.problem;
    if (!tracker.problem.empty()) problems_.push_back(tracker.problem);
    context_.sink(Message{planned_.spec->name, say({"ended by fault = {} behind step {}; starting it again",
                                                    "被 fault = {} 在第 {} 步之后结束；正在再次启动"},
                                                   to_string(story_->fault), *story_->asked_at)});
    const Status ready = open_again();
    limits_.spent = passed();
    if (std::optional<Outcome> outcome = why_not_again(ready)) {
      first.ending.outcome = std::move(*outcome);
      return first;
    }
    monitor_->begin_start(limits_.spent - story_->inflicted->at);
    NodesEnding second = start();
    second.ending.duration += limits_.spent;
    second.ending.script_time += limits_.spent;
    std::ranges::copy(first.ending.survivors, std::back_inserter(second.ending.survivors));
    if (knowledge_of(second.ending.fingerprint) < knowledge_of(first.ending.fingerprint))
      second.ending.fingerprint = first.ending.fingerprint;
    return second;
  }

  Status open_again() {
    GATE_TRY_STATUS(attempt_.make_ready());
    ++attempt_.start;
    return place_->open(order(), seats_, cut_);
  }

  std::optional<Outcome> why_not_again(const Status& ready) const {
    if (const auto interrupted = context_.stops.of_case(planned_.spec->name)) return *interrupted;
    if (limits_.rest && limits_.spent >= *limits_.rest) return PastDeadline{limits_.deadline};
    if (limits_.spent >= limits_.timeout) return TimedOut{limits_.timeout};
    return ready ? std::nullopt : std::optional<Outcome>(NotStarted{ready.error().message});
  }

  Extraction read(std::vector<Problem> cuts, const launch::Ending& ending) {
    Extraction extraction = monitor_->finish();
    note_silent_nodes(folders_.log(), seats_.size(), extraction);
    extraction.not_shown = told_earlier(extraction.files, launched_at_, ending.duration);
    tell_of_fault(extraction);
    add_cuts(extraction, std::move(cuts));
    std::ranges::move(notes_on_nodes(context_, planned_, seats_, folders_),
                      std::back_inserter(extraction.notes));
    if (planned_.spec->settings.judge == config::JudgeMode::pytest)
      add_tests(context_, planned_, seats_.front(), folders_.log(), extraction);
    return extraction;
  }

  void tell_of_fault(Extraction& extraction) {
    if (!story_) return;
    FaultStory story = *monitor_->fault_story();
    story.inflicted = story_->inflicted;
    story.checkpoint = story_->checkpoint;
    story.torn_checkpoint = story_->torn_checkpoint;
    if (Sentence why = why_not_shown(story); !why.empty()) extraction.not_shown = std::move(why);
    extraction.resumed_at = resumed_at(story);
    extraction.unsteady = unsteady_steps(story);
    extraction.further_starts = story.starts.size() - 1;
    std::ranges::move(notes_on(story), std::back_inserter(extraction.notes));
  }

  const LaunchContext& context_;
  const PlannedCase& planned_;
  LaunchAttempt attempt_;
  const std::unique_ptr<Place> place_;
  const TransferLimit limit_;
  const Cut cut_;  // of what is asked before the end
  LaunchFolders folders_;
  std::vector<Seat> seats_;
  launch::Limits limits_;
  std::optional<OutputMonitor> monitor_;
  const Moment launched_at_ = now();
  const SteadyTime::Point began_ = context_.environment.time.now();
  std::optional<FaultStory> story_;  // of the first start
  std::vector<Sentence> problems_;   // between the starts
};

}  // namespace

LaunchResult launch_case(const LaunchContext& context, const PlannedCase& planned,
                         const LaunchAttempt& attempt) {
  Launch launch(context, planned, attempt);
  const Status ready = launch.prepare();
  LaunchResult launched = ready ? launch.finish(launch.run()) : launch.not_started(ready.error().message);
  if (launched.hosts.empty()) launched.hosts = launch.place().hosts();
  launched.facts = launch.place().facts();
  if (!attempt.leaves_checkpoints) remove_checkpoints(context, planned, attempt, launched);
  return launched;
}

fs::Path checkpoints_of(const LaunchContext& context, const PlannedCase& planned, int number) {
  return run_of_case(context.folder.path() / planned.spec->name, number) / checkpoint_folder;
}

void put_devices(LaunchResult& launched, const Placement& placement) {
  const int devices = placement.shape.all_devices();
  const std::vector<std::string>& places = launched.places.empty() ? launched.hosts : launched.places;
  launched.devices = placement.devices + (places.empty() ? "" : " on " + join(places, ", "));
  if (devices > 0) launched.device_time = launched.duration * devices;
  launched.device_time_saved = device_time_saved(*launched.outcome, devices);
}

}  // namespace gate::app
