#include "extract/scan/printed_numbers.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "extract/scan/line_shapes.h"
#include "extract/scan/number_word.h"
#include "extract/scan/prefix.h"
#include "extract/scan/re2_pattern.h"
#include "gate/base/text.h"
#include "gate/base/utf8.h"

namespace gate::extract {

namespace {

constexpr std::string_view between = R"([\s|,;]+)";
constexpr std::string_view cell = R"([^\s|,;]+)";
constexpr std::string_view word_group = R"((?P<value>[-+]?\w[-+.\w]*))";
constexpr std::string_view thousands_group = R"((?P<value>[-+]?\w(?:[-+.\w]|,\d)*))";
constexpr std::string_view digits_group = R"((?P<value>[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?))";
constexpr std::string_view step_group = R"((?P<step>\d+))";
constexpr std::string_view rank_group = R"((?P<rank>\d+))";
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::size_t most_numbers = 64;  // of a line
constexpr std::size_t most_name_words = 4;

// --- steps ---------------------------------------------------------------------------------------

// How steps are printed: what finds one in a line, with the word before it if there is one, and what
// follows that word in a pattern.
struct StepShape {
  const char* finder;
  const char* pattern;
};

constexpr StepShape step_shapes[] = {
    {R"((?i)\b(global_step|iteration|iter|steps?|batch)\b\W*\d)", R"(\b\W*(?P<step>\d+))"},
    {R"(()\[\s*\d+\s*/\s*\d+\s*\])", R"(\[\s*(?P<step>\d+)\s*/\s*\d+\s*\])"},
    {R"(()(?:^|[\s|])\d+/\d+(?:\s|$))", R"((?:^|[\s|])(?P<step>\d+)/\d+(?:\s|$))"},
    {R"((?i)\b(\w*(?:steps?|iters?|itr|iterations?|updates?|batch|batches)|it|up)\b\W*\d)",
     R"(\b\W*(?P<step>\d+))"},
    {R"((?i)\b((?:steps?|iter(?:ation)?|batch|update)_?)\d)", R"((?P<step>\d+))"},
    {R"(()第\s*\d+\s*步)", R"(第\s*(?P<step>\d+))"},
    {R"((?i)\b(epochs?|ep)\b\W*\d)", R"(\b\W*(?P<step>\d+))"},
    {R"((?i)\b(epoch_?)\d)", R"((?P<step>\d+))"},
};

constexpr StepShape epoch_shapes[] = {
    {R"((?i)\b(epochs?|ep)\b\W*\d)", R"(\b\W*(?P<epoch>\d+))"},
    {R"((?i)\b(epoch)_?\d)", R"(_?(?P<epoch>\d+))"},
    {R"(()第\s*\d+\s*轮)", R"(第\s*(?P<epoch>\d+)\s*轮)"},
};

// Tell whether the digits are those of a date, a time, a version or a number with decimals or letters.
bool is_part_of_more(std::string_view line, std::size_t begin, std::size_t end) {
  constexpr std::string_view joins = ".,:-";
  const auto is_word = [&](std::size_t at) {
    return at < line.size() && (is_letter_or_digit(line[at]) || line[at] == '_' || line[at] == '%');
  };
  const auto joins_digits = [&](std::size_t mark, std::size_t digit) {
    return mark < line.size() && digit < line.size() && joins.find(line[mark]) != std::string_view::npos &&
           is_digit(line[digit]);
  };
  return is_word(begin - 1) || is_word(end) || joins_digits(begin - 1, begin - 2) ||
         joins_digits(end, end + 1);
}

// Tell whether a unit stands there, behind a number that counts nothing then.
bool measures(std::string_view rest) {
  rest = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::size_t end = std::min(rest.find_first_not_of(letters), rest.size());
  return end > 0 && is_unit(rest.substr(0, end));
}

// What stands before a counter: some words of it, with any numbers among them.
std::string before_counter(std::string_view line, std::size_t begin) {
  constexpr std::size_t longest_context = 24;
  std::size_t from = begin > longest_context ? begin - longest_context : 0;
  while (from > 0 && from < begin && is_letter_or_digit(line[from - 1])) ++from;
  const std::string_view context = line.substr(from, begin - from);
  std::string pattern = from == 0 ? R"(^\s*)" : "";
  for (std::size_t at = 0; at < context.size();) {
    const std::size_t first = at;
    const auto while_in = [&](auto is_in) {
      while (at < context.size() && is_in(context[at])) ++at;
      return at > first;
    };
    if (while_in(is_digit))
      pattern += R"(\d+)";
    else if (while_in([](char c) { return c == ' ' || c == '\t'; }))
      pattern += R"(\s*)";
    else
      pattern += RE2::QuoteMeta(piece(context.substr(at++, 1)));
  }
  return pattern;
}

// The words, with any blanks between them.
std::string flexible(std::string_view words) {
  std::string quoted = RE2::QuoteMeta(piece(words));
  RE2::GlobalReplace(&quoted, R"((\\[ \t])+)", R"(\\s+)");
  return quoted;
}

// The text, with any number in the place of each.
std::string with_holes(std::string_view text) {
  static const RE2 hole(R"([-+]?\d[-+\w.:/%]*|\bnan\b|\binf\b)", pattern_options());
  std::string pattern;
  re2::StringPiece rest = piece(text), found;
  while (hole.Match(rest, 0, rest.size(), RE2::UNANCHORED, &found, 1) && !found.empty()) {
    const auto begin = static_cast<std::size_t>(found.data() - rest.data());
    pattern += flexible(view(rest).substr(0, begin)) + R"([-+\w.:/%]+)";
    rest.remove_prefix(begin + found.size());
  }
  return pattern + flexible(view(rest));
}

// The last words before that place, from its line's beginning on if that is near.
std::string context_before(std::string_view line, std::size_t at) {
  constexpr std::size_t longest = 40;
  if (at <= longest) return R"(^\s*)" + with_holes(line.substr(0, at));
  std::size_t from = at - longest;
  while (from < at && line[from] != ' ') ++from;
  return with_holes(line.substr(from, at - from));
}

// --- ranks ---------------------------------------------------------------------------------------

// What ranks are called, whole names, or a pattern for one; the likeliest first.
struct RankShape {
  const char* text;
  bool is_named;
};

constexpr RankShape rank_shapes[] = {
    {"rank", true},
    {"global_?rank|local_?rank|rank_?id", true},
    {"(?:dp|tp|pp|ep|cp|dist|node)_rank", false},
    {"(?:gpu|npu|device|worker)(?:_?id)?", false},
};

// What launchers put before lines, and a bare number that may be one.
constexpr RankShape rank_places[] = {
    {R"(\[default(?P<rank>\d+)\]:)", true},
    {R"(^\s*(?P<rank>\d+):\s)", false},
    {R"(\[(?P<rank>\d+)\])", false},
};

std::string named_rank(const RankShape& shape) { return "(?i)(" + std::string(shape.text) + ")"; }

// `rank0`: a name with its number.
bool is_rank_word(std::string_view word) {
  static const RE2 pattern(R"((?i)(?:\w*rank|gpu|npu|device|worker)_?\d+)", pattern_options());
  return RE2::FullMatch(piece(word), pattern);
}

// A word may be of letters of any script; what UTF-8 begins with 0xE2 are bars, arrows and dashes.
bool is_name_char(char c) { return is_letter_or_digit(c) || !is_ascii(c); }
bool is_drawn(std::string_view word) { return word.front() == '\xe2'; }

// --- words of a line -----------------------------------------------------------------------------

// A word of the line, and what stands before it.
struct LineWord {
  std::size_t begin = 0, end = 0;
  bool border = false;       // a new field begins here
  bool in_brackets = false;  // it stands in parentheses
  bool is_number = false;
  std::string_view unit;  // letters that hang on the number
};

// The mark of a Chinese text that stands there, as ASCII has it; 0: none.
constexpr std::size_t wide_size = 3;
char wide_mark(std::string_view line, std::size_t at) {
  static constexpr std::array<std::pair<std::string_view, char>, 6> marks{
      {{"：", ':'}, {"，", ','}, {"；", ';'}, {"（", '('}, {"）", ')'}, {"。", '.'}}};
  if (is_ascii(line[at])) return 0;
  for (const auto& [wide, mark] : marks)
    if (line.substr(at, wide_size) == wide) return mark;
  return 0;
}

bool is_border(char c) { return std::string_view(";|{}[]\"").find(c) != std::string_view::npos; }

bool parts_words(std::string_view line, std::size_t at) {
  const char c = line[at];
  const bool digits = at > 0 && at + 1 < line.size() && is_digit(line[at - 1]) && is_digit(line[at + 1]);
  if (c == ':' || c == ',') return !digits;
  return is_border(c) || std::string_view(" \t=()<>'~").find(c) != std::string_view::npos;
}

void tell_number(std::string_view line, LineWord& word) {
  static const RE2 number(
      R"([-+]?\d[\d,]*(?:\.\d*)?(?:[eE][-+]?\d+)?((?:/?[A-Za-z%][A-Za-z%/]*)?)|nan|NaN|inf)",
      pattern_options());
  re2::StringPiece unit;
  std::string_view text = line.substr(word.begin, word.end - word.begin);
  if (text.size() > 1 && text.ends_with('.') && is_digit(text[text.size() - 2]))
    text.remove_suffix(1);  // `2.3.`
  word.is_number = RE2::FullMatch(piece(text), number, &unit);
  if (word.is_number && unit.data() != nullptr) word.unit = view(unit);
}

std::vector<LineWord> line_words(std::string_view line) {
  std::vector<LineWord> words;
  bool border = true, open = false;
  for (std::size_t at = 0; at < line.size();) {
    if (const char mark = wide_mark(line, at)) {
      border = border || mark == ',' || mark == ';';
      open = mark == '(' || (open && mark != ')');
      at += wide_size;
      continue;
    }
    if (parts_words(line, at)) {
      border = border || is_border(line[at]) || line[at] == ',';
      open = line[at] == '(' || (open && line[at] != ')');
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && !parts_words(line, end) && wide_mark(line, end) == 0) ++end;
    LineWord word{at, end, border, open, false, {}};
    at = end;
    const std::string_view text = line.substr(word.begin, end - word.begin);
    border = is_drawn(text) || std::ranges::none_of(text, is_name_char);  // a dash between two fields
    if (border) continue;
    tell_number(line, word);
    border = text.ends_with('.');  // of a sentence
    words.push_back(word);
  }
  return words;
}

// Reads the words of a line as names, numbers and units.
class NumberFinder {
 public:
  explicit NumberFinder(std::string_view line) : line_(line), words_(line_words(line)) {}

