#include "extract/attempts/swapped.h"

#include <array>
#include <map>
#include <set>

namespace gate::extract {

namespace {

// The first two, or last two, numbers of a piece that differ, in the order in which they are met.
using Edge = std::array<std::optional<std::int64_t>, 2>;

void add_number(Edge& edge, std::int64_t number) {
  if (!edge[0])
    edge[0] = number;
  else if (!edge[1] && number != *edge[0])
    edge[1] = number;
}

Edge first_two(const SampleTape& tape) {
  Edge edge;
  for (auto it = tape.begin(); it != tape.end() && !edge[1]; ++it) add_number(edge, it.number());
  return edge;
}

Edge last_two(const SampleTape& tape) {
  Edge edge;
  for (auto it = tape.end(); it != tape.begin() && !edge[1];) add_number(edge, (--it).number());
  return edge;
}

LinePlace printed_at(const Sample& sample) { return {sample.file, sample.line}; }

void tell_swap(const SampleTape& piece, const SampleTape& next, ProblemLog& problems) {
  const Sample early = piece.back(), late = next.front();
  problems.add(ProblemKind::other, printed_at(late),
               say({"step {} stands behind step {}: two lines in the other order",
                    "第 {} 步印在第 {} 步之后：两行次序颠倒"},
                   late.number, early.number));
}

// Swapped lines look like the turns of two writers. But two runs of a job print each step twice: where one
// piece is left, with each step once, there were none.
void drop_turns(StepTapes& steps, const std::set<std::size_t>& joined) {
  std::map<std::size_t, std::size_t> pieces;  // of each source
  for (const StepTape& tape : steps.all()) ++pieces[tape.source_id];
  for (StepTape& tape : steps.all())
    if (joined.contains(tape.source_id) && pieces[tape.source_id] == 1 && tape.lines.rises())
      tape.two_writers.reset();
}

// Among the many attempts of a crash loop some look like swapped lines by chance.
constexpr std::size_t most_begun_again = 64;

bool is_storm(const AttemptBuffers& buffers, std::size_t pieces, std::size_t sources) {
  return buffers.forgotten > 0 || pieces > sources + most_begun_again;
}

void join_tapes(AttemptBuffers& buffers, ProblemLog& problems) {
  StepTapes& steps = buffers.steps;
  std::set<std::size_t> sources;
  for (const StepTape& tape : steps.all()) sources.insert(tape.source_id);
  if (is_storm(buffers, steps.all().size(), sources.size())) return;
  std::set<std::size_t> joined;               // sources
  std::map<std::size_t, std::size_t> newest;  // piece of each source
  for (std::size_t i = 0; i < steps.all().size();) {
    StepTape& next = steps.all()[i];
    const auto [it, is_first] = newest.try_emplace(next.source_id, i);
    const StepTape& piece = steps.all()[it->second];
    const bool stands_alone = is_first || next.is_told || next.counted;
    if (stands_alone || !are_swapped(piece.lines, next.lines)) {
      if (!stands_alone && may_be_swapped(piece.lines, next.lines))
        next.late = {printed_at(piece.lines.back()), printed_at(next.lines.front())};
      it->second = i++;
      continue;
    }
    tell_swap(piece.lines, next.lines, problems);
    for (Segment& segment : buffers.segments)
      if (segment.led) segment.led = StepTapes::place_without(*segment.led, it->second, i);
    for (auto& [key, reports] : buffers.reports)
      for (RankReport& report : reports.all) {
        if (!report.tape) continue;
        if (*report.tape == i) report.lines += static_cast<std::uint32_t>(piece.lines.size());
        report.tape = static_cast<std::uint32_t>(StepTapes::place_without(*report.tape, it->second, i));
      }
    steps.join(it->second, i);
    joined.insert(piece.source_id);
  }
  drop_turns(steps, joined);
}

// The longest values of each segment tell its numbers.
std::vector<const SampleTape*> numbers_of_segments(const AttemptBuffers& buffers) {
  std::vector<const SampleTape*> longest(buffers.segments.size(), nullptr);
  for (const FollowerTape& tape : buffers.followers) {
    const SampleTape*& own = longest[tape.segment];
    if (own == nullptr || own->size() < tape.samples.size()) own = &tape.samples;
  }
  return longest;
}

// The values of the next segment become the piece's: they are put in order with all others.
void join_segment(Segment& piece, Segment& next) {
  piece.order = piece.order.joined(next.order);
  piece.steps = piece.steps->joined(*next.steps);
  piece.values += next.values;
  piece.head = next.head;
  next.steps.reset();
  next.values = 0;
}

void join_segments(AttemptBuffers& buffers, ProblemLog& problems) {
  std::set<std::size_t> sources;
  for (const Segment& segment : buffers.segments) sources.insert(segment.source);
  if (is_storm(buffers, buffers.segments.size(), sources.size())) return;
  const std::vector<const SampleTape*> numbers = numbers_of_segments(buffers);
  std::map<std::size_t, std::pair<std::size_t, std::size_t>>
      newest;  // piece of each source, and its last one
  std::vector<std::size_t> places(buffers.segments.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    Segment& next = buffers.segments[i];
    places[i] = i;
    if (!next.steps || numbers[i] == nullptr) continue;
    const auto [it, is_first] = newest.try_emplace(next.source, std::pair(i, i));
    auto& [piece, last] = it->second;
    if (!is_first && next.falls && are_swapped(*numbers[last], *numbers[i])) {
      tell_swap(*numbers[last], *numbers[i], problems);
      join_segment(buffers.segments[piece], next);
      places[i] = piece;
    } else {
      piece = i;
    }
    last = i;
  }
  for (FollowerTape& tape : buffers.followers) tape.segment = places[tape.segment];
}

}  // namespace

bool are_swapped(const SampleTape& piece, const SampleTape& next) {
  const auto [late, above] = first_two(next);
  const auto [early, below] = last_two(piece);
  if (!early || !late || (!above && !below)) return false;
  const std::int64_t apart = *early - *late;
  if (apart <= 0 || (below && *below >= *late) || (above && *above <= *early)) return false;
  const bool late_fits = !below || *late - *below == apart;
  const bool early_fits = !above || *above - *early == apart || *above - *early == 2 * apart;
  return late_fits && early_fits;
}

bool may_be_swapped(const SampleTape& piece, const SampleTape& next) {
  std::vector<std::int64_t> first;  // what differs
  for (auto it = next.begin(); it != next.end() && first.size() < 3; ++it)
    if (first.empty() || it.number() != first.back()) first.push_back(it.number());
  const std::int64_t apart = piece.last_number() - first[0];
  const auto is_at = [&](std::size_t place, std::int64_t steps) {
    return first[place] == first[0] + steps * apart;
  };
  return apart > 0 && first.size() == 3 && is_at(1, 2) && is_at(2, 3);
}

void join_swapped(AttemptBuffers& buffers, ProblemLog& problems) {
  if (buffers.steps.all().empty())
    join_segments(buffers, problems);
  else
    join_tapes(buffers, problems);
}

}  // namespace gate::extract
