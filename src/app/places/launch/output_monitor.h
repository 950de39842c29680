// What is known of a script while it runs: its bytes into the raw log and the extractor, its samples past the
// watch, and what all of it means for the runner.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/secrets.h"
#include "gate/extract/extractor.h"
#include "gate/judge/watch.h"
#include "gate/judging/run_clocks.h"
#include "gate/places/early_stop.h"
#include "gate/places/extra_logs.h"
#include "gate/places/launch_case.h"
#include "gate/store/log_file.h"
#include "places/launch/fault_watch.h"

namespace gate::app {

// What ends a launch if nothing else does.
struct LaunchBound {
  Duration limit{};
  std::string name;  // `timeout 2h`
};

// Used by several threads at once, one for each node.
class OutputMonitor {
 public:
  // The extractor has begun a file for the log of each node, in their order.
  OutputMonitor(const PlannedCase& planned, Purpose purpose, LaunchBound bound, extract::Extractor extractor,
                std::vector<store::LogFile> logs, ExtraLogs extra, const Masker& masker, const Sink& sink,
                const Environment& environment);

  // The script begins now, and not when the launch did: it was waited for.
  void begin();

  // The script is started once more, so long after its fault: what comes now is of that start.
  void begin_start(Duration away);

  // Return what is known of the case's fault; nothing where the launch has none. Its launch adds the rest.
  std::optional<FaultStory> fault_story();

  // Take what the script printed on the node. The bytes go on masked; the extractor reads them as they are.
  launch::Pulse on_output(std::size_t node, std::string_view bytes);

  // Take what the script runs on, once that is known. If a determinism switch has another value than in the
  // baseline's run, no speed ends the script.
  launch::Pulse on_fingerprint(const Fingerprint& seen);

  // Return what came since of other nodes; the first node takes what the script has written into extra logs,
  // as if it had printed it.
  launch::Pulse poll(std::size_t node);

  // Return what was read, the extra logs too, after the script's end.
  Extraction finish();

  // Return when step lines came, since the launch.
  const std::vector<Arrival>& arrivals() const { return arrivals_; }

  bool has_kept_logs() const { return extra_.has_kept(); }

  // Return how the raw log was written; complete after finish().
  Status log_status() const;

 private:
  // The log of a node.
  struct NodeLog {
    store::LogFile file;
    StreamMasker masker;
    launch::Pulse of_others = {};  // since it was polled
    bool is_in_line = false;       // its last line has not ended
  };

  void keep(NodeLog& log, std::string_view masked);
  void tell_others(std::size_t node);
  void on_sample(const LiveSample& live);
  std::optional<Sample> baseline_of(const LiveSample& live) const;
  void update_pulse(std::int64_t before);
  void on_step(std::int64_t before, std::int64_t step);
  void warn_of_the_end();
  std::optional<Outcome> wants_to_stop() const;
  bool is_watched(std::string_view metric) const;
  void take_certain_speed();
  std::optional<std::int64_t> demanded() const;
  std::optional<std::int64_t> last_step_for_fault() const;
  Elapsed elapsed() const { return std::chrono::duration_cast<Elapsed>(now_ - began_); }

  const PlannedCase& planned_;
  Purpose purpose_;
  LaunchBound bound_;
  extract::Extractor extractor_;
  std::mutex mutex_;
  std::vector<NodeLog> logs_;
  const Masker& masker_;
  ExtraLogs extra_;
  const Sink& sink_;
  std::vector<const Series*> shown_;  // of the reference
  judge::Watch watch_, speed_watch_;
  bool speed_counts_;  // it is known that it can be compared
  launch::Pulse pulse_;
  StepClock clock_;
  SteadyTime time_;
  std::function<void(std::string_view)> show_;
  SteadyTime::Point began_ = time_.now();
  SteadyTime::Point now_ = began_;  // when the newest bytes came
  SteadyTime::Point first_at_{};
  std::vector<Arrival> arrivals_;
  std::optional<judge::Certain> certain_, certain_speed_;
  bool warned_ = false;
  FaultWatch fault_;
  Elapsed start_{};            // of the script, since the launch
  bool begins_start_ = false;  // no step line of it came yet
};

}  // namespace gate::app