  std::vector<PrintedNumber> find();

 private:
  std::string_view text(const LineWord& word) const {
    return line_.substr(word.begin, word.end - word.begin);
  }
  bool is_unit_at(std::size_t at) const;
  std::optional<std::size_t> loss_around(std::size_t number) const;
  std::optional<std::pair<std::size_t, std::size_t>> name_of(std::size_t number) const;
  std::string_view unit_of(std::size_t number, bool is_named) const;
  bool is_counted(std::size_t number, const std::vector<std::string>& name) const;
  std::string group_of(const LineWord& word) const;
  std::string confirmed(std::size_t number, const std::vector<std::string>& patterns) const;
  std::optional<PrintedNumber> named(std::size_t number) const;
  bool is_source_place(std::size_t number, const std::string& name) const;
  std::optional<PrintedNumber> nameless(std::size_t number) const;
  std::optional<PrintedNumber> named_behind(std::size_t number) const;
  std::optional<std::pair<std::size_t, std::size_t>> cell_of(std::size_t number) const;

  std::string_view line_;
  std::vector<LineWord> words_;
};

// A unit behind its number, and no name of what follows: `512 ms`, `1234 tok/s`, but not `tok/s 1234`, `s:
// 3`.
bool NumberFinder::is_unit_at(std::size_t at) const {
  if (at == 0 || at >= words_.size() || !words_[at - 1].is_number || words_[at].is_number) return false;
  if (!is_unit(text(words_[at]))) return false;
  const std::string_view gap = line_.substr(words_[at - 1].end, words_[at].begin - words_[at - 1].end);
  if (!trim(gap).empty() || !words_[at - 1].unit.empty()) return false;
  const char next = words_[at].end < line_.size() ? line_[words_[at].end] : ' ';
  if (next == '=' || next == ':') return false;
  const bool names_next = at + 1 < words_.size() && words_[at + 1].is_number && !words_[at + 1].border;
  return !names_next || !is_rate(text(words_[at])) || at < 2 || words_[at - 2].is_number;
}

// `第1步`.
bool is_counter_of_words(std::string_view word) {
  return !is_ascii(word.front()) && std::ranges::any_of(word, is_digit);
}

// Return the word before the number that is a loss, in what scripts put around the number of one: `loss:
// tensor(2.31)`, `loss=[2.31]`, `| loss | 2.31 |`. Of other names there are too many lists and tables.
std::optional<std::size_t> NumberFinder::loss_around(std::size_t number) const {
  static constexpr std::array calls{"tensor", "np.float32", "np.float64", "np.float16", "array"};
  const bool is_call = number > 0 && std::ranges::find(calls, text(words_[number - 1])) != calls.end();
  const std::size_t last = is_call ? number - 2 : number - 1;
  if (last >= number || !is_called_loss(text(words_[last]))) return std::nullopt;
  std::string gap(line_.substr(words_[last].end, words_[number].begin - words_[last].end));
  if (gap == "(") return last;  // `loss(2.31)`, but not `loss (2.31)`
  std::erase(gap, ' ');
  static const RE2 around(R"([=:]?(?:[\w.]+\(\[?|\[)|\|)", pattern_options());
  return RE2::FullMatch(gap, around) ? std::optional(last) : std::nullopt;
}

// Return the first and the last word of the name before the number.
std::optional<std::pair<std::size_t, std::size_t>> NumberFinder::name_of(std::size_t number) const {
  static constexpr std::array levels{"INFO", "DEBUG", "WARNING", "WARN", "info"};
  if (const auto loss = loss_around(number)) return std::pair{*loss, *loss};
  if (const auto name = cell_of(number)) return name;
  if (number == 0 || words_[number].in_brackets != words_[number - 1].in_brackets) {
    const bool behind_brackets = number > 0 && words_[number - 1].in_brackets && !words_[number].in_brackets;
    if (!behind_brackets || words_[number - 1].is_number) return std::nullopt;  // `2.3 (2.4)`
  }
  const std::string_view gap =
      number == 0 ? "" : line_.substr(words_[number - 1].end, words_[number].begin - words_[number - 1].end);
  const bool quoted = gap.find_first_of("\"'") != std::string_view::npos;
  if (gap.find_first_of("|;{},[]") != std::string_view::npos && !quoted) return std::nullopt;
  std::size_t first = number;
  while (first > 0 && number - first < most_name_words) {
    const LineWord& before = words_[first - 1];
    if (is_digit(text(before).front()) || is_counter_of_words(text(before)) || before.is_number ||
        is_rank_word(text(before)) || is_unit_at(first - 1) ||
        std::ranges::find(levels, text(before)) != levels.end())
      break;
    --first;
    if (before.border) break;
  }
  static constexpr std::array joining{"of", "to", "from", "in", "at", "for", "and", "by", "with"};
  const bool joins = number - first == 1 && std::ranges::find(joining, text(words_[first])) != joining.end();
  if (first == number || joins || std::ranges::none_of(text(words_[first]), is_name_char))
    return std::nullopt;
  return std::pair{first, number - 1};
}

std::string_view NumberFinder::unit_of(std::size_t number, bool is_named) const {
  if (!words_[number].unit.empty()) return words_[number].unit;
  if (is_unit_at(number + 1)) return text(words_[number + 1]);
  return is_named && words_[number - 1].in_brackets && is_unit(text(words_[number - 1]))
             ? text(words_[number - 1])
             : std::string_view();
}

// What counts steps measures nothing.
bool NumberFinder::is_counted(std::size_t number, const std::vector<std::string>& name) const {
  static constexpr std::array counters{"step",    "steps", "iter",  "iters",  "iteration", "iterations",
                                       "batch",   "it",    "epoch", "epochs", "rank",      "update",
                                       "updates", "total", "line",  "world"};
  if (name.empty()) return false;
  const bool whole = parse_integer(text(words_[number])).has_value();
  return name.back() == "epoch" || (whole && std::ranges::find(counters, name.back()) != counters.end());
}

// What gate reads as a number with its unit is read whole; of anything else the digits.
std::string NumberFinder::group_of(const LineWord& word) const {
  if (text(word).find(',') != std::string_view::npos) return std::string(thousands_group);
  return std::string(parse_word(text(word)) ? word_group : digits_group);
}

// Return the first of the patterns that finds this number, and no other one of the line.
std::string NumberFinder::confirmed(std::size_t number, const std::vector<std::string>& patterns) const {
  for (const std::string& pattern : patterns) {
    const std::string_view found = group_in(pattern, line_, "value");
    if (found.data() == line_.data() + words_[number].begin) return pattern;
  }
  return "";
}

// What may stand between a name and its number: blanks, and what stands there in the example. A name without
// a number must not take the next one: `loss  (2.30)`. A word there stays: `loss: tensor(2.30)`.
std::string gap_pattern(std::string_view gap) {
  if (std::ranges::any_of(gap, is_letter_or_digit)) return RE2::QuoteMeta(piece(gap));
  std::string chars;
  for (const char c : gap)
    if (c != ' ' && c != '\t' && chars.find(c) == std::string::npos) chars += c;
  return R"([\s)" + RE2::QuoteMeta(chars) + "]+?";
}

// `train.py:88]`, `examples/vit:445:train_fn`: a line of a file.
bool NumberFinder::is_source_place(std::size_t number, const std::string& name) const {
  static const RE2 file(R"(.*\.(?:py|cc|cpp|h|hpp|cu|java|scala|go|rs|js)|.*/.*)", pattern_options());
  const std::size_t end = words_[number].end;
  const char next = end < line_.size() ? line_[end] : ' ';
  return RE2::FullMatch(name, file) && std::string_view(" ]):").find(next) != std::string_view::npos;
}

std::optional<PrintedNumber> NumberFinder::named(std::size_t number) const {
  const auto span = name_of(number);
  if (!span) return std::nullopt;
  const LineWord& word = words_[number];
  const std::string_view unit = unit_of(number, true);
  std::vector<std::string> parts;
  for (std::size_t i = span->first; i <= span->second; ++i)
    if (!(words_[i].in_brackets && text(words_[i]) == unit)) parts.emplace_back(text(words_[i]));
  const std::string name = join(parts, " ");
  if (is_counted(number, name_words(name))) return std::nullopt;
  const std::string_view gap = line_.substr(words_[span->second].end, word.begin - words_[span->second].end);
  static constexpr std::array heads{R"(\b)", R"((?:^|[^\w/.-]))", R"((?:^|[|,;\[{]\s*["']?))"};
  std::vector<std::string> patterns;
  for (std::size_t first = span->second + 1;
       first-- > span->first;) {  // the last words of the name suffice mostly
    const std::string quoted =
        flexible(line_.substr(words_[first].begin, words_[span->second].end - words_[first].begin));
    for (const char* head : heads) patterns.push_back(head + quoted + gap_pattern(gap) + group_of(word));
  }
  if (gap == ":" && is_source_place(number, name)) return std::nullopt;
  const std::string pattern = confirmed(number, patterns);
  if (pattern.empty()) return std::nullopt;
  std::string whole = confirmed(number, std::vector(patterns.end() - heads.size(), patterns.end()));
  if (whole == pattern) whole.clear();
  const bool is_read_whole = parse_word(text(word), Thousands::expected).has_value();
  const std::string_view unit_of_value = is_read_whole && !word.unit.empty() ? unit_read(unit) : unit;
  return PrintedNumber{guess_metric(name, unit_of_value), name, std::string(text(word)), pattern,
                       std::move(whole)};
}

// `1234 tok/s`, `31.0K tok/s`, `312ms`: what it is its unit tells.
std::optional<PrintedNumber> NumberFinder::nameless(std::size_t number) const {
  const LineWord& word = words_[number];
  if (!word.is_number) return std::nullopt;
  const bool has_multiple =
      word.unit.size() == 1 && number + 1 < words_.size() && is_rate(text(words_[number + 1]));
  const std::string_view unit = has_multiple ? text(words_[number + 1]) : unit_of(number, false);
  if (!is_rate(unit) && !is_time_unit(unit) && !is_time_each(unit)) return std::nullopt;
  const bool has_thousands = text(word).find(',') != std::string_view::npos;
  const std::string group(has_multiple ? word_group : has_thousands ? thousands_group : digits_group);
  const std::string pattern =
      confirmed(number, {R"((?:^|[^\w.]))" + group + R"(\s*)" + RE2::QuoteMeta(piece(unit)) + R"((?:\W|$))"});
  if (pattern.empty()) return std::nullopt;
  const std::string name = is_time_unit(unit) ? "time" : std::string(unit);
  return PrintedNumber{guess_metric(name, unit), name, std::string(text(words_[number])), pattern, ""};
}

// `6.9, 7.1 avg loss, 0.001 rate`: words up to the next mark, behind a number with decimals that begins a
// field.
std::optional<PrintedNumber> NumberFinder::named_behind(std::size_t number) const {
  const LineWord& word = words_[number];
  if (!word.border || word.in_brackets || !word.unit.empty() ||
      text(word).find('.') == std::string_view::npos)
    return std::nullopt;
  std::size_t last = number;
  while (last + 1 < words_.size() && !words_[last + 1].border && !words_[last + 1].is_number) ++last;
  if (last == number || last - number > most_name_words || name_of(number)) return std::nullopt;
  if (last + 1 < words_.size() && !words_[last + 1].border) return std::nullopt;
  const std::string_view name =
      line_.substr(words_[number + 1].begin, words_[last].end - words_[number + 1].begin);
  if (std::ranges::any_of(name, is_digit) || name.find_first_of("=:") != std::string_view::npos)
    return std::nullopt;
  const std::string pattern =
      confirmed(number, {R"((?:^|[^\w.]))" + std::string(word_group) + R"(\s+)" + flexible(name)});
  if (pattern.empty()) return std::nullopt;
  return PrintedNumber{guess_metric(name, is_unit(name) ? name : ""), std::string(name),
                       std::string(text(word)), pattern, ""};
}

// `|    fps    | 1412 |`: a table of one name and one number on each line.
std::optional<std::pair<std::size_t, std::size_t>> NumberFinder::cell_of(std::size_t number) const {
  if (std::ranges::count(line_, '|') != 3 || number + 1 != words_.size() || number == 0) return std::nullopt;
  if (words_.front().is_number || line_.find('|') > words_.front().begin) return std::nullopt;
  if (std::ranges::count(line_.substr(0, words_[number].begin), '|') != 2) return std::nullopt;
  return std::pair{std::size_t{0}, number - 1};
}

std::vector<PrintedNumber> NumberFinder::find() {
  std::vector<PrintedNumber> numbers;
  for (std::size_t i = 0; i < words_.size() && numbers.size() < most_numbers; ++i) {
    if (!words_[i].is_number) continue;
    auto number = name_of(i) ? named(i) : nameless(i);
    if (!number) number = named_behind(i);
    if (number) numbers.push_back(*number);
  }
  return numbers;
}

// --- rows of tables ------------------------------------------------------------------------------

bool has_word(const std::string& name, std::initializer_list<std::string_view> wanted) {
  const std::vector<std::string> words = name_words(name);
  return std::ranges::any_of(
      wanted, [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); });
}

// A row of a table, with the names of its columns; "" where the header has others.
struct TableRow {
  std::vector<std::string> names, cells;
  std::size_t step = 0;
  bool prefixed = false;
};

std::vector<PrintedRank> rank_columns(const std::vector<std::string>& names) {
  std::vector<PrintedRank> ranks;
  for (const RankShape& shape : rank_shapes) {
    const RE2 pattern(named_rank(shape), pattern_options());
    for (std::size_t i = 0; i < names.size(); ++i)
      if (RE2::FullMatch(join(name_words(names[i]), "_"), pattern)) ranks.push_back({"", i, shape.is_named});
  }
  return ranks;
}

TableRow table_row(std::string_view line, std::string_view header, std::optional<std::size_t> step) {
  const std::size_t prefix = parse_prefix(line).end;
  TableRow row{{}, table_cells(line.substr(prefix)), 0, prefix > 0};
  const std::size_t count = row.cells.size();
  row.names = column_names(header, count);
  if (step) {
    row.step = *step;
    return row;
  }
  const auto find = [&](auto holds) {
    return static_cast<std::size_t>(std::ranges::find_if(row.names, holds) - row.names.begin());
  };
  row.step = find([](const auto& name) {
    return has_word(name, {"step", "steps", "iter", "iteration", "batch"});
  });
  if (row.step == count) row.step = find([](const auto& name) { return has_word(name, {"epoch"}); });
  if (row.step == count && parse_integer(row.cells.front())) row.step = 0;
  return row;
}

std::string row_pattern(const TableRow& row, std::size_t value, const PrintedRank* rank) {
  std::string pattern(row.prefixed ? R"((?:^|[:\]]\s)[\s|]*)" : R"(^[\s|]*)");
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    if (i > 0) pattern += between;
    const bool is_rank = rank != nullptr && i == rank->column;
    pattern += i == row.step ? step_group : i == value ? word_group : is_rank ? rank_group : cell;
  }
  return pattern + R"([\s|]*$)";
}

// Without a header whole numbers are counters.
std::vector<PrintedNumber> numbers_of_row(std::string_view line, std::string_view header,
                                          const PrintedRank* rank, std::optional<std::size_t> step) {
  const TableRow row = table_row(line, header, step);
  std::vector<PrintedNumber> numbers;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const std::string& name = row.names[i];
    const bool is_whole = parse_integer(row.cells[i]).has_value();
    if (i == row.step || (name.empty() && is_whole) || has_word(name, {"epoch", "step"})) continue;
    if ((rank != nullptr && i == rank->column) || (is_whole && has_word(name, {"rank"}))) continue;
    const std::string pattern = row_pattern(row, i, rank);
    if (group_in(pattern, line, "value").data() == nullptr) continue;
    numbers.push_back({guess_metric(name, ""), name, row.cells[i], pattern, ""});
  }
  return numbers;
}

