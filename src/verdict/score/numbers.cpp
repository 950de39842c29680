#include "gate/score/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "gate/base/text.h"

namespace gate::score {

namespace {

// Squares and quotients of any two doubles are far inside its range, and a sum of ten million of them is
// right to at least twelve digits.
using Wide = long double;
static_assert(std::numeric_limits<Wide>::max_exponent >= 8 * std::numeric_limits<double>::max_exponent &&
              std::numeric_limits<Wide>::digits > std::numeric_limits<double>::digits);

constexpr Wide endless = std::numeric_limits<Wide>::infinity();

// What all pairs of finite numbers come to.
struct PairSums {
  std::int64_t pairs = 0;       // of finite numbers
  std::int64_t non_finite = 0;  // pairs of which a side is no finite number, also those of two NaN
  std::int64_t zero_golden = 0;
  std::int64_t differing = 0;
  Wide distance = 0, largest_distance = 0, squared_distance = 0;  // of |a-g|
  Wide relative = 0, largest_relative = 0;                        // of |a-g|/|g| where g is not zero
  Wide golden = 0, squared_actual = 0, squared_golden = 0, product = 0;
  std::int64_t within_one_thousandth = 0, within_five_thousandths = 0;
};

// What a metric says of one pair alone.
enum class PairValue : std::uint8_t { none, distance, relative, one_thousandth, five_thousandths };

bool is_relative(PairValue value) { return value >= PairValue::relative; }

struct NumberMetricRow {
  std::string_view name;
  PairValue of_pair;
  Wide (*value)(const PairSums& sums);  // nullptr: it takes more than sums
};

Wide divide_or_worst(Wide dividend, Wide divisor) {
  if (divisor > 0) return dividend / divisor;
  return dividend > 0 ? endless : 0;
}

Wide cosine_of(const PairSums& sums) {
  if (sums.squared_actual == 0 && sums.squared_golden == 0) return 1;
  if (sums.squared_actual == 0 || sums.squared_golden == 0) return 0;
  return std::clamp<Wide>(sums.product / std::sqrt(sums.squared_actual * sums.squared_golden), -1, 1);
}

// Of golden numbers that are all zero.
Wide relative_or_worst(const PairSums& sums, Wide value) {
  return sums.zero_golden < sums.pairs || sums.differing == 0 ? value : endless;
}

constexpr std::array number_metrics{
    NumberMetricRow{"cosine", PairValue::none, cosine_of},
    NumberMetricRow{"max_abs_error", PairValue::distance,
                    [](const PairSums& sums) { return sums.largest_distance; }},
    NumberMetricRow{"mean_abs_error", PairValue::distance,
                    [](const PairSums& sums) { return sums.distance / static_cast<Wide>(sums.pairs); }},
    NumberMetricRow{"rmse", PairValue::distance,
                    [](const PairSums& sums) {
                      return std::sqrt(sums.squared_distance / static_cast<Wide>(sums.pairs));
                    }},
    NumberMetricRow{"max_relative_error", PairValue::relative,
                    [](const PairSums& sums) { return relative_or_worst(sums, sums.largest_relative); }},
    NumberMetricRow{"mean_relative_error", PairValue::relative,
                    [](const PairSums& sums) {
                      const auto pairs = std::max<std::int64_t>(1, sums.pairs - sums.zero_golden);
                      return relative_or_worst(sums, sums.relative / static_cast<Wide>(pairs));
                    }},
    NumberMetricRow{"accumulated_relative_error", PairValue::relative,
                    [](const PairSums& sums) { return divide_or_worst(sums.distance, sums.golden); }},
    NumberMetricRow{"relative_euclidean_distance", PairValue::relative,
                    [](const PairSums& sums) {
                      return std::sqrt(divide_or_worst(sums.squared_distance, sums.squared_golden));
                    }},
    NumberMetricRow{"kl_divergence", PairValue::none, nullptr},
    NumberMetricRow{"one_thousandth_ratio", PairValue::one_thousandth,
                    [](const PairSums& sums) {
                      return static_cast<Wide>(sums.within_one_thousandth) / static_cast<Wide>(sums.pairs);
                    }},
    NumberMetricRow{"five_thousandths_ratio", PairValue::five_thousandths,
                    [](const PairSums& sums) {
                      return static_cast<Wide>(sums.within_five_thousandths) / static_cast<Wide>(sums.pairs);
                    }},
};

// One pair of finite numbers.
struct Pair {
  Wide actual = 0, golden = 0;

