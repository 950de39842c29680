// Where steps are printed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/records/record.h"
#include "gate/model/sample_tape.h"

namespace gate::extract {

// The lines that print steps, by which values beside them find their attempt where no training steps lead
// them.
class StepLines {
 public:
  // Say that the attempt, which is the number-th of the log, prints these steps under the prefix. They
  // outlive the object.
  void add(const SampleTape& steps, std::string_view prefix, std::size_t attempt, std::size_t number);

  // No more are added.
  void sort();

  // Return the attempt whose line of that step is nearest in the file: that of the nearest line, or the one
  // before or behind it, for values are printed early and late. Where none of these has the step it is that
  // of the nearest line; nothing where the file has none. Where steps are printed under the prefix these
  // count alone.
  std::optional<std::size_t> near(Place place, std::string_view prefix,
                                  std::optional<std::int64_t> step) const;

 private:
  struct Run {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    const SampleTape* steps = nullptr;
    std::size_t attempt = 0;
    std::size_t number = 0;

    bool is_beside(const Run& other) const;
    std::uint32_t distance(std::uint32_t line) const;
    std::optional<std::uint32_t> distance(std::uint32_t line, std::int64_t step) const;
  };
  using Runs = std::vector<Run>;

  const Runs* runs_of(std::uint32_t file, std::string_view prefix) const;

  std::map<std::uint32_t, Runs> files_;
  std::map<std::pair<std::uint32_t, std::string>, Runs> prefixes_;
};

}  // namespace gate::extract
