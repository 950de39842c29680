#include <algorithm>
#include <array>

#include "app/case_judge.h"
#include "gate/app/baseline.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

struct RefusalRow {
  const char* name;
  std::string (*why)(const Baseline& candidate,
                     const Baseline* present);  // "" where there is nothing to refuse
};

const std::vector<Series>& series_of(const Baseline& baseline) {
  static const std::vector<Series> none;
  return baseline.runs.empty() ? none : baseline.runs.back().series;
}

std::vector<std::int64_t> missing_numbers(const Series& present, const Series& candidate) {
  std::vector<std::int64_t> missing;
  for (const Sample& sample : present.samples())
    if (candidate.find(sample.number) == nullptr) missing.push_back(sample.number);
  return missing;
}

std::string missing(const Baseline& candidate, const Baseline* present) {
  if (present == nullptr) return "";
  for (const Series& series : series_of(*present)) {
    const Series* same = find_series(series_of(candidate), series.metric(), series.rank());
    if (same == nullptr) return "the present baseline has " + label(series) + ", the candidate has not";
    const std::vector<std::int64_t> numbers = missing_numbers(series, *same);
    if (!numbers.empty())
      return label(series) + ": " + std::string(to_string(series.numbered())) + " " + ranges(numbers) +
             " of the present baseline " + (numbers.size() == 1 ? "is" : "are") + " not in the candidate";
  }
  return "";
}

std::string too_short(const Baseline& candidate, const Baseline* present) {
  const std::int64_t reached = last_step(series_of(candidate));
  const std::string until = "the candidate ends at step " + std::to_string(reached);
  if (present != nullptr && reached < last_step(series_of(*present)))
    return until + ", the present baseline at step " + std::to_string(last_step(series_of(*present)));
  const auto total = candidate.runs.empty() ? std::nullopt : candidate.runs.back().total;
  if (total && reached > 0 && reached < *total)
    return until + " of the " + std::to_string(*total) + " that its log announces";
  return "";
}

std::string non_finite(const Baseline& candidate, const Baseline*) {
  for (const Series& series : series_of(candidate))
    for (const Sample& sample : series.samples())
      if (!sample.value.is_finite())
        return label(series) + " is " + (sample.text.empty() ? "left out" : sample.text) + " at " +
               std::string(to_string(series.numbered())) + " " + std::to_string(sample.number);
  return "";
}

std::string bad_end(const Baseline& candidate, const Baseline*) {
  return candidate.provenance.ended_well ? "" : "it comes from a run that did not end well";
}

std::string in_quotes(const std::vector<std::string>& words) {
  return words.empty() ? "none" : "\"" + join(words, " ") + "\"";
}

std::string other_args(const Baseline& candidate, const Baseline* present) {
  const std::vector<std::string> before =
      present != nullptr ? present->provenance.args : std::vector<std::string>{};
  if (candidate.provenance.args == before) return "";
  return "its script was given other ARGS: " + in_quotes(candidate.provenance.args) +
         ", before: " + in_quotes(before);
}

std::string other_set(const Baseline& candidate, const Baseline* present) {
  const std::vector<std::string> before =
      present != nullptr ? present->provenance.set : std::vector<std::string>{};
  if (candidate.provenance.set == before) return "";
  return "it was run with other --set: " + in_quotes(candidate.provenance.set) +
         ", before: " + in_quotes(before);
}

constexpr std::array<RefusalRow, 6> rows{{{"missing", missing},
                                          {"short", too_short},
                                          {"non_finite", non_finite},
                                          {"bad_end", bad_end},
                                          {"args", other_args},
                                          {"set", other_set}}};

}  // namespace

std::vector<Refusal> refusals(const Baseline& candidate, const Baseline* present) {
  std::vector<Refusal> found;
  for (const RefusalRow& row : rows)
    if (std::string why = row.why(candidate, present); !why.empty())
      found.push_back({row.name, std::move(why)});
  return found;
}

std::vector<std::string> refusal_names() {
  std::vector<std::string> names;
  for (const RefusalRow& row : rows) names.emplace_back(row.name);
  return names;
}

}  // namespace gate::app
