// A host that is made up: a runner that plays logs, devices that do what a test says, and a clock that goes
// where it is told. Nothing is started, nobody sleeps.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../temporary.h"
#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/devices/ports.h"
#include "gate/places/devices.h"
#include "gate/places/environment.h"
#include "gate/runner/run.h"
#include "gate/stored/baseline.h"

namespace gate::app {

// Steps of Megatron: `lm loss` and the time of each, in ms; the announced total is their number, or `total`.
struct TrainingLog {
  std::vector<std::string> losses = {"2.500000E+00", "2.400000E+00", "2.300000E+00"};
  std::string time = "100.0";
  int total = 0;
  int first = 1;

  std::string text() const {
    std::string log;
    const int last = total > 0 ? total : first - 1 + static_cast<int>(losses.size());
    for (std::size_t i = 0; i < losses.size(); ++i)
      log += " iteration " + std::to_string(first + static_cast<int>(i)) + "/ " + std::to_string(last) +
             " | elapsed time per iteration (ms): " + time + " | lm loss: " + losses[i] + " |\n";
    return log;
  }
};

// A clock that only sleeping, and scripts that are played, move on.
class MadeUpTime {
 public:
  void pass(Duration duration) {
    const std::lock_guard lock(mutex_);
    passed_ += duration;
  }
  Duration passed() const {
    const std::lock_guard lock(mutex_);
    return passed_;
  }
  SteadyTime steady() {
    return {[this] { return SteadyTime::Point{} + std::chrono::hours(1) + passed(); },
            [this](Duration duration) { pass(duration); }};
  }
  Moment moment() const { return *parse_iso("2026-03-01T10:00:00Z") + passed(); }

 private:
  mutable std::mutex mutex_;
  Duration passed_{};
};

// What a script does when it is launched.
struct Play {
  std::string log = TrainingLog().text();
  Outcome outcome = Exited{0};
  Duration lasts{3000};  // its lines are spread over it
  std::vector<std::string> leftovers = {};
  std::function<void()> meanwhile = [] {};  // behind its last line
  Fingerprint fingerprint = {};             // seen before its first line, unless it has no packages
  std::size_t hit = 1;                      // processes that a fault hits
  bool survives = false;                    // it, and plays on
};

// A command that nobody starts: the runner plays it.
struct PlayedProcess : launch::Process {
  explicit PlayedProcess(launch::Command played) : command(std::move(played)) {}
  Status start() override { return {}; }
  launch::Woken wait(Duration) override { return launch::Woken::otherwise; }
  void read(const std::function<launch::More(std::string_view)>&) override {}
  bool has_started() override { return true; }
  std::optional<Outcome> ended() override { return std::nullopt; }
  bool is_empty() override { return true; }
  void stop(launch::Force) override {}
  std::vector<std::string> left() override { return {}; }
  std::vector<std::string> evidence() override { return {}; }
  Duration look_interval() const override { return Duration{1}; }
  Duration elapsed() override { return {}; }

  launch::Command command;
};

// Plays a log in place of a script. A launch is known by the script's name, without its folder and `.sh`.
class PlayingRunner {
 public:
  explicit PlayingRunner(MadeUpTime& time) : time_(time) {}

  // The k-th launch of the script is the k-th of these, and every further one the last.
  void plays(const std::string& script, std::vector<Play> plays) {
    plays_[script] = {plays.begin(), plays.end()};
  }

  Result<launch::Ending> run(const launch::Command& command, const launch::Limits& limits,
                             const launch::Listener& listener) {
    const auto [script, play] = next(command);
    if (!was_launched(play.outcome)) return launch::Ending{play.outcome, {}, {}, {}, {}, {}, {}};
    const Duration began = time_.passed();
    const std::vector<std::string_view> lines = split(play.log, '\n');
    std::optional<Outcome> stopped;
    std::optional<launch::Inflicted> inflicted;
    if (!play.fingerprint.packages.empty()) listener.on_fingerprint(play.fingerprint);
    for (const std::string_view line : lines) {
      if (line.empty() || stopped) continue;
      time_.pass(play.lasts / static_cast<int>(lines.size()));
      const launch::Pulse pulse = listener.on_output(std::string(line) + "\n");
      note(pulse);
      stopped = pulse.stop;
      if (pulse.fault) inflicted = launch::Inflicted{time_.passed() - began, play.hit};
      if (pulse.fault && play.hit > 0 && !play.survives) stopped = Killed{9};
      if (limits.rest && time_.passed() - began >= *limits.rest) stopped = PastDeadline{limits.deadline};
    }
    play.meanwhile();
    if (!stopped && listener.interrupted)
      if (const auto interrupted = listener.interrupted()) stopped = *interrupted;
    const Duration took = time_.passed() - began;
    launch::Ending ending{
        stopped.value_or(play.outcome), took, took, sentences_of(play.leftovers), {}, {}, {}};
    ending.fingerprint = play.fingerprint;
    ending.inflicted = inflicted;
    return ending;
  }

