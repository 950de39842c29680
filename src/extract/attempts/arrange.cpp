#include "extract/attempts/arrange.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace gate::extract {

namespace {

// The values of one metric and rank in a piece.
struct PieceColumn {
  std::string_view metric;
  std::optional<int> rank;
  const SampleTape* samples = nullptr;
};

// A piece with what it holds.
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

// Of readers that read the same metric the first one counts: what two of them read need not agree.
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

bool holds_values(const StepTape& tape) {
  return !tape.counted || std::any_of(tape.columns.begin(), tape.columns.end(),
                                      [](const StepColumn& column) { return !column.samples.empty(); });
}

std::string piece_lines(const HeldPiece& held, std::span<const std::string> files) {
  const Place first = held.first(), last = held.last();
  const std::string file = files.size() > 1 && first.file < files.size() ? files[first.file] + " " : "";
  const std::string source = held.source.empty() ? "" : " (" + held.source + ")";
  return file + "lines " + std::to_string(first.line) + "-" + std::to_string(last.line) + source;
}

Assignment assign(std::span<const HeldPiece> all, InDoubt in_doubt) {
  std::vector<Piece> pieces;
  for (const HeldPiece& held : all) pieces.push_back(held.piece);
  return assign_pieces(pieces, in_doubt,
                       [&](std::size_t a, std::size_t b) { return likeness_of(all[a], all[b]); });
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

// Finds the attempts of reports.
class ReportPlaces {
 public:
  explicit ReportPlaces(const StepTapes& steps) : tapes_(&steps.all()) {
    for (std::size_t i = 0; i < tapes_->size(); ++i) {
      std::vector<std::size_t>& pieces = sources_[(*tapes_)[i].source_id];
      nth_.push_back(pieces.size());
      pieces.push_back(i);
    }
  }

  std::optional<std::size_t> operator()(const Report& report) const {
    if (!report.tape) return std::nullopt;
    const std::vector<std::size_t>& pieces = sources_.at((*tapes_)[*report.tape].source_id);
    const std::size_t at = nth_[*report.tape];
    Distance best = distance_within(report, tape(pieces[at]));
    if (best.is_known && report.is_own) return tape(pieces[at]).attempt;
    std::size_t found = at;
    std::size_t passed = report.lines;
    for (std::size_t i = at; i > 0 && at - i < most_looked_at; --i) {
      passed += tape(pieces[i - 1]).lines.size();
      const Distance before = distance_before(report, tape(pieces[i - 1]), passed);
      if (before < best) best = before, found = i - 1;
      if (before.is_known) break;
    }
    passed = tape(pieces[at]).lines.size() - report.lines;
    for (std::size_t i = at + 1; i < pieces.size() && i - at < most_looked_at; ++i) {
      const Distance behind = distance_behind(report, tape(pieces[i]), passed);
      if (behind < best) best = behind, found = i;
      if (behind.is_known) break;
      passed += tape(pieces[i]).lines.size();
    }
    return tape(pieces[best.is_known ? found : at]).attempt;
  }

 private:
  static constexpr std::size_t most_looked_at = 64;  // pieces to either side

  struct Distance {
    bool is_known = false;
    std::size_t steps = 0;  // twice as many lines of steps, and one where a run began anew between
    std::uint32_t lines = 0;

    bool operator<(const Distance& other) const {
      if (!is_known || !other.is_known) return is_known;
      return std::tie(steps, lines) < std::tie(other.steps, other.lines);
    }
  };

  const StepTape& tape(std::size_t index) const { return (*tapes_)[index]; }

  // In the piece whose line was the last before the report.
  static Distance distance_within(const Report& report, const StepTape& piece) {
    const auto line = find_step(piece, report.step);
    if (line == piece.lines.end()) return {};
    if (line.index() < report.lines) return distance_before(report, piece, report.lines);
    return {true, 2 * (line.index() - report.lines), line.view().line - report.place.line};
  }

  // `upto` step lines stand between the report and the one before the piece's first.
  static Distance distance_before(const Report& report, const StepTape& piece, std::size_t upto) {
    const auto line = find_step(piece, report.step);
    if (line == piece.lines.end()) return {};
    const std::size_t steps = 2 * (upto - 1 - line.index()) + (report.anew ? 1 : 0);
    return {true, steps, report.place.line - line.view().line};
  }

  // `between` step lines stand between the report and the piece's first.
  static Distance distance_behind(const Report& report, const StepTape& piece, std::size_t between) {
    const auto line = find_step(piece, report.step);
    if (line == piece.lines.end()) return {};
    return {true, 2 * (between + line.index()), line.view().line - report.place.line};
  }

  static SampleTape::Iterator find_step(const StepTape& piece, std::int64_t step) {
    const auto it =
        std::lower_bound(piece.lines.begin(), piece.lines.end(), step,
                         [](const auto& sample, std::int64_t number) { return sample.number < number; });
    return it != piece.lines.end() && it.number() == step ? it : piece.lines.end();
  }

  const std::vector<StepTape>* tapes_;
  std::map<std::size_t, std::vector<std::size_t>> sources_;
  std::vector<std::size_t> nth_;  // of each tape among its source's
};

}  // namespace

NearestAttempt nearest_attempt(const StepTapes& steps) {
  if (steps.attempts() == 1)
    return [](const Report& report) { return report.tape ? std::optional<std::size_t>(0) : std::nullopt; };
  return ReportPlaces(steps);
}

std::uint32_t StepLines::Run::distance(std::uint32_t line) const {
  if (line < first) return first - line;
  return line > last ? line - last : 0;
}

std::optional<std::uint32_t> StepLines::Run::distance(std::uint32_t line, std::int64_t step) const {
  const std::optional<Sample> found = steps->find(step);
  if (!found) return std::nullopt;
  return found->line < line ? line - found->line : found->line - line;
}

void StepLines::add(const SampleTape& steps, std::size_t attempt) {
  const Sample first = steps.front();
  files_[first.file].push_back({first.line, steps.back().line, &steps, attempt});
}

void StepLines::sort() {
  for (auto& [file, runs] : files_)
    std::stable_sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
}

std::optional<std::size_t> StepLines::near(Place place, std::optional<std::int64_t> step) const {
  constexpr std::ptrdiff_t most_looked_at = 64;  // to either side
  const auto file = files_.find(place.file);
  if (file == files_.end()) return std::nullopt;
  const std::vector<Run>& runs = file->second;
  const auto at = std::upper_bound(runs.begin(), runs.end(), place.line,
                                   [](std::uint32_t line, const Run& run) { return line < run.first; });
  const auto begin = at - std::min(at - runs.begin(), most_looked_at);
  const auto end = at + std::min(runs.end() - at, most_looked_at);
  std::pair best{std::numeric_limits<std::uint32_t>::max(), begin};
  for (auto run = begin; step && run != end; ++run)
    if (const auto distance = run->distance(place.line, *step))
      if (*distance < best.first) best = {*distance, run};
  if (best.first != std::numeric_limits<std::uint32_t>::max()) return best.second->attempt;
  return std::min_element(
             begin, end,
             [&](const Run& a, const Run& b) { return a.distance(place.line) < b.distance(place.line); })
      ->attempt;
}

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
