// Pieces with what they hold.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/attempts/assign.h"
#include "extract/attempts/step_tape.h"

namespace gate::extract {

// The values of one metric and rank in a piece.
struct PieceColumn {
  std::string_view metric;
  std::optional<int> rank;
  const SampleTape* samples = nullptr;
};

// A piece, and what of a tape or segment is of it. The tapes outlive it.
struct HeldPiece {
  Piece piece;
  std::string source;
  std::size_t reader = 0;
  const SampleTape* steps = nullptr;
  std::vector<PieceColumn> values;
  std::optional<std::pair<Place, Place>> two_writers;
  std::optional<std::size_t> number;  // of its attempt, from 1, where others were forgotten
  bool is_noted = false;

  Place first() const { return place_of(*steps->begin()); }
  Place last() const { return place_of(steps->back()); }

 private:
  static Place place_of(const Sample& sample) { return {sample.file, sample.line}; }
};

// Return the piece that the tape is.
HeldPiece held_piece(const StepTape& tape);

// Return what the pieces have in common. Of readers that read the same metric the first one counts: what two
// of them read need not agree.
Likeness likeness_of(const HeldPiece& a, const HeldPiece& b);

// Why nobody can tell what is to be judged, where one of these attempts is.
struct Obstacle {
  std::vector<std::size_t> attempts;
  Place place;
  std::string text;
};

// Return what is in doubt of the assignment, and where two runs write into one piece. `files` are the names
// of the files.
std::vector<Obstacle> obstacles(std::span<const HeldPiece> all, const Assignment& assignment,
                                std::span<const std::string> files);

}  // namespace gate::extract
