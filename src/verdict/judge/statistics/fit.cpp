#include "gate/judge/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "gate/judge/paired.h"
#include "gate/judge/trend.h"
#include "gate/model/rules/grammar.h"

namespace gate::judge {

namespace {

constexpr double mad_to_deviation = 1.4826;  // of normal values
constexpr double far_apart = 6;              // deviations
constexpr double most_apart = 0.2;           // of all values
constexpr std::size_t runs_of_a_change = 10;
constexpr int least_freedom = 4;
constexpr double missed = 0.1;     // of regressions of the size that is detected
constexpr double surprise = 0.05;  // the chance below which later runs refute a fit

// A part of the values at one level, or on one slope.
struct LevelStretch {
  std::size_t begin = 0, end = 0;
};

// Levels that change all the time are what the machine does, and so noise.
LevelFit levels_between(std::span<const double> values) {
  LevelFit levels = fit_levels(values);
  if (levels.changes.size() * runs_of_a_change > values.size())
    levels = {{}, std::vector<double>(values.size(), median_of(values))};
  return levels;
}

std::vector<LevelStretch> stretches_of(const LevelFit& levels) {
  std::vector<LevelStretch> stretches{{0, levels.levels.size()}};
  const auto cut = [&](std::size_t at) {
    stretches.back().end = at;
    stretches.push_back({at, levels.levels.size()});
  };
  for (const Change& change : levels.changes) {
    cut(change.at);
    if (change.shape == ChangeShape::ramp) cut(change.until);
  }
  return stretches;
}

std::vector<std::size_t> apart_of(std::span<const double> residuals) {
  std::vector<double> sizes;
  for (const double residual : residuals) sizes.push_back(std::fabs(residual));
  const double most = far_apart * mad_to_deviation * median_of(sizes);
  std::vector<std::size_t> apart;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] > most) apart.push_back(i);
  const bool are_exceptions =
      static_cast<double>(apart.size()) <= most_apart * static_cast<double>(sizes.size());
  return are_exceptions ? apart : std::vector<std::size_t>();
}

// Add what is left of a stretch, from its own mean.
double add_squares(RunSpread& spread, const LevelStretch& stretch, std::span<const double> residuals) {
  std::vector<double> kept;
  for (std::size_t i = stretch.begin; i < stretch.end; ++i)
    if (!std::ranges::binary_search(spread.apart, i)) kept.push_back(residuals[i]);
  double sum = 0, squares = 0;
  for (const double residual : kept) sum += residual;
  for (const double residual : kept) {
    spread.residuals.push_back(residual - sum / static_cast<double>(kept.size()));
    squares += spread.residuals.back() * spread.residuals.back();
  }
  spread.freedom += kept.empty() ? 0 : static_cast<int>(kept.size()) - 1;
  return squares;
}

double adverse_residual(double residual, Bound::Side side) {
  return side == Bound::Side::both ? std::fabs(residual) : side == Bound::Side::lower ? -residual : residual;
}

// Return the 0.99 quantile of the residuals on the bound's side.
double own_quantile(const RunSpread& spread, Bound::Side side) {
  std::vector<double> sizes;
  for (const double residual : spread.residuals) sizes.push_back(adverse_residual(residual, side));
  std::ranges::sort(sizes);
  return quantile_of(sizes, 1 - allowed_failures);
}

int sides_of(const FitBound& bound) { return bound.side == Bound::Side::both ? 2 : 1; }

// Return the number with two digits, the last one rounded up. What a double lacks to be whole is no reason.
double rounded_up(double amount) {
  if (!(amount > 0)) return 0;
  const double unit = std::pow(10, std::floor(std::log10(amount)) - 1);
  return std::ceil(amount / unit - 1e-9) * unit;
}

// Return P(X >= count) of so many runs of which each is beyond with the allowed rate.
double chance_of_beyond(std::size_t count, std::size_t runs) {
  double chance = std::pow(1 - allowed_failures, static_cast<double>(runs)), fewer = 0;  // of none, of fewer
  for (std::size_t i = 0; i < count && i <= runs; ++i) {
    fewer += chance;
    chance *= allowed_failures / (1 - allowed_failures) * static_cast<double>(runs - i) /
              static_cast<double>(i + 1);
  }
  return 1 - fewer;
}

// Return the z that a standard normal value exceeds with that probability, which is below one half.
double normal_limit(double above) {
  double low = 0, high = 40;
  while (high - low > 1e-9) {
    const double middle = (low + high) / 2;
    (normal_below(-middle) > above ? low : high) = middle;
  }
  return high;
}

