// A pattern that is tried on lines as a log would be read with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "extract/patterns/user_pattern.h"

namespace gate::extract {

class TriedPattern {
 public:
  struct Found {
    std::string_view word;             // a view of the line
    std::optional<std::int64_t> step;  // numbered through, where the pattern reads an epoch
    std::optional<int> rank;
    std::optional<Value> value;  // nothing where the word is no number
  };

  // A pattern that RE2 refuses finds nothing.
  explicit TriedPattern(const std::string& pattern);

  // Return what the first match in the line holds, if it is a number with a whole step.
  std::optional<Found> find(std::string_view line);

 private:
  std::optional<PatternReader> reader_;
  bool is_thousands_;
};

}  // namespace gate::extract
