#include "extract/scan/line_shapes.h"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

#include "extract/scan/number_word.h"
#include "extract/scan/pattern.h"
#include "extract/scan/prefix.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

// --- a pattern for a line ------------------------------------------------------------------------

constexpr std::string_view borders = " \t|,;";
constexpr std::string_view between = R"([\s|,;]+)";
constexpr std::string_view cell = R"([^\s|,;]+)";
constexpr std::string_view value_group = R"((?P<value>[-+]?\w[-+.\w]*))";
constexpr std::string_view step_group = R"((?P<step>\d+))";

// How steps are printed: what finds one in a line, with the word before it if there is one, and what
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

std::string metric_of(const std::string& name) {
  if (is_loss_name(name)) return "lm_loss";
  std::string metric = to_lower(name);
  std::ranges::replace_if(
      metric, [](char c) { return !is_letter_or_digit(c); }, '_');
  return metric.empty() ? "value" : metric;
}

// Tell whether the pattern's group `value` holds a number in this line.
bool finds_number(const RE2& pattern, std::string_view line) {
  const auto value = pattern.NamedCapturingGroups().find("value");
  if (value == pattern.NamedCapturingGroups().end()) return false;
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(value->second) + 1);
  return pattern.Match(piece(line), 0, line.size(), RE2::UNANCHORED, groups.data(),
                       static_cast<int>(groups.size())) &&
         parse_word(view(groups.back())).has_value();
}

bool pattern_finds(const std::string& pattern, std::string_view line) {
  return finds_number(RE2(pattern, pattern_options()), line);
}

// Return the pattern of the step that the line prints, or "".
std::string step_pattern_of(std::string_view line) {
  for (const StepShape& shape : step_shapes) {
    const RE2 finder(shape.finder, pattern_options());
    std::string word;
    if (!RE2::PartialMatch(piece(line), finder, &word)) continue;
    return (word.empty() ? "" : "\\b" + RE2::QuoteMeta(word)) + shape.pattern;
  }
  return "";
}

// Return the name of the number to read: a loss of the training, else any loss, else the first with decimals.
std::string value_name_of(std::string_view line) {
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
  const std::string name = value_name_of(line), number = step_pattern_of(line);
  if (name.empty()) return std::nullopt;
  const std::string value = "\\b" + RE2::QuoteMeta(name) + R"(\W+?)" + std::string(value_group);
  for (const std::string& pattern : {number + ".*?" + value, value + ".*?" + number})
    if (!number.empty() && pattern_finds(pattern, line)) return PatternHint{metric_of(name), pattern};
  return pattern_finds(value, line) ? std::optional(PatternHint{metric_of(name), value}) : std::nullopt;
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
template <typename Predicate>
std::size_t find_cell(const std::vector<std::string>& cells, Predicate holds) {
  return static_cast<std::size_t>(std::ranges::find_if(cells, holds) - cells.begin());
}

std::string make_row_pattern(std::size_t step, std::size_t value, std::size_t count, bool prefixed) {
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
  std::size_t step = find_cell(names, is_step_name);
  if (step == cells.size()) step = find_cell(names, is_epoch_name);
  if (step == cells.size() && is_whole(cells.front())) step = 0;
  std::size_t value = find_cell(names, is_loss_name);
  if (value == cells.size()) value = find_cell(cells, [](const auto& word) { return !is_whole(word); });
  if (value == cells.size() || value == step) return std::nullopt;
  const std::string pattern = make_row_pattern(step, value, cells.size(), prefix > 0);
  return pattern_finds(pattern, line) ? std::optional(PatternHint{metric_of(names[value]), pattern})
                                      : std::nullopt;
}

// --- shapes of lines -----------------------------------------------------------------------------

constexpr std::size_t most_shapes = 512;
constexpr std::size_t longest_line = 512;
constexpr std::size_t longest_shown = 160;
constexpr std::size_t most_shape_notes = 3;
constexpr std::size_t most_hints = 32;

const RE2& number_regex() {
  static const RE2 pattern(R"((?i)[0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]+)?|\bnan\b|\binf(?:inity)?\b)",
                           pattern_options());
  return pattern;
}

// Return how many of the lines the pattern reads, as far as their shapes tell.
template <typename Sorted>
std::int64_t count_lines_read(const std::string& pattern, const Sorted& shapes) {
  const RE2 regex(pattern, pattern_options());
  std::int64_t lines = 0;
  for (const auto& it : shapes)
    if (finds_number(regex, it->second.example)) lines += it->second.count;
  return lines;
}

}  // namespace