// Of two numbers of one metric, as `loss` and `train_loss` are, the later one is called as it is printed.
void name_apart(std::vector<PrintedNumber>& numbers) {
  std::set<std::string> taken;
  for (PrintedNumber& number : numbers) {
    std::string& name = number.guess.metric.name;
    const std::string printed = join(name_words(number.name), "_");
    if (taken.contains(name) && !printed.empty()) name = printed;
    const std::string base = name;
    for (int i = 2; !taken.insert(name).second; ++i) name = base + "_" + std::to_string(i);
  }
}

}  // namespace

std::string_view group_in(const std::string& pattern, std::string_view line, const std::string& group) {
  const RE2 regex(pattern, pattern_options());
  if (!regex.ok()) return {};
  const auto place = regex.NamedCapturingGroups().find(group);
  if (place == regex.NamedCapturingGroups().end()) return {};
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(place->second) + 1);
  if (!regex.Match(piece(line), 0, line.size(), RE2::UNANCHORED, groups.data(),
                   static_cast<int>(groups.size())))
    return {};
  return view(groups.back());
}

std::vector<std::string> step_patterns(std::string_view line) {
  std::vector<std::string> patterns;
  for (const StepShape& shape : step_shapes) {
    const RE2 finder(shape.finder, pattern_options());
    std::string word;
    if (!RE2::PartialMatch(piece(line), finder, &word)) continue;
    std::string pattern = (word.empty() ? "" : "\\b" + RE2::QuoteMeta(word)) + shape.pattern;
    if (std::ranges::find(patterns, pattern) == patterns.end()) patterns.push_back(std::move(pattern));
  }
  return patterns;
}

