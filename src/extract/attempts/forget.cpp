#include "extract/attempts/forget.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "extract/attempts/held_piece.h"
#include "extract/records/problem_log.h"

namespace gate::extract {

namespace {

using Stays = std::vector<bool>;  // of each attempt

// The metrics that are printed beside each piece.
using PrintedBeside = std::vector<std::vector<std::string_view>>;

// Tells which attempts stay.
class KeptAttempts {
 public:
  KeptAttempts(std::span<const HeldPiece> pieces, const Assignment& assignment,
               std::span<const AttemptSpan> spans, const PrintedBeside& beside)
      : pieces_(pieces),
        attempts_(assignment.attempts),
        spans_(spans),
        settled_(settled_of(spans.size())),
        stays_(spans.size(), false) {
    keep_newest();
    keep_resumed();
    keep_told(beside);
    const Stays chosen = stays_;
    keep_beside(chosen);
    keep_in_doubt(chosen, assignment.doubts);
  }

  // Return how many attempts, the first ones, nothing will be added to.
  static std::size_t settled_of(std::size_t attempts) {
    constexpr std::size_t newest = 16;
    return attempts - std::min(attempts, newest);
  }

  const Stays& stays() const { return stays_; }

 private:
  // The last settled one stays, too: the next restart tells behind which step it is.
  void keep_newest() {
    const std::size_t from = settled_ == 0 ? 0 : settled_ - 1;
    std::fill(stays_.begin() + static_cast<std::ptrdiff_t>(from), stays_.end(), true);
    std::map<std::size_t, std::size_t> newest;
    for (std::size_t i = 0; i < pieces_.size(); ++i) newest[pieces_[i].piece.source] = i;
    for (const auto& [source, index] : newest) stays_[attempts_[index]] = true;
  }

  void keep_resumed() {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = settled_; i > 0; --i) {
      if (spans_[i - 1].steps.first >= first) continue;
      first = spans_[i - 1].steps.first;
      stays_[i - 1] = true;
    }
  }

  // The newest attempt of each total that was announced, and of those the newest that holds a metric.
  void keep_told(const PrintedBeside& beside) {
    constexpr std::size_t most_totals = 20;
    std::set<std::optional<std::int64_t>> totals;
    std::set<std::pair<std::optional<std::int64_t>, std::string_view>> told;
    for (std::size_t i = pieces_.size(); i > 0; --i) {
      const HeldPiece& piece = pieces_[i - 1];
      const bool alike = i < pieces_.size() && piece.total == pieces_[i].total && beside[i - 1].empty() &&
                         same_metrics(piece, pieces_[i]);
      if (alike || (totals.size() == most_totals && !totals.contains(piece.total))) continue;
      bool is_new = totals.insert(piece.total).second;
      for (const PieceColumn& column : piece.values)
        if (!column.samples->empty()) is_new |= told.emplace(piece.total, column.metric).second;
      for (const std::string_view metric : beside[i - 1]) is_new |= told.emplace(piece.total, metric).second;
      if (is_new) stays_[attempts_[i - 1]] = true;
    }
  }

  // Tell whether both hold the same, as far as can be seen at a glance.
  static bool same_metrics(const HeldPiece& a, const HeldPiece& b) {
    return std::ranges::equal(a.values, b.values, [](const PieceColumn& one, const PieceColumn& other) {
      return one.metric.data() == other.metric.data() && one.samples->empty() == other.samples->empty();
    });
  }

  // Of what is printed between two attempts the nearest one has it, or the one beside that: two to either
  // side keep off what is of others.
  void keep_beside(const Stays& chosen) {
    constexpr std::size_t beside = 2;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!chosen[i]) continue;
      for (std::size_t j = i - std::min(i, beside); j < std::min(i + beside + 1, chosen.size()); ++j)
        stays_[j] = true;
    }
  }

  void keep_in_doubt(const Stays& chosen, std::span<const Doubt> doubts) {
    for (const Doubt& doubt : doubts) {
      const std::size_t a = attempts_[doubt.piece], b = attempts_[doubt.other];
      if (chosen[a] || chosen[b]) stays_[a] = stays_[b] = true;
    }
  }

  std::span<const HeldPiece> pieces_;
  const std::vector<std::size_t>& attempts_;  // of the pieces
  std::span<const AttemptSpan> spans_;
  std::size_t settled_;
  Stays stays_;
};

void note_restarts(std::span<const AttemptSpan> spans, AttemptBuffers& books) {
  for (std::size_t i = 1; i < KeptAttempts::settled_of(spans.size()); ++i) {
    if (spans[i].is_noted) continue;
    if (books.restarts.size() == ProblemLog::most_of_a_kind)
      ++books.more_restarts;
    else
      books.restarts.push_back({spans[i].first, spans[i].begins, spans[i - 1].steps.last, spans[i].number});
  }
}

