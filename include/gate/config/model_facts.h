// What is trained, as the settings `model.KEY` say it. What they do not say the flags of the script tell.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gate/model/numbers/decimal.h"

namespace gate::config {

struct ModelFacts {
  std::string name;                   // `LLaMA2`
  std::string size;                   // `7B`
  std::string implementation;         // `Mcore`, `Legacy`
  std::string precision;              // `BF16`
  std::optional<Decimal> parameters;  // how many the model has: what 6N counts
  // By the flag of Megatron-LM without its dashes: `num_layers`, `vocab_size`.
  std::map<std::string, std::int64_t, std::less<>> numbers = {};
};

// A number that the estimate of FLOPs needs, and the flags of Megatron-LM that tell it.
struct ModelNumberRow {
  std::string_view name;  // `num_layers`
  std::string_view flag;  // `--num-layers`
};

std::span<const ModelNumberRow> model_numbers();

}  // namespace gate::config