std::vector<std::string> counter_patterns(std::string_view line) {
  constexpr std::size_t most_counters = 24;
  std::vector<std::string> patterns;
  const auto is_digit_at = [&](std::size_t at) { return at < line.size() && is_digit(line[at]); };
  for (std::size_t begin = 0, end = 0; begin < line.size() && patterns.size() < most_counters; begin = end) {
    end = begin + 1;
    if (!is_digit(line[begin])) continue;
    while (is_digit_at(end)) ++end;
    if (is_part_of_more(line, begin, end) || measures(line.substr(end))) continue;
    std::string pattern = before_counter(line, begin) + std::string(step_group);
    if (group_in(pattern, line, "step").data() == line.data() + begin) patterns.push_back(std::move(pattern));
  }
  return patterns;
}

std::string with_total(const std::string& step, std::string_view line) {
  std::string pattern = step;
  for (const std::string_view total : {R"(\s*/\s*\d+)", R"(/\d+)"})
    if (const std::size_t at = step.find(std::string(step_group) + std::string(total));
        at != std::string::npos)
      pattern.replace(pattern.find(R"(\d+)", at + step_group.size()), 3, R"((?P<each>\d+))");
  if (pattern == step) pattern += R"(\s*(?:/|of)\s*(?P<each>\d+))";
  const bool is_read = group_in(pattern, line, "each").data() != nullptr &&
                       group_in(pattern, line, "step").data() == group_in(step, line, "step").data();
  return is_read ? pattern : "";
}

