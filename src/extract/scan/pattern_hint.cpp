#include "extract/scan/pattern_hint.h"

#include <re2/re2.h>

#include <algorithm>
#include <vector>

#include "extract/scan/number_word.h"
#include "extract/scan/pattern.h"
#include "extract/scan/prefix.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::string_view borders = " \t|,;";
constexpr std::string_view between = R"([\s|,;]+)";
constexpr std::string_view cell = R"([^\s|,;]+)";
constexpr std::string_view value_group = R"((?P<value>[-+]?\w[-+.\w]*))";
constexpr std::string_view step_group = R"((?P<step>\d+))";

// How steps are printed: what finds one in a line, with the word before it where there is one, and what
// follows that word in a pattern.
struct StepShape {
  const char* finder;
  const char* pattern;
};

constexpr StepShape step_shapes[] = {
    {R"((?i)\b(global_step|iteration|iter|steps?|batch)\b\W*\d)", R"(\b\W*(?P<step>\d+))"},
    {R"(()\[\s*\d+\s*/\s*\d+\s*\])", R"(\[\s*(?P<step>\d+)\s*/\s*\d+\s*\])"},
    {R"(()(?:^|\s)\d+/\d+(?:\s|$))", R"((?:^|\s)(?P<step>\d+)/\d+(?:\s|$))"},
    {R"((?i)\b(epoch)\b\W*\d)", R"(\b\W*(?P<step>\d+))"},
};

// Names before numbers, the best first.
constexpr const char* value_shapes[] = {
    R"((?i)\b((?:\w[\w/.-]*)?loss(?:[\w/.-]*\w)?)\W{1,4}[-+]?(?:\d|nan\b|inf\b))",
    R"((?i)\b([a-z](?:[\w/.-]*\w)?)\W{1,4}[-+]?(?:\d+\.\d|nan\b|inf\b))",
};

bool holds_any(const std::string& name, std::initializer_list<std::string_view> words) {
  const std::string lower = to_lower(name);
  return std::ranges::any_of(words, [&](std::string_view w) { return lower.find(w) != std::string::npos; });
}

bool is_step_name(const std::string& name) { return holds_any(name, {"step", "iter", "batch"}); }
bool is_epoch_name(const std::string& name) { return holds_any(name, {"epoch"}); }

bool is_loss_name(const std::string& name) {
  return holds_any(name, {"loss"}) && !holds_any(name, {"scale", "val", "test"});
}

std::string metric_for(const std::string& name) {
  if (is_loss_name(name)) return "lm_loss";
  std::string metric = to_lower(name);
  std::ranges::replace_if(
      metric, [](char c) { return !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9'); }, '_');
  return metric.empty() ? "value" : metric;
}

bool pattern_finds(const std::string& pattern, std::string_view line) {
  return finds_number(RE2(pattern, pattern_options()), line);
}

std::string step_pattern(std::string_view line) {
  for (const StepShape& shape : step_shapes) {
    const RE2 finder(shape.finder, pattern_options());
    std::string word;
    if (!RE2::PartialMatch(piece(line), finder, &word)) continue;
    return (word.empty() ? "" : "\\b" + RE2::QuoteMeta(word)) + shape.pattern;
  }
  return "";
}

// Return the name of the number to read: a loss of the training, else any loss, else the first with decimals.
std::string value_name(std::string_view line) {
  std::string best;
  for (const char* shape : value_shapes) {
    const RE2 finder(shape, pattern_options());
    re2::StringPiece rest = piece(line);
    for (std::string name; RE2::FindAndConsume(&rest, finder, &name);) {
      if (is_loss_name(name)) return name;
      if (best.empty() && !is_step_name(name) && !is_epoch_name(name) && !holds_any(name, {"scale"}))
        best = name;
    }
    if (!best.empty()) return best;
  }
  return best;
}

std::optional<PatternHint> hint_for_names(std::string_view line) {
  const std::string name = value_name(line), number = step_pattern(line);
  if (name.empty()) return std::nullopt;
  const std::string value = "\\b" + RE2::QuoteMeta(name) + R"(\W+?)" + std::string(value_group);
  for (const std::string& pattern : {number + ".*?" + value, value + ".*?" + number})
    if (!number.empty() && pattern_finds(pattern, line)) return PatternHint{metric_for(name), pattern};
  if (!pattern_finds(value, line)) return std::nullopt;
  return PatternHint{metric_for(name), value};
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  while (!line.empty()) {
    const std::size_t begin = std::min(line.find_first_not_of(borders), line.size());
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(borders), line.size());
    if (end > 0) cells.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return cells;
}

bool is_whole(const std::string& word) { return parse_integer(word).has_value(); }

// Return the first of the cells that the predicate holds for, or their number.
template <typename Holds>
std::size_t first_cell(const std::vector<std::string>& cells, Holds holds) {
  return static_cast<std::size_t>(std::ranges::find_if(cells, holds) - cells.begin());
}

std::string row_pattern(std::size_t step, std::size_t value, std::size_t count, bool prefixed) {
  std::string pattern(prefixed ? R"((?:^|[:\]]\s)[\s|]*)" : R"(^[\s|]*)");
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) pattern += between;
    pattern += i == step ? step_group : i == value ? value_group : cell;
  }
  return pattern + R"([\s|]*$)";
}

std::optional<PatternHint> hint_for_row(std::string_view line, std::string_view header) {
  const std::size_t prefix = parse_prefix(line).end;
  const std::vector<std::string> cells = cells_of(line.substr(prefix));
  std::vector<std::string> names = cells_of(header);
  if (names.size() != cells.size()) names.assign(cells.size(), "");
  std::size_t step = first_cell(names, is_step_name);
  if (step == cells.size()) step = first_cell(names, is_epoch_name);
  if (step == cells.size() && is_whole(cells.front())) step = 0;
  std::size_t value = first_cell(names, is_loss_name);
  if (value == cells.size()) value = first_cell(cells, [](const auto& word) { return !is_whole(word); });
  if (value == cells.size() || value == step) return std::nullopt;
  const std::string pattern = row_pattern(step, value, cells.size(), prefix > 0);
  if (!pattern_finds(pattern, line)) return std::nullopt;
  return PatternHint{metric_for(names[value]), pattern};
}

}  // namespace

bool finds_number(const RE2& pattern, std::string_view line) {
  const auto value = pattern.NamedCapturingGroups().find("value");
  if (value == pattern.NamedCapturingGroups().end()) return false;
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(value->second) + 1);
  return pattern.Match(piece(line), 0, line.size(), RE2::UNANCHORED, groups.data(),
                       static_cast<int>(groups.size())) &&
         parse_word(view(groups.back())).has_value();
}

bool PatternHint::has_step() const { return pattern.find("(?P<step>") != std::string::npos; }

bool is_row(std::string_view line) {
  const std::vector<std::string> cells = cells_of(line);
  return cells.size() > 1 &&
         std::ranges::all_of(cells, [](const std::string& word) { return parse_word(word).has_value(); });
}

bool is_header(std::string_view line) {
  const std::vector<std::string> cells = cells_of(line);
  const auto is_name = [](const std::string& word) {
    return !parse_word(word) &&
           std::ranges::any_of(word, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
  };
  return cells.size() > 1 && std::ranges::all_of(cells, is_name);
}

std::optional<PatternHint> hint_for(std::string_view line, std::string_view header) {
  return is_row(line.substr(parse_prefix(line).end)) ? hint_for_row(line, header) : hint_for_names(line);
}

}  // namespace gate::extract
