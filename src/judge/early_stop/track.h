// One series of a run while it grows, held against one rule.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gate/model/series.h"
#include "judge/rules/plan.h"
#include "judge/rules/reference_window.h"
#include "judge/series/partial_reduction.h"

namespace gate::judge {

// What does not change with the attempts of a run: a target and its yardstick.
struct Watched {
  Target target;
  ReferenceWindow yardstick;  // empty for constants without a baseline
  bool decidable = true;      // false: what is out of bounds could still turn out to be incomparable
};

Watched watched(const Target& target);

class Track {
 public:
  enum class Begin { first_attempt, later_attempt };

  // `required`: the numbers that the baseline has for this rank, rising. In a later attempt those before its
  // first sample may come from an earlier one.
  Track(std::shared_ptr<const Watched> watched, std::optional<int> rank, Begin begin);

  // Take the next sample; a number that is not above the last one is none. Returns why the rule can no longer
  // hold.
  std::optional<std::string> see(const Sample& sample);

 private:
  std::optional<std::string> take(const Sample& sample);
  std::optional<std::string> passed_over(std::int64_t number) const;
  std::optional<std::string> value_out_of_bounds(const Sample& sample);
  std::optional<std::string> reduced_out_of_reach(const Sample& sample);
  bool in_window(const Sample& sample) const;

  std::shared_ptr<const Watched> watched_;
  std::string label_;
  std::vector<std::int64_t> required_;
  Begin begin_;
  std::optional<std::int64_t> last_;
  std::optional<Sample> pending_;  // of a metric with `pick`: more values may come for its number
  std::int64_t count_ = 0;
  std::vector<std::int64_t> misses_;  // per variant
  PartialReduction progress_;
};

}  // namespace gate::judge
