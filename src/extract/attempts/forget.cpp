#include "extract/attempts/forget.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "extract/attempts/held_piece.h"
#include "extract/problem_log.h"

namespace gate::extract {

namespace {

using Stays = std::vector<bool>;  // of each attempt

// Tells which attempts stay.
class KeptAttempts {
 public:
  KeptAttempts(std::span<const HeldPiece> pieces, const Assignment& assignment,
               std::span<const AttemptSpan> spans)
      : pieces_(pieces),
        attempts_(assignment.attempts),
        spans_(spans),
        settled_(settled_of(spans.size())),
        stays_(spans.size(), false) {
    keep_newest();
    keep_resumed();
    keep_told();
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

  // As many as a report names.
  void keep_told() {
    constexpr std::size_t most = 20;
    std::size_t count = 0;
    std::set<std::string_view> metrics;
    for (std::size_t i = pieces_.size(); i > 0 && count < most; --i) {
      const HeldPiece& piece = pieces_[i - 1];
      bool is_new = piece.total != pieces_.back().total;
      if (i < pieces_.size() && same_metrics(piece, pieces_[i]) && !is_new) continue;
      for (const PieceColumn& column : piece.values)
        if (!column.samples->empty()) is_new |= metrics.insert(column.metric).second;
      if (!is_new || stays_[attempts_[i - 1]]) continue;
      stays_[attempts_[i - 1]] = true;
      ++count;
    }
  }

  // Tell whether both hold the same, as far as can be seen at a glance.
  static bool same_metrics(const HeldPiece& a, const HeldPiece& b) {
    return std::ranges::equal(a.values, b.values, [](const PieceColumn& one, const PieceColumn& other) {
      return one.metric.data() == other.metric.data() && one.samples->empty() == other.samples->empty();
    });
  }

  void keep_beside(const Stays& chosen) {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!chosen[i]) continue;
      if (i > 0) stays_[i - 1] = true;
      if (i + 1 < chosen.size()) stays_[i + 1] = true;
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

void note_restarts(std::span<const AttemptSpan> spans, Books& books) {
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

// Tells what is printed within, or between, attempts that stay.
class KeptLines {
 public:
  KeptLines(std::span<const AttemptSpan> spans, const Stays& stays) {
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (!stays[i]) continue;
      if (i > 0 && stays[i - 1])
        runs_.back().last = std::max(runs_.back().last, spans[i].order.last);
      else
        runs_.push_back(spans[i].order);
    }
    runs_.back().last = std::numeric_limits<std::int64_t>::max();
  }

  bool hold(const Extent& order) const {
    const auto run = std::find_if(runs_.begin(), runs_.end(),
                                  [&](const Extent& each) { return each.last >= order.first; });
    return run != runs_.end() && run->overlaps(order);
  }

 private:
  std::vector<Extent> runs_;
};

void forget_reports(const NewPlaces& tapes, Books& books) {
  for (auto& [key, reports] : books.reports) {
    std::erase_if(reports.all, [&](const Report& report) { return report.tape && !tapes[*report.tape]; });
    for (Report& report : reports.all)
      if (report.tape) report.tape = static_cast<std::uint32_t>(*tapes[*report.tape]);
    for (ReportColumn& column : reports.columns) column.samples = samples_of(reports.all, column.samples);
  }
}

// Return which segments stay of those that are printed beside tapes.
Stays led_segments(const NewPlaces& tapes, Books& books) {
  Stays stays;
  for (Segment& segment : books.segments) {
    stays.push_back(!segment.led || tapes[*segment.led]);
    if (segment.led) segment.led = tapes[*segment.led];
  }
  return stays;
}

Forgotten keep_segments(const Stays& stays, Books& books) {
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

Forgotten forget_nothing(Books& books) { return keep_segments(Stays(books.segments.size(), true), books); }

Forgotten forget_by_steps(Books& books) {
  const HeldPieces pieces = held_pieces(books.steps);
  if (!are_of_one_file(pieces.all)) return forget_nothing(books);
  const Assignment assignment = assign(pieces.all, InDoubt::undecided);
  const std::vector<AttemptSpan> spans = spans_of(pieces.all, assignment);
  const Stays attempts = KeptAttempts(pieces.all, assignment, spans).stays();
  note_restarts(spans, books);
  const NewPlaces tapes =
      new_places(marked_to_stay(pieces, assignment.attempts, attempts, books.steps.all()));
  books.forgotten += static_cast<std::size_t>(std::count(attempts.begin(), attempts.end(), false));
  books.steps.keep(tapes, books.forgotten);
  for (StepTape& tape : books.steps.all()) tape.shrink();
  forget_reports(tapes, books);
  return keep_segments(led_segments(tapes, books), books);
}

// Where no training steps are printed: what has most values tells the attempts, and the others' values are
// those of the nearest lines.
Forgotten forget_by_segments(Numberer lead, Books& books) {
  const HeldPieces pieces = held_pieces(books, lead);
  if (!are_of_one_file(pieces.all)) return forget_nothing(books);
  const Assignment assignment = assign(pieces.all, InDoubt::undecided);
  const std::vector<AttemptSpan> spans = spans_of(pieces.all, assignment);
  const Stays attempts = KeptAttempts(pieces.all, assignment, spans).stays();
  note_restarts(spans, books);
  Stays stays = marked_to_stay(pieces, assignment.attempts, attempts, books.segments);
  const KeptLines lines(spans, attempts);
  for (std::size_t i = 0; i < stays.size(); ++i) {
    const Segment& segment = books.segments[i];
    if (segment.numberer() != lead) stays[i] = lines.hold(segment.order);
    if (!stays[i] && segment.steps) books.values_forgotten[segment.numberer()] += segment.values;
  }
  books.forgotten += static_cast<std::size_t>(std::count(attempts.begin(), attempts.end(), false));
  books.forgotten_by = lead;
  return keep_segments(stays, books);
}

}  // namespace

Forgotten forget_failed(Books& books) {
  if (!books.steps.all().empty()) return forget_by_steps(books);
  const std::optional<Numberer> lead = books.forgotten_by ? books.forgotten_by : most_values(books);
  return lead ? forget_by_segments(*lead, books) : forget_nothing(books);
}

}  // namespace gate::extract