// Tell the tapes, or segments, that are the pieces what happens to their attempts. Return which of all of
// them stay.
template <class T>
Stays marked_to_stay(const HeldPieces& pieces, const std::vector<std::size_t>& attempts, const Stays& stays,
                     std::vector<T>& all) {
  std::vector<std::size_t> gone(stays.size() + 1, 0);  // before each attempt
  for (std::size_t i = 0; i < stays.size(); ++i) gone[i + 1] = gone[i] + (stays[i] ? 0 : 1);
  Stays marked(all.size(), true);
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    T& one = all[pieces.places[i]];
    one.is_noted |= attempts[i] < KeptAttempts::settled_of(stays.size());
    one.forgotten += gone[attempts[i]];
    marked[pieces.places[i]] = stays[attempts[i]];
  }
  return marked;
}

// The lines of attempts that stay, and what is printed between two of them that stand one behind the other.
class KeptLines {
 public:
  KeptLines(std::span<const AttemptSpan> spans, const Stays& stays) {
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (!stays[i]) continue;
      if (i == 0 || !stays[i - 1])
        runs_.push_back({i == 0 ? 0 : std::min(spans[i - 1].last.line + 1, spans[i].first.line), 0});
      runs_.back().last =
          i + 1 == spans.size() ? no_end : std::max(spans[i].last.line, spans[i + 1].first.line - 1);
    }
  }

  bool hold(std::uint32_t line) const {
    return std::ranges::any_of(runs_, [&](const Run& run) { return run.first <= line && line <= run.last; });
  }

  // Tell whether all samples of a tape, which is not empty, stand in one run.
  bool hold_all(const SampleTape& samples) const {
    const std::uint32_t first = samples.begin().view().line, last = samples.back().line;
    return std::ranges::any_of(runs_, [&](const Run& run) { return run.first <= first && last <= run.last; });
  }

 private:
  static constexpr std::uint32_t no_end = std::numeric_limits<std::uint32_t>::max();
  struct Run {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  std::vector<Run> runs_;
};

// Drop what stands on other lines.
void keep_lines(const KeptLines& lines, SampleTape& samples) {
  if (samples.empty() || lines.hold_all(samples)) return;
  SampleTape kept;
  for (auto it = samples.begin(); it != samples.end(); ++it)
    if (const SampleView sample = it.view(); lines.hold(sample.line)) kept.append(sample);
  samples = std::move(kept);
}

void forget_reports(const NewPlaces& tapes, AttemptBuffers& books) {
  for (auto& [key, reports] : books.reports) {
    std::erase_if(reports.all, [&](const Report& report) { return report.tape && !tapes[*report.tape]; });
    for (Report& report : reports.all)
      if (report.tape) report.tape = static_cast<std::uint32_t>(*tapes[*report.tape]);
    for (ReportColumn& column : reports.columns) column.samples = samples_of(reports.all, column.samples);
  }
}

// Return which segments stay of those that are printed beside tapes, before these are gone.
Stays led_segments(const NewPlaces& tapes, AttemptBuffers& books) {
  const auto is_gone = [&](const Segment& segment) {
    if (!segment.led) return false;
    const StepTape* next = books.steps.next_of_source(*segment.led);
    const bool behind = next != nullptr && segment.begins_behind(books.steps.all()[*segment.led]);
    return !tapes[behind ? static_cast<std::size_t>(next - books.steps.all().data()) : *segment.led] ||
           !tapes[*segment.led];
  };
  Stays stays;
  for (const Segment& segment : books.segments) stays.push_back(!is_gone(segment));
  for (Segment& segment : books.segments)
    if (segment.led) segment.led = tapes[*segment.led];
  return stays;
}

Forgotten keep_segments(const Stays& stays, AttemptBuffers& books) {
  Forgotten places{new_places(stays), {}};
  Stays followers;
  for (FollowerTape& tape : books.followers) {
    followers.push_back(stays[tape.segment]);
    tape.segment = places.segments[tape.segment].value_or(0);
  }
  places.followers = new_places(followers);
  keep_placed(places.segments, books.segments);
  keep_placed(places.followers, books.followers);
  return places;
}

Forgotten forget_nothing(AttemptBuffers& books) {
  return keep_segments(Stays(books.segments.size(), true), books);
}

