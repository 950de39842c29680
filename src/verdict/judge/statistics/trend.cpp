#include "gate/judge/trend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "gate/judge/triage.h"
#include "judge/statistics/ramp.h"

namespace gate::judge {

namespace {

constexpr double cap = 4;  // in noise: a value farther off counts as if it were just so far
constexpr double deviation_of_differences = 0.9539;  // median |x - y| of two normal values, in deviations
constexpr std::size_t most_levels = 256;
constexpr std::size_t shortest_piece = 3;  // of fewer values are outliers
constexpr double unsure = 10;              // squares of noise by which a step may lie elsewhere
constexpr double stalled = 2 * cap;        // in noise: a value farther off tells nothing of the noise

double piece_level(std::span<const double> values, double middle, double noise) {
  double mean = middle, count = 0;
  for (const double value : values)
    if (std::abs(value - middle) <= cap * noise) mean += (value - mean) / ++count;
  return mean;
}

double cost_of(std::span<const double> values, double level, double noise) {
  double sum = 0;
  for (const double value : values) {
    const double off = (value - level) / noise;
    sum += std::min(off * off, cap * cap);
  }
  return sum;
}

// Return the values among which lie those at `place` and before it in rising order, and make `place` the one
// among them. Of many values a sample tells where these are: to sort all of them in part takes four times as
// long.
std::vector<double> values_near(std::span<const double> values, std::size_t& place) {
  constexpr std::size_t many = 10'000, samples = 1'000, margin = 50;
  if (values.size() < many) return {values.begin(), values.end()};
  const std::size_t step = values.size() / samples;
  std::vector<double> sample, near;
  for (std::size_t i = 0; i < values.size(); i += step) sample.push_back(values[i]);
  std::ranges::sort(sample);
  const std::size_t at = place / step;
  const double low = sample[at - std::min(at, margin)],
               high = sample[std::min(at + margin, sample.size() - 1)];
  std::size_t below = 0;
  for (const double value : values) {
    below += value < low ? 1 : 0;
    if (value >= low && value <= high) near.push_back(value);
  }
  if (place <= below || place >= below + near.size()) return {values.begin(), values.end()};
  place -= below;
  return near;
}

double noise_between(std::span<const double> values) {
  std::vector<double> differences;
  differences.reserve(values.size());
  for (std::size_t i = 1; i < values.size(); ++i) differences.push_back(std::abs(values[i] - values[i - 1]));
  return median_of(differences) / deviation_of_differences;
}

// Return the means of the values that lie in one interval of that width, rising, less the least value;
// nothing where there are too many of them.
std::vector<float> levels_apart(std::span<const double> values, double width) {
  constexpr double most_intervals = 4096;
  const auto [least, most] = std::ranges::minmax(values);
  if ((most - least) / width >= most_intervals) return {};
  std::vector<std::pair<double, double>> intervals(static_cast<std::size_t>((most - least) / width) + 1);
  for (const double value : values) {
    auto& [sum, count] = intervals[static_cast<std::size_t>((value - least) / width)];
    sum += value - least, ++count;
  }
  std::vector<float> levels;
  for (const auto& [sum, count] : intervals)
    if (count > 0) levels.push_back(static_cast<float>(sum / count));
  return levels.size() <= most_levels ? levels : std::vector<float>();
}

// The cheapest way of the values through a grid of levels, on each of which it stays for `shortest_piece`
// values. The loops over levels are such that a compiler does several at once: a history of 100,000 runs has
// millions of these.
class LevelPath {
 public:
  LevelPath(std::span<const double> values, double noise, double penalty)
      : penalty_(static_cast<float>(penalty)) {
    const double least = std::ranges::min(values);
    for (double width = noise / 4; levels_.empty(); width *= 2) levels_ = levels_apart(values, width);
    for (float& level : levels_) level /= static_cast<float>(noise);
    levels_.resize((levels_.size() + lanes - 1) / lanes * lanes, levels_.back());
    costs_.resize(levels_.size());
    for (auto& costs : latest_) costs.resize(levels_.size());
    jumps_.resize(values.size() * levels_.size());
    best_.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) add(static_cast<float>((values[i] - least) / noise), i);
  }

  // Return where it goes to another level, rising.
  std::vector<std::size_t> changes() const {
    std::vector<std::size_t> found;
    std::size_t level = best_.back().level;
    for (std::size_t i = best_.size(); i-- > shortest_piece;) {
      if (!jumps_[i * levels_.size() + level]) continue;
      i -= shortest_piece - 1;
      found.push_back(i);
      level = best_[i - 1].level;
    }
    std::ranges::reverse(found);
    return found;
  }

 private:
  static constexpr std::size_t lanes = 8;

