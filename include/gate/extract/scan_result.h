// What scanning a block of log bytes found, whatever came before it: see Extractor::scan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "gate/model/numbers/sample_tape.h"

namespace gate::extract {

// What one of the suite's patterns read of one source in a stretch: a column of values whose numbers rise.
struct StretchColumn {
  std::size_t pattern = 0;           // its place among the patterns
  std::string_view source = {};      // the launcher's prefix
  bool numbered = false;             // the pattern reads steps; else values are counted, from 1
  std::size_t first = 0;             // which of the stretch's records its first one is, from 1
  std::size_t last = 0;              // and its last one
  std::string_view first_line = {};  // the lines of these
  std::string_view last_line = {};
  SampleTape samples = {};  // their file is 0, and the block's first line is line 0
};

// Lines, one behind the other, that nothing but patterns wants: they were read where they were found. It
// refers to the bytes.
struct Stretch {
  std::vector<StretchColumn> columns;
  std::size_t records = 0;
  std::int64_t newlines = 0;  // that stand in it, the last one's not counted
};

// A line that may say something, or a stretch of them.
struct FoundLine {
  std::size_t begin = 0;
  std::size_t end = 0;                                // where its newline stands, or the end of the text
  std::int64_t before = 0;                            // how many newlines of the text stand before it
  std::optional<std::size_t> stretch = std::nullopt;  // among the stretches
};

struct ScanResult {
  bool done = false;  // false: all lines may say something
  std::vector<FoundLine> lines;
  std::vector<Stretch> stretches;
  std::int64_t newlines = 0;
};

}  // namespace gate::extract
