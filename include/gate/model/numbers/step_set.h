// Printed numbers - steps, reports, times - as the ranges that they make.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gate {

class StepSet {
 public:
  // Numbers that follow one another, both ends included.
  struct Range {
    std::int64_t first = 0;
    std::int64_t last = 0;
    bool operator==(const Range&) const = default;
  };

  StepSet() = default;
  explicit StepSet(std::span<const std::int64_t> rising);  // each number once
  explicit StepSet(Range range) : ranges_{range} {}

  // Return the set that to_string() wrote; nothing for any other text, or for more than ten million numbers.
  static std::optional<StepSet> parse(std::string_view text);

  bool empty() const { return ranges_.empty(); }
  std::int64_t size() const;
  bool contains(std::int64_t number) const;
  std::int64_t front() const { return ranges_.front().first; }  // not of no numbers
  std::int64_t back() const { return ranges_.back().last; }     // not of no numbers
  std::vector<std::int64_t> numbers() const;
  std::span<const Range> ranges() const { return ranges_; }
  bool operator==(const StepSet&) const = default;

 private:
  std::vector<Range> ranges_;  // rising, none touches the next
};

// Return `1-3, 7, 9-15`; of two numbers side by side `1, 2`; "" of none.
std::string to_string(const StepSet& steps);

}  // namespace gate