  struct Best {
    std::uint32_t level = 0;
    float cost = 0;
  };

  void add(float value, std::size_t at) {
    float* const costs = costs_.data();
    float* const latest = latest_[at % shortest_piece].data();
    const float* const levels = levels_.data();
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      const float off = value - levels[k], square = off * off;
      latest[k] = square < square_of_cap ? square : square_of_cap;
      costs[k] += latest[k];
    }
    if (at >= 2 * shortest_piece - 1)
      come_from(best_[at - shortest_piece].cost + penalty_, &jumps_[at * levels_.size()]);
    best_.push_back(best_now());
  }

  // A way comes to a level with the latest values at once.
  void come_from(float cost, std::uint8_t* jumps) {
    float* const costs = costs_.data();
    const float *const a = latest_[0].data(), *const b = latest_[1].data(), *const c = latest_[2].data();
    for (std::size_t k = 0; k < costs_.size(); ++k) {
      const float come = cost + a[k] + b[k] + c[k];
      jumps[k] = come < costs[k];
      costs[k] = come < costs[k] ? come : costs[k];
    }
  }

  Best best_now() const {
    std::array<float, lanes> least{};
    std::copy_n(costs_.begin(), lanes, least.begin());
    for (std::size_t k = lanes; k < costs_.size(); k += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        least[lane] = costs_[k + lane] < least[lane] ? costs_[k + lane] : least[lane];
    const float cost = *std::ranges::min_element(least);
    return {static_cast<std::uint32_t>(std::ranges::find(costs_, cost) - costs_.begin()), cost};
  }

  static constexpr float square_of_cap = cap * cap;

  float penalty_;
  std::vector<float> levels_;                              // above the least value, in noise
  std::vector<float> costs_;                               // of the ways that end at each level
  std::array<std::vector<float>, shortest_piece> latest_;  // what the latest values cost at each
  std::vector<std::uint8_t> jumps_;  // of each value and level: a way came there with the values up to it
  std::vector<Best> best_;           // of each value
};

// A series cut by bends into flat pieces.
class LevelPieces {
 public:
  // `middle` is the median of the values.
  LevelPieces(std::span<const double> values, double middle, double noise, double least)
      : values_(values),
        seen_noise_(noise),
        noise_(believed(noise, values, middle, least)),
        penalty_(2 * std::log(static_cast<double>(values.size())) + 6),
        known_{{{0, values.size()}, piece_level(values, middle, noise_)}} {}

  void find_steps() {
    find_path();
    if (const double wider = width(); wider > 1 && !bends_.empty()) {
      noise_ *= wider;
      known_.clear();
      find_path();
    }
    take_back([&](std::size_t i) { return gain(i) - penalty_; });
    trim();
    take_back([&](std::size_t i) {
      const auto shorter = static_cast<double>(std::min(flat(i).size(), flat(i + 1).size()));
      return shorter - static_cast<double>(shortest_piece);
    });
  }

  // Steps to one side that follow one another, or a single one, may be a ramp.
  void find_ramps() {
    std::vector<Bend> all;
    for (std::size_t i = 0, end = 0; i < bends_.size(); i = end) {
      for (end = i + 1; end < bends_.size() && is_up(end) == is_up(i);) ++end;
      const std::vector<Bend> steps(bends_.begin() + static_cast<std::ptrdiff_t>(i),
                                    bends_.begin() + static_cast<std::ptrdiff_t>(end));
      if (const auto ramp = ramp_of(values_, begin_of(i), end_of(end), steps, {noise_, penalty_, cap}))
        all.push_back(*ramp);
      else
        all.insert(all.end(), steps.begin(), steps.end());
    }
    bends_ = std::move(all);
    set_levels();
  }

  // Leave what may be as large as `least`.
  void drop_small(double least) {
    take_back([&](std::size_t i) { return std::abs(after(i) - before(i)) + 2 * error(i) - least; });
  }

  LevelFit fit() const {
    LevelFit fit;
    for (std::size_t i = 0; i < bends_.size(); ++i) {
      const auto [earliest, latest] = places_of(i);
      fit.changes.push_back({bends_[i].at, bends_[i].until, shape(i), before(i), after(i), seen_noise_,
                             gain(i), earliest, latest});
    }
    fit.levels.reserve(values_.size());
    for (std::size_t i = 0; i < values_.size(); ++i) fit.levels.push_back(level_at(i));
    return fit;
  }

  void pair_dips(LevelFit& fit, double least) const {
    std::vector<Change>& all = fit.changes;
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      if (!is_undone(i, least)) continue;
      all[i].shape = ChangeShape::dip;
      all[i].until = all[i + 1].at;
      all[i + 1].shape = ChangeShape::recovery;
      ++i;
    }
  }

