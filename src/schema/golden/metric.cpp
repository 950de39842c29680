#include "schema/golden/metric.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "gate/model/megatron_metric.h"
#include "gate/model/metric.h"

namespace gate::schema {

namespace {

struct LogKey {
  std::string_view key;
  std::string_view metric;
  Decimal to_gate{1, 0};
};
// What Decimal::parse reads of any notation.
constexpr int128 most = int128{1'000'000'000'000'000'000} * 1'000'000'000'000'000'000 * 10;  // 10^37
constexpr std::int32_t least_exponent = -9000;

constexpr Decimal ms_of_a_second{1000, 0};

// What the tools' logs print under another name than the metric's.
constexpr std::array log_keys{
    LogKey{"loss", "lm_loss"},
    LogKey{"throughput per GPU (TFLOP/s/GPU)", "throughput"},
    LogKey{"GPU utilization", "throughput"},  // Megatron-Bridge: its unit is MODEL_TFLOP/s/GPU
    LogKey{"elapsed time per iteration (ms)", "iteration_time"},
    LogKey{"elapsed time per iteration (s)", "iteration_time", ms_of_a_second},
    LogKey{"number of skipped iterations", "skipped_iterations"},
    LogKey{"number of nan iterations", "nan_iterations"},
};

char in_a_name(char c) {
  const bool letter =
      (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
  return letter ? c : '_';
}

std::string name_of(std::string_view key) {
  std::string name;
  for (const char c : to_lower(key))
    if (in_a_name(c) != '_' || (!name.empty() && name.back() != '_')) name += in_a_name(c);
  if (name.ends_with('_')) name.pop_back();
  return name;
}

GoldenMetric counted_in(std::string_view name, const Decimal& to_gate) {
  GoldenMetric metric = metric_named(name);
  metric.to_gate = to_gate;
  return metric;
}

}  // namespace

GoldenMetric metric_named(std::string_view name) { return {std::string(name), MetricTable().get(name).unit}; }

GoldenMetric metric_of_key(std::string_view key) {
  if (const MegatronMetric* known = find_megatron_metric(key))
    return counted_in(known->metric, known->to_gate);
  const auto* const row = std::ranges::find(log_keys, key, &LogKey::key);
  if (row != log_keys.end()) return counted_in(row->metric, row->to_gate);
  return metric_named(name_of(key));
}

std::optional<Decimal> in_gate_unit(const Decimal& number, const GoldenMetric& metric) {
  if (metric.to_gate.coefficient == 1 && metric.to_gate.exponent == 0) return number;
  auto product = multiply(number, metric.to_gate);
  if (!product) return std::nullopt;
  for (; product->exponent < 0 && product->coefficient % 10 == 0; ++product->exponent)
    product->coefficient /= 10;
  const bool writable = product->abs().coefficient < most && product->exponent >= least_exponent;
  return writable ? product : std::nullopt;
}

}  // namespace gate::schema
