#include "gate/judge/apart.h"

#include <cmath>

#include "judge/number.h"
#include "judge/words.h"

namespace gate::judge {

namespace {

bool both_finite(const Sample& a, const Sample& b) { return a.value.is_finite() && b.value.is_finite(); }

bool are_same(const Sample& a, const Sample& b) {
  return both_finite(a, b) ? a.value.number == b.value.number : a.value == b.value;
}

Apart apart(const Sample& a, const Sample& b) {
  Apart found{a.number, value_text(a), value_text(b), ""};
  if (both_finite(a, b)) found.delta = signed_text(minus(number(b.value.number), number(a.value.number)));
  return found;
}

// Sums over the numbers where both sides are finite.
struct Sums {
  double a = 0, b = 0, largest = 0;
  std::int64_t count = 0;

  // Returns whether no pair before was as far apart.
  bool add(double from, double to) {
    a += from;
    b += to;
    ++count;
    if (!(std::abs(to - from) > largest)) return false;
    largest = std::abs(to - from);
    return true;
  }
};

void take(const Sample& a, const Sample& b, Distance& distance, Sums& sums) {
  ++distance.common;
  const bool farthest = both_finite(a, b) && sums.add(a.value.number.to_double(), b.value.number.to_double());
  if (are_same(a, b)) return;
  ++distance.different;
  if (!distance.first) distance.first = apart(a, b);
  if (farthest) distance.largest = apart(a, b);
}

}  // namespace

std::optional<double> Distance::share() const {
  if (!mean_a || !mean_b || *mean_a == 0) return std::nullopt;
  return (*mean_b - *mean_a) / std::abs(*mean_a);
}

Distance distance(const Series& a, const Series& b) {
  Distance found;
  Sums sums;
  for (const Sample& sample : a.samples())
    if (const auto other = b.find(sample.number)) take(sample, *other, found, sums);
  found.only_a = static_cast<std::int64_t>(a.size()) - found.common;
  found.only_b = static_cast<std::int64_t>(b.size()) - found.common;
  if (sums.count == 0) return found;
  found.mean_a = sums.a / static_cast<double>(sums.count);
  found.mean_b = sums.b / static_cast<double>(sums.count);
  return found;
}

}  // namespace gate::judge
