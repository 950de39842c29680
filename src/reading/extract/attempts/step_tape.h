// The training steps that one source prints with one extractor, piece by piece.
//
// A step number that falls begins a new piece. So does the last step printed again with other words where it
// is the piece's first and nothing came between, or where a start marker or a failure's message stands
// between: the run died and began again. Printed again with the very same words it is one line that was
// written twice.
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

#include "extract/attempts/assign.h"
#include "extract/attempts/printed_time.h"
#include "extract/attempts/two_writers.h"
#include "extract/records/format_reader.h"
#include "extract/records/readings.h"
#include "extract/records/turn_table.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/numbers/sample_tape.h"

namespace gate::extract {

// The new place of each; nothing for those that are gone.
using NewPlaces = std::vector<std::optional<std::size_t>>;

// Return the places of what stays, in its order.
inline NewPlaces new_places(const std::vector<bool>& stays) {
  NewPlaces places(stays.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < stays.size(); ++i)
    if (stays[i]) places[i] = next++;
  return places;
}

// Keep what has a place.
template <class T>
void keep_placed(const NewPlaces& places, std::vector<T>& all) {
  std::vector<T> kept;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (places[i]) kept.push_back(std::move(all[i]));
  all = std::move(kept);
}

// Return how the samples of the metric are numbered: by step where the table does not know it.
Numbering numbering_of(const MetricTable& metrics, std::string_view metric);

// The values of one metric on a tape.
struct StepColumn {
  std::string_view metric;
  std::string_view printed;  // how lines that lack it are told of
  Numbering numbered = Numbering::step;
  bool chosen = false;                         // the metric says which of several values is meant
  bool own = false;                            // the values are the rank's
  bool expected = false;                       // each whole line should hold it
  bool has_number = false;                     // one of the values is finite
  SampleTape samples = {};                     // numbered by steps
  std::optional<std::int64_t> differing = {};  // the last step that was printed with two values of it
};

// What a line left out.
struct LeftOutValue {
  std::string_view metric;
  std::optional<int> rank;
  SampleView sample;  // numbered as the metric is
};

// A value that is no number, of a step that nobody can tell: its line prints none, and others print theirs.
struct Unplaced {
  LinePlace place;
  std::string metric;
};

// One piece of one source: its steps never fall.
struct StepTape {
  bool is_noted = false;       // its restart is
  bool is_recomputed = false;  // it repeats the last step behind what may be repaired, and no run began
  bool is_told = false;        // it was said before it that a run begins, or failed
  std::size_t forgotten = 0;   // attempts before it of which only a count is left
  std::size_t attempt = 0;    // from 0; until attempts are assigned, its place among the pieces of its source
  std::size_t source_id = 0;  // who prints it: a file, a prefix, a reader, an extractor
  std::size_t reader = 0;
  std::uint32_t file = 0;
  std::string source;
  Extent order;                       // of its records among all
  std::optional<std::int64_t> began;  // when its first line was printed, as it says itself
  TimeHead head;                      // of its last line
  std::size_t starts_before = 0;      // how many runs its file had begun before its first line
  std::size_t starts_until = 0;       // and before its last one
  std::size_t repairs_until = 0;      // how often it had told by then of what may be repaired
  std::optional<std::pair<LinePlace, LinePlace>>
      two_writers;  // two of its lines that two runs wrote, where that was seen
  std::optional<std::pair<LinePlace, LinePlace>> late;  // its first line, behind one before which it belongs
  std::optional<int> rank;
  bool counted = false;           // its numbers are the places of its records
  bool beside = false;            // so they are, whatever steps others print
  SampleTape lines;               // what a value would be that each line left out
  std::vector<std::size_t> torn;  // of the lines, those that were cut off
  std::int64_t first = 0;         // the first line's step
  std::int64_t base = 0;   // lines of the pieces that it resumed behind, by which its reports are numbered on
  std::int64_t steps = 0;  // those, and its own lines that do not repeat the one before
  std::vector<StepColumn> columns;                              // those that were printed or are expected
  std::set<std::pair<std::int64_t, std::string>> unreadable;    // step and metric printed with no number
  std::vector<std::pair<std::int64_t, std::string_view>> none;  // behind a number, printed as a word for none
  std::optional<Unplaced> unplaced;                             // the first one beside its steps
  std::optional<std::int64_t> total;
  std::optional<std::int64_t> epoch_end;  // the last step of the epoch that its last line is of
  TurnTable<const FieldRow*, std::optional<std::size_t>> places;  // among the columns, of what gives them

  std::int64_t first_step() const { return first; }
  std::int64_t last_step() const { return lines.last_number(); }

  // Return the column of the metric, or nullptr.
  const StepColumn* find(std::string_view metric) const;

  // Return whose the column's values are: the rank's, or nothing where they are the run's.
  std::optional<int> rank_of(const StepColumn& column) const { return column.own ? rank : std::nullopt; }

  // Return what the last line lacks, as far as it is known while the log is read: by metric.
  std::vector<LeftOutValue> left_out() const;

  // Begin with the columns of the piece before, which are empty, and know what gives them as it did.
  void follow(StepTape& before);

  // No line comes any more: give back what is held for further ones.
  void shrink();

  // Return first and last of the times that its lines print, if both do.
  std::optional<Extent> times() const { return printed_extent(began, head); }

  // Take over the lines of its source's next piece, whose numbers lie among its own, too.
  void take(StepTape next);

  // Return the first value of the column that is no number where it should be one: what is none before the
  // first number, or more often than not, is what the source has none of.
  std::optional<Unplaced> no_number_of(const StepColumn& column) const;