 private:
  // The noise of few values is known badly; of values that are alike there is some that was not seen.
  static double believed(double noise, std::span<const double> values, double middle, double least) {
    const double more = 1 + 3 / static_cast<double>(values.size());
    return std::max({noise * more, least / 4, 1e-9 * std::abs(middle), 1e-300});
  }

  void find_path() {
    bends_.clear();
    for (const std::size_t at : LevelPath(values_, noise_, penalty_).changes())
      bends_.push_back({at, at, 0, 0});
    set_levels();
  }

  // Return how far the values lie off their levels, in noise: more than 1 where its tails are heavy.
  double width() const {
    double squares = 0, free = -static_cast<double>(levels_.size());
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double off = std::abs(values_[i] - level_at(i)) / noise_;
      if (off <= stalled) squares += std::min(off * off, cap * cap), ++free;
    }
    return free > 0 ? std::sqrt(squares / free) : 1;
  }

  // Of the i-th flat piece, which ends at the i-th bend.
  std::size_t begin_of(std::size_t i) const { return i == 0 ? 0 : bends_[i - 1].until; }
  std::size_t end_of(std::size_t i) const { return i == bends_.size() ? values_.size() : bends_[i].at; }
  std::span<const double> flat(std::size_t i) const {
    return values_.subspan(begin_of(i), end_of(i) - begin_of(i));
  }

  // Of the values from `begin` to `end`, found once: of all of a long series it takes a while.
  double level_of(std::size_t begin, std::size_t end) const {
    const auto [at, is_new] = known_.try_emplace({begin, end});
    const std::span<const double> piece = values_.subspan(begin, end - begin);
    if (is_new) at->second = piece_level(piece, median_of(piece), noise_);
    return at->second;
  }

  // A piece without a value is at the end of the ramp beside it.
  double before(std::size_t i) const { return flat(i).empty() ? bends_[i].from : levels_[i]; }
  double after(std::size_t i) const { return flat(i + 1).empty() ? bends_[i].to : levels_[i + 1]; }

  void set_levels() {
    levels_.clear();
    for (std::size_t i = 0; i <= bends_.size(); ++i) levels_.push_back(level_of(begin_of(i), end_of(i)));
  }

  bool is_up(std::size_t i) const { return after(i) > before(i); }
  ChangeShape shape(std::size_t i) const {
    return bends_[i].until > bends_[i].at ? ChangeShape::ramp : ChangeShape::step;
  }

  // The standard error of what the i-th bend is high.
  double error(std::size_t i) const {
    const auto part = [&](std::size_t k) {
      return 1.0 / static_cast<double>(std::max<std::size_t>(1, flat(k).size()));
    };
    return noise_ * std::sqrt(part(i) + part(i + 1));
  }

  double gain(std::size_t i) const {
    const std::size_t begin = begin_of(i), end = end_of(i + 1);
    double cost = cost_of(values_.subspan(begin, end - begin), level_of(begin, end), noise_);
    for (std::size_t k = begin; k < end; ++k) cost -= cost_of(values_.subspan(k, 1), level_at(k, i), noise_);
    return cost;
  }

  // The first and the last place at which the i-th step may lie; of a ramp its begin.
  std::pair<std::size_t, std::size_t> places_of(std::size_t i) const {
    std::pair found{bends_[i].at, bends_[i].at};
    if (shape(i) == ChangeShape::ramp) return found;
    const auto spared = [&](std::size_t k) {  // by a value above the step
      const std::span<const double> value = values_.subspan(k, 1);
      return cost_of(value, before(i), noise_) - cost_of(value, after(i), noise_);
    };
    double more = 0;
    for (std::size_t k = bends_[i].at; k + 1 < end_of(i + 1); ++k)
      if ((more += spared(k)) <= unsure) found.second = k + 1;
    more = 0;
    for (std::size_t k = bends_[i].at; k-- > begin_of(i) + 1;)
      if ((more -= spared(k)) <= unsure) found.first = k;
    return found;
  }

  // Return the level at a value that lies beside, or in, the i-th bend.
  double level_at(std::size_t at, std::size_t i) const {
    const Bend& bend = bends_[i];
    if (at < bend.at) return before(i);
    if (at >= bend.until) return after(i);
    const double part = static_cast<double>(at - bend.at + 1) / static_cast<double>(bend.until - bend.at + 1);
    return before(i) + part * (after(i) - before(i));
  }

  double level_at(std::size_t at) const {
    if (bends_.empty()) return levels_.front();
    const auto bend = std::ranges::upper_bound(bends_, at, {}, &Bend::at);
    return level_at(at, bend == bends_.begin() ? 0 : static_cast<std::size_t>(bend - bends_.begin()) - 1);
  }

  // What the shortest piece took of its neighbour to be long enough goes back.
  void trim() {
    const auto is_far = [&](double value, double level) { return std::abs(value - level) > cap * noise_; };
    for (std::size_t i = 0; i < bends_.size(); ++i) {
      const double low = before(i), high = after(i);
      std::size_t& at = bends_[i].at;
      while (at + 1 < end_of(i + 1) && is_far(values_[at], high) && !is_far(values_[at], low)) ++at;
      while (at > begin_of(i) + 1 && is_far(values_[at - 1], low) && !is_far(values_[at - 1], high)) --at;
      bends_[i].until = at;
    }
    set_levels();
  }

  // Take the bend with the least worth back, until none is below 0.
  void take_back(const auto& worth) {
    std::vector<double> worths;
    for (std::size_t i = 0; i < bends_.size(); ++i) worths.push_back(worth(i));
    while (!bends_.empty()) {
      const auto least = std::ranges::min_element(worths);
      if (*least >= 0) return;
      const auto i = static_cast<std::size_t>(least - worths.begin());
      worths.erase(least);
      bends_.erase(bends_.begin() + static_cast<std::ptrdiff_t>(i));
      levels_.erase(levels_.begin() + static_cast<std::ptrdiff_t>(i));
      levels_[i] = level_of(begin_of(i), end_of(i));
      if (i > 0) worths[i - 1] = worth(i - 1);
      if (i < bends_.size()) worths[i] = worth(i);
    }
  }

  // Tell whether the next bend leads back to where the i-th began.
  bool is_undone(std::size_t i, double least) const {
    if (shape(i) != ChangeShape::step || shape(i + 1) != ChangeShape::step || is_up(i) == is_up(i + 1))
      return false;
    const double off = std::abs(after(i + 1) - before(i));
    return off <= std::max({least, std::abs(after(i) - before(i)) / 4, 2 * error(i)});
  }

  std::span<const double> values_;
  double seen_noise_;  // between neighbours
  double noise_;       // that is believed
  double penalty_;
  std::vector<Bend> bends_;
  std::vector<double> levels_;  // of the flat pieces, one more than bends
  mutable std::map<std::pair<std::size_t, std::size_t>, double> known_;  // levels, by begin and end
};

