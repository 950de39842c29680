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

std::string level_words(const Chart& chart, LevelRole role) {
  const auto level = std::ranges::find(chart.levels, role, &ChartLevel::role);
  return level == chart.levels.end() ? "" : ", " + level->name + " " + digits(level->value);
}

void add_curve_words(const Chart& chart, CurveRole role, std::vector<LegendWords>& words) {
  const auto of_role = [&](const Curve& curve) { return curve.role == role; };
  const auto count = std::ranges::count_if(chart.curves, of_role);
  if (count == 0) return;
  const bool is_run = role == CurveRole::run;
  const Curve& first = *std::ranges::find_if(chart.curves, of_role);
  const std::string name = count == 1 ? first.name : is_run ? "run" : "baseline";
  const std::string ranks = count == 1 ? "" : ", " + count_of(count, "rank");
  const std::string level = level_words(chart, is_run ? LevelRole::run : LevelRole::baseline);
  words.push_back({is_run ? "run" : "baseline", name + ranks + level});
}

std::string limit_words(const Chart& chart) {
  std::vector<std::string> limits;
  for (const ChartLevel& level : chart.levels)
    if (level.role == LevelRole::limit) limits.push_back(digits(level.value));
  return limits.empty() ? "" : "limit " + join(limits, ", ");
}

bool is_bounded(const std::vector<std::optional<double>>& side) {
  return std::ranges::any_of(side, [](const auto& value) { return value.has_value(); });
}

// What lies beyond the edges: `clipped: step 1 and 3 more`.
std::string clipped_words(const Chart& chart) {
  if (!chart.shown_y) return "";
  std::vector<double> places;
  for (std::size_t i = 0; i < chart.x.size(); ++i) {
    if (chart.shown_x && (chart.x[i] < chart.shown_x->first || chart.x[i] > chart.shown_x->last)) continue;
    if (std::ranges::any_of(chart.curves, [&](const Curve& curve) {
          const auto& value = curve.values[i];
          return value && (*value < chart.shown_y->first || *value > chart.shown_y->last);
        }))
      places.push_back(chart.x[i]);
  }
  if (places.empty()) return "";
  const std::string more = places.size() > 1 ? " and " + std::to_string(places.size() - 1) + " more" : "";
  return "clipped: " + chart.axis + " " + place_of(chart, places.front()) + more;
}

}  // namespace

std::string place_name(const Chart& chart, std::size_t place) {
  return place < chart.labels.size() ? chart.labels[place] : fmt::format("{:.10g}", chart.x[place]);
}

std::vector<LegendWords> legend_of(const Chart& chart) {
  std::vector<LegendWords> words;
  add_curve_words(chart, CurveRole::run, words);
  add_curve_words(chart, CurveRole::baseline, words);
  if (const std::string limit = limit_words(chart); !limit.empty()) words.push_back({"limit", limit});
  if (is_bounded(chart.low) || is_bounded(chart.high))
    words.push_back({"limit", "limit of each " + chart.axis});
  if (chart.judged) {
    const auto& [first, last] = *chart.judged;
    const std::string end = last > first ? "-" + place_of(chart, last) : "";
    words.push_back({"window", "judged: " + chart.axis + " " + place_of(chart, first) + end});
  }
  return words;
}

std::string chart_note(const Chart& chart, std::size_t drawn) {
  std::vector<std::string> parts;
  const auto add = [&](std::string words) {
    if (!words.empty()) parts.push_back(std::move(words));
  };
  const std::string clipped = clipped_words(chart);
  add(chart.note);
  add(clipped);
  if (chart.shown_x)
    add("part of " + chart.axis + " " + place_of(chart, chart.x.front()) + "-" +
        place_of(chart, chart.x.back()));
  if (drawn < chart.x.size())
    add(std::to_string(drawn) + " of " + std::to_string(chart.x.size()) +
        " places drawn, all extremes among them");
  if (chart.shown_x || !clipped.empty()) add("double-click for all");
  return join(parts, "; ");
}

std::string used_words(double share) {
  if (share >= 10) return fmt::format("{:.0f} times", share);
  if (share >= 1.5) return fmt::format("{:.2g} times", share);
  if (share > 1) return fmt::format("{:.0f} %", std::max(101.0, std::ceil(share * 100)));
  const double percent = share * 100;
  return percent >= 0.1 && percent < 10 ? fmt::format("{:.1f} %", std::floor(percent * 10) / 10)
                                        : fmt::format("{:.0f} %", std::floor(percent));
}

}  // namespace gate::render
