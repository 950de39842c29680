// All records of a run in the order of the log.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "extract/attempts/attempt_buffers.h"
#include "extract/records/readings.h"
#include "gate/extract/scan_result.h"
#include "gate/model/numbers/metric.h"

namespace gate::extract {

// Whether a record says which attempt the run is in: training steps do, other records with steps only where
// there are no training steps, reports never (a log that is written twice repeats them).
enum class Lead : std::uint8_t { no, yes };

// What a record gave, as far as it is known at once. It refers to the store, until the next record is
// stored.
struct StoredRecord {
  std::size_t attempt = 0;  // from 0
  Lead lead = Lead::no;
  std::span<const FieldReading> readings = {};  // numbered as their metrics are
  const StepTape* tape = nullptr;               // whose last line it is
  std::optional<std::int64_t> step = {};        // where it leads
  std::optional<std::int64_t> total = {};
};

// Which attempts are kept: all, or, where there are very many, those that may be judged.
enum class Keep : std::uint8_t { judged, all };

class RecordStore {
 public:
  RecordStore(const MetricTable& metrics, Keep keep)
      : metrics_(&metrics), keep_(keep), buffers_{StepTapes(metrics)} {}

  // Store a record that the reader of that index read; `expected` is what its leader records should hold.
  // What is returned stands until the next record is stored.
  const StoredRecord& store(std::size_t reader, const Record& record, const RecordOrigin& origin,
                            std::span<const FieldRow> expected, ProblemLog& problems);

  // Store a column of a stretch, whose values are of that row, as if its records had been stored one by one;
  // the origin is that of its first value, and `shift` leads from the stretch's places and lines to those of
  // the log.
  const StoredRecord& store(const StretchColumn& column, const FieldRow& row, const RecordOrigin& origin,
                            SampleSpot shift);

  // The records of a stretch, whose columns were stored, are done.
  void end_stretch(const Stretch& stretch) { order_ += static_cast<std::int64_t>(stretch.records); }

  // Tell whether the column can be stored as it is: its numbers go on in its source's attempt, or, if they
  // may fall, begin below it. What is counted tells no attempt, but is of the one that others are in when it
  // is printed: beside it none may fall. Else its records must be stored one by one.
  bool accepts(const StretchColumn& column, const RecordOrigin& origin, bool may_fall);

  // The script was started again: its records without numbers are counted again.
  void begin_start();

  AttemptBuffers& buffers() { return buffers_; }

 private:
  using StreamKey = std::tuple<std::size_t, std::size_t, std::uint32_t, std::string, std::optional<int>>;
  using StreamView =
      std::tuple<std::size_t, std::size_t, std::uint32_t, std::string_view, std::optional<int>>;
  using SourceOfFile = std::tuple<std::uint32_t, std::string_view>;
  // Where the values of a field go.
  struct FieldTarget {
    Numbering numbered = Numbering::step;
    std::size_t column = 0;      // of the stream
    bool chosen = false;         // the metric says which of several values is meant
    bool numbers_steps = false;  // its reports are those of the steps that are printed beside them
  };
  // What a stream printed of a metric.
  struct FollowerColumn {
    std::string_view metric;
    std::int64_t count = 0;
    std::size_t repeats = 0;  // how often the last number was printed again, and no piece began meanwhile
    bool differs = false;     // and with another value
    std::size_t begun = 0;    // how many pieces had begun then
    // Among the followers of the buffers, from the segment's first value on.
    std::optional<std::size_t> tape = {};
  };
  struct FollowerStream {
    std::size_t attempt = 0;
    std::optional<std::size_t> id = {};       // among the sources of the segments
    std::optional<std::size_t> segment = {};  // the one at hand
    bool falls = false;                       // the number at hand is below the last one
    std::optional<std::int64_t> last = {};
    std::size_t repeats = 0;  // how often it was printed again
    std::int64_t count = 0;
    std::vector<FollowerColumn> columns = {};
    TurnTable<const FieldRow*, std::optional<FieldTarget>> targets = {};
  };
  // How far the reports of a rank have come.
  struct RankCount {
    std::size_t attempt = 0;
    std::optional<std::int64_t> last = {};
    std::int64_t count = 0;
  };
  // How far orders are apart where no record lies between.
  struct Gaps {
    int count = 0;
    double least = 0;
    double most = 0;
    int decimals = 2;  // that an order is printed with
  };
  // How far the records without steps of a source have come, and at which order each number first stood.
  struct StepCount {
    std::int64_t number = 0;
    std::optional<Decimal> order;
    std::optional<Decimal> before;  // the order before that
    bool fresh = false;             // the framework said that a run begins
    std::map<Decimal, std::int64_t> numbers = {};
    std::string line = {};  // the one that was numbered last
    Gaps gaps = {};         // counted: between the orders of its attempt
    bool counts = false;    // by order: it repeated, or was no whole number
  };

