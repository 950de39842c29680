#include "extract/scan/line_shapes.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "extract/scan/pattern.h"
#include "extract/scan/pattern_hint.h"
#include "extract/scan/prefix.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t most_shapes = 512;
constexpr std::size_t longest_line = 512;
constexpr std::size_t longest_shown = 160;
constexpr std::size_t most_shape_notes = 3;
constexpr std::size_t most_hints = 32;

// Return the line behind what launchers put before it. A word such as `loss: ` is taken for no launcher's,
// but one with a digit is: `0: [default0]:`, `host-3: `.
std::string_view without_prefix(std::string_view line) {
  const Prefix prefix = parse_prefix(line);
  const bool counts = prefix.source.find_first_of("0123456789") != std::string_view::npos;
  return trim(counts ? line.substr(prefix.end) : line);
}

const RE2& number() {
  static const RE2 pattern(R"((?i)[0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]+)?|\bnan\b|\binf(?:inity)?\b)",
                           pattern_options());
  return pattern;
}

template <typename Sorted>
std::int64_t lines_read(const std::string& pattern, const Sorted& shapes) {
  const RE2 regex(pattern, pattern_options());
  std::int64_t lines = 0;
  for (const auto& it : shapes)
    if (finds_number(regex, it->second.example)) lines += it->second.count;
  return lines;
}

}  // namespace

std::string fold_numbers(std::string_view line) {
  static const RE2 blanks(R"(\s+)", pattern_options());
  std::string shape(line);
  RE2::GlobalReplace(&shape, number(), "N");
  RE2::GlobalReplace(&shape, blanks, " ");
  return shape;
}

void LineShapes::see(std::string_view line) {
  line = trim(line.substr(0, longest_line));
  const std::string_view own = without_prefix(line);
  if (own.empty()) return;
  if (RE2::PartialMatch(piece(own), number())) {
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
    shapes.emplace(std::move(shape), Shape{1, std::string(example), header_});
  } else {
    exact_ = false;
    make_room(shapes);
  }
}

void LineShapes::make_room(Shapes& shapes) {
  for (auto it = shapes.begin(); it != shapes.end();)
    it = --it->second.count == 0 ? shapes.erase(it) : std::next(it);
}

LineShapes::Sorted LineShapes::by_count() const {
  const Shapes& shapes = numbered_.empty() ? plain_ : numbered_;
  Sorted all;
  for (auto it = shapes.begin(); it != shapes.end(); ++it) all.push_back(it);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a->second.count > b->second.count; });
  return all;
}

// A loss is what most want to read; else the pattern that reads most.
void LineShapes::add_pattern(const Sorted& shapes, const std::string& file,
                             std::vector<std::string>& notes) const {
  std::optional<PatternHint> best;
  std::pair<bool, std::int64_t> weight;
  for (std::size_t i = 0; i < std::min(shapes.size(), most_hints); ++i) {
    const Shape& shape = shapes[i]->second;
    std::optional<PatternHint> hint = hint_for(shape.example, shape.header);
    if (!hint) continue;
    const std::pair own{hint->metric == "lm_loss", lines_read(hint->pattern, shapes)};
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
  const Sorted shapes = by_count();
  for (std::size_t i = 0; i < std::min(shapes.size(), most_shape_notes); ++i)
    notes.push_back(count_of(shapes[i]->second.count, "line") +
                    " like: " + printable(shapes[i]->first, longest_shown));
  if (!numbered_.empty()) add_pattern(shapes, file, notes);
  return notes;
}

}  // namespace gate::extract
