#include "extract/attempts/assign.h"

#include <map>
#include <utility>

namespace gate::extract {

namespace {

using Like = std::function<Likeness(std::size_t, std::size_t)>;
using Pieces = std::vector<std::size_t>;  // the pieces of one attempt

enum class Relation : std::uint8_t { overlap, before, behind, unknown };

Relation relation_of(const Extent& a, const Extent& b) {
  if (a.overlaps(b)) return Relation::overlap;
  return a.last < b.first ? Relation::before : Relation::behind;
}

Relation relation_of(const SourcePiece& a, const SourcePiece& b) {
  constexpr std::int64_t second = 1'000'000;  // what is printed within one is at once: no run begins so fast
  if (a.times && b.times)
    return relation_of(Extent{a.times->first - second, a.times->last + second}, *b.times);
  return a.stream_id == b.stream_id ? relation_of(a.order, b.order) : Relation::unknown;
}

// Puts the pieces of a stream into attempts, one after the other, as they began.
class StreamAttempts {
 public:
  StreamAttempts(std::span<const SourcePiece> pieces, const std::vector<Pieces>& sources, InDoubt mode,
                 const Like& like, Assignment& told)
      : pieces_(pieces), sources_(sources), mode_(mode), like_(like), told_(told) {}

  void add(std::size_t index) {
    const std::size_t floor = next_of_source(index);
    if (mode_ == InDoubt::together) return join(floor, index);
    const std::vector<std::size_t> met = overlapping(floor, index);
    if (met.size() == 1) return join(met.front(), index);
    if (met.size() > 1) return join(best_of(met, index), index);
    const std::size_t place = place_of(floor, index);
    const std::optional<std::size_t> same = place == floor ? std::nullopt : same_as(place - 1, index);
    if (same) return join(*same, index);
    attempts_.insert(attempts_.begin() + static_cast<std::ptrdiff_t>(place), Pieces{index});
  }

  std::vector<Pieces> result() { return std::move(attempts_); }

 private:
  const SourcePiece& piece(std::size_t index) const { return pieces_[index]; }

  // Return the first attempt that the piece may be of: the one behind that of its source's piece before.
  std::size_t next_of_source(std::size_t index) const {
    for (std::size_t i = attempts_.size(); i > 0; --i)
      for (const std::size_t other : attempts_[i - 1])
        if (piece(other).source == piece(index).source) return i;
    return 0;
  }

  bool overlaps(const Pieces& attempt, std::size_t index) const {
    return std::ranges::any_of(attempt, [&](std::size_t other) {
      return relation_of(piece(index), piece(other)) == Relation::overlap;
    });
  }

  std::vector<std::size_t> overlapping(std::size_t floor, std::size_t index) const {
    std::vector<std::size_t> met;
    for (std::size_t i = floor; i < attempts_.size(); ++i)
      if (overlaps(attempts_[i], index)) met.push_back(i);
    return met;
  }

  Likeness like(std::size_t attempt, std::size_t index) const {
    Likeness best = Likeness::other;
    for (const std::size_t other : attempts_[attempt]) {
      const Likeness found = like_(other, index);
      if (found == Likeness::copy) return found;
      if (found == Likeness::equal) best = found;
    }
    return best;
  }

  // Of several attempts that the piece overlaps it is of the one that holds equal values; where none or
  // several do, of the k-th, if its source has as many pieces as the others' sources.
  std::size_t best_of(const std::vector<std::size_t>& met, std::size_t index) {
    std::vector<std::size_t> equal;
    for (const std::size_t attempt : met)
      if (like(attempt, index) != Likeness::other) equal.push_back(attempt);
    if (!equal.empty() && (equal.size() == 1 || equal.size() == met.size())) return equal.front();
    const std::size_t nth = place_in_source(index);
    for (const std::size_t attempt : met)
      for (const std::size_t other : attempts_[attempt])
        if (place_in_source(other) == nth && size_of_source(other) == size_of_source(index)) return attempt;
    if (mode_ == InDoubt::next) return met.back();
    told_.doubts.push_back({index, attempts_[met.back()].front()});
    return met.front();
  }

  const Pieces& source(std::size_t index) const { return sources_[piece(index).source]; }

  std::size_t place_in_source(std::size_t index) const {
    const Pieces& all = source(index);
    const auto place = std::ranges::lower_bound(all, index) - all.begin();
    return piece(index).forgotten + static_cast<std::size_t>(place);
  }

