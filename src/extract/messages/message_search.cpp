#include "extract/messages/message_search.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "extract/scan/pattern.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr int most_groups = 3;  // the whole match, and two details

// A line that says itself that it is no error, as loggers and torch's C++ (`[W socket.cpp:601]`) put it.
bool is_mild(std::string_view line) {
  static const RE2 pattern(R"(^.{0,64}\[[WI]\d{0,4} |^(?:.{0,80}[\[ (|>-])?(?:WARNING|INFO|DEBUG)[\]:|) ])"
                           R"(|^.{0,200}Warning: )",
                           pattern_options());
  return RE2::PartialMatch(piece(line), pattern);
}

// The patterns of all rows, each compiled when a line first holds its literal. Thread-safe.
class Patterns {
 public:
  const RE2& of(const MessageRow& row) {
    Pattern& own = patterns_[static_cast<std::size_t>(&row - messages().data())];
    std::call_once(own.made, [&] { own.pattern.emplace(piece(row.pattern), pattern_options()); });
    return *own.pattern;
  }

 private:
  struct Pattern {
    std::once_flag made;
    std::optional<RE2> pattern;
  };
  std::vector<Pattern> patterns_{messages().size()};
};

bool has_literal(const MessageRow& row, std::string_view line) {
  return std::any_of(row.literals.begin(), row.literals.end(), [&](std::string_view literal) {
    return !literal.empty() && line.find(literal) != std::string_view::npos;
  });
}

std::optional<FoundMessage> match(const MessageRow& row, const RE2& pattern, std::string_view line) {
  re2::StringPiece groups[most_groups];
  const int wanted = std::min(pattern.NumberOfCapturingGroups() + 1, most_groups);
  if (!pattern.Match(piece(line), 0, line.size(), RE2::UNANCHORED, groups, wanted)) return std::nullopt;
  FoundMessage found{&row, static_cast<std::size_t>(groups[0].data() - line.data()), std::string(row.what)};
  const std::string detail = printable(trim(view(groups[1].empty() ? groups[2] : groups[1])), 160);
  if (!detail.empty()) found.what += ": " + detail;
  return found;
}

}  // namespace

std::vector<std::string_view> message_literals() {
  std::vector<std::string_view> literals;
  for (const MessageRow& row : messages())
    for (const std::string_view literal : row.literals)
      if (!literal.empty()) literals.push_back(literal);
  return literals;
}

std::optional<FoundMessage> find_message(std::string_view line, std::size_t own) {
  static Patterns patterns;
  std::optional<FoundMessage> best;
  for (const MessageRow& row : messages()) {
    const bool heavier = !best || row.weight > best->row->weight;
    if (!heavier || row.pattern.empty() || !has_literal(row, line)) continue;
    if (is_mild(line)) return std::nullopt;
    if (auto found = match(row, patterns.of(row), line); found && found->begin < own) best = std::move(found);
  }
  return best;
}

const MessageRow& message_row(std::string_view name) {
  return *std::find_if(messages().begin(), messages().end(),
                       [&](const MessageRow& row) { return row.name == name; });
}

}  // namespace gate::extract
