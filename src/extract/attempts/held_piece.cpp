#include "extract/attempts/held_piece.h"

#include <algorithm>
#include <map>

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

bool holds_values(const StepTape& tape) {
  return !tape.counted || std::any_of(tape.columns.begin(), tape.columns.end(),
                                      [](const StepColumn& column) { return !column.samples.empty(); });
}

HeldPiece held_piece(const StepTape& tape) {
  HeldPiece held;
  Piece& piece = held.piece;
  piece.source = tape.source_id;
  piece.lane = tape.file;
  piece.order = tape.order;
  piece.steps = {tape.first_step(), tape.last_step()};
  piece.times = tape.times();
  piece.starts_before = tape.starts_before;
  piece.starts_until = tape.starts_until;
  held.source = tape.source;
  held.reader = tape.reader;
  held.steps = &tape.lines;
  held.values.reserve(tape.columns.size());
  for (const StepColumn& column : tape.columns)
    held.values.push_back({column.metric, tape.rank_of(column), &column.samples});
  held.two_writers = tape.two_writers;
  held.total = tape.total;
  held.forgotten = tape.forgotten;
  held.is_noted = tape.is_noted;
  return held;
}

Extent joined(const Extent& a, const Extent& b) {
  return {std::min(a.first, b.first), std::max(a.last, b.last)};
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

HeldPieces held_pieces(const StepTapes& steps) {
  HeldPieces pieces;
  std::map<std::size_t, std::size_t> counts;  // of each source
  for (std::size_t i = 0; i < steps.all().size(); ++i) {
    const StepTape& tape = steps.all()[i];
    if (!holds_values(tape)) continue;
    pieces.places.push_back(i);
    HeldPiece& held = pieces.all.emplace_back(held_piece(tape));
    if (tape.forgotten > 0) held.piece.forgotten = tape.attempt - counts[tape.source_id];
    ++counts[tape.source_id];
  }
  return pieces;
}

HeldPieces held_pieces(const AttemptBuffers& books, Numberer numberer) {
  HeldPieces pieces;
  std::vector<std::optional<std::size_t>> index(books.segments.size());
  std::map<std::size_t, std::size_t> sources;
  std::map<std::size_t, std::size_t> counts;  // of each source
  for (std::size_t i = 0; i < books.segments.size(); ++i) {
    const Segment& segment = books.segments[i];
    if (segment.numberer() != numberer || !segment.steps || segment.values == 0) continue;
    index[i] = pieces.all.size();
    pieces.places.push_back(i);
    HeldPiece& held = pieces.all.emplace_back();
    held.piece.source = sources.try_emplace(segment.source, sources.size()).first->second;
    held.piece.lane = segment.lane;
    held.source = segment.prefix;
    held.piece.order = segment.order;
    held.piece.steps = *segment.steps;
    held.piece.times = segment.times();
    held.forgotten = segment.forgotten;
    held.is_noted = segment.is_noted;
    if (segment.forgotten > 0) held.piece.forgotten = segment.nth - counts[segment.source];
    ++counts[segment.source];
  }
  for (const FollowerTape& tape : books.followers) {
    if (!index[tape.segment]) continue;
    HeldPiece& held = pieces.all[*index[tape.segment]];
    held.values.push_back({tape.key.first, tape.key.second, &tape.samples});
    if (held.steps == nullptr || held.steps->size() < tape.samples.size()) held.steps = &tape.samples;
  }
  return pieces;
}

std::optional<Numberer> most_values(const AttemptBuffers& books) {
  std::map<Numberer, std::int64_t> values = books.values_forgotten;
  for (const Segment& segment : books.segments)
    if (segment.steps && segment.values > 0) values[segment.numberer()] += segment.values;
  const auto most = std::max_element(values.begin(), values.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == values.end() ? std::nullopt : std::optional(most->first);
}

Assignment assign(std::span<const HeldPiece> all, InDoubt in_doubt) {
  std::vector<Piece> pieces;
  for (const HeldPiece& held : all) pieces.push_back(held.piece);
  return assign_pieces(pieces, in_doubt,
                       [&](std::size_t a, std::size_t b) { return likeness_of(all[a], all[b]); });
}

bool are_of_one_file(std::span<const HeldPiece> all) {
  return std::all_of(all.begin(), all.end(),
                     [&](const HeldPiece& each) { return each.piece.lane == all.front().piece.lane; });
}

std::vector<AttemptSpan> spans_of(std::span<const HeldPiece> all, const Assignment& assignment) {
  std::vector<AttemptSpan> found(assignment.count);
  std::vector<const HeldPiece*> first(assignment.count, nullptr);
  const bool one_file = are_of_one_file(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const HeldPiece*& begin = first[assignment.attempts[i]];
    AttemptSpan& span = found[assignment.attempts[i]];
    const Piece& piece = all[i].piece;
    span.steps = begin == nullptr ? piece.steps : joined(span.steps, piece.steps);
    span.order = begin == nullptr ? piece.order : joined(span.order, piece.order);
    if (begin == nullptr || piece.order.first < begin->piece.order.first) begin = &all[i];
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].first = found[i].last = first[i]->first();
    found[i].begins = first[i]->piece.steps.first;
    found[i].number = (one_file ? first[i]->forgotten : 0) + i + 1;
    found[i].is_noted = first[i]->is_noted;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    AttemptSpan& span = found[assignment.attempts[i]];
    const Place last = all[i].last();
    if (last.file == span.last.file) span.last.line = std::max(span.last.line, last.line);
  }
  return found;
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
