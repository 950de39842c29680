// Formulas that have a name: what `formula = "megatron"` of a metric stands for.
#pragma once

#include <span>
#include <string_view>

namespace gate::config {

struct NamedFormula {
  std::string_view metric;  // `mfu`
  std::string_view name;    // `megatron`
  std::string_view text;    // as a user would write it out
  std::string_view source;
};

std::span<const NamedFormula> named_formulas();

// The estimates of flops_per_token("ESTIMATE").
inline constexpr std::string_view megatron_estimate = "megatron", six_n_estimate = "6N";

// The type of number of a peak that stands for the one that the training computes in.
inline constexpr std::string_view auto_peak = "auto";

}  // namespace gate::config
