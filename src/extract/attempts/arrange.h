// Books to attempts: which piece, which segment and which value is of which.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "extract/attempts/held_piece.h"
#include "extract/attempts/step_lines.h"

namespace gate::extract {

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
Arrangement arrange(AttemptBuffers& books, InDoubt in_doubt, std::span<const std::string> files);

}  // namespace gate::extract