  // Forget what is to be played, and what was.
  void forget() {
    const std::lock_guard lock(mutex_);
    plays_.clear();
    launched_.clear();
    pulses_.clear();
    environments_.clear();
  }

  // Return the scripts in the order of their launches.
  std::vector<std::string> launched() const {
    const std::lock_guard lock(mutex_);
    return launched_;
  }

  // Return what each line of all launches meant.
  std::vector<launch::Pulse> pulses() const {
    const std::lock_guard lock(mutex_);
    return pulses_;
  }

  // Return the environment of the script's k-th launch, from 1.
  std::map<std::string, std::string> environment(const std::string& script, std::size_t k = 1) const {
    const std::lock_guard lock(mutex_);
    return environments_.at(script).at(k - 1);
  }

 private:
  void note(const launch::Pulse& pulse) {
    const std::lock_guard lock(mutex_);
    pulses_.push_back(pulse);
  }

  std::pair<std::string, Play> next(const launch::Command& command) {
    const std::lock_guard lock(mutex_);
    std::string script;
    for (const std::string& word : command.argv)
      if (word.ends_with(".sh")) script = fs::Path(word).stem().string();
    launched_.push_back(script);
    environments_[script].push_back(command.env);
    std::deque<Play>& rest = plays_[script];
    if (rest.empty()) rest.emplace_back();
    const Play play = rest.front();
    if (rest.size() > 1) rest.pop_front();
    return {script, play};
  }

  MadeUpTime& time_;
  mutable std::mutex mutex_;
  std::map<std::string, std::deque<Play>> plays_;
  std::vector<std::string> launched_;
  std::vector<launch::Pulse> pulses_;
  std::map<std::string, std::vector<std::map<std::string, std::string>>> environments_;
};

// GPUs of 80 GB as nvidia-smi tells of them.
class MadeUpDevices {
 public:
  explicit MadeUpDevices(int count) : used_(static_cast<std::size_t>(count), 0) {}

  // The device holds so many MiB, which is more than an idle one does from 1,639 on. It is asked `looks`
  // times before that is over; 0: it stays.
  void hold(int device, int mib, int looks = 0) {
    const std::lock_guard lock(mutex_);
    used_[static_cast<std::size_t>(device)] = mib;
    looks_ = looks;
  }

  // The device is not well any more.
  void sicken(int device) {
    const std::lock_guard lock(mutex_);
    sick_.insert(device);
  }

  ToolAnswer answer(const std::vector<std::string>& words) {
    if (words.empty() || words[0] != "nvidia-smi") return missing();
    if (words.size() > 1 && words[1].starts_with("--query-compute-apps"))
      return printed("gpu_uuid, pid, used_gpu_memory [MiB], process_name\n");
    const std::lock_guard lock(mutex_);
    std::string csv =
        "index, name, uuid, pci.bus_id, memory.used [MiB], memory.total [MiB], temperature.gpu\n";
    for (std::size_t i = 0; i < used_.size(); ++i) {
      const std::string n = std::to_string(i);
      csv += n + ", NVIDIA H100, GPU-" + n + ", 0000:0" + n + ":00.0, " + std::to_string(used_[i]) +
             ", 81920, " + (sick_.contains(static_cast<int>(i)) ? "[GPU requires reset]" : "40") + "\n";
    }
    if (looks_ > 0 && --looks_ == 0) std::ranges::fill(used_, 0);
    return printed(csv);
  }

 private:
  static ToolAnswer printed(std::string text) { return {std::move(text), "", 0, "", false}; }
  static ToolAnswer missing() { return {"", "", std::nullopt, "no such program", true}; }

  std::mutex mutex_;
  std::vector<int> used_;  // MiB
  std::set<int> sick_;
  int looks_ = 0;
};

// The host as app sees it.
class PlayedHost : public Host {
 public:
  PlayedHost(PlayingRunner& runner, std::optional<MadeUpDevices>& devices, std::string leases)
      : runner_(runner), devices_(devices), leases_(std::move(leases)) {}

  launch::HostFacts told{"made-up", {}};

  const launch::HostFacts& facts() const override { return told; }
  ToolAnswer run_tool(const std::vector<std::string>& words, const Cut&) override {
    return devices_ ? devices_->answer(words) : ToolAnswer{"", "", std::nullopt, "", true};
  }
  Result<std::unique_ptr<launch::Process>> process(launch::Command command, const Cut&) override {
    return std::make_unique<PlayedProcess>(std::move(command));
  }
  Result<std::unique_ptr<devices::Leases>> leases(const Cut&) override {
    GATE_TRY(auto leases, devices::FolderLeases::open(leases_));
    return std::make_unique<devices::FolderLeases>(std::move(leases));
  }
  std::optional<std::string> variable(const std::string& name) const override {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  }
  bool is_port_free(int port, const Cut&) override { return devices::is_free(port); }
  Result<bool> exists(const fs::Path& path, const Cut&) override { return fs::exists(path); }
  std::vector<launch::OpenFile> written_elsewhere(const std::string&, const Cut&) override { return {}; }

