#include "extract/attempts/forget.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "extract/attempts/held_piece.h"
#include "extract/records/readings.h"

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
        closed_(closed_of(spans.size())),
        stays_(spans.size(), false) {
    keep_newest();
    keep_resumed();
    keep_told(beside);
    const Stays chosen = stays_;
    keep_beside(chosen);
    keep_in_doubt(chosen, assignment.doubts);
  }

  // Return how many attempts, the first ones, nothing will be added to.
  static std::size_t closed_of(std::size_t attempts) {
    constexpr std::size_t newest = 16;
    return attempts - std::min(attempts, newest);
  }

  const Stays& stays() const { return stays_; }

 private:
  // The last closed one stays, too: the next restart tells behind which step it is.
  void keep_newest() {
    const std::size_t from = closed_ == 0 ? 0 : closed_ - 1;
    std::fill(stays_.begin() + static_cast<std::ptrdiff_t>(from), stays_.end(), true);
    std::map<std::size_t, std::size_t> newest;
    for (std::size_t i = 0; i < pieces_.size(); ++i) newest[pieces_[i].piece.source] = i;
    for (const auto& [source, index] : newest) stays_[attempts_[index]] = true;
  }

  void keep_resumed() {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = closed_; i > 0; --i) {
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
      const bool same = i < pieces_.size() && piece.total == pieces_[i].total && beside[i - 1].empty() &&
                        same_metrics(piece, pieces_[i]);
      if (same || (totals.size() == most_totals && !totals.contains(piece.total))) continue;
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
  std::size_t closed_;
  Stays stays_;
};

void note_restarts(std::span<const AttemptSpan> spans, AttemptBuffers& buffers) {
  for (std::size_t i = 1; i < KeptAttempts::closed_of(spans.size()); ++i) {
    if (spans[i].is_noted) continue;
    if (buffers.restarts.size() == ProblemLog::most_of_a_kind)
      ++buffers.more_restarts;
    else
      buffers.restarts.push_back({spans[i].first, spans[i].begins, spans[i - 1].steps.last, spans[i].number,
                                  spans[i].is_recomputed});
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
    one.is_noted |= attempts[i] < KeptAttempts::closed_of(stays.size());
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
        ranges_.push_back({i == 0 ? 0 : std::min(spans[i - 1].last.line + 1, spans[i].first.line), 0});
      ranges_.back().last =
          i + 1 == spans.size() ? no_end : std::max(spans[i].last.line, spans[i + 1].first.line - 1);
    }
  }

  // Tell whether one range holds both lines, the second of which is not before the first.
  bool hold(std::uint32_t first, std::uint32_t last) const {
    return std::ranges::any_of(
        ranges_, [&](const LineRange& range) { return range.first <= first && last <= range.last; });
  }

 private:
  static constexpr std::uint32_t no_end = std::numeric_limits<std::uint32_t>::max();
  struct LineRange {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  std::vector<LineRange> ranges_;
};

// Drop what stands on other lines.
void keep_lines(const KeptLines& lines, SampleTape& samples) {
  if (samples.empty() || lines.hold(samples.begin().view().line, samples.back().line)) return;
  SampleTape kept;
  for (auto it = samples.begin(); it != samples.end(); ++it)
    if (const SampleView sample = it.view(); lines.hold(sample.line, sample.line)) kept.append(sample);
  samples = std::move(kept);
}

void forget_reports(const NewPlaces& tapes, AttemptBuffers& buffers) {
  for (auto& [key, reports] : buffers.reports) {
    std::erase_if(reports.all, [&](const RankReport& report) { return report.tape && !tapes[*report.tape]; });
    for (RankReport& report : reports.all)
      if (report.tape) report.tape = static_cast<std::uint32_t>(*tapes[*report.tape]);
    for (ReportColumn& column : reports.columns) column.samples = samples_of(reports.all, column.samples);
  }
}

// Return which segments stay of those that are printed beside tapes, before these are gone.
Stays led_segments(const NewPlaces& tapes, AttemptBuffers& buffers) {
  const auto is_gone = [&](const Segment& segment) {
    if (!segment.led) return false;
    const StepTape* next = buffers.steps.next_of_source(*segment.led);
    const bool behind = next != nullptr && segment.begins_behind(buffers.steps.all()[*segment.led]);
    return !tapes[behind ? static_cast<std::size_t>(next - buffers.steps.all().data()) : *segment.led] ||
           !tapes[*segment.led];
  };
  Stays stays;
  for (const Segment& segment : buffers.segments) stays.push_back(!is_gone(segment));
  for (Segment& segment : buffers.segments)
    if (segment.led) segment.led = tapes[*segment.led];
  return stays;
}

Forgotten keep_segments(const Stays& stays, AttemptBuffers& buffers) {
  Forgotten places{new_places(stays), {}};
  Stays followers;
  for (FollowerTape& tape : buffers.followers) {
    followers.push_back(stays[tape.segment]);
    tape.segment = places.segments[tape.segment].value_or(0);
  }
  places.followers = new_places(followers);
  keep_placed(places.segments, buffers.segments);
  keep_placed(places.followers, buffers.followers);
  return places;
}

