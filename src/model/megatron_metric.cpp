#include "gate/model/megatron_metric.h"

#include <algorithm>
#include <array>

namespace gate {

namespace {

constexpr Decimal ms_of_a_second{1000, 0};
constexpr Decimal seconds_of_a_ms{1, -3};
constexpr Decimal mib_of_a_byte{95'367'431'640'625, -20};
constexpr Decimal bytes_of_a_mib{1'048'576, 0};

constexpr std::array<MegatronMetric, 8> megatron_table{{
    {"lm loss", "lm_loss"},
    {"mtp_1 loss", "mtp_1_loss"},
    {"mtp_2 loss", "mtp_2_loss"},
    {"total loss", "total_loss"},
    {"num-zeros", "num_zeros"},
    {"iteration-time", "iteration_time", ms_of_a_second, seconds_of_a_ms},
    {"mem-allocated-bytes", "memory_allocated", mib_of_a_byte, bytes_of_a_mib},
    {"mem-max-allocated-bytes", "memory_max_allocated", mib_of_a_byte, bytes_of_a_mib},
}};

}  // namespace

std::span<const MegatronMetric> megatron_metrics() { return megatron_table; }

const MegatronMetric* find_megatron_metric(std::string_view name) {
  const auto it = std::ranges::find_if(
      megatron_table, [&](const MegatronMetric& row) { return row.key == name || row.metric == name; });
  return it == megatron_table.end() ? nullptr : &*it;
}

}  // namespace gate
