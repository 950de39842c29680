// The candidates of a log: one for each format where one of them is meant, or one for all that were named.
//
// A candidate begins at the first record of its format, with what other readers (the user's patterns, event
// files) gave until then. One whose format contains another may read nothing until a line may be of its own,
// and begin with what the other candidate has then: few logs of Megatron's lines are of what contains it. The
// candidate of the format that is meant leads: its samples are told while the log is read, and its attempts
// are the ones that are resolved at the end.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "extract/attempts/record_store.h"
#include "extract/choice.h"
#include "extract/patterns/user_pattern.h"
#include "extract/records/format_reader.h"
#include "extract/records/readings.h"
#include "extract/records/turn_table.h"
#include "extract/scan/literal_windows.h"
#include "gate/extract/extractor.h"

namespace gate::extract {

// Samples as they come, of the newest attempt only. Each is handed on once: what a lagging source prints of
// an earlier attempt, and what is printed again, is not told a second time.
class Live {
 public:
  void on_sample(std::function<void(const LiveSample&)> on_sample) { on_sample_ = std::move(on_sample); }

  // Hand on what the record gave. If nobody subscribed, only the step and the total are kept up.
  void add(const StoredRecord& stored);

  std::int64_t last_step() const { return last_step_; }
  std::optional<std::int64_t> total() const { return total_; }

 private:
  void tell(std::string_view metric, std::optional<int> rank, const SampleView& sample,
            std::optional<std::int64_t> step);

  std::function<void(const LiveSample&)> on_sample_;
  // The highest number that was told of each metric and rank.
  TurnTable<std::tuple<std::string, std::optional<int>>, std::optional<std::int64_t>> told_;
  std::size_t attempt_ = 0;
  bool fresh_ = false;
  std::int64_t last_step_ = 0;
  std::optional<std::int64_t> total_;
};

// What one choice of formats makes of a log: its records, and the buffers and live samples that they give.
class FormatCandidate {
 public:
  // Called before a record of a format is stored.
  using OnFormatRecord = std::function<void(FormatCandidate&, const RecordOrigin&)>;

  // The readers of the formats are numbered from `first_reader` on.
  FormatCandidate(const MetricTable& metrics, Keep keep, std::span<const FormatSpec* const> formats,
                  StepsOf steps_of, std::size_t first_reader, const OnFormatRecord& on_record);
  FormatCandidate(const FormatCandidate&) = delete;
  FormatCandidate& operator=(const FormatCandidate&) = delete;

  // Store a record of another reader, such as that of a user's pattern.
  void store(std::size_t reader, const Record& record, const RecordOrigin& origin,
             std::span<const FieldRow> expected = {}) {
    live_.add(store_.store(reader, record, origin, expected, problems_));
  }

  // The same of a column of a stretch, and of the end of the stretch: see RecordStore.
  void store(const StretchColumn& column, const FieldRow& row, const RecordOrigin& origin, SampleSpot shift) {
    live_.add(store_.store(column, row, origin, shift));
  }
  void end_stretch(const Stretch& stretch) { store_.end_stretch(stretch); }
  bool accepts(const StretchColumn& column, const RecordOrigin& origin, bool may_fall) {
    return store_.accepts(column, origin, may_fall);
  }

  void begin_start() { store_.begin_start(); }

  // Go on from what another candidate was given so far.
  void begin_with(const FormatCandidate& other) {
    store_ = other.store_;
    problems_.add(other.problems_);
  }

  std::deque<FormatReader>& readers() { return readers_; }
  const std::deque<FormatReader>& readers() const { return readers_; }
  AttemptBuffers& buffers() { return store_.buffers(); }
  Live& live() { return live_; }
  const Live& live() const { return live_; }
  const ProblemLog& problems() const { return problems_; }

 private:
  ProblemLog problems_;
  RecordStore store_;
  Live live_;
  std::deque<FormatReader> readers_;
};

// Each format is a candidate of its own, one of which is meant; or all are one candidate.
enum class FormatMode : std::uint8_t { one, all };

class FormatCandidates {
 public:
  // `on_record` is called before a record of a format is stored. Readers of formats are numbered from
  // `first_reader` on.
  FormatCandidates(const MetricTable& metrics, Keep keep, std::span<const FormatSpec* const> formats,
                   FormatMode mode, StepsOf steps_of, std::size_t first_reader,
                   std::function<void(const RecordOrigin&)> on_record);
  FormatCandidates(const FormatCandidates&) = delete;
  FormatCandidates& operator=(const FormatCandidates&) = delete;

  // Read a line in which literals stand that these readers want: bit i is that of format i.
  void read(const CleanLine& line, ReaderMask readers);

  // Tell whether a format waits for whatever line comes next.
  bool has_pending() const { return pending_ != 0; }

  // Return the formats that took a record from the line that was read last, or wait for the rest of one.
  ReaderMask took() const { return took_ | pending_; }

  // Return the formats of the candidate that leads.
  ReaderMask meant() const;

  void end_file(std::uint32_t file);

  // Store a record of a reader that is no format: it counts whichever format is meant.
  void store(std::size_t reader, const Record& record, const RecordOrigin& origin) {
    for (FormatCandidate* candidate : begun_) candidate->store(reader, record, origin);
  }

  // Store a stretch whose block's first line is there, unless its records must be stored one by one: returns
  // whether it was stored. `patterns` are those of its columns.
  bool store(const Stretch& stretch, std::span<const PatternReader> patterns, LinePlace first);

  // The file says that a run failed.
  void fail(std::uint32_t file, bool may_be_repaired) {
    for (FormatCandidate* candidate : begun_) candidate->buffers().steps.fail(file, may_be_repaired);
  }

  // The script was started again.
  void begin_start() {
    for (FormatCandidate* candidate : begun_) candidate->begin_start();
  }

  void on_sample(std::function<void(const LiveSample&)> on_sample);

  // Tell whether somebody is told of each sample.
  bool has_listener() const { return on_sample_ != nullptr; }

  // Return the candidate that leads as far as it is known.
  FormatCandidate& leading() const;

  // Return the candidate that holds what no format read, or all.
  const FormatCandidate& unclaimed() const { return candidates_.front(); }

  // Return what each format found, where one of them is meant.
  std::vector<FoundFormat> found() const;

 private:
  ReaderMask all_formats() const { return (ReaderMask{1} << readers_.size()) - 1; }
  void set_pending(const FormatReader& reader, ReaderMask bit);
  void wake(const CleanLine& line, ReaderMask readers);
  void on_record(FormatCandidate& candidate, const RecordOrigin& origin);
  void tell(const FormatCandidate& candidate, const LiveSample& sample);

  std::function<void(const RecordOrigin&)> on_record_;
  std::function<void(const LiveSample&)> on_sample_;
  mutable std::deque<FormatCandidate> candidates_;  // the first one is the unclaimed one
  std::vector<FormatReader*> readers_;              // of all candidates, by format
  ReaderMask asleep_ = 0;                           // formats that wait for a line of their own
  std::vector<std::size_t> within_ = {};            // by format: of those, the candidate of what they contain
  ReaderMask pending_ = 0;
  ReaderMask reading_ = 0;  // the format that is handed the line
  ReaderMask took_ = 0;
  std::vector<FormatCandidate*> begun_;  // candidates that are given what is stored
  mutable FormatCandidate* leading_ = nullptr;
  mutable bool may_have_changed_ = false;  // who leads
  const FormatCandidate* told_ = nullptr;  // the one whose sample was told last
};

}  // namespace gate::extract
