#include "app/compare/compare_charts.h"

#include <algorithm>

#include "gate/app/charts.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

std::string curve_name(const Curve& curve) {
  const std::string_view role = curve.role == CurveRole::baseline ? "baseline" : "run";
  return (curve.role == CurveRole::baseline ? "A" : "B") + curve.name.substr(role.size());
}

std::optional<std::int64_t> first_of(const ComparedCase& compared, const std::string& metric) {
  std::optional<std::int64_t> first;
  for (const ComparedSeries& series : compared.series)
    if (series.metric == metric && series.difference.first)
      first = std::min(first.value_or(INT64_MAX), series.difference.first->number);
  return first;
}

std::string odd_case_words(const ComparedCase& compared, const std::string& metric) {
  std::vector<std::string> words;
  const auto add = [&](const std::string& side, const ComparedSeries& series, const std::string& odd) {
    const std::string rank = series.rank ? " rank " + std::to_string(*series.rank) : "";
    if (!odd.empty()) words.push_back(side + rank + ": " + printable(odd, 120));
  };
  for (const ComparedSeries& series : compared.series) {
    if (series.metric != metric) continue;
    add("A", series, series.difference.odd_a);
    add("B", series, series.difference.odd_b);
  }
  return some_of(words, 4);
}

void finish_chart(Chart& chart, const ComparedCase& compared) {
  for (Curve& curve : chart.curves) curve.name = curve_name(curve);
  chart.note = odd_case_words(compared, chart.title);
  chart.marks.clear();
  chart.group.clear();
  if (const auto first = first_of(compared, chart.title)) {
    chart.marks.push_back({static_cast<double>(*first), "first difference", MarkKind::change});
    chart.red = true;
  }
}

}  // namespace

std::vector<Chart> charts_beside(const ComparedCase& compared, const std::vector<Series>& a,
                                 const std::vector<Series>& b) {
  Reference reference;
  for (const Series& series : a)
    if (!series.empty()) reference.series.push_back({{series}, "", ""});
  std::vector<Chart> charts = charts_of(CaseReport{}, b, reference);
  std::erase_if(charts, [](const Chart& chart) {  // B's alone: when its steps came
    return chart.title == "step_wall_time" && !chart.group.empty();
  });
  for (Chart& chart : charts) finish_chart(chart, compared);
  std::ranges::stable_sort(charts, {}, [](const Chart& chart) { return chart.red ? 0 : 1; });
  return charts;
}

}  // namespace gate::app
