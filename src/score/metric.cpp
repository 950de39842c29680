#include "gate/score/metric.h"

#include <algorithm>
#include <array>

namespace gate::score {

namespace {

constexpr std::array metric_rows{
    MetricRow{"bleu", Input::text, Better::higher, "BLEU of all lines together, as sacreBLEU has it, 0..1"},
    MetricRow{"cosine", Input::numbers, Better::higher, "cosine of the angle between both sides, -1..1"},
    MetricRow{"max_abs_error", Input::numbers, Better::lower, "largest difference"},
    MetricRow{"mean_abs_error", Input::numbers, Better::lower, "mean difference"},
    MetricRow{"rmse", Input::numbers, Better::lower, "square root of the mean squared difference"},
    MetricRow{"max_relative_error", Input::numbers, Better::lower,
              "largest difference in parts of the golden number"},
    MetricRow{"mean_relative_error", Input::numbers, Better::lower,
              "mean difference in parts of the golden number"},
    MetricRow{"accumulated_relative_error", Input::numbers, Better::lower,
              "sum of the differences in parts of the sum of the golden numbers"},
    MetricRow{"relative_euclidean_distance", Input::numbers, Better::lower,
              "distance of both sides in parts of the golden side's length"},
    MetricRow{"kl_divergence", Input::numbers, Better::lower,
              "Kullback-Leibler divergence of the actual from the golden distribution, in nats"},
    MetricRow{"one_thousandth_ratio", Input::numbers, Better::higher,
              "share of numbers within 0.1 % of the golden one, 0..1"},
    MetricRow{"five_thousandths_ratio", Input::numbers, Better::higher,
              "share of numbers within 0.5 % of the golden one, 0..1"},
};

}  // namespace

std::span<const MetricRow> metrics() { return metric_rows; }

const MetricRow* find_metric(std::string_view name) {
  const auto row = std::ranges::find(metric_rows, name, &MetricRow::name);
  return row == metric_rows.end() ? nullptr : &*row;
}

}  // namespace gate::score
