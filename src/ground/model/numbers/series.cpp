#include "gate/model/numbers/series.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gate/base/text.h"
#include "gate/model/numbers/sample.h"

namespace gate {

Series::Series(std::string metric, std::optional<int> rank, std::string unit, Numbering numbered)
    : metric_(std::move(metric)), rank_(rank), unit_(std::move(unit)), numbered_(numbered) {}

Series::Series(std::string metric, std::optional<int> rank, std::string unit, Numbering numbered,
               SampleTape samples)
    : Series(std::move(metric), rank, std::move(unit), numbered) {
  samples_ = std::move(samples);
}

bool Series::append(const SampleView& sample) {
  if (!samples_.empty() && sample.number <= samples_.last_number()) return false;
  samples_.append(sample);
  return true;
}

void Series::rename(std::string metric, std::string unit) {
  metric_ = std::move(metric);
  unit_ = std::move(unit);
}

void Series::mark_conflict(std::int64_t number) {
  const auto it = std::lower_bound(conflicts_.begin(), conflicts_.end(), number);
  if (it == conflicts_.end() || *it != number) conflicts_.insert(it, number);
}

Series series_at(const Series& series, const std::function<bool(std::int64_t number)>& keeps) {
  Series kept(series.metric(), series.rank(), series.unit(), series.numbered());
  kept.set_assumed(series.assumed());
  kept.set_of_last_steps(series.of_last_steps());
  kept.set_unrounded(series.unrounded());
  for (auto it = series.samples().begin(); it != series.samples().end(); ++it)
    if (keeps(it.number())) kept.append(it.view());
  for (const std::int64_t number : series.conflicts())
    if (keeps(number)) kept.mark_conflict(number);
  for (const std::int64_t number : series.unrecorded())
    if (keeps(number)) kept.mark_unrecorded(number);
  return kept;
}

std::string label(const Series& series) {
  return series.metric() + (series.rank() ? " rank " + std::to_string(*series.rank()) : "");
}

const Series* find_series(std::span<const Series> all, std::string_view metric, std::optional<int> rank) {
  const auto it = std::ranges::find_if(
      all, [&](const Series& series) { return series.metric() == metric && series.rank() == rank; });
  return it == all.end() ? nullptr : &*it;
}

const Series* find_counterpart(std::span<const Series> all, std::string_view metric,
                               std::optional<int> rank) {
  if (const Series* same = find_series(all, metric, rank)) return same;
  const auto is_of = [&](const Series& series) { return series.metric() == metric; };
  const auto only = std::ranges::find_if(all, is_of);
  return std::ranges::count_if(all, is_of) == 1 && (!rank || !only->rank()) ? &*only : nullptr;
}

std::map<std::string, std::set<int>> ranks_by_metric(std::span<const Series> all) {
  std::map<std::string, std::set<int>> ranks;
  for (const Series& series : all)
    if (series.rank()) ranks[series.metric()].insert(*series.rank());
  return ranks;
}

void take_longer(const Series*& records, const Series& series) {
  if (series.numbered() == Numbering::step && (records == nullptr || series.size() > records->size()))
    records = &series;
}

bool Value::operator==(const Value& other) const {
  return kind == other.kind && (kind != ValueKind::finite || number == other.number);
}

std::optional<Value> parse_value(std::string_view word) {
  Value value;
  return parse_value(word, value) ? std::optional(value) : std::nullopt;
}

bool parse_value(std::string_view word, Value& value) {
  value.kind = ValueKind::finite;
  constexpr std::int32_t near_infinity = 270;  // a coefficient has up to 38 digits, the largest double 309
  if (Decimal::parse(word, value.number)) {
    if (value.number.exponent > near_infinity && std::isinf(value.number.to_double()))
      value = {value.number.is_negative() ? ValueKind::negative_infinity : ValueKind::positive_infinity, {}};
    return true;
  }
  value.number = {};
  const bool negative = !word.empty() && word[0] == '-';
  if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.remove_prefix(1);
  const std::string name = to_lower(word.substr(0, 16));
  if (name == "nan")
    value.kind = ValueKind::nan;
  else if (name == "inf" || name == "infinity")
    value.kind = negative ? ValueKind::negative_infinity : ValueKind::positive_infinity;
  return !value.is_finite();
}

std::string word_in_unit(const Sample& sample) {
  if (sample.value.kind == ValueKind::left_out) return "";
  const auto printed = parse_value(sample.text);
  if (printed && *printed == sample.value) return sample.text;
  constexpr std::string_view names[] = {"", "nan", "inf", "-inf", ""};
  if (!sample.value.is_finite()) return std::string(names[static_cast<std::size_t>(sample.value.kind)]);
  return sample.value.number.to_string();
}

}  // namespace gate