bool is_out(const FitRun& run, const FitBound& bound) {
  return run.baseline && adverse(run.value, *run.baseline, bound) > bound.amount;
}

std::optional<RunSpread> spread_of_fit(std::span<const FitRun> runs, const FitBound& bound) {
  std::vector<double> values;
  for (const FitRun& run : runs) values.push_back(run.value);
  return run_spread(values, bound.is_relative);
}

// A tighter bound is one with which every run that was green stays green.
FitBound allowed_by(std::span<const FitRun> runs, FitBound fitted, const FitBound& now) {
  if (fitted.amount >= now.amount) return fitted;
  for (const FitRun& run : runs)
    if (run.baseline && !run.was_red)
      fitted.amount = std::max(fitted.amount, rounded_up(adverse(run.value, *run.baseline, now)));
  fitted.amount = std::min(fitted.amount, now.amount);
  return fitted;
}

// Return the level of the newest stretch of the judged runs beside the baseline, the present one or that of
// the newest run, where it is farther away than their noise explains (1 %, of two sides).
std::optional<double> level_off(std::span<const FitRun> runs, const FitBound& bound, Runs counts,
                                std::optional<double> present) {
  std::vector<FitRun> judged;
  std::ranges::copy_if(runs, std::back_inserter(judged),
                       [](const FitRun& run) { return run.baseline.has_value(); });
  const std::optional<RunSpread> spread = spread_of_fit(judged, bound);
  if (!spread) return std::nullopt;
  const double baseline = present.value_or(*judged.back().baseline);
  const double off = (spread->level - baseline) / (bound.is_relative ? std::fabs(baseline) : 1);
  const auto values = static_cast<double>(judged.size() - spread->newest);
  const double noise = spread->s * std::sqrt(1.0 / counts.baseline + 1 / values);
  const bool is_off = std::fabs(off) > t_limit(allowed_failures, spread->freedom) * noise;
  return is_off && std::isfinite(off) ? std::optional(off) : std::nullopt;
}

Fit fit_first(std::span<const FitRun> runs, std::size_t fitted_on, RunSpread spread, const FitBound& now,
              Runs counts) {
  Fit fit{.spread = std::move(spread), .fitted_on = fitted_on, .now = now, .fitted = now};
  for (const FitRun& run : runs.subspan(fitted_on)) fit.later += run.baseline ? 1 : 0;
  const bool has_noise = fit.spread.s > 0;
  set_bound(fit, runs, has_noise ? allowed_by(runs, fitted_bound(fit.spread, now, counts), now) : now,
            counts);
  return fit;
}

// Runs that were red already say nothing against a fit.
bool is_refuted(const Fit& fit, std::span<const FitRun> runs) {
  const auto is_new = [&](const FitRun& run) { return !run.was_red && is_out(run, fit.fitted); };
  const auto fresh = static_cast<std::size_t>(std::ranges::count_if(runs.subspan(fit.fitted_on), is_new));
  return chance_of_beyond(fresh, fit.later) < surprise;
}

}  // namespace

std::optional<RunSpread> run_spread(std::span<const double> values, bool is_relative) {
  if (values.size() < least_fitted) return std::nullopt;
  const LevelFit levels = levels_between(values);
  const std::vector<LevelStretch> stretches = stretches_of(levels);
  std::vector<double> residuals;
  for (std::size_t i = 0; i < values.size(); ++i)
    residuals.push_back((values[i] - levels.levels[i]) / (is_relative ? std::fabs(levels.levels[i]) : 1));
  if (!std::ranges::all_of(residuals, [](double residual) { return std::isfinite(residual); }))
    return std::nullopt;
  RunSpread spread{
      .apart = apart_of(residuals), .newest = stretches.back().begin, .level = levels.levels.back()};
  double squares = 0;
  for (const LevelStretch& one : stretches) squares += add_squares(spread, one, residuals);
  if (spread.freedom < least_freedom || !std::isfinite(squares)) return std::nullopt;
  spread.s = std::sqrt(squares / spread.freedom);
  return spread;
}

std::optional<FitBound> fit_bound(const Tolerance& tolerance) {
  if (tolerance.any_of.size() != 1 || tolerance.any_of.front().size() != 1) return std::nullopt;
  const Bound& bound = tolerance.any_of.front().front();
  const bool is_relative = bound.kind == Bound::Kind::relative;
  if (!is_relative && bound.kind != Bound::Kind::absolute) return std::nullopt;
  return FitBound{bound.side, is_relative, bound.amount.to_double()};
}

