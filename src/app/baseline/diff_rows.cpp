#include "app/baseline/diff_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "gate/base/text.h"
#include "gate/model/step_set.h"

namespace gate::app {

namespace {

using MetricRuns = std::vector<Series>;  // of one metric and rank

// Values that are all alike are their own mean, to the last digit.
double mean(const std::vector<double>& values) {
  const bool alike = std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
  if (alike && !values.empty()) return values.front();
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? std::nan("") : sum / static_cast<double>(values.size());
}

// Return the mean of the runs at each number.
std::vector<double> values_at(const MetricRuns& runs, const std::vector<std::int64_t>& numbers) {
  std::vector<double> values;
  for (const std::int64_t number : numbers) {
    std::vector<double> of_runs;
    for (const Series& series : runs) of_runs.push_back(series.find(number)->value.number.to_double());
    values.push_back(mean(of_runs));
  }
  return values;
}

bool all_finite_at(const MetricRuns& runs, std::int64_t number) {
  return std::all_of(runs.begin(), runs.end(), [&](const Series& series) {
    const std::optional<Sample> sample = series.find(number);
    return sample && sample->value.is_finite();
  });
}

std::vector<std::int64_t> common_numbers(const MetricRuns& a, const MetricRuns& b) {
  std::vector<std::int64_t> numbers;
  for (const Sample& sample : a.front().samples())
    if (all_finite_at(a, sample.number) && all_finite_at(b, sample.number)) numbers.push_back(sample.number);
  return numbers;
}

std::string count_of_runs(const MetricRuns& before, const MetricRuns& after) {
  const std::size_t was = before.size(), is = after.size();
  return was == 1 && is == 1 ? "" : ", runs " + std::to_string(was) + " -> " + std::to_string(is);
}

std::string largest_deviation(const std::vector<std::int64_t>& numbers, const std::vector<double>& before,
                              const std::vector<double>& after) {
  std::size_t worst = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (std::abs(after[i] - before[i]) > std::abs(after[worst] - before[worst])) worst = i;
  if (numbers.empty()) return "";
  return fmt::format("{:+.6g} at {}", after[worst] - before[worst], numbers[worst]);
}

std::string change_of(double before, double after) {
  if (before == 0 || std::isnan(before) || std::isnan(after)) return "";
  return fmt::format("{:+.2f} %", (after - before) / std::abs(before) * 100);
}

std::string status_of(const CaseReport& report, const Series& series) {
  std::string status = "not gated";
  for (const Check& check : report.checks)
    if (check.metric == series.metric() && check.rank == series.rank()) {
      status = to_string(check.status);
      if (check.status != CheckStatus::pass) break;
    }
  return status;
}

DiffRow diff_row(const CaseReport& report, const MetricRuns& before, const MetricRuns* after) {
  const Series& series = before.front();
  DiffRow row{report.name, label(series), "", "", "", "", "", status_of(report, series)};
  if (after == nullptr) {
    row.after = "absent";
    return row;
  }
  const std::vector<std::int64_t> numbers = common_numbers(before, *after);
  const std::vector<double> was = values_at(before, numbers), is = values_at(*after, numbers);
  row.steps = std::string(to_string(series.numbered())) + " " + to_string(StepSet(numbers)) +
              count_of_runs(before, *after);
  row.before = fmt::format("{:.6g}", mean(was));
  row.after = fmt::format("{:.6g}", mean(is));
  row.change = change_of(mean(was), mean(is));
  row.largest = largest_deviation(numbers, was, is);
  return row;
}

const MetricRuns* runs_of(const Reference& reference, const Series& like) {
  for (const ReferenceSeries& series : reference.series)
    if (series.runs.front().metric() == like.metric() && series.runs.front().rank() == like.rank())
      return &series.runs;
  return nullptr;
}

}  // namespace

void add_rows(std::vector<DiffRow>& rows, const CaseReport& report, const Reference& was,
              const Reference& is) {
  for (const ReferenceSeries& before : was.series)
    rows.push_back(diff_row(report, before.runs, runs_of(is, before.runs.front())));
  for (const ReferenceSeries& fresh : is.series)
    if (const Series& series = fresh.runs.front(); runs_of(was, series) == nullptr)
      rows.push_back({report.name, label(series), "", "absent", "new", "", "", ""});
}

}  // namespace gate::app
