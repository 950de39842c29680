#include "extract/survey/shape_survey.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <limits>

#include "extract/scan/line_shapes.h"
#include "extract/scan/number_word.h"
#include "extract/scan/prefix.h"
#include "extract/scan/re2_pattern.h"
#include "extract/survey/tried_pattern.h"
#include "extract/survey/values.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t most_of_shape = 500;  // of a shape
constexpr std::size_t longest_quoted = 80;
constexpr std::size_t few = 4;         // values
constexpr std::size_t most_tried = 8;  // of another shape

// What lines of an evaluation begin with, or hold before their first number.
constexpr std::array<std::string_view, 9> evaluation_words{
    "val", "valid", "validation", "eval", "evaluation", "evaluating", "test", "dev", "testing"};

bool is_evaluation_word(const std::string& word) {
  return std::ranges::find(evaluation_words, word) != evaluation_words.end();
}

// The words of the line before its first number with a name, without those of a clock and of that name; `val`
// in `val Loss: 2.3 Acc: 0.5` is the line's.
std::string head_of(std::string_view line, const std::vector<PrintedNumber>& numbers) {
  std::string_view head = line;
  if (!numbers.empty()) {
    const char* const value = group_in(numbers.front().pattern, line, "value").data();
    if (value != nullptr) head = line.substr(0, static_cast<std::size_t>(value - line.data()));
    const std::size_t name = head.rfind(numbers.front().name);
    const std::string& first = numbers.front().name;
    const std::size_t blank = first.find(' ');
    const bool is_of_line =
        blank != std::string::npos && is_evaluation_word(to_lower(first.substr(0, blank)));
    const bool is_named = !first.empty() && name != std::string_view::npos;
    if (is_named) head = head.substr(0, name + (is_of_line ? blank : 0));
  }
  std::string words;
  for (const std::string& word :
       name_words(head.substr(parse_prefix(line).end < head.size() ? parse_prefix(line).end : 0))) {
    const bool is_word =
        word.size() > 1 && std::ranges::none_of(word, is_digit) && word != "info" && word != "debug";
    if (is_word) words += (words.empty() ? "" : " ") + word;
  }
  return words;
}

// A row has no words, its columns have the names of a header.
void survey_row(SurveyedShape& shape, std::string_view header) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string_view line : shape.texts) {
    std::vector<std::string> cells = table_cells(line.substr(parse_prefix(line).end));
    if (!rows.empty() && cells.size() != rows.front().size()) return;
    rows.push_back(std::move(cells));
  }
  const std::vector<std::string> names = column_names(header, rows.front().size());
  const std::vector<PrintedRank> ranks = printed_ranks(shape.example(), header);
  const PrintedRank* const rank = ranks.empty() ? nullptr : &ranks.front();
  const auto step = step_column(rows, names, rank == nullptr ? std::nullopt : std::optional(rank->column));
  if (!step) return;
  shape.numbers = printed_numbers(shape.example(), header, rank, step);
  for (const auto& row : rows) shape.places.steps.push_back(parse_integer(row[*step]).value_or(-1));
}

std::vector<std::string> blank_parted(std::string_view line) {
  std::vector<std::string> cells;
  for (const std::string_view cell : split(line, ' '))
    if (!trim(cell).empty()) cells.emplace_back(trim(cell));
  return cells;
}

// `3/20`, `640:`: a counter of a total and a number before a mark are cells, too.
std::string number_of_cell(std::string cell) {
  if (cell.ends_with(':')) cell.pop_back();
  const std::size_t slash = cell.find('/');
  return slash != std::string::npos && parse_integer(cell.substr(slash + 1)) ? cell.substr(0, slash) : cell;
}

