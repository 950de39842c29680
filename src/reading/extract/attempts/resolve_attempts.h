// Buffers to attempts, and what people are told of one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "extract/attempts/arrange.h"
#include "extract/attempts/record_store.h"
#include "gate/model/runs/extraction.h"

namespace gate::extract {

// Return the attempt with its sources and its first and last step, of its reports where it has no steps; no
// series.
Attempt describe_attempt(const StepTapes& steps, const SamplesByReader& by_reader, std::size_t index,
                         std::span<const std::string> files);

// Make a problem for each step that left values out: `step 3: no lm loss printed, grad norm nan`.
void tell_left_out(const StepTapes& steps, std::size_t attempt, std::span<const Series> series,
                   ProblemLog& problems);

// How many reports an attempt goes on from.
using ReportsBefore = std::map<SeriesKey, std::int64_t>;

// An attempt, and the last step that its log announces.
struct ResolvedAttempt {
  Attempt attempt;
  std::optional<std::int64_t> total = {};
  std::size_t number = 0;                      // from 1
  std::optional<std::int64_t> epoch_end = {};  // where the epoch ends that it was in
  ReportsBefore before = {};                   // of what is numbered by report
};

// Whether an attempt that is not the first is a problem, or the script's way.
enum class Restarts : std::uint8_t { problem, expected };

struct Resolution {
  std::vector<ResolvedAttempt> attempts;
  std::vector<Obstacle> obstacles;
  Restarts restarts = Restarts::problem;
  std::size_t forgotten = 0;  // attempts that failed early, of which only this count is left
};

// Return all attempts in their order, their series by metric in table order and then by rank. What was left
// out, printed twice or in conflict becomes a problem. The buffers are used up.
Resolution resolve_attempts(AttemptBuffers& buffers, InDoubt in_doubt, Restarts restarts,
                            const MetricTable& metrics, std::span<const std::string> files,
                            ProblemLog& problems);

// Put series in the order of the metric table, then of ranks; metrics that it lacks come last, by name.
void sort_series(std::vector<Series>& series, const MetricTable& metrics);

}  // namespace gate::extract
