// Random series, rules and cases from a seed, and their words for what failed.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "logs.h"

namespace gate::judge::testing {

using Random = std::mt19937_64;

inline int pick(Random& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

inline bool chance(Random& random, int percent) { return pick(random, 1, 100) <= percent; }

template <typename T>
const T& one_of(Random& random, const std::vector<T>& all) {
  return all[static_cast<std::size_t>(pick(random, 0, static_cast<int>(all.size()) - 1))];
}

inline Sample random_sample(Random& random, std::int64_t number, int low, int high, int decimals) {
  const Decimal value{pick(random, low, high), -decimals};
  return {number, {ValueKind::finite, value}, value.to_string(), 0, 1};
}

inline Series random_series(Random& random, const Metric& metric, std::optional<int> rank) {
  Series out(metric.name, rank, metric.unit, metric.numbered);
  std::int64_t number = 0;
  const int size = pick(random, 2, 25);
  const int step = metric.numbered == Numbering::step ? pick(random, 1, 5) : 1;
  for (int i = 0; i < size; ++i) out.append(random_sample(random, number += step, 100, 120, 2));
  return out;
}

// Return the reference that recorded runs make, each a list of series.
inline Reference reference_of(const std::vector<std::vector<Series>>& runs) {
  Baseline baseline;
  for (const std::vector<Series>& series : runs) baseline.runs.push_back({{}, series});
  return make_reference(baseline, "b.json");
}

// Return a series with the numbers of another and values of its own.
inline Series like(Random& random, const Series& other) {
  Series out(other.metric(), other.rank(), other.unit(), other.numbered());
  for (const Sample& one : other.samples()) out.append(random_sample(random, one.number, 100, 120, 2));
  return out;
}

inline std::vector<Series> like(Random& random, const std::vector<Series>& others) {
  std::vector<Series> out;
  for (const Series& other : others) out.push_back(like(random, other));
  return out;
}

inline std::string in_words(const Series& series) {
  std::string out = label(series);
  for (const Sample& one : series.samples())
    out +=
        " " + std::to_string(one.number) + ":" +
        (one.value.is_finite() ? one.value.number.to_string() : "kind" + std::to_string(int(one.value.kind)));
  return out + "\n";
}

inline std::string in_words(const std::vector<Series>& all) {
  std::string out;
  for (const Series& series : all) out += in_words(series);
  return out;
}

inline std::string in_words(const Rule& rule) {
  std::string out = rule.name + ": " + to_string(rule.window) + ", " + std::string(to_string(rule.reduce)) +
                    ", " + to_string(rule.tolerance) + ", rank " + std::string(to_string(rule.rank)) +
                    ", misses " + std::to_string(rule.max_misses);
  if (rule.cap) out += ", cap " + rule.cap->to_string();
  return out + (rule.waive ? ", waived\n" : "\n");
}

inline std::vector<Series> random_case(Random& random) {
  std::vector<Series> all;
  for (const Metric& metric : built_in_metrics()) {
    if (!chance(random, 50)) continue;
    const int ranks = metric.numbered == Numbering::report ? pick(random, 1, 4) : 0;
    for (int rank = 0; rank < ranks; ++rank) all.push_back(random_series(random, metric, rank));
    if (ranks == 0) all.push_back(random_series(random, metric, std::nullopt));
  }
  return all;
}

inline Rule random_rule(Random& random, const std::string& metric) {
  static const std::vector<std::string> tolerances{
      "±0.05", "-5%", "+5%", "±3% or ±0.02", "±0.03 and ±9%", "exact", ">= 1", "<= 1.1", "-0.05 and +0.1"};
  static const std::vector<std::string> windows{"all", "first 5", "last 5", "3..9", "after 4", "step 5"};
  static const std::vector<std::string> reduces{"each", "each",   "each",          "mean",
                                                "mean", "median", "min",           "max",
                                                "last", "p90",    "harmonic_mean", "trimmed_mean"};
  Rule out = rule(metric, one_of(random, tolerances), one_of(random, windows), one_of(random, reduces));
  if (chance(random, 10)) {
    out.reduce = Reduce::mean_relative_error;
    out.tolerance = parse_tolerance(one_of<std::string>(random, {"<= 1%", "<= 3%"})).value();
  }
  if (chance(random, 20)) out.rank = one_of<RankMode>(random, {RankMode::max, RankMode::min, RankMode::mean});
  if (chance(random, 20)) out.max_misses = pick(random, 1, 3);
  if (chance(random, 30)) out.cap = Decimal{120, -2};
  return out;
}

}  // namespace gate::judge::testing