  // Add a left-out sample wherever a whole line lacks a metric that is expected of the tape; where a step was
  // printed again without the value, it is left out. A column of words alone that are no number holds
  // nothing. What was none before the first number, or more often than not, is forgotten: it may be that the
  // source has none.
  void fill_left_out();
};

class StepTapes {
 public:
  explicit StepTapes(const MetricTable& metrics) : metrics_(&metrics) {}

  struct Added {
    const StepTape* tape = nullptr;  // valid until the next step is added
    bool repeats = false;            // the source printed that step just before
    bool same_words = false;         // with the very same words
    bool is_kept = true;             // false: it says nothing more than the lines before
  };

  // Append a step, the `order`-th record of all; `reader` tells apart the formats that read one source. The
  // record has a number.
  Added add(std::size_t reader, const Record& record, const RecordOrigin& origin, std::int64_t order,
            const Readings& readings, std::span<const FieldRow> expected);

  // A source says that a run begins. What it prints next may be one that began again.
  void begin(std::uint32_t file, std::string_view source);

  // The script was started again: what a source prints next is of another run, even if it is the last step
  // once more, word for word.
  void begin_again();

  // A file says that a run failed: the same.
  void fail(std::uint32_t file, bool may_be_repaired);

  // Return the newest tape of that source, else the one of its file that was printed last, else nullptr.
  const StepTape* newest(std::uint32_t file, std::string_view source) const;

  // Return that tape's place among all, or nothing.
  std::optional<std::size_t> newest_place(std::uint32_t file, std::string_view source) const;

  std::vector<StepTape>& all() { return tapes_; }
  const std::vector<StepTape>& all() const { return tapes_; }

  // Return the place of the tape that leads what that source prints beside its steps: its own newest one,
  // else the one of its file that began last; nothing where there is none.
  std::optional<std::size_t> leader(std::uint32_t file, std::string_view source) const;

  // Tell whether it was said, behind the last line of the tape, that a run begins or failed.
  bool said_start(std::size_t tape) const { return starts_attempt_[tapes_[tape].source_id]; }

  // Return how many pieces have begun so far, those that are not kept among them.
  std::size_t begun() const { return begun_; }

  // Keep those tapes that have a new place, as they stand. The newest one of each source has one. Tapes that
  // begin from now on have so many forgotten attempts before them.
  void keep(const NewPlaces& places, std::size_t forgotten);

  // Make one piece of two of a source, the second of which follows the first: it is gone then.
  void join(std::size_t tape, std::size_t next);

  // Return where the tape stands once two were joined.
  static std::size_t place_without(std::size_t place, std::size_t joined, std::size_t gone) {
    return place == gone ? joined : place - (place > gone ? 1 : 0);
  }

  // Return the next tape of the same source, or nullptr.
  const StepTape* next_of_source(std::size_t tape) const;

  // Set the attempt of each tape.
  void assign(std::span<const std::size_t> attempts, std::size_t count);

  // Return the tapes of one attempt, in the order in which they began.
  std::vector<const StepTape*> of_attempt(std::size_t attempt) const;

  std::size_t attempts() const { return attempts_; }

 private:
  using TapeKey =
      std::tuple<std::uint32_t, std::string, std::size_t, std::size_t>;  // with reader and extractor
  using TapeKeyView = std::tuple<std::uint32_t, std::string_view, std::size_t, std::size_t>;
  using SourceKey = std::tuple<std::uint32_t, std::string>;
  using SourceView = std::tuple<std::uint32_t, std::string_view>;

  struct TapeSource {
    std::optional<std::size_t> id;
    std::size_t newest = 0;  // its newest tape
    TwoWriters writers;
    LinePlace last;  // its newest line
  };

  using FilePlaces = std::map<std::uint32_t, std::size_t>;  // a tape of each file

  std::optional<std::size_t> of_source_or_file(std::uint32_t file, std::string_view source,
                                               const FilePlaces& of_file) const;
  StepTape& tape_for(const TapeKeyView& key, TapeSource& source, const Record& record,
                     const Readings& readings);
  StepTape& begin_tape(const TapeKeyView& key, TapeSource& source, std::size_t attempt);
  std::int64_t lines_before(std::size_t newest, std::size_t source_id, std::int64_t step) const;
  StepColumn& column_of(StepTape& tape, const FieldRow& row);
  void expect(StepTape& tape, std::span<const FieldRow> rows, const Record& record);
  static void expect(StepColumn& column, const FieldRow& row);
  void set_newest(const SourceView& source);
  void append(StepTape& tape, const Record& record, LinePlace place, const Readings& readings);

  const MetricTable* metrics_;
  std::vector<StepTape> tapes_;
  std::vector<std::vector<std::size_t>> by_attempt_;
  TurnTable<TapeKey, TapeSource> sources_;
  std::vector<bool> starts_attempt_;  // of each source: it was said that a run begins, or failed
  std::vector<bool> restarted_;       // likewise: the script was started again
  std::map<SourceKey, std::size_t, LessLike> newest_of_source_;
  FilePlaces newest_of_file_;
  FilePlaces last_begun_;                         // tape of a file
  std::map<std::uint32_t, std::size_t> starts_;   // how many runs a file said to begin behind steps of theirs
  std::map<std::uint32_t, std::size_t> repairs_;  // how often a file told of what may be repaired
  std::size_t attempts_ = 0;
  std::size_t forgotten_ = 0;  // of them
  std::size_t begun_ = 0;
  std::size_t latest_ = 0;  // the tape that the last line went to
};

}  // namespace gate::extract
