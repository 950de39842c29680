#include "extract/scan/line_shapes.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <utility>

#include "extract/scan/number_word.h"
#include "extract/scan/prefix.h"
#include "extract/scan/printed_numbers.h"
#include "extract/scan/re2_pattern.h"
#include "gate/base/text.h"
#include "gate/base/utf8.h"

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
constexpr std::int64_t fewest_unread = 5;

// Folds a line to its shape in one pass: this is done for each line that no reader took.
class ShapeFolder {
 public:
  ShapeFolder(std::string_view line, std::string& shape) : line_(line), shape_(shape) { shape_.clear(); }

  // Returns whether the line holds a number.
  bool fold() {
    while (at_ < line_.size()) fold_next();
    return has_number_;
  }

 private:
  static bool is_word(char c) {
    static constexpr std::array<bool, 256> words = [] {
      std::array<bool, 256> all{};
      for (std::size_t i = 0; i < all.size(); ++i) {
        const char one = static_cast<char>(i);
        all.at(i) = is_letter_or_digit(one) || one == '_' || !is_ascii(one);
      }
      return all;
    }();
    return words[static_cast<unsigned char>(c)];
  }
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }

  bool begins_word() const { return at_ == 0 || !is_word(line_[at_ - 1]); }
  char next() const { return at_ + 1 < line_.size() ? line_[at_ + 1] : ' '; }

  void fold_next() {
    const char c = line_[at_];
    if (is_digit(c)) return fold_number();
    if (is_blank(c)) return fold_blanks();
    if ((c == '\'' || c == '"') && fold_quoted()) return;
    if ((c == '/' || c == '.') && begins_word() && fold_path()) return;
    if ((c == '-' || c == '+') && begins_word() && (is_digit(next()) || is_digit_word(at_ + 1)))
      return skip();
    if (is_letter_or_digit(c) && begins_word()) return fold_word();
    if (fold_bar() || fold_marks()) return;
    shape_ += c;
    skip();
  }

  void skip() { ++at_; }

  // The bar in `[=====>.....]` and `|###  |`, of any length.
  bool fold_marks() {
    const std::size_t end = std::min(line_.find_first_not_of("#=>.", at_), line_.size());
    if (end < at_ + 2) return false;
    at_ = end;
    put('#');
    return true;
  }
  void put(char hole) { shape_ += hole; }

  // `12:34:56,789`, `2026-11-27`, `3/100` and `1.5e-05` are one hole each.
  void fold_number() {
    const auto digit_at = [&](std::size_t at) { return at < line_.size() && is_digit(line_[at]); };
    while (at_ < line_.size()) {
      const char c = line_[at_];
      const bool parts = c == '.' || c == ',' || c == ':' || c == '/' || c == '-';
      const bool is_exponent = (c == 'e' || c == 'E') && at_ + 1 < line_.size() &&
                               (digit_at(at_ + 1) || ((next() == '-' || next() == '+') && digit_at(at_ + 2)));
      if (is_digit(c) || (parts && digit_at(at_ + 1)))
        ++at_;
      else if (is_exponent)
        at_ += 2;
      else
        break;
    }
    if (at_ < line_.size() && line_[at_] == '.' && (at_ + 1 == line_.size() || !is_word(next()))) ++at_;
    has_number_ = true;
    put('N');
  }

  void fold_blanks() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
    put(' ');
  }

  // A word in quotes; a name in front of a value stays.
  bool fold_quoted() {
    constexpr std::size_t longest = 120;
    const std::size_t end = line_.substr(0, at_ + longest).find(line_[at_], at_ + 1);
    if (end == std::string_view::npos) return false;
    const std::size_t behind = line_.find_first_not_of(" \t", end + 1);
    if (behind != std::string_view::npos && line_[behind] == ':') return false;
    if (is_digit(line_[at_ + 1])) return false;
    at_ = end + 1;
    put('Q');
    return true;
  }

  // `/data/run_3/log.txt`, `./out/a.py`
  bool fold_path() {
    const std::size_t end = std::min(line_.find_first_of(" \t\"',;)]}", at_), line_.size());
    const std::string_view word = line_.substr(at_, end - at_);
    if (word.size() < 3 || word.find('/', 1) == std::string_view::npos) return false;
    at_ = end;
    put('P');
    return true;
  }

  std::string_view word_at(std::size_t at) const {
    std::size_t end = at;
    while (end < line_.size() && is_word(line_[end])) ++end;
    return line_.substr(at, end - at);
  }

  bool is_digit_word(std::size_t at) const {
    constexpr std::array words{"nan", "inf", "infinity"};
    if (at >= line_.size()) return false;
    const char first = static_cast<char>(line_[at] | 0x20);
    if (first != 'n' && first != 'i') return false;
    const std::string_view word = word_at(at);
    return word.size() >= 3 && word.size() <= 8 && std::ranges::find(words, to_lower(word)) != words.end();
  }

  static bool is_level(std::string_view word) {
    constexpr std::array levels{"INFO", "DEBUG", "WARNING", "WARN", "ERROR", "CRITICAL"};
    const bool is_upper = word.size() >= 4 && word[1] >= 'A' && word[1] <= 'Z';
    return is_upper && std::ranges::find(levels, word) != levels.end();
  }

  void fold_word() {
    const std::string_view word = word_at(at_);
    if (is_digit_word(at_)) {
      has_number_ = true;
      put('N');
    } else if (is_level(word)) {
      put('L');
    } else {
      const auto letters = static_cast<std::size_t>(std::ranges::find_if(word, is_digit) - word.begin());
      shape_.append(word, 0, letters);
      at_ += letters;
      return;
    }
    at_ += word.size();
  }

  // The blocks of a progress bar, U+2580 to U+259F, of any length.
  bool fold_bar() {
    const auto is_block = [&] {
      return line_.size() - at_ >= 3 && line_[at_] == '\xe2' && line_[at_ + 1] == '\x96' &&
             static_cast<unsigned char>(line_[at_ + 2]) <= 0x9f;
    };
    if (!is_block()) return false;
    while (at_ < line_.size() && (is_blank(line_[at_]) || is_block()))
      is_blank(line_[at_]) ? at_ += 1 : at_ += 3;
    put('#');
    return true;
  }

  std::string_view line_;
  std::string& shape_;
  std::size_t at_ = 0;
  bool has_number_ = false;
};

