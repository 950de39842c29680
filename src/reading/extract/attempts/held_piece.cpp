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

// Call use(x, y) for each number that stands on both tapes.
template <typename Use>
void for_common(const SampleTape& a, const SampleTape& b, Use use) {
  auto other = b.begin();
  for (auto it = a.begin(); it != a.end() && other != b.end(); ++it) {
    while (other != b.end() && other.number() < it.number()) ++other;
    if (other != b.end() && other.number() == it.number()) use(it, other);
  }
}

Sentence lines_words(std::uint32_t first, std::uint32_t last, const std::string& source) {
  return say({"lines {} and {}{}", "第 {} 行和第 {} 行{}"}, first, last,
             source.empty() ? "" : " (" + source + ")");
}

Sentence piece_lines(const HeldPiece& held, std::span<const std::string> files) {
  const LinePlace first = held.first(), last = held.last();
  const std::string file = files.size() > 1 && first.file < files.size() ? files[first.file] + " " : "";
  const std::string source = held.source.empty() ? "" : " (" + held.source + ")";
  return say({"{}lines {}-{}{}", "{}{}-{} 行{}"}, file, first.line, last.line, source);
}

HeldPiece held_piece(const StepTape& tape) {
  HeldPiece held;
  SourcePiece& piece = held.piece;
  piece.source = tape.source_id;
  piece.stream_id = tape.file;
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
  held.late = tape.late;
  held.counted = tape.counted;
  held.total = tape.total;
  held.forgotten = tape.forgotten;
  held.is_noted = tape.is_noted;
  held.is_recomputed = tape.is_recomputed;
  return held;
}

}  // namespace

Likeness likeness_of(const HeldPiece& a, const HeldPiece& b) {
  bool common = false, equal = true;
  for_common(*a.steps, *b.steps, [&](const auto&, const auto&) { common = true; });
  if (!common) return Likeness::other;
  for (const PieceColumn& one : a.values)
    for (const PieceColumn& other : b.values)
      if (equal && a.reader == b.reader && one.metric == other.metric && one.rank == other.rank)
        for_common(*one.samples, *other.samples,
                   [&](const auto& x, const auto& y) { equal &= x.view().value == y.view().value; });
  if (!equal) return Likeness::other;
  return same_steps(*a.steps, *b.steps) ? Likeness::copy : Likeness::equal;
}

HeldPieces held_pieces(const StepTapes& steps) {
  HeldPieces pieces;
  std::map<std::size_t, std::size_t> counts;  // of each source
  for (std::size_t i = 0; i < steps.all().size(); ++i) {
    const StepTape& tape = steps.all()[i];
    const auto holds = [](const StepColumn& column) { return !column.samples.empty(); };
    if (tape.counted && std::ranges::none_of(tape.columns, holds)) continue;
    pieces.places.push_back(i);
    HeldPiece& held = pieces.all.emplace_back(held_piece(tape));
    if (tape.forgotten > 0) held.piece.forgotten = tape.attempt - counts[tape.source_id];
    ++counts[tape.source_id];
  }
  return pieces;
}

HeldPieces held_pieces(const AttemptBuffers& buffers, Numberer numberer) {
  HeldPieces pieces;
  std::vector<std::optional<std::size_t>> index(buffers.segments.size());
  std::map<std::size_t, std::size_t> sources;
  std::map<std::size_t, std::size_t> counts;  // of each source
  for (std::size_t i = 0; i < buffers.segments.size(); ++i) {
    const Segment& segment = buffers.segments[i];
    if (segment.numberer() != numberer || !segment.steps || segment.values == 0) continue;
    index[i] = pieces.all.size();
    pieces.places.push_back(i);
    HeldPiece& held = pieces.all.emplace_back();
    held.piece.source = sources.try_emplace(segment.source, sources.size()).first->second;
    held.piece.stream_id = segment.stream_id;
    held.source = segment.prefix;
    held.piece.order = segment.order;
    held.piece.steps = *segment.steps;
    held.piece.times = segment.times();
    held.forgotten = segment.forgotten;
    held.is_noted = segment.is_noted;
    if (segment.forgotten > 0) held.piece.forgotten = segment.nth - counts[segment.source];
    ++counts[segment.source];
  }
  for (const FollowerTape& tape : buffers.followers) {
    if (!index[tape.segment]) continue;
    HeldPiece& held = pieces.all[*index[tape.segment]];
    held.values.push_back({tape.key.first, tape.key.second, &tape.samples});
    if (held.steps == nullptr || held.steps->size() < tape.samples.size()) held.steps = &tape.samples;
  }
  return pieces;
}