 private:
  PlayingRunner& runner_;
  std::optional<MadeUpDevices>& devices_;
  std::string leases_;  // their folder
};

// A suite in a folder of its own on a host without devices; `with_devices` attaches some.
class MadeUpHost : public Temporary {
 protected:
  MadeUpHost() {
    put("gate.toml", "");
    put("leases/.keep", "");
    std::filesystem::permissions(root / "leases", std::filesystem::perms::all);
  }
  void with_devices(int count) {
    devices_.emplace(count);
    host.told.device_nodes = {{"nvidia", count}};
  }

  // A script that is never started.
  void script(const std::string& name, const std::string& settings = "") const {
    put("scripts/" + name + ".sh", settings.empty() ? "exit 1\n" : "#GATE " + settings + "\nexit 1\n");
  }

  void policy(const std::string& toml) const { put("gate.toml", toml); }

  // A case that has a baseline: what it plays now, recorded.
  void recorded(const std::string& name, const std::string& log = TrainingLog().text(),
                const Fingerprint& fingerprint = {}) {
    if (!std::filesystem::exists(root / "scripts" / (name + ".sh"))) script(name);
    Play play{log};
    play.fingerprint = fingerprint;
    runner.plays(name, {play});
    RunOptions options;
    options.words = {name};
    const Answer<Report> report = record_cases(options);
    ASSERT_TRUE(report) << report.error().message;
    const std::string platform = devices_ ? "nvidia-h100" : "cpu";
    put("baselines/" + platform + "/" + name + ".json",
        get(".gate/candidates/" + platform + "/" + name + ".json"));
    runner.forget();
    events.clear();
  }

  Answer<Report> run_cases(const RunOptions& options = {}, const Telling& tell = nullptr) {
    return with_suite(options, [&](const Suite& suite, const RunOptions& run, Environment& environment) {
      return app::run(suite, run, environment, tell);
    });
  }
  Answer<Report> record_cases(const RunOptions& options = {}) { return with_suite(options, app::record); }

  // Return the run's report, which must be one.
  Report ran(const RunOptions& options = {}) {
    Answer<Report> report = run_cases(options);
    EXPECT_TRUE(report) << (report ? "" : report.error().message);
    return report ? std::move(*report) : Report{};
  }

  Environment environment() {
    Environment environment{host,
                            "somebody",
                            [this] { return signal; },
                            [] { return false; },
                            [this] { return time.moment(); },
                            [this](const Event& event) { see(event); },
                            time.steady()};
    environment.supervise = [this](launch::Process& process, const launch::Limits& limits,
                                   const launch::Listener& listener) {
      return runner.run(static_cast<PlayedProcess&>(process).command, limits, listener);
    };
    return environment;
  }

  std::optional<MadeUpDevices> devices_;
  MadeUpTime time;
  PlayingRunner runner{time};
  PlayedHost host{runner, devices_, (root / "leases").string()};
  std::optional<int> signal;  // that somebody sent
  std::vector<config::Override> overrides;
  std::shared_ptr<ObjectPlaces> objects;
  std::vector<std::string> events;
  std::function<void(const std::string&)> on_message;

  MadeUpDevices& devices() { return *devices_; }

 private:
  template <class UseCase>
  Answer<Report> with_suite(const RunOptions& options, UseCase use) {
    SuiteOptions opened{root, {}, overrides};
    opened.words = options.words;
    opened.earlier = options.again ? options.again : options.resume;
    opened.args = options.args;
    const Answer<Suite> suite = open_suite(opened);
    if (!suite) return tl::unexpected(suite.error());
    Environment environment = this->environment();
    environment.objects = objects;
    return use(*suite, options, environment);
  }

  void see(const Event& event) {
    std::visit([this](const auto& one) { note(one); }, event);
  }
  void note(const Message& event) {
    events.push_back(event.case_name + ": " + event.text.english());
    if (on_message) on_message(event.text.english());
  }
  void note(const CaseStarted& event) { events.push_back(event.name + " begins"); }
  void note(const CaseFinished& event) {
    events.push_back(event.report.name + " ends: " + std::string(to_string(event.report.verdict)));
  }
  template <class Other>
  void note(const Other&) {}
};

// Return the verdicts of the report's cases: `a passed, b regressed`.
inline std::string verdicts(const Report& report) {
  std::vector<std::string> words;
  for (const CaseReport& c : report.cases) words.push_back(c.name + " " + std::string(to_string(c.verdict)));
  return join(words, ", ");
}

inline const CaseReport& case_of(const Report& report, const std::string& name) {
  return *std::ranges::find(report.cases, name, &CaseReport::name);
}

}  // namespace gate::app
