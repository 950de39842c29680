// Certain failure before the end: sample in, certainty out. What the watch calls certain, judge() confirms.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gate/model/rules/rule.h"
#include "gate/model/runs/baseline.h"

namespace gate::judge {

struct Certain {
  std::string rule;
  std::string reason;  // `lm_loss step 3, |d| = 0.47 > 0.01`
};

class Watch {
 public:
  Watch(std::span<const Rule> rules, const MetricTable& metrics, const Reference& reference,
        const std::string& platform);
  Watch(Watch&&) noexcept;
  Watch& operator=(Watch&&) noexcept;
  ~Watch();

  // Take the next sample. Returns the first failure that no later sample can undo, once: per-step rules out
  // of bounds beyond max_misses, NaN/infinite/left-out values in any series that has a rule, a step of the
  // baseline passed over, a memory report above its limit; a mean of a non-negative metric whose upper limit
  // is already exceeded, or whose lower limit cannot be reached any more under its declared cap.
  // A rule with a waiver is not watched: its failure may be accepted.
  std::optional<Certain> on_sample(std::string_view metric, std::optional<int> rank, const Sample& sample);

  // Forget the attempt so far: a new one has begun. Steps before its first sample may come from an earlier
  // one and are not called passed over.
  void restart();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gate::judge