std::vector<std::string> epoch_patterns(std::string_view line) {
  std::vector<std::string> patterns;
  for (const StepShape& shape : epoch_shapes) {
    const RE2 finder(shape.finder, pattern_options());
    std::string word;
    if (RE2::PartialMatch(piece(line), finder, &word))
      patterns.push_back((word.empty() ? "" : "\\b" + RE2::QuoteMeta(word)) + shape.pattern);
  }
  return patterns;
}

std::string with_places(const std::string& number, const PlacePatterns& places, std::string_view line) {
  struct Part {
    const char* group;
    std::string pattern;
    const char* at;  // what the group holds
  };
  std::vector<Part> parts{{"value", number, nullptr},
                          {"step", places.step, nullptr},
                          {"epoch", places.epoch, nullptr},
                          {"rank", places.rank, nullptr}};
  if (number.find(step_group) != std::string::npos) parts[1].pattern.clear();
  std::erase_if(parts, [](const Part& part) { return part.pattern.empty(); });
  for (Part& part : parts)
    if (part.pattern.find("(?P<nth_epoch>") != std::string::npos) part.group = "nth_epoch";
  for (Part& part : parts) part.at = group_in(part.pattern, line, part.group).data();
  std::ranges::stable_sort(parts, {}, &Part::at);
  std::string all;
  for (const Part& part : parts) all += (all.empty() ? "" : ".*?") + part.pattern;
  const bool is_read = std::ranges::all_of(parts, [&](const Part& part) {
    return part.at != nullptr && group_in(all, line, part.group).data() == part.at;
  });
  return is_read ? all : "";
}

