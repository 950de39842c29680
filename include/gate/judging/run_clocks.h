// Gate's own clocks of a launch: when its step lines came, and the metrics that this makes. No log holds
// them.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/base/time.h"
#include "gate/config/policy.h"
#include "gate/model/runs/baseline.h"
#include "gate/model/runs/extraction.h"

namespace gate::app {

using Elapsed = std::chrono::microseconds;  // since the launch

// A step line that came.
struct Arrival {
  std::size_t attempt = 0;  // as it was known then
  std::int64_t step = 0;
  Elapsed at{};
  std::uint32_t file = 0;  // index into Extraction::files
  std::uint32_t line = 0;
  Elapsed start{};  // when the start of the script that printed it began
};

// Append the arrival of the sample's line if it is a step line; of several lines of one step, as ranks
// print them, the first one counts.
void note_arrival(const LiveSample& live, Elapsed at, std::vector<Arrival>& arrivals, Elapsed start = {});

// Put a series of gate's own into what the log of a launch holds, at its metric's place; not if it is
// empty, or there is one of that metric and rank.
void add_clock(Extraction& run, const Series& clock, const MetricTable& metrics);

// Put the clocks into what the log of a launch holds, of the steps that are judged:
//
//   step_wall_time of step k   (arrival of k - arrival of j) / (k - j), in ms to the microsecond, where j is
//                              the step line before in the same attempt; an attempt's first line has none
//                              nor has that of a further start of the script
//   startup_time 1             the arrival of the first step line since its start of the script, in whole ms
//   wall_time 1                `script_time`; none if the script did not end by itself
//
// A log that holds no series gets none: a clock is no sign that anything was trained. Nor does a metric that
// the suite reads or derives itself.
void add_clocks(Extraction& run, const std::vector<Arrival>& arrivals, std::optional<Duration> script_time,
                const MetricTable& metrics);

// Put recomputed_steps into what the log of a launch holds: how many steps came again in their file, the loss
// of a training that goes on from a checkpoint; 0 where none did, no value of a log without steps.
void add_recomputed_steps(Extraction& run, const std::vector<Arrival>& arrivals, const MetricTable& metrics);

// Put the clocks that a launch recorded into what its log, read again, holds.
void add_recorded_clocks(Extraction& run, const Baseline& recorded, const MetricTable& metrics);

// Return the baseline without them: what is imported from a log has none, and lacks nothing.
Baseline without_clocks(Baseline baseline, const MetricTable& metrics);

// Return the clocks that a saved log lacks, and what is derived from them, each with the reason.
std::map<std::string, Sentence> unclocked(const config::Case& spec, const Extraction& run);

}  // namespace gate::app
