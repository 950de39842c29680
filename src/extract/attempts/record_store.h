// All records of a run in the order of the log.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "extract/attempts/attempt_buffers.h"
#include "extract/records/readings.h"
#include "gate/extract/scan_result.h"
#include "gate/model/metric.h"

namespace gate::extract {

// Whether a record says which attempt the run is in: training steps do, other records with steps only where
// there are no training steps, reports never (a log that is written twice repeats them).
enum class Lead : std::uint8_t { no, yes };

// What a record gave, as far as it is known at once. It refers to the ledger, until the next record is
// posted.
struct StoredRecord {
  std::size_t attempt = 0;  // from 0
  Lead lead = Lead::no;
  std::span<const Reading> readings = {};  // numbered as their metrics are
  const StepTape* tape = nullptr;          // whose last line it is
  std::optional<std::int64_t> step = {};   // where it leads
  std::optional<std::int64_t> total = {};
};

// Which attempts are kept: all, or, where there are very many, those that may be judged.
enum class Keep : std::uint8_t { judged, all };

class RecordStore {
 public:
  RecordStore(const MetricTable& metrics, Keep keep)
      : metrics_(&metrics), keep_(keep), books_{StepTapes(metrics)} {}

  // Take a record that the reader of that index read; `expected` is what its leader records should hold. What
  // is returned stands until the next record is posted.
  const StoredRecord& post(std::size_t reader, const Record& record, const Origin& origin,
                           std::span<const FieldRow> expected, ProblemLog& problems);

  // Take a column of a stretch, whose values are of that row, as if its records had been posted one by one;
  // the origin is that of its first value, and `shift` leads from the stretch's places and lines to those of
  // the log.
  const StoredRecord& post(const StretchColumn& column, const FieldRow& row, const Origin& origin,
                           SampleSpot shift);

  // The records of a stretch, whose columns were posted, are done.
  void end_stretch(const Stretch& stretch) { order_ += static_cast<std::int64_t>(stretch.records); }

  // Tell whether the column can be posted as it is: its numbers go on in its source's attempt, or, if they
  // may fall, begin below it. What is counted tells no attempt, but is of the one that others are in when it
  // is printed: beside it none may fall. Else its records must be posted one by one.
  bool takes(const StretchColumn& column, const Origin& origin, bool may_fall);

  AttemptBuffers& books() { return books_; }

 private:
  using StreamKey = std::tuple<std::size_t, std::size_t, std::uint32_t, std::string, std::optional<int>>;
  using StreamView =
      std::tuple<std::size_t, std::size_t, std::uint32_t, std::string_view, std::optional<int>>;
  // Where the values of a field go.
  struct Target {
    Numbering numbered = Numbering::step;
    std::size_t column = 0;  // of the stream
    bool chosen = false;     // the metric says which of several values is meant
  };
  // What a stream printed of a metric.
  struct Column {
    std::string_view metric;
    std::int64_t count = 0;
    std::size_t repeats = 0;  // how often the last number was printed again, and no piece began meanwhile
    bool differs = false;     // and with another value
    std::size_t begun = 0;    // how many pieces had begun then
    // Among the followers of the books, from the segment's first value on.
    std::optional<std::size_t> tape = {};
  };
  struct Stream {
    std::size_t attempt = 0;
    std::optional<std::size_t> id = {};       // among the sources of the segments
    std::optional<std::size_t> segment = {};  // the one at hand
    bool falls = false;                       // the number at hand is below the last one
    std::optional<std::int64_t> last = {};
    std::size_t repeats = 0;  // how often it was printed again
    std::int64_t count = 0;
    std::vector<Column> columns = {};
    TurnTable<const FieldRow*, std::optional<Target>> targets = {};
  };
  // How far the reports of a rank have come.
  struct RankCount {
    std::size_t attempt = 0;
    std::optional<std::int64_t> last = {};
    std::int64_t count = 0;
  };
  // How far the records without steps of a source have come, and at which order each number first stood.
  struct Count {
    std::int64_t number = 0;
    std::optional<Decimal> order;
    bool fresh = false;  // the framework said that a run begins
    std::map<Decimal, std::int64_t> numbers = {};
  };

  void post_step(std::size_t reader, Record& record, const Origin& origin, std::span<const FieldRow> expected,
                 ProblemLog& problems);
  void post_report(std::size_t reader, const Record& record, const Origin& origin, ProblemLog& problems);
  Report report_of(const Record& record, const Origin& origin) const;
  void post_follower(std::size_t reader, const Record& record, const Origin& origin, ProblemLog& problems);
  bool prints_steps(const Origin& origin) const;
  void begin_count(const Origin& origin);
  std::int64_t count_step(std::size_t reader, Record& record, const Origin& origin);
  bool number_follower(const Record& record, const Origin& origin, Numbering numbered, Stream& stream,
                       ProblemLog& problems, std::int64_t& number);
  void place_follower(std::optional<std::int64_t> number, const Origin& origin, Stream& stream);
  void number_reports(std::int64_t number);
  Target& target_of(const FieldRow& row, Stream& stream);
  Target new_target(const FieldRow& row, Stream& stream);
  SampleTape& tape_of(std::string_view metric, std::optional<int> rank, std::size_t segment, Column& column);
  Stream& stream_of(const StretchColumn& column, const Origin& origin);
  Segment& segment_of(std::size_t reader, std::size_t extractor, const Origin& origin, Stream& stream);
  static void extend(Segment& segment, Extent order, std::string_view head, std::optional<Extent> steps);
  bool says_more(const SampleView& sample, const SampleTape& tape, const Target& target,
                 Column& column) const;
  void tell_follower(const Stream& stream, Numbering numbered, std::int64_t number);
  void store(std::size_t reader, const Record& record, const Origin& origin, Stream& stream);
  Numbering numbering(const FieldRow& row);

  void forget_crowd();

  static constexpr std::size_t least_crowd = 512;

  const MetricTable* metrics_;
  Keep keep_;
  std::size_t crowd_ = least_crowd;  // so many pieces or segments are worth a look at which may go
  AttemptBuffers books_;
  std::int64_t order_ = 0;   // of the record at hand among all
  std::size_t streams_ = 0;  // how many have a source
  std::size_t begun_ = 0;    // how many segments
  Record record_;            // the one at hand
  Readings readings_;        // of it
  StoredRecord posted_;      // of it
  TurnTable<const FieldRow*, std::optional<Numbering>> numberings_;
  TurnTable<StreamKey, Stream> followers_;
  TurnTable<StreamKey, Count> counts_;
  TurnTable<std::uint32_t, std::size_t> furthest_;  // attempt of the followers of a file
  std::map<std::tuple<std::size_t, std::uint32_t, int>, RankCount> ranks_;  // reports as they come
};

}  // namespace gate::extract