std::vector<std::string> tight_patterns(const std::string& number, const PlacePatterns& places,
                                        std::string_view line) {
  struct Part {
    std::string pattern;
    std::size_t begin = 0, end = 0;
  };
  std::vector<Part> parts;
  const bool has_step = number.find(step_group) != std::string::npos;
  for (const std::string& pattern : {number, has_step ? "" : places.step, places.epoch, places.rank}) {
    const RE2 regex(pattern, pattern_options());
    re2::StringPiece match;
    if (pattern.empty()) continue;
    if (!regex.Match(piece(line), 0, line.size(), RE2::UNANCHORED, &match, 1)) return {};
    const auto begin = static_cast<std::size_t>(match.data() - line.data());
    parts.push_back({pattern, begin, begin + match.size()});
  }
  std::ranges::stable_sort(parts, {}, &Part::begin);
  std::string all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && parts[i].begin < parts[i - 1].end) return {};
    if (i > 0) all += with_holes(line.substr(parts[i - 1].end, parts[i].begin - parts[i - 1].end));
    all += parts[i].pattern;
  }
  std::vector<std::string> patterns;
  for (const std::string& before : {std::string(), context_before(line, parts.front().begin)}) {
    const std::string pattern = before + all;
    if (group_in(pattern, line, "value").data() == group_in(number, line, "value").data())
      patterns.push_back(pattern);
  }
  return patterns;
}

