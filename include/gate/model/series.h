// The measured values of one metric.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/model/decimal.h"
#include "gate/model/metric.h"

namespace gate {

// `left_out`: the log printed the step, and left this value out of it.
enum class ValueKind : std::uint8_t { finite, nan, positive_infinity, negative_infinity, left_out };

struct Value {
  ValueKind kind = ValueKind::left_out;
  Decimal number;  // in the metric's unit; meaningful only where finite

  bool is_finite() const { return kind == ValueKind::finite; }
  bool operator==(const Value& other) const;  // NaN equals NaN here: "printed alike"
};

// Return the value of a whole word: a Decimal, or nan, inf, infinity with any case and sign. Nothing if it is
// no number.
std::optional<Value> parse_value(std::string_view word);

// One value of a metric.
struct Sample {
  std::int64_t number = 0;  // step, report or time, as the metric is numbered
  Value value;
  std::string text;        // the word as printed; "" where it was left out
  std::uint32_t file = 0;  // index into Extraction::files
  std::uint32_t line = 0;  // from 1; 0 where the sample does not come from a log
};

// The samples of one metric for one rank, in rising order of their numbers.
class Series {
 public:
  Series() = default;
  Series(std::string metric, std::optional<int> rank, std::string unit, Numbering numbered);

  // Append a sample. Returns false, and changes nothing, unless its number is above the last one.
  bool append(Sample sample);

  // Replace the value of the last sample (a duplicate step whose metric says which value is meant).
  void replace_last(Sample sample);

  // Mark a number as printed several times with different values.
  void mark_conflict(std::int64_t number);

  // Mark a number that a golden file names without a value ("nan", null): it is no sample. Numbers rise.
  void mark_unrecorded(std::int64_t number) { unrecorded_.push_back(number); }

  // Return the sample with that number, or nullptr. O(log n).
  const Sample* find(std::int64_t number) const;

  const std::string& metric() const { return metric_; }
  const std::optional<int>& rank() const { return rank_; }
  const std::string& unit() const { return unit_; }
  Numbering numbered() const { return numbered_; }
  std::span<const Sample> samples() const { return samples_; }
  std::span<const std::int64_t> conflicts() const { return conflicts_; }
  std::span<const std::int64_t> unrecorded() const { return unrecorded_; }
  bool empty() const { return samples_.empty(); }
  std::size_t size() const { return samples_.size(); }

  // True where the numbers are positions in a list that carried no step numbers (1..N).
  bool assumed() const { return assumed_; }
  void set_assumed(bool assumed) { assumed_ = assumed; }

 private:
  std::string metric_;
  std::optional<int> rank_;
  std::string unit_;
  Numbering numbered_ = Numbering::step;
  bool assumed_ = false;
  std::vector<Sample> samples_;
  std::vector<std::int64_t> conflicts_;
  std::vector<std::int64_t> unrecorded_;
};

// Return `lm_loss`, or `memory_allocated rank 3`.
std::string label(const Series& series);

// Return the series of that metric and rank, or nullptr.
const Series* find_series(std::span<const Series> all, std::string_view metric, std::optional<int> rank);

}  // namespace gate
