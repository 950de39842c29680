#include "extract/reader_mask.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "extract/messages/message_search.h"
#include "extract/scan/find_text.h"
#include "extract/scan/prefix.h"

namespace gate::extract {

namespace {

constexpr std::size_t longest_cut_head = 16;

// ReaderMask of literals beside the formats and patterns.
constexpr char escape = '\x1b';  // what stands behind one is seen only without it
constexpr std::size_t last_owner = 62;
constexpr ReaderMask escapes_owner = ReaderMask{1} << last_owner;
constexpr ReaderMask messages_owner = ReaderMask{1} << (last_owner + 1);

}  // namespace

LineOwners::LineOwners(std::span<const FormatSpec* const> formats, std::span<const PatternReader> patterns)
    : formats_(formats), literals_{{std::string(1, escape), false, escapes_owner}} {
  for (std::size_t i = 0; i < formats.size(); ++i) {
    const ReaderMask owner = ReaderMask{1} << i;
    if (!formats[i]->marks.empty()) marked_ |= owner;
    for (const std::string_view literal : formats[i]->literals)
      literals_.push_back({std::string(literal), false, owner});
    for (const std::string& head : formats[i]->cut_heads) literals_.push_back({head, false, owner});
  }
  const std::size_t left = last_owner - formats.size();
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    owners_.push_back(ReaderMask{1} << (formats.size() + i % left));
    const bool placed = patterns[i].begins_with_literal();
    beginnings_.push_back(placed ? std::optional(literals_.size()) : std::nullopt);
    for (const std::string& literal : patterns[i].literals())
      literals_.push_back({literal, true, owners_[i], placed});
    if (patterns[i].literals().empty()) wants_all_ |= owners_[i];
    patterns_ |= owners_[i];
  }
  for (const std::string_view literal : message_literals())
    literals_.push_back({std::string(literal), false, messages_owner});
}

void LineOwners::learn(std::string_view sample) {
  if (!scan_) scan_ = std::make_unique<const LiteralScan>(std::exchange(literals_, {}), sample);
}

ReaderMask LineOwners::of_messages() { return messages_owner; }

std::int64_t LineOwners::find_lines(std::string_view bytes, const LiteralScan::TakeLine& take) const {
  Wanted marked;
  return scan_->find_lines(bytes, [&](const FoundLine& line, const Wanted& wanted) {
    const bool whole = line.begin > 0 && line.end < bytes.size();
    if (!whole || (wanted.owners & marked_) == 0) return take(line, wanted);
    marked = wanted;
    marked.owners = without_unmarked(bytes.substr(line.begin, line.end - line.begin), wanted.owners);
    if (marked.owners != 0) take(line, marked);
  });
}

// Return the owners without the formats whose marks the line lacks. A line in whose marks escape sequences
// stand is wanted because of these.
ReaderMask LineOwners::without_unmarked(std::string_view line, ReaderMask owners) const {
  if (!parse_prefix(line).outer.empty()) return owners;
  for (ReaderMask rest = owners & marked_; rest != 0; rest &= rest - 1) {
    const std::vector<std::string>& marks = formats_[static_cast<std::size_t>(std::countr_zero(rest))]->marks;
    const auto stands = [&](const std::string& mark) {
      return find_text(line, mark) != std::string_view::npos;
    };
    if (std::none_of(marks.begin(), marks.end(), stands)) owners &= ~(rest & -rest);
  }
  return owners;
}

void LineOwners::find(const CleanLine& line, Wanted& wanted) const {
  if (!scan_) return void(wanted = {~ReaderMask{0}});
  scan_->find(line.text, wanted);
  wanted.owners |= wants_all_ | behind_prefix(line);
}

// Literals that end with their line stand behind launchers' prefixes alone.
ReaderMask LineOwners::behind_prefix(const CleanLine& line) const {
  if (line.outer.empty()) return 0;
  const std::size_t behind = line.text.size() - std::min(line.text.size(), longest_cut_head);
  return scan_->owners(std::string(line.text.substr(behind)) + '\n');
}

}  // namespace gate::extract
