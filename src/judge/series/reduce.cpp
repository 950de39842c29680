#include "judge/series/reduce.h"

#include <algorithm>
#include <array>
#include <vector>

namespace gate::judge {

namespace {

using ValueSpan = std::span<const Number>;

std::vector<Number> sorted(ValueSpan values) {
  std::vector<Number> copy(values.begin(), values.end());
  const auto less = [](const Number& a, const Number& b) { return compare(a, b) < 0; };
  std::stable_sort(copy.begin(), copy.end(), less);
  return copy;
}

std::optional<Number> mean(ValueSpan values) { return mean_of(values); }

std::optional<Number> median(ValueSpan values) {
  const std::vector<Number> all = sorted(values);
  const std::size_t half = all.size() / 2;
  return all.size() % 2 == 1 ? all[half] : over(plus(all[half - 1], all[half]), 2);
}

std::optional<Number> minimum(ValueSpan values) { return sorted(values).front(); }
std::optional<Number> maximum(ValueSpan values) { return sorted(values).back(); }
std::optional<Number> last_value(ValueSpan values) { return values.back(); }

// Nearest rank: the smallest value with at least nine tenths of all values not above it.
std::optional<Number> p90(ValueSpan values) { return sorted(values)[(9 * values.size() + 9) / 10 - 1]; }

std::optional<Number> harmonic_mean(ValueSpan values) {
  double sum = 0;
  for (const Number& value : values) {
    if (!(to_double(value) > 0)) return std::nullopt;
    sum += 1 / to_double(value);
  }
  return number(static_cast<double>(values.size()) / sum);
}

std::optional<Number> trimmed_mean(ValueSpan values) {
  const std::vector<Number> all = sorted(values);
  const std::size_t cut = all.size() / 10;
  return mean_of(ValueSpan(all).subspan(cut, all.size() - 2 * cut));
}

constexpr std::array<ReduceRow, 9> reduce_table{{
    {Reduce::each, "every value for itself", nullptr},
    {Reduce::mean, "the mean", mean},
    {Reduce::median, "the middle value; of an even count the mean of the middle two", median},
    {Reduce::min, "the smallest value", minimum},
    {Reduce::max, "the largest value", maximum},
    {Reduce::last, "the value with the highest number", last_value},
    {Reduce::p90, "the 90th percentile by nearest rank", p90},
    {Reduce::harmonic_mean, "the harmonic mean, of values above 0", harmonic_mean},
    {Reduce::trimmed_mean, "the mean without the floor(n/10) smallest and largest", trimmed_mean},
}};

}  // namespace

std::span<const ReduceRow> reduces() { return reduce_table; }

std::optional<Number> reduce(Reduce how, std::span<const Number> values) {
  const ReduceRow& row = reduce_table.at(static_cast<std::size_t>(how));
  return row.apply == nullptr || values.empty() ? std::nullopt : row.apply(values);
}

}  // namespace gate::judge