  Wide distance() const { return std::abs(actual - golden); }
  Wide relative() const { return distance() / std::abs(golden); }  // of a golden number that is not zero
  bool is_within(Wide limit) const { return golden != 0 && relative() < limit; }
};

constexpr Wide one_thousandth = 0.001L;
constexpr Wide five_thousandths = 0.005L;

// Goes through the pairs and remembers what is told of them.
class PairReader {
 public:
  explicit PairReader(PairValue of_pair) : of_pair_(of_pair) {}

  void add(std::int64_t number, double actual, double golden) {
    const bool is_finite = std::isfinite(actual) && std::isfinite(golden);
    if (!is_finite || actual != golden) remember(number, actual, golden);
    if (is_finite)
      add_finite({actual, golden});
    else
      ++sums_.non_finite;
  }

  const PairSums& sums() const { return sums_; }

  std::int64_t first() const { return first_; }  // the numbers of pairs; 0 is none
  std::int64_t worst() const { return worst_; }

 private:
  void add_finite(const Pair& pair) {
    ++sums_.pairs;
    const Wide distance = pair.distance();
    sums_.distance += distance;
    sums_.largest_distance = std::max(sums_.largest_distance, distance);
    sums_.squared_distance += distance * distance;
    sums_.golden += std::abs(pair.golden);
    sums_.squared_actual += pair.actual * pair.actual;
    sums_.squared_golden += pair.golden * pair.golden;
    sums_.product += pair.actual * pair.golden;
    if (pair.golden == 0) {
      ++sums_.zero_golden;
      return;
    }
    const Wide relative = distance / std::abs(pair.golden);
    sums_.relative += relative;
    sums_.largest_relative = std::max(sums_.largest_relative, relative);
    sums_.within_one_thousandth += relative < one_thousandth ? 1 : 0;
    sums_.within_five_thousandths += relative < five_thousandths ? 1 : 0;
  }

  // How bad a pair is: one that is not finite is worse than any, one without a relative error better than one
  // with it where that is asked for.
  struct Badness {
    int rank = -1;
    Wide size = 0;
    auto operator<=>(const Badness&) const = default;
  };

  Badness badness_of(double actual, double golden) const {
    if (!std::isfinite(actual) || !std::isfinite(golden)) return {2, 0};
    const Pair pair{actual, golden};
    if (is_relative(of_pair_) && golden != 0) return {1, pair.relative()};
    return {0, pair.distance()};
  }

  void remember(std::int64_t number, double actual, double golden) {
    if (++sums_.differing == 1) first_ = number;
    const Badness badness = badness_of(actual, golden);
    if (!(worst_badness_ < badness)) return;
    worst_badness_ = badness;
    worst_ = number;
  }

