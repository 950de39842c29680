#include <algorithm>
#include <tuple>

#include "gate/base/text.h"
#include "gate/render/compare.h"
#include "render/text/compare_fold.h"

namespace gate::render {

namespace {

// What differs first: accuracy before speed, which differs always.
struct Earliest {
  const ComparedCase* compared = nullptr;
  const ComparedSeries* series = nullptr;

  auto place() const {
    return std::tuple(series->kind != MetricKind::accuracy, series->difference.first->number);
  }
  void see(const ComparedCase& of, const ComparedSeries& next) {
    if (!next.difference.first || next.same()) return;
    const Earliest other{&of, &next};
    if (series == nullptr || other.place() < place()) *this = other;
  }
};

std::string first_difference(const Comparison& comparison) {
  Earliest earliest;
  for (const ComparedCase& one : comparison.cases)
    for (const ComparedSeries& series : one.series) earliest.see(one, series);
  if (earliest.series == nullptr) return "";
  const ComparedSeries& series = *earliest.series;
  const std::string of = comparison.cases.size() > 1 ? printable(earliest.compared->name, 100) + " " : "";
  const std::string rank = series.rank ? " rank " + std::to_string(*series.rank) : "";
  return ", first at " + of + printable(series.metric, 100) + rank + " " +
         std::string(to_string(series.numbered_a)) + " " + std::to_string(series.difference.first->number);
}

void put_only_words(std::vector<std::string>& words, std::size_t count, const std::string& noun,
                    const std::string& side) {
  const auto of = static_cast<std::int64_t>(count);
  const std::string counted = noun == "series" ? std::to_string(of) + " series" : gate::count_of(of, noun);
  if (count > 0) words.push_back(counted + " only in " + side);
}

// Verdicts, and what only one side has.
std::string further_differences(const Comparison& comparison) {
  std::size_t a = 0, b = 0, changed = 0;
  for (const ComparedCase& one : comparison.cases) a += one.only_a.size(), b += one.only_b.size();
  for (const ComparedCase& one : comparison.cases) changed += one.changed() ? 1 : 0;
  std::vector<std::string> words;
  if (changed > 0)
    words.push_back(gate::count_of(static_cast<std::int64_t>(changed), "verdict") + " changed");
  put_only_words(words, comparison.only_a.size(), "case", "A");
  put_only_words(words, comparison.only_b.size(), "case", "B");
  put_only_words(words, a, "series", "A");
  put_only_words(words, b, "series", "B");
  return words.empty() ? "" : "; " + join(words, ", ");
}

std::string cases_words(std::size_t different, std::size_t cases) {
  if (cases == 1) return "";
  return " in " + std::to_string(different) + " of " +
         gate::count_of(static_cast<std::int64_t>(cases), "case");
}

}  // namespace

std::string compare_closing(const Comparison& comparison) {
  if (!has_common(comparison))
    return "NOT COMPARABLE: no metric has a number that both have" + further_differences(comparison);
  std::size_t metrics = 0, different = 0, cases = 0;
  for (const ComparedCase& one : comparison.cases) {
    const ComparedCount count = count_of_metrics(one);
    metrics += count.metrics;
    different += count.different;
    cases += count.different > 0 ? 1 : 0;
  }
  const std::string all = gate::count_of(static_cast<std::int64_t>(metrics), "metric");
  if (is_same(comparison))
    return "SAME: " + all +
           (comparison.cases.size() == 1
                ? ""
                : " in " + gate::count_of(static_cast<std::int64_t>(comparison.cases.size()), "case"));
  return "DIFFERENT: " + std::to_string(different) + " of " + all +
         cases_words(cases, comparison.cases.size()) + first_difference(comparison) +
         further_differences(comparison);
}

}  // namespace gate::render
