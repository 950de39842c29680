#include "extract/survey/tables.h"

#include <re2/re2.h>

#include <algorithm>

#include "extract/scan/number_word.h"
#include "extract/scan/re2_pattern.h"
#include "extract/survey/places.h"
#include "extract/survey/values.h"
#include "gate/base/text.h"
#include "gate/base/utf8.h"

namespace gate::extract {

namespace {

std::vector<std::string> cells_of(std::string_view line, char mark) {
  std::vector<std::string> cells;
  for (const std::string_view cell : split(line, mark)) cells.emplace_back(without_quotes(trim(cell)));
  return cells;
}

bool is_column_name(const std::string& cell) {
  return !cell.empty() && !parse_word(cell) && is_letter_or_digit(cell.front()) && !is_digit(cell.front());
}

bool is_value_row(const std::vector<std::string>& cells) {
  const auto is_value = [](const std::string& cell) { return parse_word(cell).has_value(); };
  return std::ranges::any_of(cells, is_value) && std::ranges::all_of(cells, [&](const std::string& cell) {
           return cell.empty() || is_value(cell) || says_nothing(cell);
         });
}

bool is_row_of(const ValueTable& table, std::string_view line) {
  const std::vector<std::string> cells = cells_of(line, table.mark);
  return cells.size() == table.names.size() && is_value_row(cells);
}

// `(?:[^,]*,){3}`
std::string cells_passed(std::size_t count, const std::string& mark) {
  if (count == 0) return "";
  const std::string one = "[^" + mark + "]*" + mark;
  return count == 1 ? one : "(?:" + one + "){" + std::to_string(count) + "}";
}

std::string column_pattern(const ValueTable& table, std::optional<std::size_t> step, std::size_t value) {
  const std::string mark = table.mark == '\t' ? R"(\t)" : std::string(1, table.mark);
  const std::string quote = table.is_quoted ? "\"?" : "";
  const std::string step_cell = quote + R"((?P<step>\d+))" + quote;
  const std::string value_cell = quote + R"((?P<value>[-+]?\w[-+.\w]*))" + quote;
  std::string pattern = table.mark == '\t' ? "^" : R"(^\s*)";
  std::size_t at = 0;
  const auto add = [&](std::size_t column, const std::string& cell) {
    pattern += cells_passed(column - at, mark) + cell + R"(\s*(?:)" + mark + "|$)";
    at = column + 1;
  };
  if (step && *step < value) add(*step, step_cell);
  add(value, value_cell);
  if (step && *step > value) add(*step, step_cell);
  return pattern;
}

}  // namespace

std::optional<ValueTable> find_table(const LogLines& log) {
  for (std::size_t head = 0; head < log.lines().size(); ++head) {
    if (log.shape_of(head) != SIZE_MAX && head > 0) continue;
    for (const char mark : {',', '\t', ';'}) {
      ValueTable table{mark, cells_of(log.text(head), mark), {}, {}, false};
      if (table.names.size() < 2 || !std::ranges::all_of(table.names, is_column_name)) continue;
      const bool has_row = head + 1 < log.lines().size() && is_row_of(table, log.text(head + 1));
      if (!has_row) continue;
      for (std::size_t line = head + 1; line < log.lines().size(); ++line) {
        if (!is_row_of(table, log.text(line))) continue;
        std::vector<std::string> cells = cells_of(log.text(line), mark);
        table.is_quoted |= log.text(line).find('"') != std::string_view::npos;
        table.lines.push_back(line);
        table.cells.push_back(std::move(cells));
      }
      if (table.lines.size() > 1) return table;
    }
  }
  return std::nullopt;
}

SurveyedLines survey_table(const ValueTable& table, const LogLines& log) {
  const auto step = step_column(table.cells, table.names, std::nullopt);
  const std::string head = join(table.names, std::string(1, table.mark));
  SurveyedLines surveyed{head,
                         std::string(log.text(table.lines.front())),
                         static_cast<std::int64_t>(table.lines.size()),
                         {},
                         {}};
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (i == step) continue;
    std::vector<double> values;
    std::vector<std::int64_t> steps;
    std::string word;
    for (const auto& row : table.cells) {
      const auto value = parse_word(row[i]);
      if (!value) continue;
      if (word.empty()) word = row[i];
      values.push_back(value->is_finite() ? value->number.to_double()
                                          : std::numeric_limits<double>::quiet_NaN());
      steps.push_back(step ? parse_integer(row[*step]).value_or(-1) : 0);
    }
    if (values.empty()) continue;
    GuessedMetric guess = guess_metric(table.names[i], "");
    Sentence why = why_no_metric(guess, values);
    if (!step) guess.metric.numbered = Numbering::report;
    if (!why.empty())
      surveyed.left_out.push_back({table.names[i], std::move(why)});
    else
      surveyed.metrics.push_back({guess, table.names[i], word, column_pattern(table, step, i)});
  }
  return surveyed;
}

}  // namespace gate::extract
