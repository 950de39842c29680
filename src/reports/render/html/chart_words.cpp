#include "render/html/chart_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gate/base/text.h"

namespace gate::render {

namespace {

std::string digits(double value) { return fmt::format("{:.5g}", value); }

std::string place_of(const Chart& chart, double x) {
  const auto at = std::ranges::find(chart.x, x);
  return at == chart.x.end() ? fmt::format("{:.10g}", x)
                             : place_name(chart, static_cast<std::size_t>(at - chart.x.begin()));
}

Sentence level_words(const Chart& chart, LevelRole role) {
  const auto level = std::ranges::find(chart.levels, role, &ChartLevel::role);
  return level == chart.levels.end() ? Sentence()
                                     : say({", {} {}", "，{} {}"}, level->name, digits(level->value));
}

// Sides that lie over one another are told by their colours.
void add_side_words(const Chart& chart, std::vector<LegendWords>& words) {
  for (const Curve& curve : chart.curves) {
    const std::string style = "side" + std::to_string(curve.side);
    if (words.empty() || words.back().style != style) words.push_back({style, curve.name});
  }
}

void add_curve_words(const Chart& chart, CurveRole role, std::vector<LegendWords>& words) {
  const auto of_role = [&](const Curve& curve) { return curve.role == role; };
  const auto count = std::ranges::count_if(chart.curves, of_role);
  if (count == 0) return;
  const bool is_run = role == CurveRole::run;
  const Curve& first = *std::ranges::find_if(chart.curves, of_role);
  Sentence name = count == 1 ? first.name : is_run ? say({"run", "运行"}) : say({"baseline", "基线"});
  if (count > 1) name += comma + count_of(count, "rank", "个 rank");
  words.push_back({is_run ? "run" : "baseline",
                   name + level_words(chart, is_run ? LevelRole::run : LevelRole::baseline)});
}

Sentence limits_of(const Chart& chart) {
  std::vector<std::string> limits;
  for (const ChartLevel& level : chart.levels)
    if (level.role == LevelRole::limit) limits.push_back(digits(level.value));
  return limits.empty() ? Sentence() : say({"limit {}", "限值 {}"}, join(limits, ", "));
}

bool is_bounded(const std::vector<std::optional<double>>& side) {
  return std::ranges::any_of(side, [](const auto& value) { return value.has_value(); });
}

// What lies beyond the edges: `clipped: step 1 and 3 more`.
Sentence clipped_words(const Chart& chart) {
  if (!chart.shown_y) return {};
  std::vector<double> places;
  for (std::size_t i = 0; i < chart.x.size(); ++i) {
    if (chart.shown_x && (chart.x[i] < chart.shown_x->first || chart.x[i] > chart.shown_x->last)) continue;
    if (std::ranges::any_of(chart.curves, [&](const Curve& curve) {
          const auto& value = curve.values[i];
          return value && (*value < chart.shown_y->first || *value > chart.shown_y->last);
        }))
      places.push_back(chart.x[i]);
  }
  if (places.empty()) return {};
  const Sentence more =
      places.size() > 1 ? say({" and {} more", " 以及另外 {} 处"}, places.size() - 1) : Sentence();
  return say({"clipped: {} {}", "截断：{} {}"}, chart.axis, place_of(chart, places.front())) + more;
}

}  // namespace

std::string place_name(const Chart& chart, std::size_t place) {
  return place < chart.labels.size() ? chart.labels[place].full : fmt::format("{:.10g}", chart.x[place]);
}

std::string tick_name(const Chart& chart, std::size_t place) {
  return place < chart.labels.size() ? chart.labels[place].tick : place_name(chart, place);
}

std::vector<LegendWords> legend_of(const Chart& chart) {
  std::vector<LegendWords> words;
  if (!chart.curves.empty() && chart.curves.front().side > 0) {
    add_side_words(chart, words);
  } else {
    add_curve_words(chart, CurveRole::run, words);
    add_curve_words(chart, CurveRole::baseline, words);
  }
  if (const Sentence limit = limits_of(chart); !limit.empty()) words.push_back({"limit", limit});
  if (is_bounded(chart.low) || is_bounded(chart.high))
    words.push_back({"limit", say({"limit of each {}", "每{}的限值"}, chart.axis)});
  if (chart.judged) {
    const auto& [first, last] = *chart.judged;
    const std::string end = last > first ? "-" + place_of(chart, last) : "";
    words.push_back(
        {"window", say({"judged: {} {}{}", "判定区间：{} {}{}"}, chart.axis, place_of(chart, first), end)});
  }
  return words;
}

Sentence chart_note(const Chart& chart, std::size_t drawn) {
  const Sentence clipped = clipped_words(chart);
  std::vector<Sentence> parts{chart.note, clipped};
  if (chart.shown_x)
    parts.push_back(say({"part of {} {}-{}", "只显示 {} {}-{} 的一部分"}, chart.axis,
                        place_of(chart, chart.x.front()), place_of(chart, chart.x.back())));
  if (drawn < chart.x.size())
    parts.push_back(
        say({"{} of {} places drawn, all extremes among them", "画出 {1} 个位置中的 {0} 个，包括所有极值"},
            drawn, chart.x.size()));
  if (chart.shown_x || !clipped.empty()) parts.push_back(say({"double-click for all", "双击显示全部"}));
  return join(parts, semicolon);
}

Sentence used_words(double share) {
  if (share >= 10) return say({"{:.0f} times", "{:.0f} 倍"}, share);
  if (share >= 1.5) return say({"{:.2g} times", "{:.2g} 倍"}, share);
  if (share > 1) return as_is(fmt::format("{:.0f} %", std::max(101.0, std::ceil(share * 100))));
  const double percent = share * 100;
  return as_is(percent >= 0.1 && percent < 10 ? fmt::format("{:.1f} %", std::floor(percent * 10) / 10)
                                              : fmt::format("{:.0f} %", std::floor(percent)));
}

}  // namespace gate::render
