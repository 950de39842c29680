// What the metrics of a case do while it runs, for people to look at: nothing is judged by it, and nothing
// ends by it.
//
// A curve keeps 128 values at most: when it is full every second one is dropped, and from then on every
// second sample is taken, then every fourth. So it shows the whole run, whatever its length.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "gate/model/reports/event.h"
#include "gate/model/reports/run_status.h"

namespace gate::app {

class CaseCurves {
 public:
  explicit CaseCurves(std::vector<WatchedMetric> watched) : watched_(std::move(watched)) {}
  CaseCurves(CaseCurves&&) = default;  // what is drawn points into what is watched
  CaseCurves& operator=(CaseCurves&&) = default;

  // Forget what an earlier launch did.
  void restart() { drawn_.clear(); }

  // Take the sample of a watched metric, of the first rank; a step that comes again begins its curve anew.
  // Returns whether it is shown.
  bool take(const SampleSeen& event);

  // Return the first curve of accuracy, and the first two of speed.
  std::vector<LiveCurve> shown() const;

 private:
  struct Drawn {
    const WatchedMetric* watched;
    LiveCurve curve;
    std::deque<std::pair<double, double>> newest = {};  // values of the run and the baseline
    std::int64_t last_step = 0, seen = 0, stride = 1;
  };

  Drawn* drawn_of(const std::string& metric);
  static void append(Drawn& drawn, double value, double baseline);
  static void compare(Drawn& drawn, std::int64_t step);

  std::vector<WatchedMetric> watched_;
  std::vector<Drawn> drawn_;  // in the order in which they came
};

}  // namespace gate::app