Forgotten forget_nothing(AttemptBuffers& buffers) {
  return keep_segments(Stays(buffers.segments.size(), true), buffers);
}

// What followers and reports print beside the pieces of tapes.
PrintedBeside beside_steps(const HeldPieces& pieces, const AttemptBuffers& buffers) {
  std::vector<std::optional<std::size_t>> index(buffers.steps.all().size());
  for (std::size_t i = 0; i < pieces.places.size(); ++i) index[pieces.places[i]] = i;
  PrintedBeside beside(pieces.all.size());
  const auto add = [&](std::optional<std::size_t> tape, std::string_view metric) {
    if (!tape || !index[*tape]) return;
    std::vector<std::string_view>& metrics = beside[*index[*tape]];
    if (std::ranges::find(metrics, metric) == metrics.end()) metrics.push_back(metric);
  };
  for (const FollowerTape& tape : buffers.followers)
    if (!tape.samples.empty()) add(buffers.segments[tape.segment].led, tape.key.first);
  for (const auto& [key, reports] : buffers.reports)
    for (const RankReport& report : reports.all)
      for (const ReportColumn& column : reports.columns) add(report.tape, column.metric);
  return beside;
}

// What other numberers print beside the pieces of segments, as far as the newest of it goes.
PrintedBeside beside_segments(const HeldPieces& pieces, Numberer lead, const AttemptBuffers& buffers) {
  std::map<std::string_view, std::uint32_t> newest;  // line of each metric
  for (const FollowerTape& tape : buffers.followers)
    if (buffers.segments[tape.segment].numberer() != lead && !tape.samples.empty()) {
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
struct AttemptOverview {
  Assignment assignment;
  std::vector<AttemptSpan> spans;
  Stays stays;
};

AttemptOverview overview_of(const HeldPieces& pieces, const PrintedBeside& beside, AttemptBuffers& buffers) {
  AttemptOverview overview{assign(pieces.all, InDoubt::undecided), {}, {}};
  overview.spans = spans_of(pieces.all, overview.assignment);
  overview.stays = KeptAttempts(pieces.all, overview.assignment, overview.spans, beside).stays();
  note_restarts(overview.spans, buffers);
  buffers.forgotten += static_cast<std::size_t>(std::ranges::count(overview.stays, false));
  return overview;
}

Forgotten forget_by_steps(AttemptBuffers& buffers) {
  const HeldPieces pieces = held_pieces(buffers.steps);
  if (!are_of_one_file(pieces.all)) return forget_nothing(buffers);
  const AttemptOverview overview = overview_of(pieces, beside_steps(pieces, buffers), buffers);
  const NewPlaces tapes =
      new_places(marked_to_stay(pieces, overview.assignment.attempts, overview.stays, buffers.steps.all()));
  const Stays segments = led_segments(tapes, buffers);
  buffers.steps.keep(tapes, buffers.forgotten);
  for (StepTape& tape : buffers.steps.all()) tape.shrink();
  forget_reports(tapes, buffers);
  return keep_segments(segments, buffers);
}

// What has most values tells the attempts if no training steps are printed, and the others' values are those
// of the nearest lines.
Forgotten forget_by_segments(Numberer lead, AttemptBuffers& buffers) {
  const HeldPieces pieces = held_pieces(buffers, lead);
  if (!are_of_one_file(pieces.all)) return forget_nothing(buffers);
  const AttemptOverview overview = overview_of(pieces, beside_segments(pieces, lead, buffers), buffers);
  Stays stays = marked_to_stay(pieces, overview.assignment.attempts, overview.stays, buffers.segments);
  const KeptLines lines(overview.spans, overview.stays);
  Stays holds(buffers.segments.size(), false);
  for (FollowerTape& tape : buffers.followers) {
    if (buffers.segments[tape.segment].numberer() != lead) keep_lines(lines, tape.samples);
    if (!tape.samples.empty()) holds[tape.segment] = true;
  }
  for (std::size_t i = 0; i < stays.size(); ++i) {
    const Segment& segment = buffers.segments[i];
    if (segment.numberer() != lead) stays[i] = holds[i];
    if (!stays[i] && segment.steps) buffers.values_forgotten[segment.numberer()] += segment.values;
  }
  buffers.forgotten_by = lead;
  return keep_segments(stays, buffers);
}

}  // namespace

Forgotten forget_failed(AttemptBuffers& buffers) {
  if (!buffers.steps.all().empty()) return forget_by_steps(buffers);
  const std::optional<Numberer> lead = buffers.forgotten_by ? buffers.forgotten_by : most_values(buffers);
  return lead ? forget_by_segments(*lead, buffers) : forget_nothing(buffers);
}

}  // namespace gate::extract
