#include "extract/messages/tracebacks.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "extract/scan/prefix.h"
#include "extract/scan/re2_pattern.h"

namespace gate::extract {

namespace {

constexpr std::string_view traceback_head = "Traceback (most recent call last)";
constexpr std::array<std::string_view, 2> passing_over{"Exception ignored ", "Exception in thread "};
constexpr std::string_view first_frame = "  File \"";
constexpr int most_lines = 1000;
constexpr std::size_t most_open = 256;

bool is_exception(std::string_view text) {
  static const RE2 pattern(
      R"((?:(?:[A-Za-z_]\w*\.)+[A-Z]\w*|)"
      R"((?:[A-Za-z_]\w*\.)*\w*(?:Error|Exception|Interrupt|Exit|Iteration|Warning|Failure|[Tt]imeout|Abort)))"
      R"((?::(?: .*)?)?\s*)",
      pattern_options());
  return RE2::FullMatch(piece(text), pattern);
}

// What a launcher put before the traceback. What a logger put there does not stand before its other lines.
std::string_view prefix_of(std::string_view line, std::size_t at) {
  const std::size_t end = std::min(parse_prefix(line).end, at);
  return line.substr(0, std::min(line.find_first_not_of(' ', end), at));
}

}  // namespace

std::size_t Tracebacks::read(std::string_view line) {
  is_passed_over_ = false;
  for (const std::string_view head : passing_over)
    if (const std::size_t at = line.find(head); at != std::string_view::npos) {
      if (announced_.size() >= most_open) announced_.clear();
      announced_.emplace(prefix_of(line, at));
    }
  const std::size_t at = line.find(traceback_head);
  if (at == std::string_view::npos) return open_.empty() ? at : close(line);
  open(prefix_of(line, at));
  return std::string_view::npos;
}

bool Tracebacks::quotes(std::string_view line) const {
  constexpr std::string_view indent = "    ";
  const auto own = std::find_if(open_.rbegin(), open_.rend(),
                                [&](const auto& one) { return line.starts_with(one.first); });
  return own != open_.rend() && line.substr(own->first.size()).starts_with(indent);
}

void Tracebacks::open(std::string_view prefix) {
  if (open_.size() >= most_open) clear();
  const auto announced = announced_.find(prefix);
  open_.insert_or_assign(std::string(prefix), Open{0, announced != announced_.end()});
  if (announced != announced_.end()) announced_.erase(announced);
}

// The longest prefix is the line's own; `error: Traceback ...` of a logger only looked like a launcher's.
std::size_t Tracebacks::close(std::string_view line) {
  if (line.starts_with(first_frame)) open_.try_emplace("");
  for (auto it = open_.rbegin(); it != open_.rend(); ++it) {
    if (!line.starts_with(it->first)) continue;
    const std::size_t begin = it->first.size();
    const bool ends = is_exception(line.substr(begin));
    is_passed_over_ = it->second.is_passed_over;
    if (ends || ++it->second.lines > most_lines) open_.erase(std::next(it).base());
    return ends ? begin : std::string_view::npos;
  }
  return std::string_view::npos;
}

}  // namespace gate::extract