std::string blank_parted_pattern(std::size_t count, std::optional<std::size_t> step, std::size_t value) {
  std::string pattern = R"(^\s*)";
  for (std::size_t i = 0; i < count; ++i) {
    const char* const cell = i == step    ? R"((?P<step>\d+)\S*)"
                             : i == value ? R"((?P<value>[-+]?\w[-+.\w]*):?)"
                                          : R"(\S+)";
    pattern += (i == 0 ? "" : R"(\s+)") + std::string(cell);
  }
  return pattern + R"((?:\s|$))";
}

// Rows that end with a bar or words, below the names of their first columns: `1/20  2.43G  1.98  640:
// 100%|###`.
void survey_columns(SurveyedShape& shape, std::string_view header) {
  constexpr std::size_t fewest_columns = 3;
  const std::size_t count = table_cells(header).size();
  std::vector<std::vector<std::string>> rows;
  for (const std::string_view line : shape.texts) {
    std::vector<std::string> cells = blank_parted(line);
    if (cells.size() < count) return;
    cells.resize(count);
    for (std::string& cell : cells) cell = number_of_cell(cell);
    rows.push_back(std::move(cells));
  }
  const auto values = std::ranges::count_if(
      rows.front(), [](const std::string& cell) { return parse_word(cell).has_value(); });
  if (count < fewest_columns || values < std::ssize(rows.front()) - 1 || shape.numbers.size() * 2 >= count)
    return;
  const std::vector<std::string> names = column_names(header, count);
  const auto step = step_column(rows, names, std::nullopt);
  shape.numbers.clear();
  shape.places = {};
  shape.is_row = true;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == step || !parse_word(rows.front()[i])) continue;
    const std::string pattern = blank_parted_pattern(count, step, i);
    if (group_in(pattern, shape.example(), "value").data() == nullptr) continue;
    shape.numbers.push_back({guess_metric(names[i], ""), names[i], rows.front()[i], pattern, ""});
  }
  for (const auto& row : rows)
    if (step) shape.places.steps.push_back(parse_integer(row[*step]).value_or(-1));
}

}  // namespace

SurveyedShape survey_shape(const LogLines& log, std::size_t place) {
  const LinesOfShape& all = log.shapes()[place];
  SurveyedShape shape{.place = place, .lines = all.lines};
  if (shape.lines.size() > most_of_shape) shape.lines.resize(most_of_shape);
  for (const std::size_t line : shape.lines) shape.texts.push_back(log.text(line));
  shape.is_row = is_row(shape.example().substr(parse_prefix(shape.example()).end));
  if (shape.is_row) {
    survey_row(shape, all.header);
    return shape;
  }
  shape.numbers = printed_numbers(shape.example(), all.header);
  std::vector<const char*> measured;
  for (const PrintedNumber& number : shape.numbers)
    if (number.guess.metric.kind != MetricKind::other)
      measured.push_back(group_in(number.pattern, shape.example(), "value").data());
  shape.places = find_places(shape.texts, all.drawn * 2 > all.lines.size(), measured);
  if (!all.header.empty()) survey_columns(shape, all.header);
  shape.head = shape.is_row ? "" : head_of(shape.example(), shape.numbers);
  shape.is_of_evaluation = std::ranges::any_of(name_words(shape.head), is_evaluation_word);
  return shape;
}

// The other shape's lines may be read with these if they are the same up to the number, or if they go on with
// the steps of these and begin with the same word.
bool PatternChooser::goes_on(const SurveyedShape& shape, const SurveyedShape& other,
                             const std::string& pattern) const {
  TriedPattern tried(pattern);
  const auto own = tried.find(shape.example());
  const std::string_view own_word = own->word;
  const auto theirs = tried.find(other.example());
  if (!theirs) return false;
  std::string before, before_theirs;
  const auto up_to = [](std::string_view line, std::string_view word) {
    return line.substr(0, static_cast<std::size_t>(word.data() - line.data()));
  };
  fold_shape(up_to(shape.example(), own_word), before);
  fold_shape(up_to(other.example(), theirs->word), before_theirs);
  if (before == before_theirs) return true;
  if (shape.is_of_evaluation != other.is_of_evaluation || shape.head != other.head) return false;
  std::map<std::size_t, std::int64_t> steps;
  for (const SurveyedShape* each : {&shape, &other})
    for (std::size_t i = 0; i < each->lines.size(); ++i)
      if (const auto found = tried.find(each->texts[i]); found && found->step)
        steps[each->lines[i]] = *found->step;
  std::vector<std::int64_t> in_order;
  for (const auto& [line, step] : steps) in_order.push_back(step);
  return in_order.size() > 1 && rises(in_order);
}

