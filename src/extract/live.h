// Samples as they come, of the newest attempt only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "extract/ledger.h"
#include "gate/extract/extractor.h"

namespace gate::extract {

// Hands on each sample once: what a lagging source prints of an earlier attempt, and what is printed again,
// is not told a second time.
class Live {
 public:
  void on_sample(std::function<void(const LiveSample&)> take) { take_ = std::move(take); }

  void see(const Posted& posted);

  std::int64_t last_step() const { return last_step_; }
  std::optional<std::int64_t> total() const { return total_; }

 private:
  void begin(std::size_t attempt);
  void tell(const Reading& reading, std::optional<std::int64_t> step);

  std::function<void(const LiveSample&)> take_;
  std::map<SeriesKey, std::int64_t> told_;  // the highest number that was told
  std::size_t attempt_ = 0;
  bool fresh_ = false;
  std::int64_t last_step_ = 0;
  std::optional<std::int64_t> total_;
};

}  // namespace gate::extract
