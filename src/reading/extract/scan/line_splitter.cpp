#include "extract/scan/line_splitter.h"

#include <algorithm>
#include <utility>

namespace gate::extract {

std::optional<std::string_view> whole_line(std::string_view line, std::size_t limit) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const bool whole = line.size() <= limit && line.find('\r') == std::string_view::npos;
  return whole ? std::optional(line) : std::nullopt;
}

LineSplitter::LineSplitter(OnLine on_line, std::size_t limit, std::size_t overlap)
    : on_line_(std::move(on_line)), limit_(limit), overlap_(overlap) {}

void LineSplitter::feed(std::string_view bytes) {
  for (std::size_t end = 0; (end = bytes.find('\n')) != std::string_view::npos; bytes.remove_prefix(end + 1))
    feed_line(bytes.substr(0, end));
  if (bytes.empty()) return;
  begun_ = true;
  take_piece(bytes);
}

// A line of one part and one piece that is all at hand is delivered from where it stands.
void LineSplitter::feed_line(std::string_view line) {
  const std::optional<std::string_view> whole = begun_ ? std::nullopt : whole_line(line, limit_);
  if (whole && !whole->empty()) deliver(*whole, whole->size(), LineCut::none);
  begun_ = true;
  if (!whole) take_piece(line);
  end_line();
}

void LineSplitter::pass(std::int64_t lines) {
  number_ += static_cast<std::uint32_t>(lines);
  lines_ += lines;
}

void LineSplitter::finish() {
  ended_ = false;
  if (begun_) end_line();
}

void LineSplitter::break_off() {
  if (!begun_) return;
  ended_ = false;
  end_line();
  ended_ = true;
}

// Take bytes without a newline. A part without a carriage return stays held until its line ends, unless all
// of the line is at hand.
void LineSplitter::take_piece(std::string_view bytes) {
  for (std::size_t end = 0; (end = bytes.find('\r')) != std::string_view::npos; bytes.remove_prefix(end + 1))
    end_part(bytes.substr(0, end));
  keep(bytes);
}

void LineSplitter::keep(std::string_view bytes) {
  while (held_.size() + bytes.size() > limit_) {
    const std::size_t room = limit_ - held_.size();
    held_.append(bytes.substr(0, room));
    bytes.remove_prefix(room);
    deliver(held_, limit_ - overlap_, LineCut::too_long);
    held_.erase(0, limit_ - overlap_);
  }
  held_.append(bytes);
}

void LineSplitter::end_part(std::string_view tail) {
  keep(tail);
  if (!held_.empty()) deliver(held_, held_.size(), LineCut::none);
  held_.clear();
}

void LineSplitter::end_line() {
  end_part({});
  ++number_;
  ++lines_;
  part_ = PartOrder::first;
  begun_ = false;
}

void LineSplitter::deliver(std::string_view text, std::size_t own, LineCut cut) {
  on_line_({text, number_, own, part_, cut, ended_});
  part_ = PartOrder::later;
}

LineSkimmer::LineSkimmer(LineSplitter::OnLine on_line, OnStretch on_stretch, OnPassed on_passed,
                         std::function<bool()> has_pending)
    : splitter_(std::move(on_line)),
      on_stretch_(std::move(on_stretch)),
      on_passed_(std::move(on_passed)),
      has_pending_(std::move(has_pending)) {}

void LineSkimmer::feed(std::string_view bytes, const ScanResult& found) {
  if (!found.done) {
    if (!bytes.empty()) within_ = bytes.back() != '\n';
    return splitter_.feed(bytes);
  }
  bytes_ = bytes;
  at_ = 0;
  lines_ = 0;
  const std::uint32_t first = splitter_.number();
  if (within_) read_line();
  for (const FoundLine& line : found.lines) {
    while (at_ < line.begin && has_pending_()) read_line();
    if (line.begin < at_) continue;
    pass_to(line.begin, line.before);
    if (!line.stretch) {
      read_to(line.end);
    } else if (const Stretch& stretch = found.stretches[*line.stretch];
               !has_pending_() &&
               on_stretch_(stretch, line, bytes_.substr(line.begin, line.end - line.begin), first)) {
      go_to(line.end + 1, line.before + stretch.newlines + 1);
    }
    while (at_ < line.end) read_line();
  }
  const std::size_t end = bytes.rfind('\n') + 1;
  while (at_ < end && has_pending_()) read_line();
  if (at_ < end) pass_to(end, found.newlines);
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
  at_ = end;
  if (within_) return splitter_.feed(line);
  splitter_.feed_line(line);
  ++at_;
  ++lines_;
}

void LineSkimmer::pass_to(std::size_t at, std::int64_t lines) {
  if (at > at_) on_passed_(bytes_.substr(at_, at - at_));
  go_to(at, lines);
}

void LineSkimmer::go_to(std::size_t at, std::int64_t lines) {
  splitter_.pass(lines - lines_);
  at_ = at;
  lines_ = lines;
}

}  // namespace gate::extract