// `middle` is the median of the values.
LevelFit fit_around(std::span<const double> values, double middle, double least) {
  const bool has_distances =
      std::ranges::all_of(values, [&](double value) { return std::isfinite(2 * (value - middle)); });
  if (values.size() < least_values || !has_distances)
    return {{}, std::vector<double>(values.size(), middle), least};
  LevelPieces pieces(values, middle, noise_between(values), least);
  pieces.find_steps();
  pieces.find_ramps();
  pieces.drop_small(least);
  LevelFit fit = pieces.fit();
  fit.least = least;
  pieces.pair_dips(fit, least);
  return fit;
}

}  // namespace

double median_of(std::span<const double> values) {
  if (values.empty()) return 0;
  std::size_t place = values.size() / 2;
  std::vector<double> near = values_near(values, place);
  const auto middle = near.begin() + static_cast<std::ptrdiff_t>(place);
  std::ranges::nth_element(near, middle);
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(near.begin(), middle), *middle);
}

double value_in_order(std::span<const double> values, std::size_t place) {
  std::vector<double> near = values_near(values, place);
  const auto at = near.begin() + static_cast<std::ptrdiff_t>(place);
  std::ranges::nth_element(near, at);
  return *at;
}

double quantile_of(std::span<const double> sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double above = below + 1 < sorted.size() ? sorted[below + 1] : sorted[below];
  return std::lerp(sorted[below], above, place - static_cast<double>(below));
}

LevelFit fit_levels(std::span<const double> values, double least) {
  return fit_around(values, median_of(values), least);
}

LevelFit fit_levels(std::span<const double> values, const Tolerance& tolerance) {
  const double middle = median_of(values);
  return fit_around(values, middle, least_change(tolerance, middle));
}

double least_change(const Tolerance& tolerance, double level) {
  constexpr double share_of_tolerance = 0.2;
  return share_of_tolerance * allowed_percent(tolerance, level) / 100 * std::abs(level);
}

Flips flips_of(const std::vector<bool>& green, const std::vector<std::optional<std::size_t>>& like) {
  Flips found;
  for (std::size_t i = 0; i < green.size(); ++i) {
    if (!like[i]) continue;
    ++found.pairs;
    if (green[i] != green[*like[i]]) ++found.flips;
  }
  return found;
}

}  // namespace gate::judge