// Returns the other shapes that the pattern reads; nothing where it must not.
std::optional<std::set<std::size_t>> PatternChooser::others_read(const SurveyedShape& shape,
                                                                 const std::string& pattern) const {
  TriedPattern tried(pattern);
  std::set<std::size_t> read;
  for (const SurveyedShape& other : shapes_) {
    if (other.place == shape.place) continue;
    const std::size_t count = std::min(other.texts.size(), most_tried);
    const bool is_read =
        std::any_of(other.texts.begin(), other.texts.begin() + static_cast<std::ptrdiff_t>(count),
                    [&](std::string_view line) { return tried.find(line).has_value(); });
    if (!is_read) continue;
    if (!goes_on(shape, other, pattern)) return std::nullopt;
    read.insert(other.place);
  }
  return read;
}

// The shortest pattern that reads the lines of the shape, each with its step, and no others.
std::optional<PatternChooser::Choice> PatternChooser::choose_pattern(const SurveyedShape& shape,
                                                                     const PrintedNumber& number) const {
  std::vector<std::string> patterns;
  for (const std::string& named : {number.pattern, number.whole}) {
    if (named.empty()) continue;
    const std::string placed =
        shape.is_row ? named : with_places(named, shape.places.patterns, shape.example());
    if (!placed.empty()) patterns.push_back(placed);
  }
  const std::size_t count = patterns.size();
  for (std::size_t i = 0; i < count; ++i)
    for (const std::string& held : held_patterns(patterns[i], shape.example(), shape.head))
      patterns.push_back(held);
  for (const std::string& named : {number.pattern, number.whole})
    if (!named.empty())
      std::ranges::move(tight_patterns(named, shape.places.patterns, shape.example()),
                        std::back_inserter(patterns));
  for (const std::string& pattern : patterns) {
    const bool is_plain = std::ranges::none_of(pattern, [](unsigned char c) { return c < ' ' || c == 0x7f; });
    if (!is_plain) continue;
    TriedPattern tried(pattern);
    bool is_good = true;
    for (std::size_t i = 0; i < shape.texts.size() && is_good; ++i) {
      const auto found = tried.find(shape.texts[i]);
      is_good = found && (!shape.places.has_step() || found->step == shape.places.steps[i]);
    }
    if (!is_good) continue;
    if (auto read = others_read(shape, pattern)) return Choice{pattern, std::move(*read)};
  }
  return std::nullopt;
}

std::optional<std::string> PatternChooser::choose_carrier(const SurveyedShape& shape) const {
  const std::string group = "(?P<step>\\d+)";
  if (!shape.places.patterns.epoch.empty()) return std::nullopt;
  std::vector<std::string> patterns{shape.places.patterns.step};
  std::ranges::copy(counter_patterns(shape.example()), std::back_inserter(patterns));
  for (std::string pattern : patterns) {
    const std::size_t at = pattern.find(group);
    if (at == std::string::npos) continue;
    pattern.replace(at, group.size(), "(?P<value>" + group + ")");
    TriedPattern tried(pattern);
    bool is_good = true;
    for (std::size_t i = 0; i < shape.texts.size() && is_good; ++i) {
      const auto found = tried.find(shape.texts[i]);
      is_good = found && found->step == shape.places.steps[i];
    }
    if (is_good && others_read(shape, pattern)) return pattern;
  }
  return std::nullopt;
}

