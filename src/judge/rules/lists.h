// Series as lists, in which the ModelLink family compares by position.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gate/model/baseline.h"
#include "gate/model/extraction.h"

namespace gate::judge {

// One value; without a sample where the file has a place without a number.
struct Item {
  std::optional<Sample> sample;
  std::optional<int> rank;
};
using List = std::vector<Item>;  // in the order of the ranks, each rank's values in their order

// Return the metric's list of the baseline's first run.
List expected_list(const Reference& reference, std::string_view metric);

// Return the metric's list of the run, all attempts of a log one behind the other. A step whose line has no
// number for any of the compared metrics is in no list.
List actual_list(const Extraction& run, std::string_view metric, std::span<const std::string_view> compared);

// Return the value as a double; NaN where there is no number.
double value_of(const Item& item);

// Return the values behind the first so many.
std::vector<double> values_behind(const List& list, std::size_t first);

}  // namespace gate::judge
