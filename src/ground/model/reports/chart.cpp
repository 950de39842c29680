#include "gate/model/reports/chart.h"

#include <algorithm>
#include <cmath>

namespace gate {

void widen(std::optional<AxisStretch>& stretch, double value) {
  if (!std::isfinite(value)) return;
  if (!stretch) stretch = AxisStretch{value, value};
  stretch->first = std::min(stretch->first, value);
  stretch->last = std::max(stretch->last, value);
}

}  // namespace gate
