// Pieces with what they hold.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/attempts/assign.h"
#include "extract/attempts/attempt_buffers.h"
#include "gate/base/sentence.h"

namespace gate::extract {

// The values of one metric and rank in a piece.
struct PieceColumn {
  std::string_view metric;
  std::optional<int> rank;
  const SampleTape* samples = nullptr;
};

// A piece, and what of a tape or segment is of it. The tapes outlive it.
struct HeldPiece {
  SourcePiece piece;
  std::string source;
  std::size_t reader = 0;
  const SampleTape* steps = nullptr;
  std::vector<PieceColumn> values;
  std::optional<std::pair<LinePlace, LinePlace>> two_writers;
  std::optional<std::pair<LinePlace, LinePlace>> late =
      {};                             // lines in the other order, or that may be where steps are printed
  bool counted = false;               // its numbers are the places of its records
  std::optional<std::int64_t> total;  // the last step that it announces
  std::size_t forgotten = 0;          // attempts before it of which only a count is left
  bool is_noted = false;              // the restart that it is
  bool is_recomputed = false;         // see StepTape

  LinePlace first() const { return place_of(*steps->begin()); }
  LinePlace last() const { return place_of(steps->back()); }

 private:
  static LinePlace place_of(const Sample& sample) { return {sample.file, sample.line}; }
};

// Pieces, and the place of each among the tapes, or the segments, that they are of.
struct HeldPieces {
  std::vector<HeldPiece> all;
  std::vector<std::size_t> places;
};

// Return the pieces of the tapes that hold values: those whose values another file prints with their steps
// are none.
HeldPieces held_pieces(const StepTapes& steps);

// Return the pieces of the segments which that numberer's values are in.
HeldPieces held_pieces(const AttemptBuffers& buffers, Numberer numberer);

// Return whose values with a step of their own are most, those that are forgotten among them.
std::optional<Numberer> most_values(const AttemptBuffers& buffers);

// Return what the pieces have in common. Of readers that read the same metric the first one counts: what two
// of them read need not agree.
Likeness likeness_of(const HeldPiece& a, const HeldPiece& b);

// Put the pieces together to attempts.
Assignment assign(std::span<const HeldPiece> all, InDoubt in_doubt);

// Tell whether all are of one file.
bool are_of_one_file(std::span<const HeldPiece> all);

// What an attempt's pieces span.
struct AttemptSpan {
  LinePlace first;          // the line on which it begins
  LinePlace last;           // its last line in that file
  std::int64_t begins = 0;  // the step there
  Extent steps = {};
  Extent order = {};           // of its records among all
  std::size_t number = 0;      // of the attempt, from 1
  bool is_noted = false;       // its restart is
  bool is_recomputed = false;  // see StepTape
};

// Return what each attempt spans. They are numbered without those that are forgotten if there are several
// files, of which only some have forgotten any.
std::vector<AttemptSpan> spans_of(std::span<const HeldPiece> all, const Assignment& assignment);

// What an obstacle stands before.
enum class Before : std::uint8_t {
  judging,   // nobody can tell what is to be judged
  baseline,  // it is told, but by values alone: no baseline is made of it while there are several attempts
};

// What is in the way where one of these attempts is judged.
struct Obstacle {
  std::vector<std::size_t> attempts;
  LinePlace place;
  Sentence text;
  Before before = Before::judging;
};

// Return what is in doubt of the assignment, or told by equal values alone, and where two runs write into one
// piece. `files` are the names of the files.
std::vector<Obstacle> obstacles(std::span<const HeldPiece> all, const Assignment& assignment,
                                std::span<const std::string> files);

}  // namespace gate::extract
