#include "gate/model/series.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate {

bool Value::operator==(const Value& other) const {
  return kind == other.kind && (kind != ValueKind::finite || number == other.number);
}

std::optional<Value> parse_value(std::string_view word) {
  if (const std::optional<Decimal> number = Decimal::parse(word)) return Value{ValueKind::finite, *number};
  const bool negative = !word.empty() && word[0] == '-';
  if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.remove_prefix(1);
  const std::string name = to_lower(word.substr(0, 16));
  if (name == "nan") return Value{ValueKind::nan, {}};
  if (name == "inf" || name == "infinity")
    return Value{negative ? ValueKind::negative_infinity : ValueKind::positive_infinity, {}};
  return std::nullopt;
}

Series::Series(std::string metric, std::optional<int> rank, std::string unit, Numbering numbered)
    : metric_(std::move(metric)), rank_(rank), unit_(std::move(unit)), numbered_(numbered) {}

bool Series::append(Sample sample) {
  if (!samples_.empty() && sample.number <= samples_.back().number) return false;
  samples_.push_back(std::move(sample));
  return true;
}

void Series::replace_last(Sample sample) {
  if (!samples_.empty()) samples_.back() = std::move(sample);
}

void Series::mark_conflict(std::int64_t number) {
  const auto it = std::lower_bound(conflicts_.begin(), conflicts_.end(), number);
  if (it == conflicts_.end() || *it != number) conflicts_.insert(it, number);
}

const Sample* Series::find(std::int64_t number) const {
  const auto it = std::lower_bound(samples_.begin(), samples_.end(), number,
                                   [](const Sample& sample, std::int64_t n) { return sample.number < n; });
  return it != samples_.end() && it->number == number ? &*it : nullptr;
}

std::string label(const Series& series) {
  return series.metric() + (series.rank() ? " rank " + std::to_string(*series.rank()) : "");
}

const Series* find_series(std::span<const Series> all, std::string_view metric, std::optional<int> rank) {
  const auto it = std::find_if(all.begin(), all.end(), [&](const Series& series) {
    return series.metric() == metric && series.rank() == rank;
  });
  return it == all.end() ? nullptr : &*it;
}

}  // namespace gate
