#include "render/html/sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include "gate/base/columns.h"
#include "render/html/chart_words.h"
#include "render/words/downsample.h"

namespace gate::render {

namespace {

constexpr std::size_t sketch_places = 120, spark_places = 48;

// In units of the drawing, y downwards.
struct SketchFrame {
  double left, top, right, bottom;
  AxisStretch x, y;

  double across(double value) const { return left + (value - x.first) / (x.last - x.first) * (right - left); }
  double down(double value) const {
    const double share = std::clamp((value - y.first) / (y.last - y.first), 0.0, 1.0);
    return bottom - share * (bottom - top);
  }
  bool holds_x(double value) const { return value >= x.first && value <= x.last; }
  bool holds_y(double value) const { return value >= y.first && value <= y.last; }
};

AxisStretch with_room(AxisStretch stretch, double share) {
  const double width = stretch.last - stretch.first;
  const double least = std::max(std::abs(stretch.last) * 1e-6, 1e-12);
  const double room = width > least ? width * share : std::max(std::abs(stretch.last) * 0.02, least);
  return {stretch.first - room, stretch.last + room};
}

void take_heights(const Chart& chart, const std::vector<std::optional<double>>& values, const AxisStretch& x,
                  std::optional<AxisStretch>& heights) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] && chart.x[i] >= x.first && chart.x[i] <= x.last) widen(heights, *values[i]);
}

pugi::xml_node add_shape(pugi::xml_node parent, const char* name, const char* style) {
  pugi::xml_node node = parent.append_child(name);
  node.append_attribute("class").set_value(style);
  return node;
}

void set_number(pugi::xml_node node, const char* name, double value) {
  node.append_attribute(name).set_value(fmt::format("{:.5g}", value).c_str());
}

pugi::xml_node add_line(pugi::xml_node parent, const char* style, double x1, double y1, double x2,
                        double y2) {
  pugi::xml_node line = add_shape(parent, "line", style);
  set_number(line, "x1", x1);
  set_number(line, "y1", y1);
  set_number(line, "x2", x2);
  set_number(line, "y2", y2);
  return line;
}

void add_label(pugi::xml_node parent, const char* anchor, double x, double y, const std::string& text) {
  pugi::xml_node label = add_shape(parent, "text", anchor);
  set_number(label, "x", x);
  set_number(label, "y", y);
  label.append_child(pugi::node_pcdata).set_value(safe(text).c_str());
}

// A line from place to place, broken where a value is missing.
std::string path_of(const Chart& chart, const std::vector<std::optional<double>>& values,
                    const SketchFrame& frame) {
  std::string path;
  bool broken = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!frame.holds_x(chart.x[i])) continue;
    if (values[i])
      fmt::format_to(std::back_inserter(path), "{}{:.4g} {:.4g}", broken ? 'M' : 'L',
                     frame.across(chart.x[i]), frame.down(*values[i]));
    broken = !values[i];
  }
  return path;
}

void add_path(pugi::xml_node parent, const char* style, const std::string& path) {
  if (!path.empty()) add_shape(parent, "path", style).append_attribute("d").set_value(path.c_str());
}

std::string curve_style(const Curve& curve) {
  if (curve.side > 0) return "side" + std::to_string(curve.side);
  return curve.role == CurveRole::run ? "run" : "baseline";
}

void add_curves(pugi::xml_node parent, const Chart& chart, const SketchFrame& frame) {
  for (const Curve& curve : chart.curves)
    add_path(parent, curve_style(curve).c_str(), path_of(chart, curve.values, frame));
}

