// What is known of a script while it runs: its bytes into the raw log and the extractor, its samples past the
// watch, and what all of it means for the runner.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/case_run.h"
#include "app/early_stop.h"
#include "app/further_logs.h"
#include "gate/base/secrets.h"
#include "gate/extract/extractor.h"
#include "gate/judge/watch.h"
#include "gate/store/log_file.h"

namespace gate::app {

class Follower {
 public:
  // What ends the launch if nothing else does.
  struct Bound {
    Duration limit{};
    std::string name;  // `timeout 2h`
  };

  Follower(const PlannedCase& planned, Purpose purpose, Bound bound, extract::Extractor extractor,
           store::LogFile log, FurtherLogs further, const Masker& masker, const Sink& sink);

  // Take what the script printed. The bytes go on masked; the extractor reads them as they are.
  launch::Pulse see(std::string_view bytes);

  // Look at what the script writes into further logs. Their samples count for the clocks of the runner; they
  // are read for good when the script has ended.
  launch::Pulse look(const extract::Options& options);

  // Return what was read, the further logs too, after the script's end.
  Extraction finish();

  bool has_kept_logs() const { return further_.has_kept(); }

  // Return how the raw log was written; complete after finish().
  Status log_status() const { return log_.status(); }

 private:
  using Clock = std::chrono::steady_clock;

  void take(const extract::LiveSample& live);
  void see_step(std::int64_t before, std::int64_t step);
  void warn_of_the_end(Clock::time_point now);
  std::optional<Outcome> wants_to_stop() const;
  bool watching(std::string_view metric) const;
  std::optional<std::int64_t> demanded() const;

  const PlannedCase& planned_;
  Purpose purpose_;
  Bound bound_;
  extract::Extractor extractor_;
  store::LogFile log_;
  FurtherLogs further_;
  Masker whole_masker_;
  StreamMasker masker_;
  const Sink& sink_;
  judge::Watch watch_;
  launch::Pulse pulse_;
  StepClock clock_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point first_at_{};
  std::optional<judge::Certain> certain_;
  bool warned_ = false;
};

}  // namespace gate::app
