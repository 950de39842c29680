#include "extract/attempts/arrange.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
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

// Return the attempt of what begins again behind the steps of its source's piece: where others are at an
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
    const auto first = std::ranges::find_if(
        steps.all(), [&](const StepTape& tape) { return tape.file == segment.stream_id; });
    const std::size_t begin = first == steps.all().end() ? 0 : first->attempt;
    return std::min(begin + segment.nth, arrangement.count - 1);
  }
  const StepTape& tape = steps.all()[*segment.led];
  const StepTape* next = segment.begins_behind(tape) ? steps.next_of_source(*segment.led) : nullptr;
  return next == nullptr ? tape.attempt : attempt_behind(segment, *next, tape, arrangement.spans);
}

// What a source prints before its first step and, as often, behind the last one of an attempt, is what the
// next attempt begins with, unless that has more of it.
void move_heads(AttemptBuffers& buffers, Arrangement& arrangement) {
  std::map<std::size_t, std::int64_t> values_before;  // the first step, by source
  for (const Segment& segment : buffers.segments)
    if (!segment.led && !segment.steps) values_before.emplace(segment.source, segment.values);
  std::set<std::pair<std::size_t, std::size_t>> held;  // source and attempt
  for (std::size_t i = buffers.segments.size(); i > 0; --i) {
    Segment& segment = buffers.segments[i - 1];
    std::optional<std::size_t>& attempt = arrangement.segments[i - 1];
    const auto before = values_before.find(segment.source);
    const StepTape* next =
        segment.led && !segment.steps ? buffers.steps.next_of_source(*segment.led) : nullptr;
    segment.is_head = next != nullptr && before != values_before.end() && segment.values > 0 &&
                      before->second % segment.values == 0 &&
                      segment.order.first > buffers.steps.all()[*segment.led].order.last &&
                      !held.contains({segment.source, next->attempt});
    if (segment.is_head) attempt = next->attempt;
    if (attempt) held.emplace(segment.source, *attempt);
  }
}

// Tell that the attempts that are left are not those of the numberer that leads, if most were forgotten while
// another one did.
void tell_other_lead(const AttemptBuffers& buffers, Numberer lead, Arrangement& arrangement) {
  if (!buffers.forgotten_by || buffers.forgotten_by == lead) return;
  Obstacle obstacle;
  for (std::size_t i = 0; i < arrangement.count; ++i) obstacle.attempts.push_back(i);
  obstacle.place = arrangement.spans.back().first;
  obstacle.text =
      say({"so many attempts were told by one pattern's steps that most are forgotten, and another "
           "pattern has more values: give the number of the attempt that is meant, attempt = N",
           "一个 pattern 的步号划分出太多次尝试，大部分已被丢弃，而另一个 pattern "
           "有更多的值：请写明要哪一次尝试，"
           "attempt = N"});
  arrangement.obstacles.push_back(std::move(obstacle));
}

void arrange_segments(const AttemptBuffers& buffers, InDoubt in_doubt, std::span<const std::string> files,
                      Arrangement& arrangement) {
  arrangement.count = buffers.segments.empty() ? 0 : 1;
  const std::optional<Numberer> lead = most_values(buffers);
  if (!lead) return;
  const HeldPieces pieces = held_pieces(buffers, *lead);
  const std::vector<std::size_t> attempts =
      arrange_pieces(pieces, buffers.forgotten, in_doubt, files, arrangement);
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    arrangement.segments[pieces.places[i]] = attempts[i];
    arrangement.lines.add(*pieces.all[i].steps, pieces.all[i].source, attempts[i],
                          arrangement.spans[attempts[i]].number);
  }
  tell_other_lead(buffers, *lead, arrangement);
}

}  // namespace

// To the nearest of its lines: a source may be silent for long, while others run on.
std::uint32_t StepLines::PrintedRun::distance(std::uint32_t line) const {
  if (line <= first) return first - line;
  if (line >= last) return line - last;
  const auto behind =
      std::lower_bound(steps->begin(), steps->end(), line,
                       [](const auto& sample, std::uint32_t wanted) { return sample.line < wanted; });
  return std::min(behind->line - line, line - (behind - 1)->line);
}

std::optional<std::uint32_t> StepLines::PrintedRun::distance(std::uint32_t line, std::int64_t step) const {
  const std::optional<Sample> found = steps->find(step);
  if (!found) return std::nullopt;
  return found->line < line ? line - found->line : found->line - line;
}

void StepLines::add(const SampleTape& steps, std::string_view prefix, std::size_t attempt,
                    std::size_t number) {
  const Sample first = steps.front();
  const PrintedRun run{first.line, steps.back().line, &steps, attempt, number};
  files_[first.file].push_back(run);
  prefixes_[{first.file, std::string(prefix)}].push_back(run);
}

void StepLines::sort() {
  const auto sort_runs = [](PrintedRuns& runs) { std::ranges::stable_sort(runs, {}, &PrintedRun::first); };
  for (auto& [file, runs] : files_) sort_runs(runs);
  for (auto& [prefix, runs] : prefixes_) sort_runs(runs);
}

const StepLines::PrintedRuns* StepLines::runs_of(std::uint32_t file, std::string_view prefix) const {
  const auto own = prefixes_.find({file, std::string(prefix)});
  if (own != prefixes_.end()) return &own->second;
  const auto all = files_.find(file);
  return all == files_.end() ? nullptr : &all->second;
}

std::optional<std::size_t> StepLines::near(LinePlace place, std::string_view prefix,
                                           std::optional<std::int64_t> step) const {
  constexpr std::ptrdiff_t most_looked_at = 64;  // to either side
  const PrintedRuns* found = runs_of(place.file, prefix);
  if (found == nullptr) return std::nullopt;
  const PrintedRuns& runs = *found;
  const auto at = std::ranges::upper_bound(runs, place.line, {}, &PrintedRun::first);
  const auto begin = at - std::min(at - runs.begin(), most_looked_at);
  const auto end = at + std::min(runs.end() - at, most_looked_at);
  const auto nearest = std::min_element(begin, end, [&](const PrintedRun& a, const PrintedRun& b) {
    return a.distance(place.line) < b.distance(place.line);
  });
  std::pair best{std::numeric_limits<std::uint32_t>::max(), nearest};
  for (auto run = begin; step && run != end; ++run) {
    const bool beside = run->number + 1 >= nearest->number && run->number <= nearest->number + 1;
    const auto distance = run->distance(place.line, *step);
    if (distance && beside && *distance < best.first) best = {*distance, run};
  }
  return best.second->attempt;
}

Arrangement arrange(AttemptBuffers& buffers, InDoubt in_doubt, std::span<const std::string> files) {
  Arrangement arrangement;
  arrangement.segments.resize(buffers.segments.size());
  if (buffers.steps.all().empty()) {
    arrange_segments(buffers, in_doubt, files, arrangement);
  } else {
    arrange_steps(buffers.steps, buffers.forgotten, in_doubt, files, arrangement);
    for (std::size_t i = 0; i < buffers.segments.size(); ++i)
      arrangement.segments[i] = attempt_of(buffers.segments[i], buffers.steps, arrangement);
    move_heads(buffers, arrangement);
  }
  if (arrangement.count == 1)
    for (std::optional<std::size_t>& attempt : arrangement.segments) attempt = 0;
  arrangement.lines.sort();
  return arrangement;
}

}  // namespace gate::extract
