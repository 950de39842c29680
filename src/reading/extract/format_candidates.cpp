#include "extract/format_candidates.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace gate::extract {

void Live::add(const StoredRecord& stored) {
  if (stored.attempt < attempt_) return;
  if (stored.attempt > attempt_ && stored.lead == Lead::yes) {
    attempt_ = stored.attempt;
    fresh_ = true;
    told_ = {};
    last_step_ = 0;
    total_.reset();
  }
  if (stored.step) last_step_ = std::max(last_step_, *stored.step);
  if (stored.total) total_ = stored.total;
  if (!on_sample_) return;
  for (const FieldReading& reading : stored.readings)
    tell(reading.row->metric, reading.rank, reading.sample, stored.step);
  if (stored.tape == nullptr) return;
  for (const LeftOutValue& one : stored.tape->left_out()) tell(one.metric, one.rank, one.sample, stored.step);
}

void Live::tell(std::string_view metric, std::optional<int> rank, const SampleView& sample,
                std::optional<std::int64_t> step) {
  std::optional<std::int64_t>& highest = told_[std::tuple(metric, rank)];
  if (highest && *highest >= sample.number) return;
  highest = sample.number;
  on_sample_({metric, rank, sample.copy(), fresh_, attempt_, step});
  fresh_ = false;
}

FormatCandidate::FormatCandidate(const MetricTable& metrics, Keep keep,
                                 std::span<const FormatSpec* const> formats, StepsOf steps_of,
                                 std::size_t first_reader, const OnFormatRecord& on_record)
    : store_(metrics, keep) {
  for (const FormatSpec* format : formats) {
    const std::size_t reader = first_reader + readers_.size();
    const auto take = [=, this](const Record& record, const RecordOrigin& origin) {
      if (record.role != Role::start) on_record(*this, origin);
      store(reader, record, origin, format->extractors[record.extractor].expected);
    };
    readers_.emplace_back(*format, problems_, take, steps_of);
  }
}

FormatCandidates::FormatCandidates(const MetricTable& metrics, Keep keep,
                                   std::span<const FormatSpec* const> formats, FormatMode mode,
                                   StepsOf steps_of, std::size_t first_reader,
                                   std::function<void(const RecordOrigin&)> on_record)
    : on_record_(std::move(on_record)) {
  const auto notify = [this](FormatCandidate& candidate, const RecordOrigin& origin) {
    this->on_record(candidate, origin);
  };
  candidates_.emplace_back(metrics, keep, mode == FormatMode::all ? formats : formats.first(0), steps_of,
                           first_reader, notify);
  if (mode == FormatMode::one)
    for (std::size_t i = 0; i < formats.size(); ++i)
      candidates_.emplace_back(metrics, keep, formats.subspan(i, 1), steps_of, first_reader, notify);
  for (FormatCandidate& candidate : candidates_)
    for (FormatReader& reader : candidate.readers()) readers_.push_back(&reader);
  leading_ = &candidates_.front();
  begun_.push_back(leading_);
  within_.resize(formats.size());
  for (std::size_t i = 0; mode == FormatMode::one && i < formats.size(); ++i) {
    if (formats[i]->may_differ == nullptr) continue;
    const auto is_contained = [&](const FormatSpec* one) {
      return one->row.name == formats[i]->supersedes[0];
    };
    const auto within = std::ranges::find_if(formats, is_contained);
    if (within == formats.end()) continue;
    within_[i] = static_cast<std::size_t>(within - formats.begin()) + 1;
    asleep_ |= ReaderMask{1} << i;
  }
}

void FormatCandidates::on_sample(std::function<void(const LiveSample&)> on_sample) {
  on_sample_ = std::move(on_sample);
  for (FormatCandidate& candidate : candidates_)
    candidate.live().on_sample([this, &candidate](const LiveSample& sample) { tell(candidate, sample); });
}

void FormatCandidates::read(const CleanLine& line, ReaderMask readers) {
  took_ = pending_;
  wake(line, readers);
  for (ReaderMask rest = (readers | pending_) & all_formats() & ~asleep_; rest != 0; rest &= rest - 1) {
    FormatReader& reader = *readers_[static_cast<std::size_t>(std::countr_zero(rest))];
    reading_ = rest & -rest;
    reader.read(line);
    set_pending(reader, reading_);
  }
  for (ReaderMask rest = asleep_; rest != 0; rest &= rest - 1)
    if (const auto i = static_cast<std::size_t>(std::countr_zero(rest)); (took_ >> (within_[i] - 1) & 1) != 0)
      took_ |= rest & -rest;
}

