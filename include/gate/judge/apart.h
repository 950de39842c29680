// How far two series are apart, number by number. Nothing is judged by it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gate/model/series.h"

namespace gate::judge {

// Where two series have different values. Values as printed, in plain decimals; `nan`, `left out`.
struct Apart {
  std::int64_t number = 0;
  std::string a;
  std::string b;
  std::string delta;  // b - a with its sign; "" where either is no finite number
};

struct Distance {
  std::int64_t common = 0;  // numbers that both have
  std::int64_t only_a = 0;
  std::int64_t only_b = 0;
  std::int64_t different = 0;            // of the common ones
  std::optional<Apart> first;            // the first that is different
  std::optional<Apart> largest;          // the largest finite difference
  std::optional<double> mean_a, mean_b;  // of the numbers where both are finite

  bool same() const { return different == 0 && only_a == 0 && only_b == 0; }

  // Return how far the mean moved from a to b, as a share of a's; nothing where that is 0 or unknown.
  std::optional<double> share() const;
};

// Return the distance. Values are compared exactly, as decimals: 1.50 and 1.5E+00 are the same; nan is the
// same as nan.
Distance distance(const Series& a, const Series& b);

}  // namespace gate::judge
