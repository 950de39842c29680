// What is known of a script while it runs: its bytes into the raw log and the extractor, its samples past the
// watch, and what all of it means for the runner.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/run/early_stop.h"
#include "app/run/further_logs.h"
#include "app/run/launch_case.h"
#include "app/series/run_clocks.h"
#include "gate/base/secrets.h"
#include "gate/extract/extractor.h"
#include "gate/judge/watch.h"
#include "gate/store/log_file.h"

namespace gate::app {

class OutputMonitor {
 public:
  // What ends the launch if nothing else does.
  struct Bound {
    Duration limit{};
    std::string name;  // `timeout 2h`
  };

  OutputMonitor(const PlannedCase& planned, Purpose purpose, Bound bound, extract::Extractor extractor,
                store::LogFile log, FurtherLogs further, const Masker& masker, const Sink& sink,
                SteadyTime time);

  // Take what the script printed. The bytes go on masked; the extractor reads them as they are.
  launch::Pulse see(std::string_view bytes);

  // Look at what the script writes into further logs: as if it had printed it.
  launch::Pulse look();

  // Return what was read, the further logs too, after the script's end.
  Extraction finish();

  // Return when step lines came, since the launch.
  const std::vector<Arrival>& arrivals() const { return arrivals_; }

  bool has_kept_logs() const { return further_.has_kept(); }

  // Return how the raw log was written; complete after finish().
  Status log_status() const { return log_.status(); }

 private:
  void take(const LiveSample& live);
  std::optional<Sample> baseline_of(const LiveSample& live) const;
  void tell_steps(std::int64_t before);
  void see_step(std::int64_t before, std::int64_t step);
  void warn_of_the_end();
  std::optional<Outcome> wants_to_stop() const;
  bool watching(std::string_view metric) const;
  std::optional<std::int64_t> demanded() const;

  const PlannedCase& planned_;
  Purpose purpose_;
  Bound bound_;
  extract::Extractor extractor_;
  store::LogFile log_;
  FurtherLogs further_;
  StreamMasker masker_;
  const Sink& sink_;
  std::vector<const Series*> shown_;  // of the reference
  judge::Watch watch_;
  launch::Pulse pulse_;
  StepClock clock_;
  SteadyTime time_;
  SteadyTime::Point began_ = time_.now();
  SteadyTime::Point now_ = began_;  // when the newest bytes came
  SteadyTime::Point first_at_{};
  std::vector<Arrival> arrivals_;
  std::optional<judge::Certain> certain_;
  bool warned_ = false;
};

}  // namespace gate::app