bool is_row(std::string_view line) {
  const std::vector<std::string> cells = cells_of(line);
  return cells.size() > 1 &&
         std::ranges::all_of(cells, [](const std::string& word) { return parse_word(word).has_value(); });
}

bool is_header(std::string_view line) {
  const std::vector<std::string> cells = cells_of(line);
  const auto is_letter = [](char c) { return is_letter_or_digit(c) && !is_digit(c); };
  return cells.size() > 1 && std::ranges::all_of(cells, [&](const std::string& word) {
           return !parse_word(word) && std::ranges::any_of(word, is_letter);
         });
}

std::optional<PatternHint> hint_for(std::string_view line, std::string_view header) {
  return is_row(line.substr(parse_prefix(line).end)) ? hint_for_row(line, header) : hint_for_names(line);
}

std::string fold_numbers(std::string_view line) {
  static const RE2 blanks(R"(\s+)", pattern_options());
  std::string shape(line);
  RE2::GlobalReplace(&shape, number_regex(), "N");
  RE2::GlobalReplace(&shape, blanks, " ");
  return shape;
}

// A word such as `loss: ` is taken for no launcher's, but one with a digit is: `0: [default0]:`, `host-3: `.
void LineShapes::add(std::string_view line) {
  line = trim(line.substr(0, longest_line));
  const Prefix prefix = parse_prefix(line);
  const bool has_digit = std::ranges::any_of(prefix.source, is_digit);
  const std::string_view own = trim(has_digit ? line.substr(prefix.end) : line);
  if (own.empty()) return;
  if (RE2::PartialMatch(piece(own), number_regex())) {
    ++numbered_lines_;
    return count(numbered_, fold_numbers(own), line);
  }
  if (is_header(own)) header_ = own;
  count(plain_, fold_numbers(own), line);
}

void LineShapes::count(Shapes& shapes, std::string shape, std::string_view example) {
  const auto it = shapes.find(shape);
  if (it != shapes.end()) {
    ++it->second.count;
  } else if (shapes.size() < most_shapes) {
    shapes.emplace(std::move(shape), LineShape{1, std::string(example), header_});
  } else {
    exact_ = false;
    for (auto place = shapes.begin(); place != shapes.end();)
      place = --place->second.count == 0 ? shapes.erase(place) : std::next(place);
  }
}

LineShapes::Sorted LineShapes::sort_by_count() const {
  const Shapes& shapes = numbered_.empty() ? plain_ : numbered_;
  Sorted all;
  for (auto it = shapes.begin(); it != shapes.end(); ++it) all.push_back(it);
  std::ranges::stable_sort(all, std::greater{}, [](const auto& it) { return it->second.count; });
  return all;
}

// A loss is what most want to read; else the pattern that reads most.
void LineShapes::add_pattern(const Sorted& shapes, const std::string& file,
                             std::vector<std::string>& notes) const {
  std::optional<PatternHint> best;
  std::pair<bool, std::int64_t> weight;
  for (std::size_t i = 0; i < std::min(shapes.size(), most_hints); ++i) {
    const LineShape& shape = shapes[i]->second;
    std::optional<PatternHint> hint = hint_for(shape.example, shape.header);
    if (!hint) continue;
    const std::pair own{hint->metric == "lm_loss", count_lines_read(hint->pattern, shapes)};
    if (best && own <= weight) continue;
    best = std::move(hint);
    weight = own;
  }
  if (!best) return;
  notes.push_back("a pattern to start from, in gate.toml: [metrics." + best->metric + "] pattern = '''" +
                  best->pattern + "'''" + (best->has_step() ? "" : " numbered = \"report\""));
  notes.push_back("it reads " + std::string(exact_ ? "" : "at least ") + std::to_string(weight.second) +
                  " of " + count_of(numbered_lines_, "line") + " with numbers" +
                  (best->has_step()
                       ? ": gate extract --pattern " + shell_quote(best->pattern) + " " + shell_quote(file)
                       : ""));
}

std::vector<std::string> LineShapes::notes(const std::string& file) const {
  std::vector<std::string> notes;
  const Sorted shapes = sort_by_count();
  for (std::size_t i = 0; i < std::min(shapes.size(), most_shape_notes); ++i)
    notes.push_back(count_of(shapes[i]->second.count, "line") +
                    " like: " + printable(shapes[i]->first, longest_shown));
  if (!numbered_.empty()) add_pattern(shapes, file, notes);
  return notes;
}

}  // namespace gate::extract