  PairValue of_pair_;
  PairSums sums_;
  std::int64_t first_ = 0, worst_ = 0;
  Badness worst_badness_;
};

// Return the double nearest to the value, or nothing beyond its range.
std::optional<double> narrow(Wide value) {
  if (!(std::abs(value) <= static_cast<Wide>(std::numeric_limits<double>::max()))) return std::nullopt;
  return static_cast<double>(value);
}

std::optional<double> value_of_pair(PairValue of_pair, double actual, double golden) {
  if (of_pair == PairValue::none || !std::isfinite(actual) || !std::isfinite(golden)) return std::nullopt;
  const Pair pair{actual, golden};
  if (of_pair == PairValue::distance) return narrow(pair.distance());
  if (golden == 0) return std::nullopt;
  if (of_pair == PairValue::relative) return narrow(pair.relative());
  return pair.is_within(of_pair == PairValue::one_thousandth ? one_thousandth : five_thousandths) ? 1 : 0;
}

std::optional<OutputDifference> difference_at(std::int64_t number, PairValue of_pair, const Numbers& actual,
                                              const Numbers& golden) {
  if (number == 0) return std::nullopt;
  const double a = actual.values[static_cast<std::size_t>(number - 1)];
  const double g = golden.values[static_cast<std::size_t>(number - 1)];
  return OutputDifference{.number = number,
                          .actual = fmt::format("{}", a),
                          .golden = fmt::format("{}", g),
                          .value = value_of_pair(of_pair, a, g)};
}

// Tell whether the rows of a table are compared by their place since a side does not say their steps.
bool is_by_place(const Numbers& actual, const Numbers& golden) {
  return (actual.is_named || golden.is_named) && golden.values.size() > 1 &&
         (actual.steps.empty() || golden.steps.empty());
}

std::string signature_of(PairValue of_pair, const PairSums& sums, const Numbers& actual,
                         const Numbers& golden) {
  std::string signature = fmt::format("n:{}", golden.values.size());
  if (is_by_place(actual, golden)) signature += "|by:place";
  if (is_relative(of_pair)) signature += fmt::format("|zero_golden:{}", sums.zero_golden);
  if (sums.non_finite > 0) signature += fmt::format("|non_finite:{}", sums.non_finite);
  return signature;
}

// Return the sum of a side that is a distribution. NaN and infinity of the actual side are not complained of.
Result<Wide> sum_of_distribution(std::span<const double> values, std::string_view side, bool is_golden) {
  Wide sum = 0;
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (std::isfinite(values[at]) ? values[at] < 0 : is_golden)
      return fail(fmt::format("kl_divergence takes two distributions, and {} number {} is {}", side, at + 1,
                              values[at]));
    sum += values[at];
  }
  if (sum == 0)
    return fail(fmt::format("kl_divergence takes two distributions, and all {} numbers are zero", side));
  return sum;
}

// Return Σ q ln(q/p). Source: S. Kullback, R. A. Leibler, On Information and Sufficiency, 1951.
Result<Wide> kl_divergence(std::span<const double> actual, std::span<const double> golden) {
  GATE_TRY(const Wide golden_sum, sum_of_distribution(golden, "golden", true));
  GATE_TRY(const Wide actual_sum, sum_of_distribution(actual, "actual", false));
  if (!std::isfinite(actual_sum)) return endless;
  Wide divergence = 0;
  for (std::size_t at = 0; at < golden.size(); ++at) {
    if (golden[at] == 0) continue;
    if (actual[at] == 0) return endless;
    const Wide q = golden[at] / golden_sum;
    divergence += q * std::log(q / (actual[at] / actual_sum));
  }
  return std::max<Wide>(divergence, 0);
}

Status check_sides(const Numbers& actual, const Numbers& golden) {
  if (actual.values.size() != golden.values.size())
    return fail(fmt::format("{} instead of {}",
                            count_of(static_cast<std::int64_t>(actual.values.size()), "number"),
                            golden.values.size()));
  if (!actual.shape.empty() && !golden.shape.empty() && actual.shape != golden.shape)
    return fail(fmt::format("numbers of shape {} instead of {}", actual.shape, golden.shape));
  if (golden.values.empty()) return fail("neither side holds a number");
  if (actual.steps.size() != golden.steps.size() || actual.steps == golden.steps) return {};
  const auto [own, wanted] = std::ranges::mismatch(actual.steps, golden.steps);
  return fail(fmt::format("step {} instead of {} in row {}", *own, *wanted, own - actual.steps.begin() + 1));
}

double worst_value(std::string_view metric) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return find_metric(metric)->better == Better::lower ? infinity : -infinity;
}

Result<double> value_of(const NumberMetricRow& row, const PairSums& sums, const Numbers& actual,
                        const Numbers& golden) {
  Wide value = 0;
  if (row.value == nullptr) {
    GATE_TRY(value, kl_divergence(actual.values, golden.values));
  }
  if (sums.non_finite > 0) return worst_value(row.name);
  if (row.value != nullptr) value = row.value(sums);
  return narrow(value).value_or(worst_value(row.name));
}

}  // namespace

Result<Score> score_numbers(std::string_view metric, const Numbers& actual, const Numbers& golden) {
  const auto* row = std::ranges::find(number_metrics, metric, &NumberMetricRow::name);
  if (row == number_metrics.end() || find_metric(metric) == nullptr)
    return fail("\"" + printable(metric, 40) + "\" is no metric of numbers");
  GATE_TRY_STATUS(check_sides(actual, golden));
  PairReader reader(row->of_pair);
  for (std::size_t at = 0; at < golden.values.size(); ++at)
    reader.add(static_cast<std::int64_t>(at + 1), actual.values[at], golden.values[at]);
  GATE_TRY(const double value, value_of(*row, reader.sums(), actual, golden));
  return Score{.value = value,
               .signature = signature_of(row->of_pair, reader.sums(), actual, golden),
               .compared = static_cast<std::int64_t>(golden.values.size()),
               .differing = reader.sums().differing,
               .first = difference_at(reader.first(), row->of_pair, actual, golden),
               .worst = difference_at(reader.worst(), row->of_pair, actual, golden)};
}

}  // namespace gate::score
