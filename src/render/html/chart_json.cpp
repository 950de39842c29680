#include "render/html/chart_json.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "gate/base/columns.h"
#include "gate/render/table_json.h"

namespace gate::render {

namespace {

// Seven digits: more than a screen has pixels, and half the bytes. Large numbers of steps stay whole.
std::string numbers(const std::vector<double>& values) {
  std::string out = "[";
  for (const double value : values)
    fmt::format_to(std::back_inserter(out), "{}{:.10g}", out.size() > 1 ? "," : "", value);
  return out + "]";
}

std::string numbers(const std::vector<std::optional<double>>& values) {
  std::string out = "[";
  for (const auto& value : values) {
    if (out.size() > 1) out += ',';
    out += value ? fmt::format("{:.7g}", *value) : "null";
  }
  return out + "]";
}

std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : OutputJson(safe(text)).dump())
    out += c == '<' || c == '>' || c == '&' ? fmt::format("\\u{:04x}", int{c}) : std::string(1, c);
  return out;
}

std::string curves(const std::vector<Curve>& curves) {
  std::string out;
  for (const Curve& curve : curves)
    out += fmt::format("{}{{\"name\":{},\"run\":{},\"values\":{}}}", out.empty() ? "" : ",",
                       quoted(curve.name), curve.role == CurveRole::run, numbers(curve.values));
  return "[" + out + "]";
}

std::string_view mark_word(MarkKind kind) {
  switch (kind) {
    case MarkKind::miss:
      return "miss";
    case MarkKind::end:
      return "end";
    case MarkKind::change:
      return "change";
  }
  return "";
}

std::string marks(const std::vector<Mark>& marks) {
  std::string out;
  for (const Mark& mark : marks)
    out += fmt::format("{}{{\"x\":{:.10g},\"text\":{},\"kind\":\"{}\"}}", out.empty() ? "" : ",", mark.x,
                       quoted(mark.text), mark_word(mark.kind));
  return "[" + out + "]";
}

std::string texts(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& one : texts) out += (out.empty() ? "" : ",") + quoted(one);
  return "[" + out + "]";
}

}  // namespace

std::string chart_json(const Chart& chart, std::size_t places) {
  return fmt::format(
      "{{\"title\":{},\"unit\":{},\"axis\":{},\"group\":{},\"places\":{},\"x\":{},\"labels\":{},\"curves\":{}"
      ","
      "\"low\":{},\"high\":{},\"marks\":{}}}",
      quoted(chart.title), quoted(chart.unit), quoted(chart.axis), quoted(chart.group), places,
      numbers(chart.x), texts(chart.labels), curves(chart.curves), numbers(chart.low), numbers(chart.high),
      marks(chart.marks));
}

}  // namespace gate::render