  static std::int64_t count_over(const Decimal& before, const Decimal& order, Gaps& gaps);
  void store_step(std::size_t reader, Record& record, const RecordOrigin& origin,
                  std::span<const FieldRow> expected, ProblemLog& problems);
  void store_report(std::size_t reader, const Record& record, const RecordOrigin& origin,
                    ProblemLog& problems);
  void note_unplaced(const Record& record, const RecordOrigin& origin);
  RankReport report_of(const Record& record, const RecordOrigin& origin) const;
  void store_follower(std::size_t reader, const Record& record, const RecordOrigin& origin,
                      ProblemLog& problems);
  bool prints_steps(const RecordOrigin& origin) const;
  std::int64_t count_step(std::size_t reader, Record& record, const RecordOrigin& origin);
  void number_by_order(std::size_t reader, Record& record, const RecordOrigin& origin);
  std::optional<std::int64_t> number_follower(const Record& record, const RecordOrigin& origin,
                                              Numbering numbered, FollowerStream& stream,
                                              ProblemLog& problems);
  std::int64_t note_followed(const RecordOrigin& origin, std::int64_t step);
  void place_follower(std::optional<std::int64_t> number, const RecordOrigin& origin, FollowerStream& stream);
  void number_reports(std::int64_t number);
  FieldTarget& target_of(const FieldRow& row, FollowerStream& stream);
  FieldTarget new_target(const FieldRow& row, FollowerStream& stream);
  SampleTape& tape_of(std::string_view metric, std::optional<int> rank, std::size_t segment,
                      FollowerColumn& column);
  FollowerStream& stream_of(const StretchColumn& column, const RecordOrigin& origin);
  Segment& segment_of(std::size_t reader, std::size_t extractor, const RecordOrigin& origin,
                      FollowerStream& stream);
  static void extend(Segment& segment, Extent order, std::string_view head, std::optional<Extent> steps);
  bool says_more(const SampleView& sample, const SampleTape& tape, const FieldTarget& target,
                 FollowerColumn& column) const;
  void tell_follower(const FollowerStream& stream, Numbering numbered, std::int64_t number);
  void store_readings(std::size_t reader, const Record& record, const RecordOrigin& origin,
                      FollowerStream& stream);
  Numbering numbering(const FieldRow& row);
  void forget_crowd();

  static constexpr std::size_t least_crowd = 512;

  const MetricTable* metrics_;
  Keep keep_;
  std::size_t crowd_ = least_crowd;  // so many pieces or segments are worth a look at which may go
  AttemptBuffers buffers_;
  std::int64_t order_ = 0;   // of the record at hand among all
  std::size_t streams_ = 0;  // how many have a source
  std::size_t begun_ = 0;    // how many segments
  Record record_;            // the one at hand
  Readings readings_;        // of it
  StoredRecord stored_;      // of it
  TurnTable<const FieldRow*, std::optional<Numbering>> numberings_;
  TurnTable<StreamKey, FollowerStream> followers_;
  TurnTable<StreamKey, StepCount> counts_;
  TurnTable<std::uint32_t, std::size_t> furthest_;  // attempt of the followers of a file
  // The step that a follower of a source printed last: that of its followers without one, where nothing
  // leads.
  TurnTable<std::tuple<std::uint32_t, std::string>, std::optional<std::int64_t>> followed_;
  std::map<std::tuple<std::size_t, std::uint32_t, int>, RankCount> ranks_;  // reports as they come
};

}  // namespace gate::extract
