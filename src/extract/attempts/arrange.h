// Books to attempts: which piece, which segment and which value is of which.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "extract/attempts/assign.h"
#include "extract/attempts/ledger.h"
#include "extract/attempts/report_tape.h"

namespace gate::extract {

// Why nobody can tell what is to be judged, where one of these attempts is.
struct Obstacle {
  std::vector<std::size_t> attempts;
  Place place;
  std::string text;
};

// The lines that print steps, by which values beside them find their attempt where no training steps lead
// them.
class StepLines {
 public:
  // Say that the attempt prints these steps. They outlive the object.
  void add(const SampleTape& steps, std::size_t attempt);

  // No more are added.
  void sort();

  // Return the attempt whose line of that step is nearest in the file, before or behind, else that of the
  // nearest line; nothing where the file has none.
  std::optional<std::size_t> near(Place place, std::optional<std::int64_t> step) const;

 private:
  struct Run {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    const SampleTape* steps = nullptr;
    std::size_t attempt = 0;

    std::uint32_t distance(std::uint32_t line) const;
    std::optional<std::uint32_t> distance(std::uint32_t line, std::int64_t step) const;
  };
  std::map<std::uint32_t, std::vector<Run>> files_;
};

// What an attempt's pieces span.
struct AttemptSpan {
  Place first;              // the line on which it begins
  Place last;               // its last line in that file
  std::int64_t begins = 0;  // the step there
  Extent steps = {};
  std::size_t number = 0;  // of the attempt, from 1
  bool is_noted = false;   // its restart is
};

struct Arrangement {
  std::size_t count = 0;           // of attempts
  std::vector<AttemptSpan> spans;  // of each
  // The attempt of each segment; nothing: its values are each of the attempt of the nearest step line.
  std::vector<std::optional<std::size_t>> segments;
  StepLines lines;
  std::vector<Obstacle> obstacles;
};

// Return what tells the attempt of a report: that of its step among the lines of the source that printed a
// step last before it. The nearest one counts, before or behind, in steps, and then in lines; where the
// report's own source prints steps, one before. The tapes outlive it.
NearestAttempt nearest_attempt(const StepTapes& steps);

// Assign the attempts of the step tapes, or, where no training steps are printed, of the segments of the
// reader that found most values. `files` are the names of the files.
Arrangement arrange(Books& books, InDoubt in_doubt, std::span<const std::string> files);

}  // namespace gate::extract
