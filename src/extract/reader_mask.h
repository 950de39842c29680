// Which readers want a line: those of whose literals one stands in it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extract/patterns/user_pattern.h"
#include "extract/records/clean_line.h"
#include "extract/records/format_spec.h"
#include "extract/scan/literal_scan.h"
#include "gate/extract/scan_result.h"

namespace gate::extract {

class LineOwners {
 public:
  // Bit i is that of format i; those behind them are dealt out to the patterns in turns.
  LineOwners(std::span<const FormatSpec* const> formats, std::span<const PatternReader> patterns);

  // Look at some of the log: from then on lines are told apart. A second look changes nothing.
  void learn(std::string_view sample);
  bool learned() const { return scan_ != nullptr; }

  // Call `take` for each line of the bytes that anybody wants, as it stands there. Returns how many newlines
  // these have. There was a look at the log. The first line may go on from the bytes before, the last one in
  // those behind. Thread-safe.
  std::int64_t find_lines(std::string_view bytes, const LiteralScan::TakeLine& take) const;

  // Set who wants the line: all, until there was a look at the log.
  void find(const CleanLine& line, Wanted& wanted) const;

  // Return who wants it only because it stands behind a launcher's prefix. Thread-safe.
  ReaderMask behind_prefix(const CleanLine& line) const;

  ReaderMask of_pattern(std::size_t index) const { return owners_[index]; }
  static ReaderMask of_messages();

  // Tell whether a pattern demands no literal: it tries every line.
  bool any_wants_all() const { return wants_all_ != 0; }

  // Tell whether nobody but patterns wants the line.
  bool are_patterns(ReaderMask owners) const { return (owners & ~patterns_) == 0; }

  // Return the places of the literal that each match of the pattern begins with, and drop those before them;
  // nothing where they are not known. Patterns come in turn, and their literals stand in the order of these.
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
  ReaderMask without_unmarked(std::string_view line, ReaderMask owners) const;

  std::span<const FormatSpec* const> formats_;
  ReaderMask marked_ = 0;                               // of formats that have marks
  std::vector<ReaderMask> owners_;                      // of the patterns
  std::vector<Literal> literals_;                       // until they are searched for
  std::vector<std::optional<std::size_t>> beginnings_;  // of the patterns, among the literals
  std::unique_ptr<const LiteralScan> scan_;
  ReaderMask wants_all_ = 0;
  ReaderMask patterns_ = 0;
};

// Call take(index, record) for each match of the patterns that want the line.
template <class Take>
void read_patterns(std::span<PatternReader> patterns, const LineOwners& owners, const CleanLine& line,
                   const Wanted& wanted, const Take& take) {
  std::span<const LiteralPlace> places = wanted.places;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if ((wanted.owners & owners.of_pattern(i)) == 0) continue;
    if (const auto own = owners.places_of(i, places)) {
      patterns[i].read(line, *own, [&](const Record& record) { take(i, record); });
      continue;
    }
    patterns[i].begin(line);
    while (const Record* record = patterns[i].next()) take(i, *record);
  }
}

}  // namespace gate::extract
