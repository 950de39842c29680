#include "extract/scan/line_splitter.h"

#include <utility>

namespace gate::extract {

std::optional<std::string_view> whole_line(std::string_view line, std::size_t limit) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const bool whole = line.size() <= limit && line.find('\r') == std::string_view::npos;
  return whole ? std::optional(line) : std::nullopt;
}

LineSplitter::LineSplitter(Take take, std::size_t limit, std::size_t overlap)
    : take_(std::move(take)), limit_(limit), overlap_(overlap) {}

void LineSplitter::feed(std::string_view bytes) {
  for (std::size_t newline = bytes.find('\n'); newline != std::string_view::npos;
       newline = bytes.find('\n')) {
    feed_line(bytes.substr(0, newline));
    bytes.remove_prefix(newline + 1);
  }
  if (bytes.empty()) return;
  begun_ = true;
  take_piece(bytes);
}

void LineSplitter::feed_line(std::string_view line) {
  const bool whole = !begun_ && take_whole(line);
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

// Deliver a line that is all at hand from where it stands. Returns whether it is of one part and one piece.
bool LineSplitter::take_whole(std::string_view line) {
  const std::optional<std::string_view> text = whole_line(line, limit_);
  if (text && !text->empty()) deliver(*text, text->size(), Cut::none);
  return text.has_value();
}

// Take bytes without a newline. A part without a carriage return stays held until its line ends, unless all
// of the line is at hand.
void LineSplitter::take_piece(std::string_view bytes) {
  for (std::size_t at = bytes.find('\r'); at != std::string_view::npos; at = bytes.find('\r')) {
    end_part(bytes.substr(0, at));
    bytes.remove_prefix(at + 1);
  }
  keep(bytes);
}

void LineSplitter::keep(std::string_view bytes) {
  while (held_.size() + bytes.size() > limit_) {
    const std::size_t room = limit_ - held_.size();
    held_.append(bytes.substr(0, room));
    bytes.remove_prefix(room);
    deliver(held_, limit_ - overlap_, Cut::too_long);
    held_.erase(0, limit_ - overlap_);
  }
  held_.append(bytes);
}

void LineSplitter::end_part(std::string_view tail) {
  keep(tail);
  if (!held_.empty()) deliver(held_, held_.size(), Cut::none);
  held_.clear();
}

void LineSplitter::end_line() {
  end_part({});
  ++number_;
  ++lines_;
  part_ = Part::first;
  begun_ = false;
}

void LineSplitter::deliver(std::string_view text, std::size_t own, Cut cut) {
  take_({text, number_, own, part_, cut, ended_});
  part_ = Part::later;
}

}  // namespace gate::extract
