#include "extract/attempts/arrange.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gate::extract {

namespace {

bool holds_values(const StepTape& tape) {
  return !tape.counted || std::any_of(tape.columns.begin(), tape.columns.end(),
                                      [](const StepColumn& column) { return !column.samples.empty(); });
}

Assignment assign(std::span<const HeldPiece> all, InDoubt in_doubt) {
  std::vector<Piece> pieces;
  for (const HeldPiece& held : all) pieces.push_back(held.piece);
  return assign_pieces(pieces, in_doubt,
                       [&](std::size_t a, std::size_t b) { return likeness_of(all[a], all[b]); });
}

std::vector<AttemptSpan> spans(std::span<const HeldPiece> all, const Assignment& assignment) {
  std::vector<AttemptSpan> found(assignment.count);
  std::vector<const HeldPiece*> first(assignment.count, nullptr);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const HeldPiece*& begin = first[assignment.attempts[i]];
    AttemptSpan& span = found[assignment.attempts[i]];
    const Extent& steps = all[i].piece.steps;
    span.steps.first = begin == nullptr ? steps.first : std::min(span.steps.first, steps.first);
    span.steps.last = begin == nullptr ? steps.last : std::max(span.steps.last, steps.last);
    if (begin == nullptr || all[i].piece.order.first < begin->piece.order.first) begin = &all[i];
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].first = found[i].last = first[i]->first();
    found[i].begins = first[i]->piece.steps.first;
    found[i].number = first[i]->number.value_or(i + 1);
    found[i].is_noted = first[i]->is_noted;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    AttemptSpan& span = found[assignment.attempts[i]];
    const Place last = all[i].last();
    if (last.file == span.last.file) span.last.line = std::max(span.last.line, last.line);
  }
  return found;
}

// Tapes whose values another file prints with their steps are no pieces: the k-th goes with the k-th attempt.
void arrange_steps(StepTapes& steps, InDoubt in_doubt, std::span<const std::string> files,
                   Arrangement& arrangement) {
  std::vector<HeldPiece> pieces;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < steps.all().size(); ++i) {
    if (!holds_values(steps.all()[i])) continue;
    pieces.push_back(held_piece(steps.all()[i]));
    pieces.back().is_noted = steps.all()[i].is_noted;
    if (steps.forgotten() > 0) pieces.back().number = steps.all()[i].attempt + 1;
    places.push_back(i);
  }
  const Assignment assignment = assign(pieces, in_doubt);
  arrangement.count = std::max<std::size_t>(assignment.count, 1);
  arrangement.spans = spans(pieces, assignment);
  arrangement.obstacles = obstacles(pieces, assignment, files);
  std::vector<std::size_t> attempts;
  for (const StepTape& tape : steps.all()) attempts.push_back(std::min(tape.attempt, arrangement.count - 1));
  for (std::size_t i = 0; i < places.size(); ++i) attempts[places[i]] = assignment.attempts[i];
  steps.assign(attempts, arrangement.count);
}

// Tell whether the segment stands wholly behind the steps of its tape, and began anew: it is of the next
// piece.
bool begins_next(const Segment& segment, const StepTape& tape) {
  return segment.falls && segment.order.first > tape.order.last;
}

const StepTape* next_piece(const StepTapes& steps, std::size_t index) {
  const auto& all = steps.all();
  const auto it = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(index) + 1, all.end(),
                               [&](const StepTape& tape) { return tape.source_id == all[index].source_id; });
  return it == all.end() ? nullptr : &*it;
}

// What stands before the first step of its source is of the first attempt of that; what has no steps beside
// it, of the k-th.
std::size_t attempt_of(const Segment& segment, const StepTapes& steps, std::size_t count) {
  if (!segment.led) {
    const auto first = std::find_if(steps.all().begin(), steps.all().end(),
                                    [&](const StepTape& tape) { return tape.file == segment.lane; });
    const std::size_t begin = first == steps.all().end() ? 0 : first->attempt;
    return std::min(begin + segment.nth, count - 1);
  }
  const StepTape& tape = steps.all()[*segment.led];
  const StepTape* next = begins_next(segment, tape) ? next_piece(steps, *segment.led) : nullptr;
  return next == nullptr ? tape.attempt : next->attempt;
}

// What numbers values: a reader's extractor.
using Numberer = std::pair<std::size_t, std::size_t>;

Numberer numberer_of(const Segment& segment) { return {segment.reader, segment.extractor}; }

// Return whose values with a step of their own are most.
std::optional<Numberer> most_values(const Books& books) {
  std::map<Numberer, std::int64_t> values;
  for (const Segment& segment : books.segments)
    if (segment.steps && segment.values > 0) values[numberer_of(segment)] += segment.values;
  const auto most = std::max_element(values.begin(), values.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == values.end() ? std::nullopt : std::optional(most->first);
}

std::vector<HeldPiece> held_segments(const Books& books, Numberer lead, std::vector<std::size_t>& places) {
  std::vector<std::optional<std::size_t>> index(books.segments.size());
  std::map<std::size_t, std::size_t> sources;
  std::vector<HeldPiece> all;
  for (std::size_t i = 0; i < books.segments.size(); ++i) {
    const Segment& segment = books.segments[i];
    if (numberer_of(segment) != lead || !segment.steps || segment.values == 0) continue;
    index[i] = all.size();
    places.push_back(i);
    HeldPiece& held = all.emplace_back();
    held.piece = {sources.try_emplace(segment.source, sources.size()).first->second, segment.lane,
                  segment.order, *segment.steps, segment.times()};
  }
  for (const FollowerTape& tape : books.followers) {
    if (!index[tape.segment]) continue;
    HeldPiece& held = all[*index[tape.segment]];
    held.values.push_back({tape.key.first, tape.key.second, &tape.samples});
    if (held.steps == nullptr || held.steps->size() < tape.samples.size()) held.steps = &tape.samples;
  }
  return all;
}

void arrange_segments(const Books& books, InDoubt in_doubt, std::span<const std::string> files,
                      Arrangement& arrangement) {
  arrangement.count = books.segments.empty() ? 0 : 1;
  const std::optional<Numberer> lead = most_values(books);
  if (!lead) return;
  std::vector<std::size_t> places;
  const std::vector<HeldPiece> pieces = held_segments(books, *lead, places);
  const Assignment assignment = assign(pieces, in_doubt);
  arrangement.count = assignment.count;
  arrangement.spans = spans(pieces, assignment);
  arrangement.obstacles = obstacles(pieces, assignment, files);
  for (std::size_t i = 0; i < places.size(); ++i) {
    arrangement.segments[places[i]] = assignment.attempts[i];
    arrangement.lines.add(*pieces[i].steps, assignment.attempts[i]);
  }
}

}  // namespace

Arrangement arrange(Books& books, InDoubt in_doubt, std::span<const std::string> files) {
  Arrangement arrangement;
  arrangement.segments.resize(books.segments.size());
  if (books.steps.all().empty()) {
    arrange_segments(books, in_doubt, files, arrangement);
  } else {
    arrange_steps(books.steps, in_doubt, files, arrangement);
    for (std::size_t i = 0; i < books.segments.size(); ++i)
      arrangement.segments[i] = attempt_of(books.segments[i], books.steps, arrangement.count);
  }
  if (arrangement.count == 1)
    for (std::optional<std::size_t>& attempt : arrangement.segments) attempt = 0;
  arrangement.lines.sort();
  return arrangement;
}

}  // namespace gate::extract
