// Phrases that notes and reasons are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gate/model/metric.h"
#include "gate/model/series.h"

namespace gate::judge {

// Return `step 5`, `steps 1 and 2`, `reports 1-3, 7`; a long list is cut and ends in the count. Not for no
// numbers.
std::string numbers_text(std::span<const std::int64_t> numbers, Numbering numbered);

// Return `step 5`.
std::string number_text(std::int64_t number, Numbering numbered);

// Return `rank 3`, `ranks 4-7`; "" for a series of no rank.
std::string ranks_text(std::span<const std::optional<int>> ranks);

// Return `lm_loss`, or `memory_allocated rank 3`.
std::string label(std::string_view metric, const std::optional<int>& rank);

// Return the metric's name as people say it: `lm loss`.
std::string spoken(std::string_view metric);

// Return the value as printed, in plain decimals: `10.46010`, `nan`, `left out`.
std::string value_text(const Sample& sample);

// Return the texts joined by `; `, without the empty ones.
std::string both(std::string_view first, std::string_view second);

}  // namespace gate::judge
