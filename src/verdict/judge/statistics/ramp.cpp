#include "judge/statistics/ramp.h"

#include <algorithm>
#include <cmath>

#include "gate/judge/trend.h"

namespace gate::judge {

namespace {

constexpr std::size_t shortest_ramp = 5;  // runs
constexpr std::size_t farthest = 1000;    // values beside the steps that are looked at
constexpr double cap_of_slope = 4;        // in medians of how far values lie off the steps of a slope
constexpr double clearer = 4;             // in squares of the noise, beside the logarithm of the count

// PlaceSums over values by their place t: of 1, t, t², x, t·x and x².
struct PlaceSums {
  double n = 0, t = 0, tt = 0, x = 0, tx = 0, xx = 0;

  PlaceSums operator-(const PlaceSums& other) const {
    return {n - other.n, t - other.t, tt - other.tt, x - other.x, tx - other.tx, xx - other.xx};
  }
  void add(double place, double value) {
    n += 1, t += place, tt += place * place;
    x += value, tx += place * value, xx += value * value;
  }
};

struct RampLine {
  double from = 0, to = 0;  // levels
  double squares = 0;       // what is left
};

// The sums of a stretch of values, without those that lie far off the level of their step.
class RampSums {
 public:
  RampSums(std::span<const double> values, const std::vector<std::size_t>& cuts, double reach)
      : middle_(median_of(values)), sums_{PlaceSums{}} {
    std::vector<double> off, sloped;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      const auto part = values.subspan(cuts[i], cuts[i + 1] - cuts[i]);
      const double level = median_of(part);
      for (const double value : part) off.push_back(std::abs(value - level));
    }
    for (std::size_t i = cuts[1]; i < cuts[cuts.size() - 2]; ++i) sloped.push_back(off[i]);
    reach = std::max(reach, cap_of_slope * median_of(sloped));
    for (std::size_t i = 0; i < values.size(); ++i) add(values[i], off[i] <= reach);
  }

  double squares_of_steps(const std::vector<std::size_t>& cuts) const {
    double squares = 0;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      const PlaceSums part = sums_[cuts[i + 1]] - sums_[cuts[i]];
      squares += part.n > 0 ? part.xx - part.x * part.x / part.n : 0;
    }
    return squares;
  }

  // Return the levels before p and from q on that leave the least squares, with a line between them.
  RampLine line(std::size_t p, std::size_t q) const {
    const PlaceSums low = sums_[p], high = sums_.back() - sums_[q], slope = sums_[q] - sums_[p];
    const double length = static_cast<double>(q - p + 1), start = 1 - static_cast<double>(p);
    // r = (t + start) / length on the slope
    const double r = (slope.t + start * slope.n) / length;
    const double rr = (slope.tt + 2 * start * slope.t + start * start * slope.n) / (length * length);
    const double rx = (slope.tx + start * slope.x) / length;
    const double a = low.n + slope.n - 2 * r + rr, b = r - rr, c = high.n + rr;
    const double u = low.x + slope.x - rx, v = high.x + rx, det = a * c - b * b;
    if (det <= 1e-9 * a * c) return {0, 0, sums_.back().xx};
    const double from = (u * c - v * b) / det, to = (v * a - u * b) / det;
    return {from + middle_, to + middle_, sums_.back().xx - from * u - to * v};
  }

 private:
  void add(double value, bool counts) {
    sums_.push_back(sums_.back());
    if (counts) sums_.back().add(static_cast<double>(sums_.size() - 2), value - middle_);
  }

  double middle_;
  std::vector<PlaceSums> sums_;  // of all values before each place
};

// Return the best p and q below `count`, first among few, then ever nearer to the best one.
std::pair<std::size_t, std::size_t> best_line(const RampSums& sums, std::size_t count) {
  std::pair<std::size_t, std::size_t> best{0, count - 1};
  double least = sums.line(best.first, best.second).squares;
  const auto try_at = [&](std::size_t p, std::size_t q) {
    if (q >= count || p + shortest_ramp > q + 1) return;
    if (const double squares = sums.line(p, q).squares; squares < least) least = squares, best = {p, q};
  };
  std::size_t step = std::max<std::size_t>(1, count / 32);
  for (std::size_t p = 0; p < count; p += step)
    for (std::size_t q = p; q < count; q += step) try_at(p, q);
  while (step > 1) {
    step = (step + 1) / 2;
    const auto [p, q] = best;
    for (const std::size_t one :
         {p - std::min(p, 2 * step), p - std::min(p, step), p, p + step, p + 2 * step})
      for (const std::size_t two :
           {q - std::min(q, 2 * step), q - std::min(q, step), q, q + step, q + 2 * step})
        try_at(one, two);
  }
  return best;
}

}  // namespace

std::optional<Bend> ramp_of(std::span<const double> values, std::size_t begin, std::size_t end,
                            std::span<const Bend> steps, const FitScale& scale) {
  begin = std::max(begin, steps.front().at - std::min(steps.front().at, farthest));
  end = std::min(end, steps.back().at + farthest);
  if (end - begin < shortest_ramp) return std::nullopt;
  std::vector<std::size_t> cuts{0};
  for (const Bend& step : steps) cuts.push_back(step.at - begin);
  cuts.push_back(end - begin);
  const RampSums sums(values.subspan(begin, end - begin), cuts, scale.cap * scale.noise);
  const auto [p, q] = best_line(sums, end - begin);
  const RampLine line = sums.line(p, q);
  const double spared = (sums.squares_of_steps(cuts) - line.squares) / (scale.noise * scale.noise) +
                        static_cast<double>(steps.size() - 1) * scale.penalty;
  const bool is_ramp = spared >= std::log(static_cast<double>(values.size())) + clearer;
  if (!is_ramp) return std::nullopt;
  return Bend{begin + p, begin + q, line.from, line.to};
}

}  // namespace gate::judge