// Where the values of a curve leave the drawing, a small triangle that points there.
void add_clips(pugi::xml_node parent, const Chart& chart, const SketchFrame& frame) {
  for (const Curve& curve : chart.curves) {
    bool was_out = false;
    for (std::size_t i = 0; i < curve.values.size(); ++i) {
      const auto& value = curve.values[i];
      const bool out = value && frame.holds_x(chart.x[i]) && !frame.holds_y(*value);
      if (out && !was_out) {
        const bool above = *value > frame.y.last;
        const double x = frame.across(chart.x[i]), tip = above ? frame.top : frame.bottom;
        const double foot = tip + (above ? 7 : -7);
        add_path(
            parent, "clip",
            fmt::format("M{:.4g} {:.4g}L{:.4g} {:.4g}L{:.4g} {:.4g}Z", x - 4, foot, x + 4, foot, x, tip));
      }
      was_out = out;
    }
  }
}

// Shade what lies between two places, and return where that begins and ends.
AxisStretch add_shade(pugi::xml_node parent, const char* style, const SketchFrame& frame, double first,
                      double last) {
  const double from = std::clamp(frame.across(first), frame.left, frame.right);
  const double to = std::clamp(frame.across(last), frame.left, frame.right);
  pugi::xml_node shade = add_shape(parent, "rect", style);
  set_number(shade, "x", from);
  set_number(shade, "y", frame.top);
  set_number(shade, "width", std::max(to - from, 1.0));
  set_number(shade, "height", frame.bottom - frame.top);
  return {from, to};
}

void add_judged(pugi::xml_node parent, const Chart& chart, const SketchFrame& frame) {
  if (!chart.judged) return;
  const auto [from, to] = add_shade(parent, "window", frame, chart.judged->first, chart.judged->last);
  for (const ChartLevel& level : chart.levels)
    if (frame.holds_y(level.value))
      add_line(parent,
               level.role == LevelRole::limit ? "limit"
               : level.role == LevelRole::run ? "run level"
                                              : "baseline level",
               from, frame.down(level.value), to, frame.down(level.value));
}

void add_bounds(pugi::xml_node parent, const Chart& chart, const SketchFrame& frame) {
  add_path(parent, "limit", path_of(chart, chart.low, frame));
  add_path(parent, "limit", path_of(chart, chart.high, frame));
}

void add_stretches(pugi::xml_node parent, const Chart& chart, const SketchFrame& frame) {
  for (const Mark& mark : chart.marks)
    if (mark.until && mark.x <= frame.x.last && *mark.until >= frame.x.first)
      add_shade(parent, "stretch", frame, mark.x, *mark.until);
}

// Words that stand in rows: of a row, how far those of it reach.
class WordRows {
 public:
  // Return the first row in which nothing stands between the ends, and take it; nothing where each is taken.
  std::optional<std::size_t> take(double from, double to) {
    const auto is_free = [&](const std::vector<AxisStretch>& row) {
      return std::ranges::all_of(row,
                                 [&](const AxisStretch& one) { return to < one.first || from > one.last; });
    };
    const auto row = std::ranges::find_if(rows_, is_free);
    if (row == rows_.end()) return std::nullopt;
    row->push_back({from, to});
    return static_cast<std::size_t>(row - rows_.begin());
  }

 private:
  std::array<std::vector<AxisStretch>, 4> rows_;
};

void add_sketched_marks(pugi::xml_node parent, const Chart& chart, const SketchFrame& frame,
                        Language language) {
  constexpr double letter = 6.2, line = 13;
  WordRows rows;
  for (const Mark& mark : chart.marks) {
    if (!frame.holds_x(mark.x)) continue;
    const double x = frame.across(mark.x);
    if (!mark.until)
      add_line(parent, mark.kind == MarkKind::miss ? "miss" : "mark", x, frame.top, x, frame.bottom);
    const std::string text = mark.text.in(language);
    const double width = letter * columns(safe(text));
    const bool right = x > (frame.left + frame.right) / 2;
    if (const auto row = rows.take(right ? x - width - 4 : x, right ? x : x + width + 4))
      add_label(parent, right ? "end" : "start", x + (right ? -4 : 4),
                frame.top + 12 + line * static_cast<double>(*row), text);
  }
}

// 1, 2 or 5 times a power of ten: so that about three numbers stand at the axis.
double tick_step(const AxisStretch& stretch) {
  const double rough = (stretch.last - stretch.first) / 3;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double times : {1.0, 2.0, 5.0})
    if (power * times >= rough) return power * times;
  return power * 10;
}

