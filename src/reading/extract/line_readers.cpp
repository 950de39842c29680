#include "extract/line_readers.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "extract/messages/message_search.h"
#include "extract/profiler_arguments.h"
#include "extract/scan/head_pattern.h"
#include "extract/scan/prefix.h"
#include "extract/setup_arguments.h"
#include "extract/tracker_links.h"

namespace gate::extract {

namespace {

constexpr std::size_t longest_cut_head = 16;

// The bit of a literal that is of no format or pattern.
constexpr char escape = '\x1b';  // what stands behind one is seen only without it
constexpr ReaderMask escapes = ReaderMask{1} << LineReaders::last_bit;

}  // namespace

LineReaders::LineReaders(std::span<const FormatSpec* const> formats, std::span<const PatternReader> patterns)
    : formats_(formats), literals_{{std::string(1, escape), false, escapes}} {
  for (std::size_t i = 0; i < formats.size(); ++i) {
    const ReaderMask bit = ReaderMask{1} << i;
    if (!formats[i]->marks.empty()) marked_ |= bit;
    for (const std::string_view literal : formats[i]->literals)
      literals_.push_back({std::string(literal), false, bit});
    for (const std::string& head : formats[i]->cut_heads) literals_.push_back({head, false, bit});
  }
  const std::size_t left = last_bit - formats.size();
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    pattern_bits_.push_back(ReaderMask{1} << (formats.size() + i % left));
    const bool placed = patterns[i].begins_with_literal();
    beginnings_.push_back(placed ? std::optional(literals_.size()) : std::nullopt);
    for (const std::string& literal : patterns[i].literals())
      literals_.push_back({literal, true, pattern_bits_[i], placed});
    if (patterns[i].literals().empty()) wants_all_ |= pattern_bits_[i];
    patterns_ |= pattern_bits_[i];
  }
  for (const std::string_view literal : message_literals())
    literals_.push_back({std::string(literal), false, messages});
  for (const std::string_view literal : ProfilerArguments::literals())
    literals_.push_back({std::string(literal), false, messages});
  for (const std::string_view literal : SetupArguments::literals())
    literals_.push_back({std::string(literal), false, messages});
  literals_.push_back({std::string(TrackerLinks::literal), false, messages});
}

void LineReaders::learn(std::string_view sample) {
  if (!scan_) scan_ = std::make_unique<const LiteralScan>(std::exchange(literals_, {}), sample);
}

std::int64_t LineReaders::find_lines(std::string_view bytes, const LiteralScan::OnLine& on_line) const {
  LiteralHits marked;
  return scan_->find_lines(bytes, [&](const FoundLine& line, const LiteralHits& wanted) {
    const bool whole = line.begin > 0 && line.end < bytes.size();
    if (!whole || (wanted.readers & marked_) == 0) return on_line(line, wanted);
    marked = wanted;
    marked.readers = without_unmarked(bytes.substr(line.begin, line.end - line.begin), wanted.readers);
    if (marked.readers != 0) on_line(line, marked);
  });
}

// Return the readers without the formats whose marks the line lacks. A line in whose marks escape sequences
// stand is wanted because of these.
ReaderMask LineReaders::without_unmarked(std::string_view line, ReaderMask readers) const {
  if (!parse_prefix(line).outer.empty()) return readers;
  for (ReaderMask rest = readers & marked_; rest != 0; rest &= rest - 1) {
    const std::vector<std::string>& marks = formats_[static_cast<std::size_t>(std::countr_zero(rest))]->marks;
    const auto stands = [&](const std::string& mark) {
      return find_text(line, mark) != std::string_view::npos;
    };
    if (std::ranges::none_of(marks, stands)) readers &= ~(rest & -rest);
  }
  return readers;
}

void LineReaders::find(const CleanLine& line, LiteralHits& wanted) const {
  if (!scan_) return void(wanted = {~ReaderMask{0}});
  scan_->find(line.text, wanted);
  wanted.readers |= wants_all_ | behind_prefix(line);
}

// Literals that end with their line stand behind launchers' prefixes alone.
ReaderMask LineReaders::behind_prefix(const CleanLine& line) const {
  if (line.outer.empty()) return 0;
  const std::size_t behind = line.text.size() - std::min(line.text.size(), longest_cut_head);
  return scan_->readers_of(std::string(line.text.substr(behind)) + '\n');
}

}  // namespace gate::extract
