// Why a printed step has no number: what the log says of it elsewhere.
#include <algorithm>
#include <set>
#include <utility>

#include "judge/rules/run_coverage.h"

namespace gate::judge {

namespace {

constexpr std::size_t steps_explained = 3;
constexpr std::string_view skipped = "skipped_iterations";

// Values of one kind and rank, and where they are.
struct Group {
  const OddValue* first = nullptr;
  std::vector<std::int64_t> numbers;
};

bool same_group(const OddValue& a, const OddValue& b) {
  return a.series == b.series && a.sample.value.kind == b.sample.value.kind;
}

std::vector<Group> groups_of(const std::vector<OddValue>& odd) {
  std::vector<Group> groups;
  for (const OddValue& value : odd) {
    auto it = std::find_if(groups.begin(), groups.end(),
                           [&](const Group& group) { return same_group(*group.first, value); });
    if (it == groups.end()) it = groups.insert(groups.end(), {&value, {}});
    it->numbers.push_back(value.sample.number);
  }
  return groups;
}

bool tells(const Series& series, const Sample& sample) {
  if (series.metric() == skipped) return sample.value.is_finite() && sample.value.number > Decimal{};
  return !sample.value.is_finite() && sample.value.kind != ValueKind::left_out;
}

void add_company(std::vector<Remark>& causes, const OddValue& value, const Extraction& run) {
  for (const Series& series : run.series) {
    const std::optional<Sample> sample = series.find(value.sample.number);
    const bool other =
        series.metric() != value.series->metric() && series.numbered() == value.series->numbered();
    if (other && sample && tells(series, *sample))
      causes.push_back(remark::AtSameStep{series.metric(), sample->value, sample->number});
  }
}

}  // namespace

std::vector<Remark> causes_of(const std::vector<OddValue>& odd, const Extraction& run) {
  std::vector<Remark> causes;
  for (const Group& group : groups_of(odd))
    causes.push_back(remark::NotFinite{group.first->series->metric(), group.first->sample.value.kind,
                                       StepSet(group.numbers)});
  std::set<std::int64_t> explained;
  for (const OddValue& value : odd)
    if (explained.size() < steps_explained && explained.insert(value.sample.number).second)
      add_company(causes, value, run);
  return causes;
}

}  // namespace gate::judge