std::optional<Numberer> most_values(const AttemptBuffers& buffers) {
  std::map<Numberer, std::int64_t> values = buffers.values_forgotten;
  for (const Segment& segment : buffers.segments)
    if (segment.steps && segment.values > 0) values[segment.numberer()] += segment.values;
  const auto most =
      std::ranges::max_element(values, [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == values.end() ? std::nullopt : std::optional(most->first);
}

Assignment assign(std::span<const HeldPiece> all, InDoubt in_doubt) {
  std::vector<SourcePiece> pieces;
  for (const HeldPiece& held : all) pieces.push_back(held.piece);
  return assign_pieces(pieces, in_doubt,
                       [&](std::size_t a, std::size_t b) { return likeness_of(all[a], all[b]); });
}

bool are_of_one_file(std::span<const HeldPiece> all) {
  return std::ranges::all_of(
      all, [&](const HeldPiece& each) { return each.piece.stream_id == all.front().piece.stream_id; });
}

std::vector<AttemptSpan> spans_of(std::span<const HeldPiece> all, const Assignment& assignment) {
  std::vector<AttemptSpan> found(assignment.count);
  std::vector<const HeldPiece*> first(assignment.count, nullptr);
  const bool one_file = are_of_one_file(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const HeldPiece*& begin = first[assignment.attempts[i]];
    AttemptSpan& span = found[assignment.attempts[i]];
    const SourcePiece& piece = all[i].piece;
    span.steps = begin == nullptr ? piece.steps : span.steps.joined(piece.steps);
    span.order = begin == nullptr ? piece.order : span.order.joined(piece.order);
    if (begin == nullptr || piece.order.first < begin->piece.order.first) begin = &all[i];
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].first = found[i].last = first[i]->first();
    found[i].begins = first[i]->piece.steps.first;
    found[i].number = (one_file ? first[i]->forgotten : 0) + i + 1;
    found[i].is_noted = first[i]->is_noted;
    found[i].is_recomputed = first[i]->is_recomputed;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    AttemptSpan& span = found[assignment.attempts[i]];
    const LinePlace last = all[i].last();
    if (last.file == span.last.file) span.last.line = std::max(span.last.line, last.line);
  }
  return found;
}

std::vector<Obstacle> obstacles(std::span<const HeldPiece> all, const Assignment& assignment,
                                std::span<const std::string> files) {
  std::vector<Obstacle> found;
  for (const Doubt& doubt : assignment.doubts)
    found.push_back(
        {{assignment.attempts[doubt.piece], assignment.attempts[doubt.other]},
         all[doubt.piece].first(),
         say({"{} and {} may be one attempt or two: set attempt = \"last\" if the later one is an attempt "
              "of its own, or sources = \"together\" if they are one",
              "{} 和 {} 可能是一次尝试，也可能是两次：如果后者独立，请设 attempt = "
              "\"last\"；如果是同一次，请设 sources = \"together\""},
             piece_lines(all[doubt.other], files), piece_lines(all[doubt.piece], files))});
  for (const Doubt& copy : assignment.copies)
    found.push_back({{assignment.attempts[copy.piece]},
                     all[copy.piece].first(),
                     say({"{} and {} print the same steps with equal values, beside other attempts",
                          "{} 和 {} 打印相同的步且值相同，旁边还有其他尝试"},
                         piece_lines(all[copy.other], files), piece_lines(all[copy.piece], files)),
                     Before::baseline});
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const auto& places = all[i].two_writers)
      found.push_back({{assignment.attempts[i]},
                       places->second,
                       say({"{}: two runs write their steps in turns, and nothing tells their values apart: "
                            "give each a log of its "
                            "own",
                            "{}：两次运行交替写出各自的步，无法区分它们的值：请让每次运行写各自的日志"},
                           lines_words(places->first.line, places->second.line, all[i].source))});
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const auto& places = all[i].late)
      found.push_back({{assignment.attempts[i]},
                       places->second,
                       all[i].counted
                           ? say({"{} stand in the other order and print no step, so that nobody can tell "
                                  "which steps they are: "
                                  "put them in order",
                                  "{}次序颠倒，又没有步号，无法知道是哪些步：请把它们放回原来的次序"},
                                 lines_words(places->first.line, places->second.line, ""))
                           : say({"{} may stand in the other order where the run went on: put them in order",
                                  "{}在续训处可能次序颠倒：请把它们放回原来的次序"},
                                 lines_words(places->first.line, places->second.line, ""))});
  return found;
}

}  // namespace gate::extract
