#include "gate/judging/refusals.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "gate/base/text.h"
#include "gate/model/numbers/step_set.h"

namespace gate::app {

namespace {

struct RefusalRow {
  const char* name;
  std::string (*why)(const Baseline& candidate,
                     const Baseline* present);  // "" where there is nothing to refuse
};

// Return the first complaint about a run of the candidate, with its number where there are several.
template <typename Complaint>
std::string first_of_runs(const Baseline& candidate, Complaint complaint) {
  for (std::size_t i = 0; i < candidate.runs.size(); ++i)
    if (const std::string why = complaint(candidate.runs[i]); !why.empty())
      return (candidate.runs.size() > 1 ? "run " + std::to_string(i + 1) + ": " : "") + why;
  return "";
}

// Times are never the same twice.
std::vector<std::int64_t> missing_numbers(const Series& present, const Series& candidate) {
  std::vector<std::int64_t> missing;
  if (present.numbered() == Numbering::time) return missing;
  std::ranges::set_difference(present.samples().numbers(), candidate.samples().numbers(),
                              std::back_inserter(missing));
  return missing;
}

// Return what of `wanted` the run does not have; `whose` has it.
std::string lacks(const BaselineRun& run, const BaselineRun& wanted, const std::string& whose) {
  for (const Series& series : wanted.series) {
    const Series* same = find_series(run.series, series.metric(), series.rank());
    if (same == nullptr) return whose + " has " + label(series) + ", the candidate has not";
    const std::vector<std::int64_t> numbers = missing_numbers(series, *same);
    if (!numbers.empty())
      return label(series) + ": " + std::string(to_string(series.numbered())) + " " +
             to_string(StepSet(numbers)) + " of " + whose + " " + (numbers.size() == 1 ? "is" : "are") +
             " not in the candidate";
  }
  return "";
}

// Every run must have what the present baseline has, and what any other run of the candidate has.
std::string missing(const Baseline& candidate, const Baseline* present) {
  return first_of_runs(candidate, [&](const BaselineRun& run) -> std::string {
    if (!run.unfit.empty()) return run.unfit;
    if (present != nullptr)
      for (const BaselineRun& wanted : present->runs)
        if (std::string why = lacks(run, wanted, "the present baseline"); !why.empty()) return why;
    for (std::size_t i = 0; i < candidate.runs.size(); ++i)
      if (&run != &candidate.runs[i])
        if (std::string why = lacks(run, candidate.runs[i], "run " + std::to_string(i + 1)); !why.empty())
          return why;
    return "";
  });
}

std::int64_t last_step_of(const Baseline* baseline) {
  std::int64_t last = 0;
  if (baseline != nullptr)
    for (const BaselineRun& run : baseline->runs) last = std::max(last, last_step(run.series));
  return last;
}

std::string too_short(const Baseline& candidate, const Baseline* present) {
  const std::int64_t before = last_step_of(present);
  return first_of_runs(candidate, [&](const BaselineRun& run) -> std::string {
    const std::int64_t reached = last_step(run.series);
    const std::string until = "the candidate ends at step " + std::to_string(reached);
    if (reached < before) return until + ", the present baseline at step " + std::to_string(before);
    if (!run.total || reached == 0 || reached >= *run.total) return "";
    return until + " of the " + std::to_string(*run.total) + " that its log announces";
  });
}

std::string non_finite(const Baseline& candidate, const Baseline*) {
  return first_of_runs(candidate, [](const BaselineRun& run) -> std::string {
    for (const Series& series : run.series)
      for (const Sample& sample : series.samples())
        if (!sample.value.is_finite())
          return label(series) + " is " + (sample.text.empty() ? "left out" : sample.text) + " at " +
                 std::string(to_string(series.numbered())) + " " + std::to_string(sample.number);
    return "";
  });
}

std::string bad_end(const Baseline& candidate, const Baseline*) {
  return candidate.provenance.ended_well ? "" : "it comes from a run that did not end well";
}

// Return `said` with the words that the candidate's run was given, and with those of before; "" if they are
// the same.
std::string other_words(const Baseline& candidate, const Baseline* present,
                        std::vector<std::string> Provenance::*words, const std::string& said) {
  const auto in_quotes = [](const std::vector<std::string>& all) {
    return all.empty() ? "none" : "\"" + join(all, " ") + "\"";
  };
  const auto before = present != nullptr ? present->provenance.*words : std::vector<std::string>{};
  const std::vector<std::string>& after = candidate.provenance.*words;
  return after == before ? "" : said + in_quotes(after) + ", before: " + in_quotes(before);
}

std::string other_args(const Baseline& candidate, const Baseline* present) {
  return other_words(candidate, present, &Provenance::args, "its script was given other ARGS: ");
}

std::string other_set(const Baseline& candidate, const Baseline* present) {
  return other_words(candidate, present, &Provenance::set, "it was run with other --set: ");
}

std::string fewer_runs(const Baseline& candidate, const Baseline* present) {
  if (present == nullptr || candidate.runs.size() >= present->runs.size()) return "";
  return "the candidate holds " + count_of(static_cast<std::int64_t>(candidate.runs.size()), "run") +
         ", the present baseline " + std::to_string(present->runs.size());
}

constexpr std::array<RefusalRow, 7> refusal_rows{{{"missing", missing},
                                                  {"fewer_runs", fewer_runs},
                                                  {short_refusal, too_short},
                                                  {"non_finite", non_finite},
                                                  {bad_end_refusal, bad_end},
                                                  {"args", other_args},
                                                  {"set", other_set}}};

}  // namespace

std::vector<Refusal> refusals(const Baseline& candidate, const Baseline* present) {
  std::vector<Refusal> found;
  for (const RefusalRow& row : refusal_rows)
    if (std::string why = row.why(candidate, present); !why.empty())
      found.push_back({row.name, std::move(why)});
  return found;
}

std::vector<std::string> refusal_names() {
  std::vector<std::string> names{regressed_refusal, drift_refusal};
  for (const RefusalRow& row : refusal_rows) names.emplace_back(row.name);
  return names;
}

}  // namespace gate::app
