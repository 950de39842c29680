#include "extract/scan/line_shapes.h"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

#include "extract/scan/number_word.h"
#include "extract/scan/pattern.h"
#include "extract/scan/prefix.h"
#include "extract/scan/printed_numbers.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::string_view borders = " \t|,;";

bool pattern_finds(const std::string& pattern, std::string_view line) {
  return parse_word(group_in(pattern, line, "value")).has_value();
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
  std::int64_t lines = 0;
  for (const auto& it : shapes)
    if (pattern_finds(pattern, it->second.example)) lines += it->second.count;
  return lines;
}

}  // namespace

std::vector<std::string> table_cells(std::string_view line) {
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

bool is_row(std::string_view line) {
  const std::vector<std::string> cells = table_cells(line);
  return cells.size() > 1 &&
         std::ranges::all_of(cells, [](const std::string& word) { return parse_word(word).has_value(); });
}

bool is_header(std::string_view line) {
  const std::vector<std::string> cells = table_cells(line);
  const auto is_letter = [](char c) { return is_letter_or_digit(c) && !is_digit(c); };
  return cells.size() > 1 && std::ranges::all_of(cells, [&](const std::string& word) {
           return !parse_word(word) && std::ranges::any_of(word, is_letter);
         });
}

std::optional<PatternHint> hint_for(std::string_view line, std::string_view header) {
  const std::vector<PrintedRank> ranks = printed_ranks(line, header);
  const PrintedRank* rank = !ranks.empty() && ranks.front().is_named ? &ranks.front() : nullptr;
  std::vector<PrintedNumber> numbers = printed_numbers(line, header, rank);
  constexpr int last_loss = 2;
  std::erase_if(numbers, [](const PrintedNumber& number) {  // a whole number may count anything
    return number.guess.is_progress || (number.guess.place > last_loss && parse_integer(number.word));
  });
  const auto best =
      std::ranges::min_element(numbers, {}, [](const PrintedNumber& number) { return number.guess.place; });
  if (best == numbers.end()) return std::nullopt;
  PatternHint hint{best->guess.metric.name, best->pattern, best->guess.place};
  const std::vector<std::string> steps = step_patterns(line);
  const std::string step = steps.empty() ? "" : steps.front(), by_rank = rank == nullptr ? "" : rank->pattern;
  for (const std::string& place : {by_rank, std::string()})
    if (std::string whole = with_places(*best, step, place, line); !whole.empty()) {
      hint.pattern = std::move(whole);
      break;
    }
  return hint;
}

std::string fold_numbers(std::string_view line) {
  static const RE2 blanks(R"(\s+)", pattern_options());
  static const RE2 bar(R"((?:\xe2\x96[\x80-\x9f]\s*)+)", pattern_options());
  std::string shape(line);
  RE2::GlobalReplace(&shape, number_regex(), "N");
  RE2::GlobalReplace(&shape, bar, "# ");  // of any length
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
  std::pair<int, std::int64_t> weight;
  for (std::size_t i = 0; i < std::min(shapes.size(), most_hints); ++i) {
    const LineShape& shape = shapes[i]->second;
    std::optional<PatternHint> hint = hint_for(shape.example, shape.header);
    if (!hint) continue;
    const std::pair own{-hint->place, count_lines_read(hint->pattern, shapes)};
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
  if (file != "-")
    notes.push_back("all numbers of its step lines, with rules, into gate.toml: gate init --from " +
                    shell_quote(file) + " (--dry-run prints them where there is a gate.toml)");
}

std::vector<NumberedLines> LineShapes::numbered_lines() const {
  std::vector<NumberedLines> lines;
  if (numbered_.empty()) return lines;
  for (const auto& it : sort_by_count())
    if (lines.size() < most_hints)
      lines.push_back({it->first, it->second.example, it->second.header, it->second.count});
  return lines;
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
