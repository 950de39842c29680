#include "judge/rules/run_coverage.h"

#include <algorithm>
#include <map>

namespace gate::judge {

namespace {

bool by_time(const ReferenceWindow& yardstick) { return yardstick.numbered == Numbering::time; }

bool has_number(const std::vector<std::int64_t>& numbers, std::int64_t number) {
  return std::binary_search(numbers.begin(), numbers.end(), number);
}

void sort_unique(std::vector<std::int64_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// Return the numbers that this rank's own baseline has: ranks may have recorded different ones.
std::vector<std::int64_t> required_at(const Target& target, std::size_t rank) {
  std::vector<const Series*> runs;
  for (const Series& series : target.references[rank]->runs) runs.push_back(&series);
  return recorded_numbers(runs);
}

// Tell whether the number is a report of a positional list that repeats the one before it: such a list does
// not say whether a rank reported twice or one report was printed twice, so its repetition is compared and
// not demanded.
bool repeats(const ReferenceSeries& reference, std::int64_t number) {
  return std::all_of(reference.runs.begin(), reference.runs.end(), [&](const Series& series) {
    const std::optional<Sample> here = series.find(number);
    const std::optional<Sample> before = series.find(number - 1);
    const bool positional = series.assumed() && series.numbered() == Numbering::report;
    return positional && here && before && here->value == before->value;
  });
}

void note_missing(RunCoverage& evidence, const Series& series, const ReferenceSeries& reference,
                  const std::vector<std::int64_t>& required) {
  const std::int64_t last = series.empty() ? 0 : series.samples().last_number();
  for (const std::int64_t number : required) {
    if (series.find(number) || repeats(reference, number)) continue;
    evidence.missing.push_back(number);
    evidence.passed_over |= !series.empty() && number < last;
  }
}

void note_beyond(RunCoverage& evidence, const Series& series, const std::vector<std::int64_t>& required) {
  for (const Sample& sample : series.samples())
    if (!has_number(required, sample.number)) evidence.beyond.push_back(sample.number);
}

void note_odd(RunCoverage& evidence, const Series& series) {
  for (const Sample& sample : series.samples())
    if (!sample.value.is_finite()) evidence.odd.push_back({&series, sample});
}

void note_conflicts(RunCoverage& evidence, const Target& target, const Series& series,
                    const ReferenceWindow& yardstick) {
  for (const std::int64_t number : series.conflicts())
    if (target.open() || by_time(yardstick) || has_number(yardstick.required, number))
      evidence.conflicts.push_back(number);
}

void note_rank(RunCoverage& evidence, const Target& target, std::size_t rank,
               const ReferenceWindow& yardstick, const Series& series) {
  if (!target.open() && !by_time(yardstick)) {
    const std::vector<std::int64_t> required = required_at(target, rank);
    note_missing(evidence, series, *target.references[rank], required);
    note_beyond(evidence, series, required);
  }
  note_odd(evidence, series);
  note_conflicts(evidence, target, series, yardstick);
}

void note_absent(RunCoverage& evidence, const Target& target, std::size_t rank) {
  evidence.absent.push_back(target.ranks[rank]);
  if (target.open()) return;
  const std::vector<std::int64_t> required = required_at(target, rank);
  evidence.missing.insert(evidence.missing.end(), required.begin(), required.end());
}

void note_other_ranks(RunCoverage& evidence, const Target& target, const Extraction& run) {
  for (const Series& series : run.series)
    if (series.metric() == target.metric.name &&
        std::find(target.ranks.begin(), target.ranks.end(), series.rank()) == target.ranks.end())
      evidence.beyond_ranks.push_back(series.rank());
}

bool earlier(const OddValue& a, const OddValue& b) { return a.sample.number < b.sample.number; }

}  // namespace

bool is_demanded(const ReferenceSeries& reference, std::int64_t number) {
  const bool recorded = std::any_of(reference.runs.begin(), reference.runs.end(), [&](const Series& series) {
    const std::optional<Sample> sample = series.find(number);
    return sample && sample->value.kind != ValueKind::left_out;
  });
  return recorded && !repeats(reference, number);
}

std::vector<const Series*> series_of(const Target& target, const Extraction& run) {
  std::vector<const Series*> found;
  for (const std::optional<int>& rank : target.ranks)
    if (const Series* series = find_series(run.series, target.metric.name, rank)) found.push_back(series);
  return found;
}

RunCoverage examine(const Target& target, const ReferenceWindow& yardstick, const Extraction& run) {
  RunCoverage evidence;
  evidence.series = series_of(target, run);
  for (std::size_t rank = 0; rank < target.ranks.size(); ++rank) {
    const Series* series = find_series(run.series, target.metric.name, target.ranks[rank]);
    series != nullptr ? note_rank(evidence, target, rank, yardstick, *series)
                      : note_absent(evidence, target, rank);
  }
  if (target.rule->rank != RankMode::each) note_other_ranks(evidence, target, run);
  for (auto* numbers : {&evidence.missing, &evidence.beyond, &evidence.conflicts}) sort_unique(*numbers);
  std::stable_sort(evidence.odd.begin(), evidence.odd.end(), earlier);
  return evidence;
}

}  // namespace gate::judge
