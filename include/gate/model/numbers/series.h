// The measured values of one metric.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/model/numbers/metric.h"
#include "gate/model/numbers/sample_tape.h"

namespace gate {

// The samples of one metric for one rank, in rising order of their numbers.
class Series {
 public:
  Series() = default;
  Series(std::string metric, std::optional<int> rank, std::string unit, Numbering numbered);

  // Take over the samples of a tape that rises.
  Series(std::string metric, std::optional<int> rank, std::string unit, Numbering numbered,
         SampleTape samples);

  // Append a sample. Returns false, and changes nothing, unless its number is above the last one.
  bool append(const SampleView& sample);

  // Let it be of that metric; the samples stay as they are.
  void rename(std::string metric, std::string unit);

  // Mark a number as printed several times with different values.
  void mark_conflict(std::int64_t number);

  // Mark a number that a golden file names without a value ("nan", null): it is no sample. Numbers rise.
  void mark_unrecorded(std::int64_t number) { unrecorded_.push_back(number); }

  // Return the sample with that number, or nothing. O(log n).
  std::optional<Sample> find(std::int64_t number) const { return samples_.find(number); }

  const std::string& metric() const { return metric_; }
  const std::optional<int>& rank() const { return rank_; }
  const std::string& unit() const { return unit_; }
  Numbering numbered() const { return numbered_; }
  const SampleTape& samples() const { return samples_; }
  std::span<const std::int64_t> conflicts() const { return conflicts_; }
  std::span<const std::int64_t> unrecorded() const { return unrecorded_; }
  bool empty() const { return samples_.empty(); }
  std::size_t size() const { return samples_.size(); }

  // True where the numbers are positions in a list that carried no step numbers (1..N).
  bool assumed() const { return assumed_; }
  void set_assumed(bool assumed) { assumed_ = assumed; }

  // True where the values are of the last steps of their run, however many it had: a list of a golden file
  // that has longer ones. The numbers are assumed then.
  bool of_last_steps() const { return of_last_steps_; }
  void set_of_last_steps(bool of_last_steps) { of_last_steps_ = of_last_steps; }

  // True where the file says that its values are as they were computed, and not rounded.
  bool unrounded() const { return unrounded_; }
  void set_unrounded(bool unrounded) { unrounded_ = unrounded; }

 private:
  std::string metric_;
  std::optional<int> rank_;
  std::string unit_;
  Numbering numbered_ = Numbering::step;
  bool assumed_ = false;
  bool of_last_steps_ = false;
  bool unrounded_ = false;
  SampleTape samples_;
  std::vector<std::int64_t> conflicts_;
  std::vector<std::int64_t> unrecorded_;
};

// Return the series with those samples and marks alone whose numbers are kept.
Series series_at(const Series& series, const std::function<bool(std::int64_t number)>& keeps);

// Return `lm_loss`, or `memory_allocated rank 3`.
std::string label(const Series& series);

// Return the series of that metric and rank, or nullptr.
const Series* find_series(std::span<const Series> all, std::string_view metric, std::optional<int> rank);

// Return the same of another log. Where the metric has one series alone, a rank that is not known, its or the
// one asked for, is that of the other: a label that a launcher puts before each line looks like a rank.
const Series* find_counterpart(std::span<const Series> all, std::string_view metric, std::optional<int> rank);

// Return the ranks that printed each metric that is printed by rank.
std::map<std::string, std::set<int>> ranks_by_metric(std::span<const Series> all);

// Let the records be the longest series by step: a training record stands at each of its numbers.
void take_longer(const Series*& records, const Series& series);

}  // namespace gate