// A word such as `loss: ` is taken for no launcher's, but one with a digit is: `0: [default0]:`, `host-3: `.
std::string_view behind_launcher(std::string_view line) {
  const Prefix prefix = parse_prefix(line);
  const bool has_digit = std::ranges::any_of(prefix.source, is_digit);
  return trim(has_digit ? line.substr(prefix.end) : line);
}

// Tell whether the number is one of a few that say when: seconds or milliseconds since 1970.
bool is_time_of_day(const PrintedNumber& number) {
  constexpr std::int64_t since_1970 = 1'000'000'000;
  const auto whole = parse_integer(number.word);
  return number.guess.metric.kind == MetricKind::speed && whole && *whole >= since_1970;
}

// Tell whether lines like these two tell a person something by the number.
bool is_measured(const PrintedNumber& number, std::string_view line, std::string_view other) {
  const bool has_unit_alone = is_unit(number.name);
  if (number.name.empty() || number.guess.is_progress || has_unit_alone || is_time_of_day(number))
    return false;
  if (number.guess.metric.kind != MetricKind::other) return true;
  const bool has_decimals = number.word.find('.') != std::string::npos;
  return has_decimals && group_in(number.pattern, other, "value") != group_in(number.pattern, line, "value");
}

// Return the line, or of a long one what begins shortly before the value.
std::string example_of(std::string_view line, const PrintedNumber& number) {
  constexpr std::size_t longest = 120, before = 60;
  const char* const value = group_in(number.pattern, line, "value").data();
  const auto at = value == nullptr ? 0 : static_cast<std::size_t>(value - line.data());
  if (line.size() <= longest || at <= longest - before) return std::string(line);
  std::size_t begin = at - before;
  while (begin < at && is_continuation(line[begin])) ++begin;
  return "..." + std::string(line.substr(begin));
}

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

std::vector<std::string> column_names(std::string_view header, std::size_t count) {
  std::vector<std::string> names = table_cells(header);
  if (names.size() == count) return names;
  static const RE2 gap(R"(\s{2,}|\t|\|)", pattern_options());
  std::string marked(trim(header));
  RE2::GlobalReplace(&marked, gap, "\n");
  names.clear();
  for (const std::string_view name : split(marked, '\n'))
    if (!trim(name).empty()) names.emplace_back(trim(name));
  return names.size() == count ? names : std::vector<std::string>(count);
}

bool is_row(std::string_view line) {
  const std::vector<std::string> cells = table_cells(line);
  return cells.size() > 1 &&
         std::ranges::all_of(cells, [](const std::string& word) { return parse_word(word).has_value(); });
}

bool is_header(std::string_view line) {
  const std::vector<std::string> cells = table_cells(line);
  const auto is_letter = [](char c) { return is_letter_or_digit(c) && !is_digit(c); };
  const auto names = std::ranges::count_if(
      cells, [&](const std::string& word) { return std::ranges::any_of(word, is_letter); });
  return names > 1 && names * 2 > std::ssize(cells) &&
         std::ranges::none_of(cells, [](const std::string& word) { return parse_word(word).has_value(); });
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
    if (std::string whole = with_places(best->pattern, {step, "", place}, line); !whole.empty()) {
      hint.pattern = std::move(whole);
      break;
    }
  return hint;
}