// Names that are taken are told by the words of their line.
void PatternChooser::name(const SurveyedShape& shape, const PrintedNumber& number, GuessedMetric& guess) {
  const auto words = name_words(shape.head);
  const auto evaluation = std::ranges::find_if(words, is_evaluation_word);
  const auto own = name_words(number.name);
  if (shape.is_of_evaluation && evaluation != words.end() && std::ranges::none_of(own, is_evaluation_word)) {
    const GuessedMetric prefixed = guess_metric(*evaluation + " " + number.name, guess.metric.unit);
    guess.metric.name = prefixed.metric.name;
    if (guess.metric.kind == MetricKind::accuracy || guess.metric.kind == MetricKind::other) {
      const Better better = guess.metric.better;
      guess = prefixed;
      if (better != Better::none) guess.metric.better = better;
    }
  }
  std::string& name = guess.metric.name;
  const std::string printed = join(own, "_");
  if (names_.contains(name) && !printed.empty()) name = printed;
  const auto first = name_words(shape.numbers.front().name);
  const auto by_first = std::ranges::find_if(first, is_evaluation_word);
  const std::string word = by_first != first.end() ? *by_first : words.empty() ? "" : words.front();
  if (names_.contains(name) && !word.empty() && word != name) name = word + "_" + name;
  const std::string base = name;
  for (int i = 2; names_.contains(name); ++i) name = base + "_" + std::to_string(i);
}

bool PatternChooser::is_read(const SurveyedShape& shape, const PrintedNumber& number,
                             const GuessedMetric& guess) const {
  const auto it = read_.find(guess.metric.name + "\n" + number.name);
  return it != read_.end() && it->second.contains(shape.place);
}

SurveyedLines PatternChooser::choose(const SurveyedShape& shape) {
  SurveyedLines surveyed{fold_numbers(shape.example()),
                         std::string(shape.example()),
                         static_cast<std::int64_t>(log_.shapes()[shape.place].lines.size()),
                         {},
                         {}};
  for (const PrintedNumber& number : shape.numbers) {
    GuessedMetric guess = number.guess;
    if (is_read(shape, number, guess)) continue;
    const auto choice = choose_pattern(shape, number);
    if (!choice) {
      surveyed.left_out.push_back(
          {number.name, say({"other lines print the same words: {}", "其他行有同样的词：{}"},
                            printable(shape.example(), longest_quoted))});
      continue;
    }
    std::vector<double> values;
    TriedPattern tried(choice->pattern);
    for (const std::string_view line : shape.texts) {
      const auto found = tried.find(line);
      values.push_back(found->value->is_finite() ? found->value->number.to_double()
                                                 : std::numeric_limits<double>::quiet_NaN());
    }
    const bool is_step = shape.places.has_step() &&
                         std::ranges::equal(values, shape.places.steps, [](double value, std::int64_t step) {
                           return value == static_cast<double>(step);
                         });
    if (is_step) continue;
    Sentence why = why_no_metric(guess, values);
    if (const auto it = left_out_.find(number.name);
        why.empty() && it != left_out_.end() && values.size() < few)
      why = it->second;  // of a value or two nobody sees that they are those of a clock
    if (!why.empty()) {
      left_out_.emplace(number.name, why);
      surveyed.left_out.push_back({number.name, std::move(why)});
      continue;
    }
    const std::string key = guess.metric.name + "\n" + number.name;
    name(shape, number, guess);
    read_[key] = choice->shapes;
    names_.insert(guess.metric.name);
    guess.metric.pick = shape.places.pick;
    if (!shape.places.has_step()) guess.metric.numbered = Numbering::report;
    surveyed.metrics.push_back({guess, number.name, number.word, choice->pattern});
  }
  if (!surveyed.metrics.empty() && shape.places.has_step())
    for (std::size_t i = 0; i < shape.lines.size(); ++i) steps_[shape.lines[i]] = shape.places.steps[i];
  return surveyed;
}

}  // namespace gate::extract
