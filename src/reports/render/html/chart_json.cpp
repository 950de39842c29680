#include "render/html/chart_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>

#include "gate/base/base64.h"
#include "gate/base/columns.h"
#include "gate/render/table_json.h"

namespace gate::render {

namespace {

constexpr std::size_t few_numbers = 64;  // up to here they are written as decimals

// Seven digits: more than a screen has pixels, and half the bytes.
std::string decimal_of(const std::optional<double>& value) {
  return value ? fmt::format("{:.7g}", *value) : "null";
}

// Whole numbers that rise have a difference each, of seven bits a byte, the low ones first; all bytes of one
// but its last have the eighth bit. Nothing for other numbers.
std::optional<std::string> rises_of(const std::vector<double>& values) {
  constexpr double most = 9e15;  // what a double holds exactly
  std::string bytes;
  double before = 0;
  for (const double value : values) {
    if (value < before || value > most || std::floor(value) != value) return std::nullopt;
    auto rise = static_cast<std::uint64_t>(value - before);
    for (; rise >= 128; rise >>= 7) bytes += static_cast<char>((rise & 127) | 128);
    bytes += static_cast<char>(rise);
    before = value;
  }
  return bytes;
}

std::string numbers(const std::vector<double>& values) {
  if (values.size() > few_numbers)
    if (const auto rises = rises_of(values)) return "{\"rises\":\"" + base64(*rises) + "\"}";
  std::string out = "[";
  for (const double value : values)
    fmt::format_to(std::back_inserter(out), "{}{:.10g}", out.size() > 1 ? "," : "", value);
  return out + "]";
}

bool fits_float(const std::optional<double>& value) {
  const double size = std::abs(value.value_or(0));
  return size == 0 || (size > 1e-37 && size < 1e37);
}

// Little-endian floats, whose seven digits are enough, too; NaN is none.
std::string floats_of(std::span<const std::optional<double>> values) {
  std::string bytes;
  for (const auto& value : values) {
    const auto bits = std::bit_cast<std::uint32_t>(value ? static_cast<float>(*value)
                                                         : std::numeric_limits<float>::quiet_NaN());
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(bits >> shift & 255);
  }
  return bytes;
}

// Many values: from which place to which there are any, and one for all of these where they are alike.
std::string packed(const std::vector<std::optional<double>>& values) {
  const auto is_there = [](const std::optional<double>& value) { return value.has_value(); };
  const auto from = std::ranges::find_if(values, is_there);
  const auto end = std::find_if(values.rbegin(), std::make_reverse_iterator(from), is_there).base();
  const std::span<const std::optional<double>> part(from, end);
  const bool alike = !part.empty() && std::ranges::all_of(part, [&](const std::optional<double>& value) {
    return decimal_of(value) == decimal_of(part.front());
  });
  const std::string where =
      fmt::format("{{\"size\":{},\"from\":{},", values.size(), std::distance(values.begin(), from));
  return where + (alike ? fmt::format("\"count\":{},\"all\":{}}}", part.size(), decimal_of(part.front()))
                        : "\"floats\":\"" + base64(floats_of(part)) + "\"}");
}

std::string numbers(const std::vector<std::optional<double>>& values) {
  if (values.size() > few_numbers && std::ranges::all_of(values, fits_float)) return packed(values);
  std::string out = "[";
  for (const auto& value : values) out += (out.size() > 1 ? "," : "") + decimal_of(value);
  return out + "]";
}

std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : OutputJson(safe(text)).dump())
    out += c == '<' || c == '>' || c == '&' ? fmt::format("\\u{:04x}", int{c}) : std::string(1, c);
  return out;
}

std::string curves(const std::vector<Curve>& curves, Language language) {
  std::string out;
  for (const Curve& curve : curves)
    out += fmt::format("{}{{\"name\":{},\"run\":{},\"side\":{},\"values\":{}}}", out.empty() ? "" : ",",
                       quoted(curve.name.in(language)), curve.role == CurveRole::run, curve.side,
                       numbers(curve.values));
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

std::string marks(const std::vector<Mark>& marks, Language language) {
  std::string out;
  for (const Mark& mark : marks)
    out += fmt::format("{}{{\"x\":{:.10g},\"until\":{},\"text\":{},\"kind\":\"{}\"}}", out.empty() ? "" : ",",
                       mark.x, decimal_of(mark.until), quoted(mark.text.in(language)), mark_word(mark.kind));
  return "[" + out + "]";
}

std::string_view level_word(LevelRole role) {
  switch (role) {
    case LevelRole::run:
      return "run";
    case LevelRole::baseline:
      return "baseline";
    case LevelRole::limit:
      return "limit";
  }
  return "";
}

std::string levels(const std::vector<ChartLevel>& levels, Language language) {
  std::string out;
  for (const ChartLevel& level : levels)
    out += fmt::format("{}{{\"name\":{},\"role\":\"{}\",\"value\":{}}}", out.empty() ? "" : ",",
                       quoted(level.name.in(language)), level_word(level.role), decimal_of(level.value));
  return "[" + out + "]";
}

std::string stretch(const std::optional<AxisStretch>& stretch) {
  return stretch ? fmt::format("[{:.10g},{:.10g}]", stretch->first, stretch->last) : "null";
}

}  // namespace

std::string labels_json(const std::vector<PlaceLabel>& labels) {
  std::string out;
  for (const PlaceLabel& one : labels)
    out += fmt::format("{}[{},{}]", out.empty() ? "" : ",", quoted(one.tick), quoted(one.full));
  return "[" + out + "]";
}

std::string chart_json(const Chart& chart, std::size_t places, Language language) {
  return fmt::format(
      "{{\"title\":{},\"unit\":{},\"axis\":{},\"group\":{},\"places\":{},\"x\":{},\"curves\":{}"
      ","
      "\"low\":{},\"high\":{},\"marks\":{},\"judged\":{},\"levels\":{},\"shownX\":{},\"shownY\":{}}}",
      quoted(join(std::array{as_is(chart.title), chart.of}, comma).in(language)), quoted(chart.unit),
      quoted(chart.axis.in(language)), quoted(chart.group), places, numbers(chart.x),
      curves(chart.curves, language), numbers(chart.low), numbers(chart.high), marks(chart.marks, language),
      stretch(chart.judged), levels(chart.levels, language), stretch(chart.shown_x), stretch(chart.shown_y));
}

}  // namespace gate::render
