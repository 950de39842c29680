// What a look at a block of log bytes found, before anything is read: see Extractor::skim.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gate::extract {

// A line that may say something.
struct FoundLine {
  std::size_t begin = 0;
  std::size_t end = 0;      // where its newline stands, or the end of the text
  std::int64_t before = 0;  // how many newlines of the text stand before it
};

struct Skim {
  bool done = false;  // false: all lines may say something
  std::vector<FoundLine> lines;
  std::int64_t newlines = 0;
};

}  // namespace gate::extract
