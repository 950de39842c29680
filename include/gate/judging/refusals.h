// Refusals: why a candidate should not replace a baseline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/judging/case_judge.h"
#include "gate/model/runs/baseline.h"

namespace gate::app {

// The refusals of a candidate that is red under the present rules, of one that lies beyond twice the
// tolerance from the first accepted baseline, of one whose noise makes more than 1 % of good runs red, of a
// short one, and of one whose run did not end well.
inline constexpr const char* regressed_refusal = "regressed";
inline constexpr const char* drift_refusal = "drift";
inline constexpr const char* noisy_refusal = "noisy";
inline constexpr const char* short_refusal = "short";
inline constexpr const char* bad_end_refusal = "bad_end";

// Why a candidate should not replace the present baseline, by name.
struct Refusal {
  std::string name;
  Sentence text;
};

// Return the refusals: `missing` (a metric, rank or step that the present baseline or another run of the
// candidate has is not there, or ranks that its log announces), `fewer_runs` (than it holds), `short`
// (shorter than it, or than its log announces, or begun later than a training begins), `non_finite`,
// `bad_end`, `args`, `set`; one bad run of the candidate is enough. `present` may be nullptr.
std::vector<Refusal> refusals(const Baseline& candidate, const Baseline* present);

// Add that the candidate lacks the metric of one of the rules, all of the case, that is `required` and that
// its log is to print: `missing`, where that does not stand there yet.
void add_lacking(std::vector<Refusal>& refusals, const Baseline& candidate, const config::Case& spec,
                 const std::vector<Rule>& rules);

// Return the first of these that makes a recording a bad one, whatever its baseline is: `missing`, `short`,
// `non_finite`. Nothing where it is good.
std::optional<Refusal> flaw_of_recording(const Baseline& candidate, const config::Case& spec);

// Judge the candidate as if it were a run, against what a run would be judged against. Return the report of
// the first of its runs that does not pass, else of the first; its speed is judged by the mean of all its
// runs.
CaseReport judge_candidate(const config::Case& spec, const JudgedAgainst& against, const Baseline& candidate,
                           const std::string& today);

// Return what the rules call red in such a report, "" where nothing is. What a script ends with, or its
// tests, no candidate can tell.
Sentence red_reason_of(const config::Case& spec, const CaseReport& report);

// Return the words that --despite knows.
std::vector<std::string> refusal_names();

}  // namespace gate::app