bool fold_shape(std::string_view line, std::string& shape) {
  return ShapeFolder(behind_launcher(line), shape).fold();
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

void LineShapes::add(std::string_view line, ReaderMask readers) {
  line = trim(line.substr(0, longest_line));
  const std::string_view own = behind_launcher(line);
  if (own.empty()) return;
  if (ShapeFolder(own, shape_).fold()) {
    ++numbered_lines_;
    return count(numbered_, line, readers);
  }
  if (is_header(own)) header_ = own;
  count(plain_, line, readers);
}

// Lines of one shape that some formats took, and others took not, are two.
void LineShapes::count(Shapes& shapes, std::string_view example, ReaderMask readers) {
  if (readers != 0) shape_ += "\n" + std::to_string(readers);
  const auto it = shapes.find(shape_);
  if (it != shapes.end()) {
    ++it->second.count;
    it->second.last = example;
  } else if (shapes.size() < most_shapes) {
    shapes.emplace(shape_, LineShape{1, std::string(example), std::string(example), header_, readers});
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
                             std::vector<Sentence>& notes) const {
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
  notes.push_back(say({"a pattern to start from, in gate.toml: [metrics.{}] pattern = '''{}'''{}",
                       "可作起点的 pattern，写进 gate.toml：[metrics.{}] pattern = '''{}'''{}"},
                      best->metric, best->pattern, best->has_step() ? "" : " numbered = \"report\""));
  const Sentence command = as_is(best->has_step() ? "gate extract --pattern " + shell_quote(best->pattern) +
                                                        " " + shell_quote(file)
                                                  : "");
  notes.push_back(
      join(std::array{say({"it reads {}{} of {} with numbers", "它能读出含数的 {2} 中的{0} {1} 行"},
                          exact_ ? Sentence() : say({"at least ", "至少"}), weight.second,
                          count_of(numbered_lines_, "line", "行")),
                      command},
           colon));
  if (file != "-")
    notes.push_back(
        say({"all numbers of its step lines, with rules, into gate.toml: gate init {} (--dry-run "
             "prints them where there is a gate.toml)",
             "把步行里的全部数连同规则写进 gate.toml：gate init {}（已有 gate.toml 时用 --dry-run 显示）"},
            shell_quote(file)));
}

std::vector<NumberedLines> LineShapes::numbered_lines() const {
  std::vector<NumberedLines> lines;
  if (numbered_.empty()) return lines;
  for (const auto& it : sort_by_count())
    if (lines.size() < most_hints)
      lines.push_back({fold_numbers(behind_launcher(it->second.example)), it->second.example,
                       it->second.header, it->second.count});
  return lines;
}

// A loss is named rather than what stands before it.
std::optional<UnreadLines> LineShapes::measured(const LineShape& shape) {
  std::optional<UnreadLines> first;
  for (const PrintedNumber& number : printed_numbers(shape.example, shape.header)) {
    if (!is_measured(number, shape.example, shape.last)) continue;
    const bool is_loss = is_called_loss(number.name);
    if (!first || is_loss)
      first = UnreadLines{shape.count, number.name, example_of(shape.example, number), is_loss};
    if (is_loss) break;
  }
  return first;
}

std::vector<UnreadLines> LineShapes::unread(ReaderMask meant) const {
  std::vector<UnreadLines> all;
  if (numbered_.empty()) return all;
  for (const auto& it : sort_by_count()) {
    const LineShape& shape = it->second;
    if (shape.count < fewest_unread || all.size() == most_hints) break;
    if ((shape.readers & meant) != 0) continue;
    if (auto one = measured(shape)) all.push_back(std::move(*one));
  }
  std::stable_partition(all.begin(), all.end(), [](const UnreadLines& one) { return one.tells_loss; });
  return all;
}

std::vector<Sentence> LineShapes::notes(const std::string& file) const {
  std::vector<Sentence> notes;
  Sorted shapes = sort_by_count();
  std::stable_partition(shapes.begin(),
                        shapes.begin() + static_cast<std::ptrdiff_t>(std::min(shapes.size(), most_hints)),
                        [](const auto& it) {
                          const auto one = measured(it->second);
                          return it->second.count >= fewest_unread && one && one->tells_loss;
                        });
  for (std::size_t i = 0; i < std::min(shapes.size(), most_shape_notes); ++i)
    notes.push_back(
        say({"{} like: {}", "{}形如：{}"}, count_of(shapes[i]->second.count, "line", "行"),
            printable(shapes[i]->second.count == 1 ? std::string(behind_launcher(shapes[i]->second.example))
                                                   : fold_numbers(behind_launcher(shapes[i]->second.example)),
                      longest_shown)));
  if (!numbered_.empty()) add_pattern(shapes, file, notes);
  return notes;
}

}  // namespace gate::extract
