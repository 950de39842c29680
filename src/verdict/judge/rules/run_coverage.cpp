#include "judge/rules/run_coverage.h"

#include <algorithm>
#include <set>

namespace gate::judge {

namespace {

bool has_number(const std::vector<std::int64_t>& numbers, std::int64_t number) {
  return std::ranges::binary_search(numbers, number);
}

// Return the numbers that this rank's own baseline has: ranks may have recorded different ones.
std::vector<std::int64_t> required_at(const RuleTarget& target, std::size_t rank) {
  return recorded_numbers(pointers_to(target.references[rank]->runs));
}

// Tell whether the number is a report of a positional list that repeats the one before it: such a list does
// not say whether a rank reported twice or one report was printed twice, so its repetition is compared and
// not demanded.
bool repeats(const ReferenceSeries& reference, std::int64_t number) {
  return std::ranges::all_of(reference.runs, [&](const Series& series) {
    const std::optional<Sample> here = series.find(number);
    const std::optional<Sample> before = series.find(number - 1);
    const bool positional = series.assumed() && series.numbered() == Numbering::report;
    return positional && here && before && here->value == before->value;
  });
}

// Tell whether what was left out may be a 0: some versions of a framework print none of them. Nobody can
// tell, so it is missing, and no value that failed.
bool may_be_zero(const ReferenceSeries& reference, const Sample& sample) {
  return sample.value.kind == ValueKind::left_out &&
         std::ranges::all_of(reference.runs, [&](const Series& series) {
           const std::optional<Sample> known = series.find(sample.number);
           return known && known->value.is_finite() && known->value.number.is_zero();
         });
}

// Tell whether the baseline's runs have the step without its value, too: a step that both skip is no failure.
bool is_left_out_by_both(const ReferenceSeries& reference, const Sample& sample) {
  return sample.value.kind == ValueKind::left_out &&
         std::ranges::all_of(reference.runs, [&](const Series& series) {
           const std::optional<Sample> known = series.find(sample.number);
           return known && known->value.kind == ValueKind::left_out;
         });
}

// Add what one series has and lacks of the numbers that its own baseline has.
void add_numbers(RunCoverage& coverage, const Series& series, const ReferenceSeries& reference,
                 const std::vector<std::int64_t>& required) {
  const std::int64_t last = series.empty() ? 0 : series.samples().last_number();
  for (const std::int64_t number : required) {
    const std::optional<Sample> found = series.find(number);
    if ((found && !may_be_zero(reference, *found)) || repeats(reference, number)) continue;
    coverage.missing.push_back(number);
    coverage.passed_over |= !series.empty() && number < last;
  }
  for (const Sample& sample : series.samples())
    if (!has_number(required, sample.number)) coverage.beyond.push_back(sample.number);
}

void add_rank(RunCoverage& coverage, const RuleTarget& target, std::size_t rank,
              const ReferenceWindow& reference, const Series& series) {
  const bool by_number = !target.open() && reference.numbered != Numbering::time;
  if (by_number) add_numbers(coverage, series, *target.references[rank], required_at(target, rank));
  const auto is_excused = [&](const Sample& sample) {
    return by_number && (may_be_zero(*target.references[rank], sample) ||
                         is_left_out_by_both(*target.references[rank], sample));
  };
  for (const Sample& sample : series.samples())
    if (!sample.value.is_finite() && !is_excused(sample)) coverage.non_finite.push_back({&series, sample});
  for (const std::int64_t number : series.conflicts())
    if (!by_number || has_number(reference.required, number)) coverage.conflicts.push_back(number);
}

void add_absent(RunCoverage& coverage, const RuleTarget& target, std::size_t rank) {
  coverage.absent.push_back(target.ranks[rank]);
  if (target.open()) return;
  const std::vector<std::int64_t> required = required_at(target, rank);
  coverage.missing.insert(coverage.missing.end(), required.begin(), required.end());
}

void add_other_ranks(RunCoverage& coverage, const RuleTarget& target, const Extraction& run) {
  for (const Series& series : run.series)
    if (series.metric() == target.metric.name &&
        std::ranges::find(coverage.series, &series) == coverage.series.end())
      coverage.beyond_ranks.push_back(series.rank());
}

// --- why a printed step has no number: what the log says of it elsewhere ---

constexpr std::size_t steps_explained = 3;
constexpr std::string_view skipped = "skipped_iterations";

// Values of one kind and rank, and where they are.
struct NonFiniteGroup {
  const NonFiniteValue* first = nullptr;
  std::vector<std::int64_t> numbers;
};

std::vector<NonFiniteGroup> groups_of(const std::vector<NonFiniteValue>& non_finite) {
  std::vector<NonFiniteGroup> groups;
  for (const NonFiniteValue& value : non_finite) {
    auto it = std::ranges::find_if(groups, [&](const NonFiniteGroup& group) {
      return group.first->series == value.series && group.first->sample.value.kind == value.sample.value.kind;
    });
    if (it == groups.end()) it = groups.insert(groups.end(), {&value, {}});
    it->numbers.push_back(value.sample.number);
  }
  return groups;
}

bool tells(const Series& series, const Sample& sample) {
  if (series.metric() == skipped) return sample.value.is_finite() && sample.value.number > Decimal{};
  return !sample.value.is_finite() && sample.value.kind != ValueKind::left_out;
}

void add_company(std::vector<Remark>& causes, const NonFiniteValue& value, const Extraction& run) {
  for (const Series& series : run.series) {
    const std::optional<Sample> sample = series.find(value.sample.number);
    const bool other =
        series.metric() != value.series->metric() && series.numbered() == value.series->numbered();
    if (other && sample && tells(series, *sample))
      causes.push_back(remark::AtSameStep{series.metric(), sample->value, sample->number});
  }
}

}  // namespace

bool is_demanded(const ReferenceSeries& reference, std::int64_t number) {
  const bool recorded = std::ranges::any_of(reference.runs, [&](const Series& series) {
    const std::optional<Sample> sample = series.find(number);
    return sample && sample->value.kind != ValueKind::left_out;
  });
  return recorded && !repeats(reference, number);
}

std::vector<const Series*> series_of(const RuleTarget& target, const Extraction& run) {
  std::vector<const Series*> found;
  for (const std::optional<int>& rank : target.ranks)
    if (const Series* series = find_counterpart(run.series, target.metric.name, rank))
      found.push_back(series);
  return found;
}

RunCoverage examine(const RuleTarget& target, const ReferenceWindow& reference, const Extraction& run) {
  RunCoverage coverage;
  coverage.series = series_of(target, run);
  for (std::size_t rank = 0; rank < target.ranks.size(); ++rank) {
    const Series* series = find_counterpart(run.series, target.metric.name, target.ranks[rank]);
    if (series != nullptr)
      add_rank(coverage, target, rank, reference, *series);
    else
      add_absent(coverage, target, rank);
  }
  if (target.rule->rank != RankMode::each) add_other_ranks(coverage, target, run);
  for (auto* numbers : {&coverage.missing, &coverage.beyond, &coverage.conflicts}) sort_unique(*numbers);
  std::ranges::stable_sort(coverage.non_finite, {}, [](const NonFiniteValue& v) { return v.sample.number; });
  return coverage;
}

std::vector<Remark> causes_of(const std::vector<NonFiniteValue>& non_finite, const Extraction& run) {
  std::vector<Remark> causes;
  for (const NonFiniteGroup& group : groups_of(non_finite))
    causes.push_back(remark::NotFinite{group.first->series->metric(), group.first->sample.value.kind,
                                       StepSet(group.numbers)});
  std::set<std::int64_t> explained;
  for (const NonFiniteValue& value : non_finite)
    if (explained.size() < steps_explained && explained.insert(value.sample.number).second)
      add_company(causes, value, run);
  return causes;
}

}  // namespace gate::judge