// What followers and reports print beside the pieces of tapes.
PrintedBeside beside_steps(const HeldPieces& pieces, const AttemptBuffers& books) {
  std::vector<std::optional<std::size_t>> index(books.steps.all().size());
  for (std::size_t i = 0; i < pieces.places.size(); ++i) index[pieces.places[i]] = i;
  PrintedBeside beside(pieces.all.size());
  const auto add = [&](std::optional<std::size_t> tape, std::string_view metric) {
    if (!tape || !index[*tape]) return;
    std::vector<std::string_view>& metrics = beside[*index[*tape]];
    if (std::ranges::find(metrics, metric) == metrics.end()) metrics.push_back(metric);
  };
  for (const FollowerTape& tape : books.followers)
    if (!tape.samples.empty()) add(books.segments[tape.segment].led, tape.key.first);
  for (const auto& [key, reports] : books.reports)
    for (const Report& report : reports.all)
      for (const ReportColumn& column : reports.columns) add(report.tape, column.metric);
  return beside;
}

// What other numberers print beside the pieces of segments, as far as the newest of it goes.
PrintedBeside beside_segments(const HeldPieces& pieces, Numberer lead, const AttemptBuffers& books) {
  std::map<std::string_view, std::uint32_t> newest;  // line of each metric
  for (const FollowerTape& tape : books.followers)
    if (books.segments[tape.segment].numberer() != lead && !tape.samples.empty()) {
      std::uint32_t& line = newest[tape.key.first];
      line = std::max(line, tape.samples.back().line);
    }
  PrintedBeside beside(pieces.all.size());
  for (const auto& [metric, line] : newest) {
    std::optional<std::size_t> nearest;  // the last piece that begins before it
    for (std::size_t i = 0; i < pieces.all.size(); ++i)
      if (pieces.all[i].first().line <= line) nearest = i;
    if (nearest) beside[*nearest].push_back(metric);
  }
  return beside;
}

// Attempts of which nothing more is known than that they stay, and what they span.
struct Look {
  Assignment assignment;
  std::vector<AttemptSpan> spans;
  Stays stays;
};

Look look_at(const HeldPieces& pieces, const PrintedBeside& beside, AttemptBuffers& books) {
  Look look{assign(pieces.all, InDoubt::undecided), {}, {}};
  look.spans = spans_of(pieces.all, look.assignment);
  look.stays = KeptAttempts(pieces.all, look.assignment, look.spans, beside).stays();
  note_restarts(look.spans, books);
  books.forgotten += static_cast<std::size_t>(std::count(look.stays.begin(), look.stays.end(), false));
  return look;
}

Forgotten forget_by_steps(AttemptBuffers& books) {
  const HeldPieces pieces = held_pieces(books.steps);
  if (!are_of_one_file(pieces.all)) return forget_nothing(books);
  const Look look = look_at(pieces, beside_steps(pieces, books), books);
  const NewPlaces tapes =
      new_places(marked_to_stay(pieces, look.assignment.attempts, look.stays, books.steps.all()));
  const Stays segments = led_segments(tapes, books);
  books.steps.keep(tapes, books.forgotten);
  for (StepTape& tape : books.steps.all()) tape.shrink();
  forget_reports(tapes, books);
  return keep_segments(segments, books);
}

// Where no training steps are printed: what has most values tells the attempts, and the others' values are
// those of the nearest lines.
Forgotten forget_by_segments(Numberer lead, AttemptBuffers& books) {
  const HeldPieces pieces = held_pieces(books, lead);
  if (!are_of_one_file(pieces.all)) return forget_nothing(books);
  const Look look = look_at(pieces, beside_segments(pieces, lead, books), books);
  Stays stays = marked_to_stay(pieces, look.assignment.attempts, look.stays, books.segments);
  const KeptLines lines(look.spans, look.stays);
  Stays holds(books.segments.size(), false);
  for (FollowerTape& tape : books.followers) {
    if (books.segments[tape.segment].numberer() != lead) keep_lines(lines, tape.samples);
    if (!tape.samples.empty()) holds[tape.segment] = true;
  }
  for (std::size_t i = 0; i < stays.size(); ++i) {
    const Segment& segment = books.segments[i];
    if (segment.numberer() != lead) stays[i] = holds[i];
    if (!stays[i] && segment.steps) books.values_forgotten[segment.numberer()] += segment.values;
  }
  books.forgotten_by = lead;
  return keep_segments(stays, books);
}

}  // namespace

Forgotten forget_failed(AttemptBuffers& books) {
  if (!books.steps.all().empty()) return forget_by_steps(books);
  const std::optional<Numberer> lead = books.forgotten_by ? books.forgotten_by : most_values(books);
  return lead ? forget_by_segments(*lead, books) : forget_nothing(books);
}

}  // namespace gate::extract
