#include "stored/results/chart_view.h"

#include <algorithm>
#include <array>

namespace gate::app {

namespace {

constexpr double least_share = 1.0 / 3;  // of an axis that the judged part takes, or the axis is cut
constexpr double room = 0.25;            // on either side of what is shown, of its size

double size_of(const AxisStretch& stretch) { return stretch.last - stretch.first; }

// What the values take of the y axis where x is in the stretch.
std::optional<AxisStretch> heights_in(const Chart& chart, const AxisStretch& stretch) {
  std::optional<AxisStretch> heights;
  const auto take = [&](const std::vector<std::optional<double>>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] && chart.x[i] >= stretch.first && chart.x[i] <= stretch.last) widen(heights, *values[i]);
  };
  for (const Curve& curve : chart.curves) take(curve.values);
  if (!heights) return std::nullopt;
  take(chart.low);
  take(chart.high);
  return heights;
}

std::optional<AxisStretch> shown_x_of(const Chart& chart) {
  const AxisStretch all{chart.x.front(), chart.x.back()};
  const double width = std::max(size_of(*chart.judged), 1.0);
  std::optional<AxisStretch> shown = AxisStretch{std::max(all.first, chart.judged->first - width),
                                                 std::min(all.last, chart.judged->last + width)};
  for (const Mark& mark : chart.marks) widen(shown, mark.x);
  return size_of(*shown) < least_share * size_of(all) ? shown : std::nullopt;
}

std::optional<AxisStretch> shown_y_of(const Chart& chart) {
  const auto all = heights_in(chart, chart.shown_x.value_or(AxisStretch{chart.x.front(), chart.x.back()}));
  auto judged = heights_in(chart, *chart.judged);
  if (!judged || !all) return std::nullopt;
  for (const ChartLevel& level : chart.levels) widen(judged, level.value);
  const double width = size_of(*judged);
  if (width <= 0 || width >= least_share * size_of(*all)) return std::nullopt;
  return AxisStretch{judged->first - room * width, judged->last + room * width};
}

const ChartLevel* level_of(const Chart& chart, LevelRole role) {
  const auto found = std::ranges::find(chart.levels, role, &ChartLevel::role);
  return found == chart.levels.end() ? nullptr : &*found;
}

double percent_apart(double value, double baseline) { return (value / baseline - 1) * 100; }

}  // namespace

void choose_view(Chart& chart) {
  if (!chart.judged || chart.x.empty()) return;
  chart.shown_x = shown_x_of(chart);
  chart.shown_y = shown_y_of(chart);
}

std::optional<Chart> ratio_of(const Chart& chart) {
  const ChartLevel* baseline = level_of(chart, LevelRole::baseline);
  if (baseline == nullptr || baseline->value == 0 || level_of(chart, LevelRole::run) == nullptr ||
      chart.curves.size() != 2 || chart.curves.front().role != CurveRole::baseline)
    return std::nullopt;
  Chart ratio = chart;
  const Sentence against = say({"run against baseline", "运行对照基线"});
  ratio.of = join(std::array{ratio.of, against}, comma);
  ratio.unit = "%";
  ratio.note = {};
  ratio.curves = {{against, CurveRole::run, {}}};
  for (std::size_t i = 0; i < chart.x.size(); ++i) {
    const auto& base = chart.curves[0].values[i];
    const auto& run = chart.curves[1].values[i];
    const bool both = base && run && *base != 0;
    ratio.curves[0].values.push_back(both ? std::optional(percent_apart(*run, *base)) : std::nullopt);
  }
  for (ChartLevel& level : ratio.levels) level.value = percent_apart(level.value, baseline->value);
  return ratio;
}

}  // namespace gate::app
