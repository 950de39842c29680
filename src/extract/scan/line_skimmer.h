// Hands on of a file's lines those that may say something, and counts the others.
//
// A line in which no literal stands changes nothing, so it is passed over, unless somebody is awake: a reader
// that holds the first half of a record waits for whatever comes next. Then lines are handed on one by one
// until all are asleep again. Lines that a block cuts in two are always handed on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "extract/scan/line_splitter.h"
#include "gate/extract/scan_result.h"

namespace gate::extract {

class LineSkimmer {
 public:
  using Awake = std::function<bool()>;
  // Takes a stretch of the block; the number is that of the block's first line. Returns false where its lines
  // must be read one by one.
  using TakeStretch = std::function<bool(const Stretch&, std::uint32_t line)>;

  LineSkimmer(LineSplitter::Take take, TakeStretch take_stretch, Awake awake);

  // Take a block of the file, and what skimming it found. It has no line longer than LineSplitter reads
  // whole, but for one that it does not hold to its end.
  void feed(std::string_view bytes, const ScanResult& skim);

  // Deliver a last line that has no newline. Call it once, at the end of the file.
  void finish() { splitter_.finish(); }

  // Return how many physical lines have ended.
  std::int64_t lines() const { return splitter_.lines(); }

 private:
  void read_line();
  void read_to(std::size_t end);
  void pass_to(std::size_t at, std::int64_t lines);

  LineSplitter splitter_;
  TakeStretch take_stretch_;
  Awake awake_;
  bool within_ = false;  // a line that has not ended
  std::string_view bytes_;
  std::size_t at_ = 0;      // what stands before it in the block is done
  std::int64_t lines_ = 0;  // that ended there
};

}  // namespace gate::extract
