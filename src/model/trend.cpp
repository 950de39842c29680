#include "gate/model/trend.h"

#include <cmath>

namespace gate {

std::optional<double> Change::share() const {
  if (before == 0) return std::nullopt;
  return (after - before) / std::abs(before);
}

}  // namespace gate
