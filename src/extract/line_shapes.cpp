#include "extract/line_shapes.h"

#include <algorithm>

#include "extract/number_word.h"
#include "extract/pattern.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t most_shapes = 512;
constexpr std::size_t longest_line = 160;
constexpr std::size_t most_notes = 3;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - at;
}

// Return the length of a number with decimals and exponent at the start of the text, or 0.
std::size_t number_length(std::string_view text) {
  std::size_t end = digits(text, 0);
  if (end == 0) return 0;
  if (end < text.size() && text[end] == '.') end += 1 + digits(text, end + 1);
  if (end == text.size() || (text[end] != 'e' && text[end] != 'E')) return end;
  const std::size_t sign = end + 1 < text.size() && (text[end + 1] == '+' || text[end + 1] == '-') ? 2 : 1;
  const std::size_t exponent = digits(text, end + sign);
  return exponent == 0 ? end : end + sign + exponent;
}

bool reads(const std::string& pattern, std::string_view line) {
  const RE2 regex(pattern, pattern_options());
  if (!regex.ok()) return false;
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(regex.NumberOfCapturingGroups()) + 1);
  if (!regex.Match(piece(line), 0, line.size(), RE2::UNANCHORED, groups.data(),
                   static_cast<int>(groups.size())))
    return false;
  return parse_word(view(groups[static_cast<std::size_t>(regex.NamedCapturingGroups().at("value"))]))
      .has_value();
}

// Return the first word of the line that the expression finds, quoted for a pattern.
std::string find_word(const std::string& expression, std::string_view line) {
  std::string word;
  const RE2 regex(expression, pattern_options());
  return RE2::PartialMatch(piece(line), regex, &word) ? RE2::QuoteMeta(word) : "";
}

}  // namespace

std::string fold_numbers(std::string_view line) {
  std::string shape;
  while (!line.empty()) {
    const std::size_t length = number_length(line);
    shape += length == 0 ? line[0] : 'N';
    line.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shape;
}

std::string suggest_pattern(std::string_view line) {
  const std::string loss = find_word(R"((?i)([\w/]*loss\w*)\W+[-+]?(?:\d|nan|inf))", line);
  if (loss.empty()) return "";
  const std::string step = find_word(R"((?i)\b(global_step|iteration|iter|steps?)\b\W*\d)", line);
  const std::string value = loss + R"([^\w+-]+(?P<value>[^\s,;|'"}\]]+))";
  const std::string number = step + R"(\W*(?P<step>\d+))";
  for (const std::string& pattern : {number + ".*" + value, value + ".*" + number})
    if (!step.empty() && reads(pattern, line)) return pattern;
  return reads(value, line) ? value : "";
}

void LineShapes::see(std::string_view line) {
  line = trim(line.substr(0, longest_line));
  if (line.empty()) return;
  std::string shape = fold_numbers(line);
  const auto it = shapes_.find(shape);
  if (it != shapes_.end()) {
    ++it->second.count;
  } else if (shapes_.size() < most_shapes) {
    shapes_.emplace(std::move(shape), Shape{1, std::string(line)});
  } else {
    make_room();
  }
}

void LineShapes::make_room() {
  for (auto it = shapes_.begin(); it != shapes_.end();)
    it = --it->second.count == 0 ? shapes_.erase(it) : std::next(it);
}

std::vector<LineShapes::Shapes::const_iterator> LineShapes::by_count() const {
  std::vector<Shapes::const_iterator> all;
  for (auto it = shapes_.begin(); it != shapes_.end(); ++it) all.push_back(it);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a->second.count > b->second.count; });
  return all;
}

std::vector<std::string> LineShapes::notes() const {
  std::vector<std::string> notes;
  const std::vector<Shapes::const_iterator> shapes = by_count();
  for (const auto& it : shapes) {
    if (notes.size() == most_notes) break;
    notes.push_back(count_of(it->second.count, "line") + " like: " + printable(it->first));
  }
  for (const auto& it : shapes) {
    const std::string pattern = suggest_pattern(it->second.example);
    if (pattern.empty()) continue;
    notes.push_back("a pattern to start from, in gate.toml: [metrics.lm_loss] pattern = '''" + pattern +
                    "'''");
    break;
  }
  return notes;
}

}  // namespace gate::extract
