// Reads lines that nothing but the suite's patterns wants where they were found.
//
// What a pattern reads of a line depends on the line alone, so that is done for each block in the thread that
// finds its lines. What it means depends on all that came before: attempts, numbers, other readers. So the
// values of such lines, one behind the other, become columns, which are joined to what came before in the
// order of the log (RecordStore::store). Where the steps fall a stretch ends and the next one begins. A line
// on which anything is unusual (a word that is no finite number, a step printed again, a carriage return) is
// left to be read by itself (decision 24).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "extract/line_readers.h"
#include "extract/patterns/user_pattern.h"
#include "extract/records/readings.h"
#include "extract/records/turn_table.h"
#include "gate/extract/scan_result.h"
#include "gate/model/numbers/metric.h"

namespace gate::extract {

// How the values of a pattern are numbered in columns: by a step of their own, or counted; `none`: they are
// not stored in columns.
enum class InColumns : std::uint8_t { none, stepped, counted };

InColumns in_columns(const PatternReader& pattern, Numbering numbered);

class StretchReader {
 public:
  // The patterns are not touched: fresh ones read.
  StretchReader(const LineReaders& readers, const std::vector<PatternReader>& patterns,
                const std::vector<InColumns>& numbered);

  // Find the lines of the block, and assign those that can be read to stretches. A first line that may have
  // begun in the block before, and a last one that does not end in this one, are left.
  void read(std::string_view block, ScanResult& result);

 private:
  struct LineValue {
    std::size_t pattern = 0;
    SampleView sample;
  };
  // Where a pattern's column is, in the stretch that had it last.
  struct ColumnSlot {
    std::size_t stretch = 0;  // from 1
    std::size_t column = 0;
    std::optional<std::int64_t> last = {};  // the step that it read last
  };
  enum class Way : std::uint8_t { up, down, nowhere };
  using ColumnSlots = std::vector<ColumnSlot>;  // of a source, by pattern

  void add_line(std::string_view block, const FoundLine& found, const LiteralHits& wanted,
                ScanResult& result);
  ColumnSlots* read_line(std::string_view text, std::int64_t line, const LiteralHits& wanted);
  bool add(std::size_t pattern, const Record& record, std::uint32_t line);
  Way way(const ColumnSlots& slots);
  void store(LineValue& value, ColumnSlot& slot);
  std::span<LineValue> values() { return std::span(values_).first(count_); }
  void end_stretch(ScanResult& result);

  const LineReaders& readers_;
  const std::vector<InColumns>& numbered_;  // by pattern
  std::vector<PatternReader> patterns_;
  std::vector<char> plain_;        // by pattern: whether its words are plain
  CleanLine line_;                 // the one at hand
  std::vector<LineValue> values_;  // of it, the first ones; others wait for more
  std::size_t count_ = 0;          // how many
  std::optional<FoundLine> open_;
  Stretch stretch_;                                 // of `open_`
  std::size_t stretches_ = 1;                       // with it
  TurnTable<std::string_view, ColumnSlots> slots_;  // by source
};

}  // namespace gate::extract
