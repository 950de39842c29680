#include "gate/render/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

namespace gate::render {

namespace {

constexpr std::array<std::string_view, 8> bars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

std::vector<double> finite_values(std::span<const double> values) {
  std::vector<double> out;
  std::ranges::copy_if(values, std::back_inserter(out), [](double value) { return std::isfinite(value); });
  std::ranges::sort(out);
  return out;
}

double farthest(std::span<const double> values, double from) {
  return *std::ranges::max_element(
      values, {}, [&](double value) { return std::isfinite(value) ? std::abs(value - from) : -1.0; });
}

std::string_view bar(double value, double low, double high) {
  if (!std::isfinite(value)) return "·";
  if (!(high > low)) return bars[bars.size() / 2 - 1];
  const double share = (value - low) / (high - low) * static_cast<double>(bars.size());
  return bars[std::min(static_cast<std::size_t>(share), bars.size() - 1)];
}

}  // namespace

std::string sparkline(std::span<const double> values, std::size_t width) {
  const std::vector<double> sorted = finite_values(values);
  const double low = sorted.empty() ? 0 : sorted.front(), high = sorted.empty() ? 0 : sorted.back();
  const double middle = sorted.empty() ? 0 : sorted[sorted.size() / 2];
  const std::size_t columns = std::min(width, values.size());
  std::string out;
  for (std::size_t i = 0; i < columns; ++i) {
    const std::size_t begin = i * values.size() / columns, end = (i + 1) * values.size() / columns;
    out += bar(farthest(values.subspan(begin, end - begin), middle), low, high);
  }
  return out;
}

}  // namespace gate::render
