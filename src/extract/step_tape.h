// The training steps that one source prints with one extractor, attempt by attempt.
//
// A step number that falls starts a new attempt. So does the first step of an attempt when it is printed
// again with other words and nothing came between: the run died after one step and began anew. Printed again
// with the very same words it is one line that was written twice.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "extract/format_reader.h"
#include "extract/readings.h"
#include "extract/turn_table.h"
#include "gate/model/metric.h"
#include "gate/model/sample_tape.h"

namespace gate::extract {

// Return how the samples of the metric are numbered: by step where the table does not know it.
Numbering numbering_of(const MetricTable& metrics, std::string_view metric);

// The values of one metric on a tape.
struct StepColumn {
  std::string metric;
  std::string printed;  // how lines that lack it are told of
  Numbering numbered = Numbering::step;
  bool own = false;         // the values are the rank's
  bool expected = false;    // each whole line should hold it
  SampleTape samples = {};  // numbered by steps
};

// What a line left out.
struct Lacking {
  std::string_view metric;
  std::optional<int> rank;
  SampleView sample;  // numbered as the metric is
};

// One attempt of one source: its steps never fall.
struct StepTape {
  std::size_t attempt = 0;  // from 0
  std::size_t reader = 0;
  std::uint32_t file = 0;
  std::string source;
  std::optional<int> rank;
  bool counted = false;                                       // its numbers are the places of its records
  SampleTape lines;                                           // what a value would be that each line left out
  std::vector<std::size_t> torn;                              // of the lines, those that were cut off
  std::int64_t first = 0;                                     // the first line's step
  std::int64_t steps = 0;                                     // lines that do not repeat the one before
  std::vector<StepColumn> columns;                            // those that were printed or are expected
  std::set<std::pair<std::int64_t, std::string>> unreadable;  // step and metric printed with no number
  std::optional<std::int64_t> total;
  std::size_t end = 0;  // how many step lines of its file had come when its last one had
  TurnTable<const FieldRow*, std::optional<std::size_t>> places;  // among the columns, of what gives them

  std::int64_t first_step() const { return first; }
  std::int64_t last_step() const { return lines.last_number(); }

  // Return the column of the metric, or nullptr.
  const StepColumn* find(std::string_view metric) const;

  // Return whose the column's values are: the rank's, or nothing where they are the run's.
  std::optional<int> rank_of(const StepColumn& column) const { return column.own ? rank : std::nullopt; }

  // Return what the last line lacks, as far as it is known while the log is read: by metric.
  std::vector<Lacking> left_out() const;

  // Add a left-out sample wherever a whole line lacks a metric that is expected of the tape.
  void fill_left_out();
};

class StepTapes {
 public:
  explicit StepTapes(const MetricTable& metrics) : metrics_(&metrics) {}

  struct Added {
    const StepTape* tape = nullptr;  // valid until the next step is added
    bool begins = false;             // an attempt that no source had begun before
    std::int64_t before = 0;         // begins: the step before the fall
    bool repeats = false;            // the source printed that step just before
  };

  // Append a step; `reader` tells apart the formats that read one source. The record has a number.
  Added add(std::size_t reader, const Record& record, const Origin& origin, const Readings& readings,
            std::span<const FieldRow> expected);

  // Return the newest tape of that source, else the newest of its file, else nullptr.
  const StepTape* newest(std::uint32_t file, std::string_view source) const;

  std::vector<StepTape>& all() { return tapes_; }
  const std::vector<StepTape>& all() const { return tapes_; }

  // Return the tapes of one attempt, in the order in which they began.
  std::vector<const StepTape*> of_attempt(std::size_t attempt) const;

  std::size_t attempts() const { return by_attempt_.size(); }

  // Return how many step lines of the file have come.
  std::size_t lines(std::uint32_t file) const;

 private:
  using Key = std::tuple<std::uint32_t, std::string, std::size_t, std::size_t>;  // with reader and extractor
  using KeyView = std::tuple<std::uint32_t, std::string_view, std::size_t, std::size_t>;
  using SourceKey = std::tuple<std::uint32_t, std::string>;
  using SourceView = std::tuple<std::uint32_t, std::string_view>;

  StepTape& tape_for(const KeyView& key, const Record& record, const Readings& readings);
  StepTape& begin_tape(const KeyView& key, std::size_t attempt);
  StepColumn& column_of(StepTape& tape, const FieldRow& row);
  void expect(StepTape& tape, std::span<const FieldRow> rows);
  static void expect(StepColumn& column, const FieldRow& row);
  void set_newest(const SourceView& source);
  void append(StepTape& tape, const Record& record, Place place, const Readings& readings);

  const MetricTable* metrics_;
  std::vector<StepTape> tapes_;
  std::vector<std::vector<std::size_t>> by_attempt_;
  TurnTable<Key, std::optional<std::size_t>> newest_;
  std::map<SourceKey, std::size_t, LessLike> newest_of_source_;
  std::map<std::uint32_t, std::size_t> newest_of_file_;
  std::map<std::uint32_t, std::size_t> lines_;  // by file
  std::size_t latest_ = 0;                      // the tape that the last line went to
};

}  // namespace gate::extract
