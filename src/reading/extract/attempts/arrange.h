// Buffers to attempts: which piece, which segment and which value is of which.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/attempts/held_piece.h"

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
  // before or behind it, for values are printed early and late. It is that of the nearest line if none of
  // these has the step, and nothing if the file has none. Steps that are printed under the prefix count
  // alone, if there are any.
  std::optional<std::size_t> near(LinePlace place, std::string_view prefix,
                                  std::optional<std::int64_t> step) const;

 private:
  struct PrintedRun {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    const SampleTape* steps = nullptr;
    std::size_t attempt = 0;
    std::size_t number = 0;

    std::uint32_t distance(std::uint32_t line) const;
    std::optional<std::uint32_t> distance(std::uint32_t line, std::int64_t step) const;
  };
  using PrintedRuns = std::vector<PrintedRun>;

  const PrintedRuns* runs_of(std::uint32_t file, std::string_view prefix) const;

  std::map<std::uint32_t, PrintedRuns> files_;
  std::map<std::pair<std::uint32_t, std::string>, PrintedRuns> prefixes_;
};

struct Arrangement {
  std::size_t count = 0;           // of attempts
  std::size_t forgotten = 0;       // beside them
  std::vector<AttemptSpan> spans;  // of each
  // The attempt of each segment; nothing: its values are each of the attempt of the nearest step line.
  std::vector<std::optional<std::size_t>> segments;
  StepLines lines;
  std::vector<Obstacle> obstacles;
};

// Assign the attempts of the step tapes, or, where no training steps are printed, of the segments of the
// reader that found most values. `files` are the names of the files.
Arrangement arrange(AttemptBuffers& buffers, InDoubt in_doubt, std::span<const std::string> files);

}  // namespace gate::extract
