// Which readers want a line: those of whose literals one stands in it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "extract/patterns/user_pattern.h"
#include "extract/records/format_spec.h"
#include "extract/records/record.h"
#include "extract/scan/literal_scan.h"
#include "gate/extract/scan_result.h"

namespace gate::extract {

class LineReaders {
 public:
  static constexpr std::size_t last_bit = 62;  // of formats and patterns
  // Of known messages, and of what is told of a profiler, the set-up and a tracker.
  static constexpr ReaderMask messages = ReaderMask{1} << (last_bit + 1);

  // Bit i is that of format i; those behind them are dealt out to the patterns in turns.
  LineReaders(std::span<const FormatSpec* const> formats, std::span<const PatternReader> patterns);

  // Learn what is rare from some of the log: from then on lines are told apart. A second call changes
  // nothing.
  void learn(std::string_view sample);
  bool learned() const { return scan_ != nullptr; }

  // Call `on_line` for each line of the bytes that anybody wants, as it stands there. Returns how many
  // newlines these have. learn() was called before. The first line may go on from the bytes before, the last
  // one in those behind. Thread-safe.
  std::int64_t find_lines(std::string_view bytes, const LiteralScan::OnLine& on_line) const;

  // Set who wants the line: all, until learn() is called.
  void find(const CleanLine& line, LiteralHits& wanted) const;

  // Return who wants it only because it stands behind a launcher's prefix. Thread-safe.
  ReaderMask behind_prefix(const CleanLine& line) const;

  ReaderMask of_pattern(std::size_t index) const { return pattern_bits_[index]; }

  // Tell whether a pattern demands no literal: it tries every line.
  bool any_wants_all() const { return wants_all_ != 0; }

  // Tell whether nobody but patterns wants the line.
  bool are_patterns(ReaderMask readers) const { return (readers & ~patterns_) == 0; }

  // Return the places of the literal that each match of the pattern begins with, and drop those before them;
  // nothing if they are not known. Patterns come in turn, and their literals stand in the order of these.
  std::optional<std::span<const LiteralPlace>> places_of(std::size_t pattern,
                                                         std::span<const LiteralPlace>& places) const {
    const std::optional<std::size_t> literal = beginnings_[pattern];
    if (!scan_ || !literal) return std::nullopt;
    while (!places.empty() && places[0].literal < *literal) places = places.subspan(1);
    std::size_t count = 0;
    while (count < places.size() && places[count].literal == *literal) ++count;
    const std::span<const LiteralPlace> own = places.first(count);
    places = places.subspan(count);
    return own;
  }

 private:
  ReaderMask without_unmarked(std::string_view line, ReaderMask readers) const;

  std::span<const FormatSpec* const> formats_;
  ReaderMask marked_ = 0;                               // of formats that have marks
  std::vector<ReaderMask> pattern_bits_;                // one of each pattern
  std::vector<Literal> literals_;                       // until they are searched for
  std::vector<std::optional<std::size_t>> beginnings_;  // of the patterns, among the literals
  std::unique_ptr<const LiteralScan> scan_;
  ReaderMask wants_all_ = 0;
  ReaderMask patterns_ = 0;
};

// Call on_record(index, record) for each match of the patterns that want the line.
template <class OnRecord>
void read_patterns(std::span<PatternReader> patterns, const LineReaders& readers, const CleanLine& line,
                   const LiteralHits& wanted, const OnRecord& on_record) {
  std::span<const LiteralPlace> places = wanted.places;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if ((wanted.readers & readers.of_pattern(i)) == 0) continue;
    if (const auto own = readers.places_of(i, places)) {
      patterns[i].read(line, *own, [&](const Record& record) { on_record(i, record); });
      continue;
    }
    patterns[i].begin(line);
    while (const Record* record = patterns[i].next()) on_record(i, *record);
  }
}

}  // namespace gate::extract
