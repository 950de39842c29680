// How Megatron-LM's golden values call and count what gate measures.
#pragma once

#include <span>
#include <string_view>

#include "gate/model/numbers/decimal.h"

namespace gate {

struct MegatronMetric {
  std::string_view key;     // `lm loss`
  std::string_view metric;  // `lm_loss`
  // What one unit there is in the metric's unit, and back: s and ms, bytes and MiB. Both are exact.
  Decimal to_gate{1, 0};
  Decimal from_gate{1, 0};
};

// Return all metrics that golden values hold under a name of their own.
std::span<const MegatronMetric> megatron_metrics();

// Return the row of either name (`lm loss`, `lm_loss`), or nullptr.
const MegatronMetric* find_megatron_metric(std::string_view name);

}  // namespace gate