  // Return how many pieces the source has, with those that are forgotten.
  std::size_t size_of_source(std::size_t index) const { return place_in_source(source(index).back()) + 1; }

  bool is_whole(const Pieces& source) const { return piece(source.back()).forgotten == 0; }

  // Return behind how many attempts the piece stands.
  std::size_t place_of(std::size_t floor, std::size_t index) const {
    std::size_t place = attempts_.size();
    const auto stands_before = [&](std::size_t other) {
      return relation_of(piece(index), piece(other)) == Relation::before;
    };
    while (place > floor && std::ranges::any_of(attempts_[place - 1], stands_before)) --place;
    return place;
  }

  // Return the attempt of a piece that stands wholly behind that one, if it is one of those that are known.
  std::optional<std::size_t> same_as(std::size_t attempt, std::size_t index) {
    Extent steps = piece(attempts_[attempt].front()).steps;
    for (const std::size_t other : attempts_[attempt]) steps = steps.joined(piece(other).steps);
    const Extent& own = piece(index).steps;
    if (own.first > steps.last) return attempt;
    if (is_next(attempts_[attempt], piece(index)) || (own.first > steps.first && own.last > steps.last))
      return std::nullopt;
    const std::optional<std::size_t> original =
        like(attempt, index) == Likeness::copy ? attempt : attempt_of_original(attempt, index);
    std::vector<Doubt>& told = original ? told_.copies : told_.doubts;
    if (mode_ == InDoubt::undecided) told.push_back({index, attempts_[attempt].front()});
    return original;
  }

  // Tell whether times, or a word that a run begins, set the piece apart from the attempt that it stands
  // behind.
  bool is_next(const Pieces& attempt, const SourcePiece& own) const {
    return std::ranges::any_of(attempt, [&](std::size_t index) {
      const SourcePiece& other = piece(index);
      return (own.times && other.times) ||
             (own.stream_id == other.stream_id && own.starts_before > other.starts_until);
    });
  }

  // Return the attempt of the piece that this one is a copy of, if each piece of the source is a copy of the
  // piece at its place in another source: the next attempt to be begun if that one is of none yet.
  std::optional<std::size_t> attempt_of_original(std::size_t attempt, std::size_t index) const {
    const Pieces& own = source(index);
    const auto is_copy = [&](std::size_t a, std::size_t b) { return like_(b, a) == Likeness::copy; };
    for (const std::size_t other : attempts_[attempt]) {
      const Pieces& all = source(other);
      if (!is_whole(all) || !is_whole(own) || !std::ranges::equal(own, all, is_copy)) continue;
      const std::size_t original = all[place_in_source(index)];
      const auto it = std::ranges::find_if(
          attempts_, [&](const Pieces& one) { return std::ranges::find(one, original) != one.end(); });
      return static_cast<std::size_t>(it - attempts_.begin());
    }
    return std::nullopt;
  }

  void join(std::size_t attempt, std::size_t index) {
    if (attempt == attempts_.size()) attempts_.emplace_back();
    attempts_[attempt].push_back(index);
  }

  std::span<const SourcePiece> pieces_;
  const std::vector<Pieces>& sources_;
  InDoubt mode_;
  const Like& like_;
  Assignment& told_;
  std::vector<Pieces> attempts_;
};

// Attempts of streams of which nobody knows which came before which.
class MergedStreams {
 public:
  MergedStreams(InDoubt mode, bool whole, const Like& like, std::vector<Doubt>& doubts)
      : mode_(mode), whole_(whole), like_(like), doubts_(doubts) {}

  void add(std::vector<Pieces> stream) {
    if (stream.size() > attempts_.size() && !attempts_.empty() && mode_ != InDoubt::together)
      std::swap(stream, attempts_);
    const bool in_turn =
        mode_ == InDoubt::together || attempts_.empty() || (whole_ && stream.size() == attempts_.size());
    if (in_turn)
      add_in_turn(stream);
    else
      add_by_values(stream);
  }

  std::vector<Pieces> result() { return std::move(attempts_); }

 private:
  static void append(const Pieces& from, Pieces& into) { into.insert(into.end(), from.begin(), from.end()); }

  void add_in_turn(const std::vector<Pieces>& stream) {
    attempts_.resize(std::max(attempts_.size(), stream.size()));
    for (std::size_t i = 0; i < stream.size(); ++i) append(stream[i], attempts_[i]);
  }

