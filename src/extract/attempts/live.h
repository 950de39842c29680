// Samples as they come, of the newest attempt only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <tuple>

#include "extract/attempts/record_store.h"
#include "extract/records/turn_table.h"
#include "gate/extract/extractor.h"

namespace gate::extract {

// Hands on each sample once: what a lagging source prints of an earlier attempt, and what is printed again,
// is not told a second time.
class Live {
 public:
  void on_sample(std::function<void(const LiveSample&)> take) { take_ = std::move(take); }

  // Where nobody takes samples, only the step and the total are kept up.
  void see(const StoredRecord& posted);

  std::int64_t last_step() const { return last_step_; }
  std::optional<std::int64_t> total() const { return total_; }

 private:
  void begin(std::size_t attempt);
  void tell(std::string_view metric, std::optional<int> rank, const SampleView& sample,
            std::optional<std::int64_t> step);

  std::function<void(const LiveSample&)> take_;
  // The highest number that was told of each metric and rank.
  TurnTable<std::tuple<std::string, std::optional<int>>, std::optional<std::int64_t>> told_;
  std::size_t attempt_ = 0;
  bool fresh_ = false;
  std::int64_t last_step_ = 0;
  std::optional<std::int64_t> total_;
};

}  // namespace gate::extract
