// The metrics by which an output is held against its golden file.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gate/model/numbers/metric.h"
#include "gate/model/numbers/output.h"

namespace gate::score {

// What a metric lays side by side: lines of text, numbers in their order, or tensors by their names.
enum class Input : std::uint8_t { text, numbers, tensors };

struct MetricRow {
  std::string_view name;  // `bleu`
  Input input = Input::text;
  Better better = Better::higher;
  std::string_view doc;  // one line for the manual: what it is, in which scale
  double least = 0;      // that it can be
  double most = std::numeric_limits<double>::infinity();
};

// Return all metrics, those of text first, that of tensors alone last.
std::span<const MetricRow> metrics();

// Return the metric of that name, or nullptr.
const MetricRow* find_metric(std::string_view name);

// What an output is worth. Fractions are 0..1 (sacreBLEU's 0..100 divided by 100).
struct Score {
  double value = 0;
  std::string signature;      // how it was computed; of bleu, chrf and ter as sacreBLEU writes it
  std::int64_t compared = 0;  // lines, numbers or tensors that were laid side by side
  std::int64_t differing = 0;
  std::optional<OutputDifference> first, worst;  // none: both sides are the same
};

}  // namespace gate::score