  // The stream has fewer attempts: each is the one that holds equal values, or in doubt.
  void add_by_values(const std::vector<Pieces>& stream) {
    std::size_t floor = 0;
    for (std::size_t i = 0; i < stream.size(); ++i) {
      const std::size_t most = attempts_.size() - (stream.size() - i);
      const std::optional<std::size_t> found = most_like(stream[i], floor, most);
      if (!found && mode_ == InDoubt::undecided)
        doubts_.push_back({stream[i].front(), attempts_[most].front()});
      append(stream[i], attempts_[found.value_or(most)]);
      floor = found.value_or(most) + 1;
    }
  }

  // Return the attempt that is a copy, else the one that holds equal values, among several the last one;
  // nothing where no one does.
  std::optional<std::size_t> most_like(const Pieces& group, std::size_t floor, std::size_t most) const {
    std::optional<std::size_t> best;
    for (std::size_t i = most + 1; i > floor; --i) {
      const Likeness found = likeness(attempts_[i - 1], group);
      if (found == Likeness::copy) return i - 1;
      if (found == Likeness::equal && !best) best = i - 1;
    }
    return best;
  }

  Likeness likeness(const Pieces& attempt, const Pieces& group) const {
    bool copy = true;
    for (const std::size_t a : attempt)
      for (const std::size_t b : group) {
        const Likeness found = like_(a, b);
        if (found == Likeness::other) return found;
        copy &= found == Likeness::copy;
      }
    return copy ? Likeness::copy : Likeness::equal;
  }

  InDoubt mode_;
  bool whole_;  // no piece is forgotten
  const Like& like_;
  std::vector<Doubt>& doubts_;
  std::vector<Pieces> attempts_;
};

std::vector<Pieces> pieces_of_sources(std::span<const SourcePiece> pieces) {
  std::vector<Pieces> sources;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (sources.size() <= pieces[i].source) sources.resize(pieces[i].source + 1);
    sources[pieces[i].source].push_back(i);
  }
  return sources;
}

// Tell whether all print times, and none of a source's goes back.
bool are_timed(std::span<const SourcePiece> pieces, const std::vector<Pieces>& sources) {
  const auto is_timed = [&](const Pieces& source) {
    return std::ranges::all_of(source, [&](std::size_t i) { return pieces[i].times.has_value(); }) &&
           std::ranges::is_sorted(source, [&](std::size_t a, std::size_t b) {
             return pieces[a].times->first < pieces[b].times->first;
           });
  };
  return std::ranges::all_of(sources, is_timed);
}

// Return the pieces of each stream as they began; all are one stream where all print times.
std::vector<Pieces> streams_of(std::span<const SourcePiece> pieces, bool timed) {
  std::map<std::size_t, Pieces> streams;
  for (std::size_t i = 0; i < pieces.size(); ++i) streams[timed ? 0 : pieces[i].stream_id].push_back(i);
  std::vector<Pieces> all;
  for (auto& [stream, group] : streams) {
    std::ranges::stable_sort(group, [&](std::size_t a, std::size_t b) {
      return timed ? pieces[a].times->first < pieces[b].times->first
                   : pieces[a].order.first < pieces[b].order.first;
    });
    all.push_back(std::move(group));
  }
  return all;
}

}  // namespace

Assignment assign_pieces(std::span<const SourcePiece> pieces, InDoubt mode, const Like& like) {
  Assignment assignment;
  assignment.attempts.resize(pieces.size());
  const std::vector<Pieces> sources = pieces_of_sources(pieces);
  const bool whole =
      std::ranges::all_of(pieces, [](const SourcePiece& piece) { return piece.forgotten == 0; });
  MergedStreams streams(mode, whole, like, assignment.doubts);
  for (const Pieces& group : streams_of(pieces, are_timed(pieces, sources))) {
    StreamAttempts stream(pieces, sources, mode, like, assignment);
    for (const std::size_t index : group) stream.add(index);
    streams.add(stream.result());
  }
  const std::vector<Pieces> attempts = streams.result();
  assignment.count = attempts.size();
  for (std::size_t i = 0; i < attempts.size(); ++i)
    for (const std::size_t index : attempts[i]) assignment.attempts[index] = i;
  return assignment;
}

}  // namespace gate::extract
