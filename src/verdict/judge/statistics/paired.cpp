#include "gate/judge/paired.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "gate/judge/noise.h"

namespace gate::judge {

namespace {

constexpr double nine_in_ten_of_both_sides = 0.2;  // a tenth beyond either limit

// P(|T| <= t) for θ = atan(t/sqrt(freedom)): the terms follow from one another.
double t_within(double angle, int freedom) {
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const bool is_odd = freedom % 2 == 1;
  double term = is_odd ? cosine : 1, sum = 0;
  for (int k = is_odd ? 3 : 2; k <= freedom; k += 2) {
    sum += term;
    term *= cosine * cosine * (k - 1) / k;
  }
  return is_odd ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum;
}

bool lies_within(const PairedChange& change, double limit) {
  return change.low > -limit && change.high < limit;
}

AbAnswer answer_for(const PairedChange& change, double tolerated, Better better) {
  const bool is_less = change.high<0, is_more = change.low> 0;
  if (lies_within(change, least_told)) return AbAnswer::none;
  if (is_less || is_more) return is_less == (better == Better::higher) ? AbAnswer::worse : AbAnswer::better;
  return lies_within(change, tolerated) ? AbAnswer::none : AbAnswer::undecided;
}

bool is_usable(double value) { return std::isfinite(value) && value > 0; }

}  // namespace

double t_beyond(double t, int freedom) {
  return std::max(0.0, 1 - t_within(std::atan(t / std::sqrt(static_cast<double>(freedom))), freedom));
}

double t_limit(double share, int freedom) {
  double low = 0, high = 1;
  while (t_beyond(high, freedom) > share) high *= 2;
  while (high - low > 1e-12 * high) {
    const double middle = (low + high) / 2;
    (t_beyond(middle, freedom) > share ? low : high) = middle;
  }
  return high;
}

bool begins_with_b(int pair) { return std::popcount(static_cast<unsigned>(pair)) % 2 == 1; }

double error_at(const PairDesign& design, int pairs) {
  const int earlier_looks = design.most - least_pairs;
  if (earlier_looks == 0) return design.error;
  return design.error / 2 / (pairs < design.most ? earlier_looks : 1);
}

std::optional<PairedChange> paired_change(std::span<const PairValues> pairs, const PairDesign& design,
                                          Better better) {
  std::vector<double> changes;
  double sum = 0;
  for (const PairValues& pair : pairs) {
    if (!is_usable(pair.a) || !is_usable(pair.b)) return std::nullopt;
    changes.push_back(std::log(pair.b / pair.a));
    sum += changes.back();
  }
  const int count = static_cast<int>(changes.size());
  if (count < least_pairs) return std::nullopt;
  const double mean = sum / count, spread = *deviation_of(changes);
  const double half = t_limit(error_at(design, count), count - 1) * spread / std::sqrt(count);
  const double shown = (t_limit(error_at(design, design.most), design.most - 1) +
                        t_limit(nine_in_ten_of_both_sides, design.most - 1)) *
                       spread / std::sqrt(design.most);
  PairedChange change{.pairs = count,
                      .change = std::expm1(mean),
                      .low = std::expm1(mean - half),
                      .high = std::expm1(mean + half),
                      .shown = std::expm1(shown)};
  change.answer = answer_for(change, design.change, better);
  return change;
}

}  // namespace gate::judge
