#include "gate/extract/survey.h"

#include <algorithm>
#include <tuple>

#include "extract/scan/line_shapes.h"
#include "extract/scan/prefix.h"
#include "extract/scan/printed_numbers.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t most_surveyed = std::size_t{8} << 20;

// Drawings of a progress bar are lines of their own.
LineShapes shapes_of(std::string_view log) {
  LineShapes shapes;
  std::string plain;
  for (const std::string_view line : split(log.substr(0, most_surveyed), '\n'))
    for (const std::string_view drawing : split(line, '\r')) shapes.add(strip_escapes(drawing, plain));
  return shapes;
}

bool draws_over(std::string_view log) {
  for (std::size_t at = log.find('\r'); at != std::string_view::npos; at = log.find('\r', at + 1))
    if (at + 1 < log.size() && log[at + 1] != '\n') return true;
  return false;
}

void add_reading(const NumberedLines& lines, const std::string& step, const PrintedRank* rank,
                 std::vector<LineReading>& readings) {
  LineReading reading;
  reading.is_rank_named = rank != nullptr && rank->is_named;
  for (const PrintedNumber& number : printed_numbers(lines.example, lines.header, rank)) {
    const std::string pattern =
        with_places(number, step, rank == nullptr ? "" : rank->pattern, lines.example);
    if (pattern.empty()) continue;
    reading.metrics.push_back(
        {number.guess, number.name, number.word, pattern, anchored(pattern, lines.example)});
    reading.step = group_in(pattern, lines.example, "step");
    reading.rank = group_in(pattern, lines.example, "rank");
  }
  if (!reading.metrics.empty()) readings.push_back(std::move(reading));
}

// Rows of a table tell their step in each pattern.
std::vector<LineReading> readings_of(const NumberedLines& lines) {
  std::vector<LineReading> readings;
  std::vector<std::string> steps = step_patterns(lines.example);
  steps.emplace_back();
  const std::vector<PrintedRank> ranks = printed_ranks(lines.example, lines.header);
  for (const std::string& step : steps) {
    for (const PrintedRank& rank : ranks) add_reading(lines, step, &rank, readings);
    add_reading(lines, step, nullptr, readings);
  }
  return readings;
}

int best_place(const std::vector<PrintedNumber>& numbers) {
  int place = 99;
  for (const PrintedNumber& number : numbers)
    if (!number.guess.is_progress) place = std::min(place, number.guess.place);
  return place;
}

}  // namespace

std::optional<LineSurvey> survey_lines(std::string_view log) {
  const bool is_drawn = draws_over(log);
  std::optional<LineSurvey> best;
  std::tuple<bool, int, std::int64_t> weight;
  for (const NumberedLines& lines : shapes_of(log).numbered_lines()) {
    const std::vector<PrintedNumber> numbers = printed_numbers(lines.example, lines.header);
    LineSurvey survey{lines.shape, lines.example, lines.count, is_drawn, readings_of(lines)};
    if (survey.readings.empty()) continue;
    const bool has_step = !survey.readings.front().step.empty();
    const std::tuple own{has_step && lines.count > 1, -std::min(best_place(numbers), 2), lines.count};
    if (best && own <= weight) continue;
    best = std::move(survey);
    weight = own;
  }
  return best;
}

}  // namespace gate::extract
