// What one choice of formats makes of a log: its records, and the books and live samples that they give.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "extract/attempts/live.h"
#include "extract/attempts/record_store.h"
#include "extract/records/format_reader.h"
#include "extract/records/problem_log.h"
#include "gate/model/extraction.h"

namespace gate::extract {

class FormatCandidate {
 public:
  // Called before a record of a format is posted.
  using OnRecord = std::function<void(FormatCandidate&, const Origin&)>;

  // The readers of the formats are numbered from `first_reader` on.
  FormatCandidate(const MetricTable& metrics, Keep keep, std::span<const FormatSpec* const> formats,
                  std::size_t first_reader, const OnRecord& saw);
  FormatCandidate(const FormatCandidate&) = delete;
  FormatCandidate& operator=(const FormatCandidate&) = delete;

  std::deque<FormatReader>& readers() { return readers_; }
  void end_file(std::uint32_t file);

  // Take a record of another reader, such as that of a user's pattern.
  void post(std::size_t reader, const Record& record, const Origin& origin,
            std::span<const FieldRow> expected = {});

  // The same of a column of a stretch, and of the end of the stretch: see RecordStore.
  void post(const StretchColumn& column, const FieldRow& row, const Origin& origin, SampleSpot shift);
  void end_stretch(const Stretch& stretch) { ledger_.end_stretch(stretch); }
  bool takes(const StretchColumn& column, const Origin& origin, bool may_fall) {
    return ledger_.takes(column, origin, may_fall);
  }

  // Go on from what another track was given so far.
  void begin_with(const FormatCandidate& other);

  // Return how many training steps, and how many other records the formats read.
  std::int64_t steps() const;
  std::int64_t others() const;
  bool sign_seen() const;

  const std::deque<FormatReader>& readers() const { return readers_; }
  AttemptBuffers& books() { return ledger_.books(); }
  Live& live() { return live_; }
  const Live& live() const { return live_; }
  ProblemLog& problems() { return problems_; }

 private:
  ProblemLog problems_;
  RecordStore ledger_;
  Live live_;
  std::deque<FormatReader> readers_;
};

}  // namespace gate::extract
