// Who wants a run, or a case of it, to end: by a signal to gate, or by `gate stop`, which writes into the
// run's folder. So a run is stopped from wherever its folder is seen, another container or host included.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gate/places/environment.h"
#include "gate/store/run_folder.h"

namespace gate::app {

// Used by several threads at once. The folder is looked at a few times a second at most, whoever asks.
class StopRequests {
 public:
  // The environment must outlive the object.
  StopRequests(store::RunFolder folder, const Environment& environment)
      : folder_(std::move(folder)), environment_(environment) {}

  // Return how the run is to end; nothing if nobody wants it to. A signal comes first.
  std::optional<Interrupted> of_run();

  // Return the same of the case: what ends the run ends it.
  std::optional<Interrupted> of_case(const std::string& name);

  // Tell whether the case is to end at once.
  bool must_hurry(const std::string& name);

 private:
  std::optional<StopRequest> find(const std::string& case_name);

  store::RunFolder folder_;
  const Environment& environment_;
  std::mutex mutex_;  // of what follows
  std::vector<StopRequest> requests_;
  std::uintmax_t size_ = 0;
  SteadyTime::Point next_look_{};
};

}  // namespace gate::app
