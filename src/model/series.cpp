#include "gate/model/series.h"

#include <algorithm>
#include <utility>

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

void Series::replace_last(const Sample& sample) {
  if (samples_.empty()) return;
  samples_.pop_back();
  samples_.append(sample);
}

void Series::mark_conflict(std::int64_t number) {
  const auto it = std::lower_bound(conflicts_.begin(), conflicts_.end(), number);
  if (it == conflicts_.end() || *it != number) conflicts_.insert(it, number);
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
