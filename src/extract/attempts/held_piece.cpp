#include "extract/attempts/held_piece.h"

namespace gate::extract {

namespace {

bool same_steps(const SampleTape& a, const SampleTape& b) {
  auto other = b.begin();
  for (auto it = a.begin(); it != a.end(); ++it) {
    if (it != a.begin() && it.number() == (it - 1).number()) continue;
    while (other != b.begin() && other != b.end() && other.number() == (other - 1).number()) ++other;
    if (other == b.end() || other.number() != it.number()) return false;
    ++other;
  }
  while (other != b.end() && other.number() == (other - 1).number()) ++other;
  return other == b.end();
}

// Call take(x, y) for each number that stands on both tapes.
template <typename Take>
void for_common(const SampleTape& a, const SampleTape& b, Take take) {
  auto other = b.begin();
  for (auto it = a.begin(); it != a.end() && other != b.end(); ++it) {
    while (other != b.end() && other.number() < it.number()) ++other;
    if (other != b.end() && other.number() == it.number()) take(it, other);
  }
}

bool have_common(const SampleTape& a, const SampleTape& b) {
  bool common = false;
  for_common(a, b, [&](const auto&, const auto&) { common = true; });
  return common;
}

bool equal_where_common(const SampleTape& a, const SampleTape& b) {
  bool equal = true;
  for_common(a, b, [&](const auto& x, const auto& y) { equal &= x.view().value == y.view().value; });
  return equal;
}

std::string piece_lines(const HeldPiece& held, std::span<const std::string> files) {
  const Place first = held.first(), last = held.last();
  const std::string file = files.size() > 1 && first.file < files.size() ? files[first.file] + " " : "";
  const std::string source = held.source.empty() ? "" : " (" + held.source + ")";
  return file + "lines " + std::to_string(first.line) + "-" + std::to_string(last.line) + source;
}

std::string doubt_text(const HeldPiece& own, const HeldPiece& other, std::span<const std::string> files) {
  return piece_lines(other, files) + " and " + piece_lines(own, files) +
         " may be one attempt or two: set attempt = \"last\" if the later one is an attempt of its own, or "
         "sources = \"together\" if they are one";
}

std::string writers_text(const HeldPiece& held, Place before, Place place) {
  return "lines " + std::to_string(before.line) + " and " + std::to_string(place.line) +
         (held.source.empty() ? "" : " (" + held.source + ")") +
         ": two runs write their steps in turns, and nothing tells their values apart: give each a log of "
         "its own";
}

}  // namespace

Likeness likeness_of(const HeldPiece& a, const HeldPiece& b) {
  if (!have_common(*a.steps, *b.steps)) return Likeness::other;
  for (const PieceColumn& one : a.values)
    for (const PieceColumn& other : b.values)
      if (a.reader == b.reader && one.metric == other.metric && one.rank == other.rank &&
          !equal_where_common(*one.samples, *other.samples))
        return Likeness::other;
  return same_steps(*a.steps, *b.steps) ? Likeness::copy : Likeness::equal;
}

HeldPiece held_piece(const StepTape& tape) {
  HeldPiece held;
  held.piece = {tape.source_id, tape.file,          tape.order,       {tape.first_step(), tape.last_step()},
                tape.times(),   tape.starts_before, tape.starts_until};
  held.source = tape.source;
  held.reader = tape.reader;
  held.steps = &tape.lines;
  for (const StepColumn& column : tape.columns)
    held.values.push_back({column.metric, tape.rank_of(column), &column.samples});
  held.two_writers = tape.two_writers;
  return held;
}

std::vector<Obstacle> obstacles(std::span<const HeldPiece> all, const Assignment& assignment,
                                std::span<const std::string> files) {
  std::vector<Obstacle> found;
  for (const Doubt& doubt : assignment.doubts)
    found.push_back({{assignment.attempts[doubt.piece], assignment.attempts[doubt.other]},
                     all[doubt.piece].first(),
                     doubt_text(all[doubt.piece], all[doubt.other], files)});
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const auto& places = all[i].two_writers)
      found.push_back(
          {{assignment.attempts[i]}, places->second, writers_text(all[i], places->first, places->second)});
  return found;
}

}  // namespace gate::extract
