// One record of a log, as a format reads it out of a line: still words, not yet numbers. And that line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "extract/scan/number_word.h"
#include "gate/base/sentence.h"
#include "gate/model/numbers/decimal.h"

namespace gate::extract {

// What a record does to its source.
//   leader    a training step: begins and continues attempts, and is expected to hold certain metrics
//   report    the k-th report of a rank, matched to attempts by order
//   follower  belongs to the attempt that its source is in
//   start     a run begins: steps that are counted are counted again from 1
enum class Role : std::uint8_t { leader, report, follower, start };

// whole: nothing is missing. open: it may be whole, unless the next line of its launcher continues it. torn:
// cut off.
enum class Whole : std::uint8_t { whole, open, torn };

// Whose value it is: the run's, which every rank prints alike, or that of the rank that printed it.
enum class Scope : std::uint8_t { run, rank };

// How the printed value becomes the metric's: times the factor, or the factor by it (it/s and s/it).
enum class Conversion : std::uint8_t { times, reciprocal };

// Whether each record of its kind has it: if one does not, the framework left the value out of it.
enum class Printed : std::uint8_t { always, sometimes };

// What a row of a metric says beside an earlier one of it: the same, else they are in conflict; or another
// quantity, which counts if the earlier one is not printed.
enum class Beside : std::uint8_t { same, other };

// What a printed count is of: the steps since the record before it, or all since the run began.
enum class CountedSince : std::uint8_t { record, start };

// A printed name, the metric that it means, and the exact factor into the metric's unit.
struct FieldRow {
  std::string_view printed;
  std::string_view metric;
  Decimal factor{1, 0};
  Scope scope = Scope::run;
  Conversion conversion = Conversion::times;
  Printed when = Printed::always;
  Thousands thousands = Thousands::plain;
  Beside beside = Beside::same;
  std::string_view filler = "";  // a number that stands where the rank that prints it has no value: `-1`
  CountedSince since = CountedSince::record;
};

constexpr FieldRow other_quantity(FieldRow row) {
  row.beside = Beside::other;
  return row;
}

constexpr FieldRow counted_through(FieldRow row) {
  row.since = CountedSince::start;
  return row;
}

// Return the row of a value whose thousands are parted by commas: `7,282`.
constexpr FieldRow with_thousands(FieldRow row) {
  row.thousands = Thousands::expected;
  return row;
}

// What a field may mean besides a metric: the record's number, the last number that the log announces, both
// as `1/30`, the rank, what rises from record to record where no step is printed (an epoch), and, where the
// number is one within an epoch, that epoch from 0 or 1, how many there are, and how many steps each has.
inline constexpr std::string_view the_step = "@step";
inline constexpr std::string_view the_total = "@total";
inline constexpr std::string_view step_of_total = "@step/total";
inline constexpr std::string_view the_rank = "@rank";
inline constexpr std::string_view the_order = "@order";
inline constexpr std::string_view the_epoch = "@epoch";
inline constexpr std::string_view the_nth_epoch = "@nth epoch";
inline constexpr std::string_view the_epochs = "@epochs";
inline constexpr std::string_view steps_an_epoch = "@steps/epoch";

// Factors into the units of the built-in metrics, all exact.
inline constexpr Decimal ms_per_s{1000, 0};
inline constexpr Decimal mib_per_gib{1024, 0};
inline constexpr Decimal mib_per_byte{95367431640625, -20};  // 1 / 2^20

struct Field {
  const FieldRow* row = nullptr;  // into a format's table
  std::string_view word;
};

// Where something stands.
struct LinePlace {
  std::uint32_t file = 0;  // index into Extraction::files
  std::uint32_t line = 0;
};

// A line without escape sequences, and what its launcher put before it.
struct CleanLine {
  std::string_view text;
  LinePlace place;
  std::string_view outer;
  std::string_view source;
  std::size_t payload = 0;
  std::size_t own = 0;                     // records that begin later are not this line's
  bool cut_in_pieces = false;              // the line goes on in a further piece
  bool ended = true;                       // false: the file ends within it, maybe within its last word
  std::optional<int> rank;                 // of the file
  std::optional<std::int64_t> shown = {};  // the step that a bar shows for a record that prints none
};

struct Record {
  std::size_t extractor = 0;  // index into the format's extractors
  Role role = Role::leader;
  Whole whole = Whole::whole;
  std::size_t begin = 0;  // in the scanned text
  std::size_t end = 0;
  std::optional<std::int64_t> number;  // the printed step; nothing if it is too large or not printed
  std::optional<std::int64_t> total;
  std::optional<int> rank;
  std::optional<std::int64_t> epoch;           // the number is one within it; from 0
  std::optional<std::int64_t> epochs;          // how many there will be
  std::optional<std::int64_t> steps_an_epoch;  // nothing if the log does not know
  const FieldRow* filled = nullptr;            // what was printed with a filler: its rank has no value
  std::optional<std::int64_t> epoch_end;       // the last step of its epoch
  bool follows = false;          // no step is printed: it is that of the step before, or 0 if there is none
  bool has_own_step = false;     // a follower of a format, which prints its step
  bool closed = false;           // its end was seen, not only the end of the text
  bool fragment = false;         // so little of one that it says nothing but that it stood there
  bool starts_attempt = false;   // counted: an attempt begins with it
  bool counted = false;          // no step is printed: it is the k-th of its attempt
  bool by_order = false;         // the order numbers it, as long as it can
  bool beside = false;           // counted, whatever steps other lines print
  bool late = false;             // counted: it stands behind the one that it should stand before
  std::optional<Decimal> order;  // counted: what falls where an attempt begins
  std::vector<Field> fields;
  std::vector<const FieldRow*> none;        // what it says to be left out
  std::vector<const FieldRow*> not_logged;  // what it says to be without a value, and not left out
  std::string_view rest;                    // torn: what stands where it was cut off
  std::vector<Sentence> faults;             // what could not be read, for people
};

}  // namespace gate::extract
