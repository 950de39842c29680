#include "extract/message_search.h"

#include <algorithm>
#include <memory>
#include <set>

#include "extract/pattern.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr int most_groups = 3;  // the whole match, and two details

std::string any_literal() {
  std::set<std::string> quoted;
  for (const std::string_view literal : message_literals()) quoted.insert(RE2::QuoteMeta(piece(literal)));
  return join(std::vector<std::string>(quoted.begin(), quoted.end()), "|");
}

// A line that says itself that it is no error, as loggers and torch's C++ (`[W socket.cpp:601]`) put it.
bool is_mild(std::string_view line) {
  static const RE2 pattern(R"(^.{0,64}\[[WI]\d{0,4} |^(?:.{0,80}[\[ (|>-])?(?:WARNING|INFO|DEBUG)[\]:|) ])"
                           R"(|^.{0,200}Warning: )",
                           pattern_options());
  return RE2::PartialMatch(piece(line), pattern);
}

using Patterns = std::vector<std::unique_ptr<RE2>>;

Patterns compile_all() {
  Patterns patterns;
  for (const MessageRow& row : messages())
    patterns.push_back(row.pattern.empty() ? nullptr
                                           : std::make_unique<RE2>(piece(row.pattern), pattern_options()));
  return patterns;
}

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

bool may_be_message(std::string_view line) {
  static const RE2 pattern(any_literal(), pattern_options());
  return RE2::PartialMatch(piece(line), pattern);
}

std::optional<FoundMessage> find_message(std::string_view line, std::size_t own) {
  static const Patterns patterns = compile_all();
  std::optional<FoundMessage> best;
  if (is_mild(line)) return best;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const MessageRow& row = messages()[i];
    const bool heavier = !best || row.weight > best->row->weight;
    if (!heavier || !patterns[i] || !has_literal(row, line)) continue;
    if (auto found = match(row, *patterns[i], line); found && found->begin < own) best = std::move(found);
  }
  return best;
}

const MessageRow& message_row(std::string_view name) {
  return *std::find_if(messages().begin(), messages().end(),
                       [&](const MessageRow& row) { return row.name == name; });
}

}  // namespace gate::extract
