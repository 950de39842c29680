// What the series of golden files are called and counted in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gate/model/decimal.h"

namespace gate::schema {

struct GoldenMetric {
  std::string name;
  std::string unit;
  Decimal to_gate{1, 0};  // one unit of the file in the metric's unit
};

// Return the metric of gate's own name, in gate's own unit.
GoldenMetric metric_named(std::string_view name);

// Return the metric that a tool of the Megatron family means by a key of its golden values (`iteration-time`,
// in seconds) or of its log (`elapsed time per iteration (ms)`). An unknown key names itself, in lower case
// and with
// `_` for what is no letter or digit; the name is empty where nothing remains.
GoldenMetric metric_of_key(std::string_view key);

// Return the number in the metric's unit, exactly, without the zeros that the factor brings. Nothing where it
// has more digits than a Decimal can be read from.
std::optional<Decimal> in_gate_unit(const Decimal& number, const GoldenMetric& metric);

}  // namespace gate::schema