std::vector<std::string> held_patterns(const std::string& pattern, std::string_view line,
                                       std::string_view head) {
  const RE2 regex(pattern, pattern_options());
  re2::StringPiece match;
  if (!regex.Match(piece(line), 0, line.size(), RE2::UNANCHORED, &match, 1)) return {};
  const std::string_view before = line.substr(0, static_cast<std::size_t>(match.data() - line.data()));
  std::string_view words = trim(before.substr(before.find_last_of("0123456789") + 1));  // npos + 1 is 0
  words = words.substr(std::min(words.find_first_of(letters), words.size()));
  std::vector<std::string> patterns;
  const auto add = [&](const std::string& held) {
    if (group_in(held, line, "value").data() == group_in(pattern, line, "value").data())
      patterns.push_back(held);
  };
  if (!words.empty()) add("\\b" + flexible(words) + ".*?" + pattern);
  for (const std::string_view word : split(head, ' '))
    if (word.size() > 1) add("(?i:\\b" + RE2::QuoteMeta(piece(word)) + "\\b).*?" + pattern);
  if (const std::string_view start = trim(before); !start.empty() && std::ranges::none_of(start, is_digit))
    add("^\\s*" + flexible(start) + "\\s*" + pattern);
  if (trim(before).empty()) add("^\\s*" + pattern);
  return patterns;
}

