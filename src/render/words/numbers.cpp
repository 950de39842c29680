#include "render/words/numbers.h"

#include <fmt/format.h>

#include <cmath>

#include "gate/base/text.h"
#include "gate/model/decimal.h"

namespace gate::render {

std::string seconds(Duration duration) {
  return fmt::format("{:.3f}", static_cast<double>(duration.count()) / 1e3);
}

std::string short_percent(double percent) {
  return percent == 0 ? "0 %" : fmt::format("{:+.{}f} %", percent, std::fabs(percent) < 0.1 ? 2 : 1);
}

}  // namespace gate::render
