#include "gate/score/metric.h"

#include <algorithm>
#include <array>

namespace gate::score {

namespace {

constexpr std::array<MetricRow, 1> metric_rows{
    {{"bleu", Input::text, Better::higher, "BLEU of all lines together, as sacreBLEU has it, 0..1"}}};

}  // namespace

std::span<const MetricRow> metrics() { return metric_rows; }

const MetricRow* find_metric(std::string_view name) {
  const auto row = std::ranges::find(metric_rows, name, &MetricRow::name);
  return row == metric_rows.end() ? nullptr : &*row;
}

}  // namespace gate::score