// What is held of a line may hold a signature together with the next one. One that reads no more than steps
// has missed nothing until there are any.
void FormatCandidates::wake(const CleanLine& line, ReaderMask readers) {
  for (ReaderMask rest = asleep_; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    const ReaderMask bit = rest & -rest;
    FormatCandidate &own = candidates_[i + 1], &other = candidates_[within_[i]];
    FormatReader &reader = *readers_[i], &before = other.readers().front();
    if (!before.has_pending() && ((readers & bit) == 0 || !reader.format().may_differ(line.text))) continue;
    asleep_ &= ~bit;
    reader.hold_with(before);
    set_pending(reader, bit);
    if (!reader.is_like(before) && before.steps() == 0) continue;
    reader.count_with(before);
    if (std::ranges::find(begun_, &other) == begun_.end()) continue;
    own.begin_with(other);
    begun_.push_back(&own);
  }
}

void FormatCandidates::set_pending(const FormatReader& reader, ReaderMask bit) {
  pending_ = reader.has_pending() ? pending_ | bit : pending_ & ~bit;
}

void FormatCandidates::end_file(std::uint32_t file) {
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    readers_[i]->end_file(file);
    set_pending(*readers_[i], ReaderMask{1} << i);
  }
}

bool FormatCandidates::store(const Stretch& stretch, std::span<const PatternReader> patterns,
                             LinePlace first) {
  const auto origin_of = [&](const StretchColumn& column) {
    const std::uint32_t line = first.line + column.samples.front().line;
    return RecordOrigin{{first.file, line}, column.source, column.first_line};
  };
  const bool may_fall = std::ranges::all_of(stretch.columns, &StretchColumn::numbered);
  for (FormatCandidate* candidate : begun_)
    for (const StretchColumn& column : stretch.columns)
      if (!candidate->accepts(column, origin_of(column), may_fall)) return false;
  for (FormatCandidate* candidate : begun_) {
    for (const StretchColumn& column : stretch.columns)
      candidate->store(column, patterns[column.pattern].row(), origin_of(column),
                       {0, first.file, first.line});
    candidate->end_stretch(stretch);
  }
  return true;
}

void FormatCandidates::on_record(FormatCandidate& candidate, const RecordOrigin& origin) {
  on_record_(origin);
  took_ |= reading_;
  if (std::ranges::find(begun_, &candidate) == begun_.end()) {
    candidate.begin_with(candidates_.front());
    begun_.push_back(&candidate);
  }
  may_have_changed_ |= &candidate != leading_;  // what the leading one found more makes it no less meant
}

ReaderMask FormatCandidates::meant() const {
  const FormatCandidate* const lead = &leading();
  if (candidates_.size() == 1) return all_formats();
  for (std::size_t i = 1; i < candidates_.size(); ++i)
    if (lead == &candidates_[i]) return ReaderMask{1} << (i - 1);
  return 0;
}

FormatCandidate& FormatCandidates::leading() const {
  if (!std::exchange(may_have_changed_, false)) return *leading_;
  if (const Choice choice = choose(found()); choice.best) leading_ = &candidates_[*choice.best + 1];
  return *leading_;
}

// What was told until now was of another reading if another candidate leads from now on.
void FormatCandidates::tell(const FormatCandidate& candidate, const LiveSample& sample) {
  if (&candidate != &leading()) return;
  const bool other = told_ != nullptr && told_ != &candidate;
  told_ = &candidate;
  on_sample_(
      {sample.metric, sample.rank, sample.sample, sample.new_attempt || other, sample.attempt, sample.step});
}

std::vector<FoundFormat> FormatCandidates::found() const {
  std::vector<FoundFormat> all;
  for (std::size_t i = 1; i < candidates_.size(); ++i) {
    const FormatReader& reader = candidates_[i].readers().front();
    all.push_back(reader.signature_seen() ? FoundFormat{&reader.format(), reader.steps(), reader.others()}
                                          : FoundFormat{&reader.format()});
  }
  return all;
}

}  // namespace gate::extract
