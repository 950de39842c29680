#include "extract/format_candidates.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace gate::extract {

FormatCandidates::FormatCandidates(const MetricTable& metrics, Keep keep,
                                   std::span<const FormatSpec* const> formats, FormatMode meant,
                                   std::size_t first_reader, std::function<void(const Origin&)> see)
    : saw_(std::move(see)) {
  const auto see_track = [this](FormatCandidate& track, const Origin& origin) { saw(track, origin); };
  tracks_.emplace_back(metrics, keep, meant == FormatMode::all ? formats : formats.first(0), first_reader,
                       see_track);
  if (meant == FormatMode::one)
    for (std::size_t i = 0; i < formats.size(); ++i)
      tracks_.emplace_back(metrics, keep, formats.subspan(i, 1), first_reader, see_track);
  for (FormatCandidate& track : tracks_)
    for (FormatReader& reader : track.readers()) readers_.push_back(&reader);
  leading_ = &tracks_.front();
  begun_.push_back(leading_);
}

void FormatCandidates::on_sample(std::function<void(const LiveSample&)> take) {
  take_ = std::move(take);
  for (FormatCandidate& track : tracks_)
    track.live().on_sample([this, &track](const LiveSample& sample) { tell(track, sample); });
}

void FormatCandidates::read(const CleanLine& line, ReaderMask owners) {
  const ReaderMask all = (ReaderMask{1} << readers_.size()) - 1;
  for (ReaderMask rest = (owners | awake_) & all; rest != 0; rest &= rest - 1) {
    FormatReader& reader = *readers_[static_cast<std::size_t>(std::countr_zero(rest))];
    reader.read(line);
    set_awake(reader, rest & -rest);
  }
}

void FormatCandidates::set_awake(const FormatReader& reader, ReaderMask bit) {
  awake_ = reader.awake() ? awake_ | bit : awake_ & ~bit;
}

void FormatCandidates::end_file(std::uint32_t file) {
  for (FormatCandidate& track : tracks_) track.end_file(file);
  for (std::size_t i = 0; i < readers_.size(); ++i) set_awake(*readers_[i], ReaderMask{1} << i);
}

void FormatCandidates::post(std::size_t reader, const Record& record, const Origin& origin) {
  for (FormatCandidate* track : begun_) track->post(reader, record, origin);
}

bool FormatCandidates::post(const Stretch& stretch, std::span<const PatternReader> patterns, Place first) {
  const auto origin_of = [&](const StretchColumn& column) {
    const std::uint32_t line = first.line + column.samples.front().line;
    return Origin{{first.file, line}, column.source, column.first_line};
  };
  const bool may_fall = std::ranges::all_of(stretch.columns, &StretchColumn::numbered);
  for (FormatCandidate* track : begun_)
    for (const StretchColumn& column : stretch.columns)
      if (!track->takes(column, origin_of(column), may_fall)) return false;
  for (FormatCandidate* track : begun_) {
    for (const StretchColumn& column : stretch.columns)
      track->post(column, patterns[column.pattern].row(), origin_of(column), {0, first.file, first.line});
    track->end_stretch(stretch);
  }
  return true;
}

void FormatCandidates::fail(std::uint32_t file) {
  for (FormatCandidate* track : begun_) track->books().steps.fail(file);
}

void FormatCandidates::saw(FormatCandidate& track, const Origin& origin) {
  saw_(origin);
  if (std::find(begun_.begin(), begun_.end(), &track) == begun_.end()) begin(track);
  may_have_changed_ |= &track != leading_;  // what the leading one found more makes it no less meant
}

FormatCandidate& FormatCandidates::leading() const {
  if (!std::exchange(may_have_changed_, false)) return *leading_;
  const Choice choice = choose(found());
  if (choice.best) leading_ = &tracks_[*choice.best + 1];
  return *leading_;
}

void FormatCandidates::begin(FormatCandidate& track) {
  track.begin_with(tracks_.front());
  begun_.push_back(&track);
}

// Where another track leads from now on, what was told until then was of another reading.
void FormatCandidates::tell(const FormatCandidate& track, const LiveSample& sample) {
  if (&track != &leading()) return;
  const bool other = told_ != nullptr && told_ != &track;
  told_ = &track;
  take_(
      {sample.metric, sample.rank, sample.sample, sample.new_attempt || other, sample.attempt, sample.step});
}

std::vector<Found> FormatCandidates::found() const {
  std::vector<Found> all;
  for (std::size_t i = 1; i < tracks_.size(); ++i) {
    const FormatCandidate& track = tracks_[i];
    const FormatSpec* format = &track.readers().front().format();
    all.push_back(track.sign_seen() ? Found{format, track.steps(), track.others()} : Found{format});
  }
  return all;
}

}  // namespace gate::extract
