#include "extract/scan/line_skimmer.h"

#include <algorithm>
#include <utility>

namespace gate::extract {

LineSkimmer::LineSkimmer(LineSplitter::Take take, TakeStretch take_stretch, Awake awake)
    : splitter_(std::move(take)), take_stretch_(std::move(take_stretch)), awake_(std::move(awake)) {}

void LineSkimmer::feed(std::string_view bytes, const ScanResult& skim) {
  if (!skim.done) {
    if (!bytes.empty()) within_ = bytes.back() != '\n';
    return splitter_.feed(bytes);
  }
  bytes_ = bytes;
  at_ = 0;
  lines_ = 0;
  const std::uint32_t first = splitter_.number();
  if (within_) read_line();
  for (const FoundLine& line : skim.lines) {
    while (at_ < line.begin && awake_()) read_line();
    if (line.begin < at_) continue;
    pass_to(line.begin, line.before);
    if (!line.stretch) {
      read_to(line.end);
    } else if (const Stretch& stretch = skim.stretches[*line.stretch];
               !awake_() && take_stretch_(stretch, first)) {
      pass_to(line.end + 1, line.before + stretch.newlines + 1);
    }
    while (at_ < line.end) read_line();
  }
  const std::size_t end = bytes.rfind('\n') + 1;
  while (at_ < end && awake_()) read_line();
  if (at_ < end) pass_to(end, skim.newlines);
  read_line();
}

// Hand on the rest of the block up to the end of the line.
void LineSkimmer::read_line() {
  if (at_ < bytes_.size()) read_to(std::min(bytes_.find('\n', at_), bytes_.size()));
}

// Hand on the rest of a line up to there, where its newline stands, or the block ends.
void LineSkimmer::read_to(std::size_t end) {
  const std::string_view line = bytes_.substr(at_, end - at_);
  within_ = end == bytes_.size();
  within_ ? splitter_.feed(line) : splitter_.feed_line(line);
  at_ = within_ ? end : end + 1;
  lines_ += within_ ? 0 : 1;
}

void LineSkimmer::pass_to(std::size_t at, std::int64_t lines) {
  splitter_.pass(lines - lines_);
  at_ = at;
  lines_ = lines;
}

}  // namespace gate::extract
