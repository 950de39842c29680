#include "extract/format_candidate.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace gate::extract {

FormatCandidate::FormatCandidate(const MetricTable& metrics, Keep keep,
                                 std::span<const FormatSpec* const> formats, std::size_t first_reader,
                                 const OnRecord& saw)
    : ledger_(metrics, keep) {
  for (const FormatSpec* format : formats) {
    const std::size_t reader = first_reader + readers_.size();
    readers_.emplace_back(*format, problems_, [=, this](const Record& record, const Origin& origin) {
      if (record.role != Role::start) saw(*this, origin);
      post(reader, record, origin, format->extractors[record.extractor].expected);
    });
  }
}

void FormatCandidate::end_file(std::uint32_t file) {
  for (FormatReader& reader : readers_) reader.end_file(file);
}

void FormatCandidate::post(std::size_t reader, const Record& record, const Origin& origin,
                           std::span<const FieldRow> expected) {
  live_.see(ledger_.post(reader, record, origin, expected, problems_));
}

void FormatCandidate::post(const StretchColumn& column, const FieldRow& row, const Origin& origin,
                           SampleSpot shift) {
  live_.see(ledger_.post(column, row, origin, shift));
}

void FormatCandidate::begin_with(const FormatCandidate& other) {
  ledger_ = other.ledger_;
  problems_.add(other.problems_);
}

std::int64_t FormatCandidate::steps() const {
  return std::accumulate(readers_.begin(), readers_.end(), std::int64_t{0},
                         [](std::int64_t sum, const FormatReader& reader) { return sum + reader.steps(); });
}

std::int64_t FormatCandidate::others() const {
  return std::accumulate(readers_.begin(), readers_.end(), std::int64_t{0},
                         [](std::int64_t sum, const FormatReader& reader) { return sum + reader.others(); });
}

bool FormatCandidate::sign_seen() const {
  return std::any_of(readers_.begin(), readers_.end(),
                     [](const FormatReader& reader) { return reader.sign_seen(); });
}

}  // namespace gate::extract