std::vector<PrintedRank> printed_ranks(std::string_view line, std::string_view header) {
  if (is_row(line.substr(parse_prefix(line).end)))
    return rank_columns(table_row(line, header, std::nullopt).names);
  std::vector<PrintedRank> ranks;
  for (const RankShape& shape : rank_shapes) {
    const RE2 finder(R"(\b)" + named_rank(shape) + R"(\W{0,4}\d+(?:[^\w.%]|$))", pattern_options());
    std::string word;
    if (RE2::PartialMatch(piece(line), finder, &word))
      ranks.push_back({R"(\b)" + word + R"(\W*)" + std::string(rank_group), 0, shape.is_named});
  }
  for (const RankShape& shape : rank_places)
    if (group_in(shape.text, line, "rank").data() != nullptr)
      ranks.push_back({shape.text, 0, shape.is_named});
  return ranks;
}

std::vector<PrintedNumber> printed_numbers(std::string_view line, std::string_view header,
                                           const PrintedRank* rank, std::optional<std::size_t> step) {
  std::vector<PrintedNumber> numbers = is_row(line.substr(parse_prefix(line).end))
                                           ? numbers_of_row(line, header, rank, step)
                                           : NumberFinder(line).find();
  name_apart(numbers);
  return numbers;
}

}  // namespace gate::extract
