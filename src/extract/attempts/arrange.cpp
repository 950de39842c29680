#include "extract/attempts/arrange.h"

#include <algorithm>
#include <utility>

namespace gate::extract {

namespace {

// Put pieces into attempts, and say what is to be said of these. Return the attempt of each piece.
std::vector<std::size_t> arrange_pieces(const HeldPieces& pieces, std::size_t forgotten, InDoubt in_doubt,
                                        std::span<const std::string> files, Arrangement& arrangement) {
  Assignment assignment = assign(pieces.all, in_doubt);
  arrangement.count = std::max<std::size_t>(assignment.count, 1);
  arrangement.spans = spans_of(pieces.all, assignment);
  arrangement.forgotten = are_of_one_file(pieces.all) ? forgotten : 0;
  arrangement.obstacles = obstacles(pieces.all, assignment, files);
  return std::move(assignment.attempts);
}

// Tapes that are no pieces go with the attempts in turn: the k-th with the k-th.
void arrange_steps(StepTapes& steps, std::size_t forgotten, InDoubt in_doubt,
                   std::span<const std::string> files, Arrangement& arrangement) {
  const HeldPieces pieces = held_pieces(steps);
  const std::vector<std::size_t> of_pieces = arrange_pieces(pieces, forgotten, in_doubt, files, arrangement);
  std::vector<std::size_t> attempts;
  for (const StepTape& tape : steps.all()) attempts.push_back(std::min(tape.attempt, arrangement.count - 1));
  for (std::size_t i = 0; i < of_pieces.size(); ++i) attempts[pieces.places[i]] = of_pieces[i];
  steps.assign(attempts, arrangement.count);
}

// Return the attempt of what begins anew behind the steps of its source's piece: where others are at an
// attempt just then, without that source, that one; else the next to begin, which is most often the source's
// own.
std::size_t attempt_behind(const Segment& segment, const StepTape& next, const StepTape& own,
                           std::span<const AttemptSpan> spans) {
  if (next.attempt == own.attempt + 1) return next.attempt;
  const auto begin = segment.order.first;
  std::size_t first = next.attempt;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const Extent& order = spans[i].order;
    if (i != own.attempt && i != next.attempt && order.overlaps({begin, begin})) return i;
    const std::int64_t best = first == next.attempt ? next.order.first : spans[first].order.first;
    if (order.first > begin && order.first < best) first = i;
  }
  return first;
}

// What stands before the first step of its source is of the first attempt of that; what has no steps beside
// it, of the k-th.
std::size_t attempt_of(const Segment& segment, const StepTapes& steps, const Arrangement& arrangement) {
  if (!segment.led) {
    const auto first = std::find_if(steps.all().begin(), steps.all().end(),
                                    [&](const StepTape& tape) { return tape.file == segment.lane; });
    const std::size_t begin = first == steps.all().end() ? 0 : first->attempt;
    return std::min(begin + segment.nth, arrangement.count - 1);
  }
  const StepTape& tape = steps.all()[*segment.led];
  const StepTape* next = segment.begins_behind(tape) ? steps.next_of_source(*segment.led) : nullptr;
  return next == nullptr ? tape.attempt : attempt_behind(segment, *next, tape, arrangement.spans);
}

// Where most attempts are forgotten already, and now another numberer leads, theirs are not those that are
// left.
void tell_other_lead(const AttemptBuffers& books, Numberer lead, Arrangement& arrangement) {
  if (!books.forgotten_by || books.forgotten_by == lead) return;
  Obstacle obstacle;
  for (std::size_t i = 0; i < arrangement.count; ++i) obstacle.attempts.push_back(i);
  obstacle.place = arrangement.spans.back().first;
  obstacle.text =
      "so many attempts were told by one pattern's steps that most are forgotten, and another "
      "pattern has more values: give the number of the attempt that is meant, attempt = N";
  arrangement.obstacles.push_back(std::move(obstacle));
}

void arrange_segments(const AttemptBuffers& books, InDoubt in_doubt, std::span<const std::string> files,
                      Arrangement& arrangement) {
  arrangement.count = books.segments.empty() ? 0 : 1;
  const std::optional<Numberer> lead = most_values(books);
  if (!lead) return;
  const HeldPieces pieces = held_pieces(books, *lead);
  const std::vector<std::size_t> attempts =
      arrange_pieces(pieces, books.forgotten, in_doubt, files, arrangement);
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    arrangement.segments[pieces.places[i]] = attempts[i];
    arrangement.lines.add(*pieces.all[i].steps, pieces.all[i].source, attempts[i],
                          arrangement.spans[attempts[i]].number);
  }
  tell_other_lead(books, *lead, arrangement);
}

}  // namespace

Arrangement arrange(AttemptBuffers& books, InDoubt in_doubt, std::span<const std::string> files) {
  Arrangement arrangement;
  arrangement.segments.resize(books.segments.size());
  if (books.steps.all().empty()) {
    arrange_segments(books, in_doubt, files, arrangement);
  } else {
    arrange_steps(books.steps, books.forgotten, in_doubt, files, arrangement);
    for (std::size_t i = 0; i < books.segments.size(); ++i)
      arrangement.segments[i] = attempt_of(books.segments[i], books.steps, arrangement);
  }
  if (arrangement.count == 1)
    for (std::optional<std::size_t>& attempt : arrangement.segments) attempt = 0;
  arrangement.lines.sort();
  return arrangement;
}

}  // namespace gate::extract