std::string written_bound(const FitBound& bound) {
  const char* sign = bound.side == Bound::Side::both ? "±" : bound.side == Bound::Side::lower ? "-" : "+";
  const double amount = bound.is_relative ? 100 * bound.amount : bound.amount;
  const int places = amount > 0 ? std::clamp(3 - static_cast<int>(std::floor(std::log10(amount))), 0, 30) : 0;
  std::string text = fmt::format("{:.{}f}", amount, places);
  if (places > 0) text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return sign + text + (bound.is_relative ? "%" : "");
}

std::string fitting_tolerance(const Noise& noise) {
  const Result<Tolerance> tolerance = parse_tolerance(noise.tolerance);
  std::optional<FitBound> bound = tolerance ? fit_bound(*tolerance) : std::nullopt;
  if (!bound || !noise.s) return "";
  const double of_each = -std::expm1(std::log1p(-allowed_failures) / static_cast<double>(noise.compared));
  bound->amount =
      rounded_up(normal_limit(of_each / sides_of(*bound)) * difference_spread(*noise.s, noise.runs));
  return written_bound(*bound);
}

bool is_noisy(const Noise& noise) { return noise.rate && *noise.rate > allowed_failures; }

double predicted_rate(const RunSpread& spread, const FitBound& bound, Runs runs) {
  if (spread.s == 0) return 0;
  const double t = bound.amount / difference_spread(spread.s, runs);
  return sides_of(bound) * t_beyond(t, spread.freedom) / 2;
}

double predicted_caught(const RunSpread& spread, const FitBound& bound, Runs runs) {
  return bound.amount + t_limit(2 * missed, spread.freedom) * difference_spread(spread.s, runs);
}

FitBound fitted_bound(const RunSpread& spread, FitBound bound, Runs runs) {
  const double beyond = 2 * allowed_failures / sides_of(bound);  // on both sides
  double amount = t_limit(beyond, spread.freedom) * difference_spread(spread.s, runs);
  if (spread.residuals.size() >= enough_runs)
    amount = std::max(amount, own_quantile(spread, bound.side) * difference_spread(1, runs));
  bound.amount = rounded_up(amount);
  return bound;
}

double adverse(double value, double baseline, const FitBound& bound) {
  const double off = (value - baseline) / (bound.is_relative ? std::fabs(baseline) : 1);
  return adverse_residual(off, bound.side);
}

void set_bound(Fit& fit, std::span<const FitRun> runs, const FitBound& bound, Runs counts) {
  fit.fitted = bound;
  fit.rate = predicted_rate(fit.spread, bound, counts);
  fit.caught = predicted_caught(fit.spread, bound, counts);
  const auto later = runs.subspan(fit.fitted_on);
  fit.beyond = static_cast<std::size_t>(
      std::ranges::count_if(later, [&](const FitRun& run) { return is_out(run, bound); }));
  fit.red.clear();
  for (const FitRun& run : runs)
    if (run.was_red) fit.red.push_back({run.run, is_out(run, bound)});
}

std::optional<Fit> fit_runs(std::span<const FitRun> runs, const FitBound& now, Runs counts,
                            std::optional<double> present) {
  const std::size_t half = std::min(runs.size(), std::max(least_fitted, (runs.size() + 1) / 2));
  std::optional<RunSpread> spread = spread_of_fit(runs.first(half), now);
  if (!spread) return std::nullopt;
  Fit fit = fit_first(runs, half, *std::move(spread), now, counts);
  if (is_refuted(fit, runs)) {
    const Fit::Refuted refuted{fit.fitted_on, fit.later, fit.beyond};
    spread = spread_of_fit(runs, now);
    if (!spread) return std::nullopt;
    fit = fit_first(runs, runs.size(), *std::move(spread), now, counts);
    fit.refuted = refuted;
  }
  fit.now_rate = predicted_rate(fit.spread, now, counts);
  fit.now_caught = predicted_caught(fit.spread, now, counts);
  fit.level = level_off(runs, now, counts, present);
  if (fit.level && fit.fitted.amount < now.amount) set_bound(fit, runs, now, counts);
  return fit;
}

bool FittedRule::is_weak() const {
  return fit && (is_written ? fit->rate : fit->now_rate) > allowed_failures;
}

int FittedRules::exit_code() const {
  if (std::ranges::any_of(rules, &FittedRule::is_weak)) return exit_code::regressed;
  const bool is_told = std::ranges::any_of(rules, [](const FittedRule& one) { return one.fit.has_value(); });
  return is_told ? exit_code::ok : exit_code::refused;
}

}  // namespace gate::judge