void add_axes(pugi::xml_node parent, const Chart& chart, const SketchFrame& frame, Language language) {
  const double step = tick_step(frame.y);
  double value = std::ceil(frame.y.first / step) * step;
  for (int k = 0; k < 8 && value <= frame.y.last; ++k, value += step) {
    add_line(parent, "grid", frame.left, frame.down(value), frame.right, frame.down(value));
    const double shown = std::abs(value) < step / 1e6 ? 0 : value;
    add_label(parent, "end", frame.left - 5, frame.down(value) + 4, fmt::format("{:.6g}", shown));
  }
  std::vector<std::size_t> inside;
  for (std::size_t i = 0; i < chart.x.size(); ++i)
    if (frame.holds_x(chart.x[i])) inside.push_back(i);
  if (inside.empty()) return;
  const std::string axis = chart.axis.empty() || !chart.labels.empty() ? "" : chart.axis.in(language) + " ";
  add_label(parent, "start", frame.left, frame.bottom + 15, axis + tick_name(chart, inside.front()));
  add_label(parent, "end", frame.right, frame.bottom + 15, tick_name(chart, inside.back()));
}

pugi::xml_node add_svg(pugi::xml_node parent, const char* style, int width, int height) {
  pugi::xml_node svg = add_shape(parent, "svg", style);
  svg.append_attribute("viewBox").set_value(fmt::format("0 0 {} {}", width, height).c_str());
  svg.append_attribute("role").set_value("img");
  return svg;
}

}  // namespace

AxisStretch sketched_x(const Chart& chart) {
  const AxisStretch all = chart.x.empty() ? AxisStretch{0, 1} : AxisStretch{chart.x.front(), chart.x.back()};
  const AxisStretch shown = chart.shown_x.value_or(all);
  return shown.last > shown.first ? shown : with_room(shown, 0);
}

AxisStretch sketched_y(const Chart& chart) {
  if (chart.shown_y) return *chart.shown_y;
  std::optional<AxisStretch> heights;
  const AxisStretch x = sketched_x(chart);
  for (const Curve& curve : chart.curves) take_heights(chart, curve.values, x, heights);
  take_heights(chart, chart.low, x, heights);
  take_heights(chart, chart.high, x, heights);
  for (const ChartLevel& level : chart.levels) widen(heights, level.value);
  return with_room(heights.value_or(AxisStretch{0, 1}), 0.06);
}

void put_sketch(pugi::xml_node parent, const Chart& chart, Language language) {
  constexpr int width = 420, height = 220;
  const Chart drawn = downsample(chart, sketch_places, sketched_x(chart));
  const SketchFrame frame{58, 6, width - 8, height - 22, sketched_x(chart), sketched_y(chart)};
  pugi::xml_node svg = add_svg(parent, "sketch", width, height);
  add_judged(svg, drawn, frame);
  add_stretches(svg, drawn, frame);
  add_axes(svg, drawn, frame, language);
  add_bounds(svg, drawn, frame);
  add_curves(svg, drawn, frame);
  add_clips(svg, drawn, frame);
  add_sketched_marks(svg, drawn, frame, language);
}

Chart spark_of(const Chart& chart) {
  Chart spark = downsample(chart, spark_places, sketched_x(chart));
  spark.shown_x = sketched_x(chart);
  spark.shown_y = sketched_y(chart);
  return spark;
}

void put_spark(pugi::xml_node parent, const Chart& spark) {
  constexpr int width = 120, height = 28;
  const SketchFrame frame{1, 2, width - 1, height - 2, sketched_x(spark), sketched_y(spark)};
  pugi::xml_node svg = add_svg(parent, "spark", width, height);
  pugi::xml_node title = svg.append_child("title");
  title.append_child(pugi::node_pcdata).set_value(safe(spark.title).c_str());
  add_judged(svg, spark, frame);
  add_curves(svg, spark, frame);
}

}  // namespace gate::render
