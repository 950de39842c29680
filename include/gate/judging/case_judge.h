// The middle of every judging use case: settings, reference and extraction into a case's report.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/judging/derived.h"
#include "gate/model/reports/report.h"
#include "gate/model/runs/baseline.h"
#include "gate/model/runs/extraction.h"
#include "gate/suite/suite.h"

namespace gate::app {

// What a case is judged against, and from which files.
struct JudgedAgainst {
  Reference reference;
  std::vector<BaselineUsed> files;
  Provenance provenance = {};  // of the most specific file
  std::string environment = {};
  std::vector<BaselineTried> chain = {};
};

// Return the last step that any of the series holds, 0 if none is numbered by step.
std::int64_t last_step(const std::vector<Series>& all);

// Return that a run ended before the last step that its log announces, and what to do: as a baseline it lets
// runs pass that end likewise. "" where it did not.
Sentence early_end(const std::vector<Series>& all, std::optional<std::int64_t> total);

// Tell whether the rule guards a case with that reference: it needs no baseline, or there is one, numbered as
// its metric is.
bool gates(const Rule& rule, Numbering numbered, const Reference& reference);

JudgedAgainst judged_against(const std::vector<store::BaselineFile>& files);

// Return what a run of the case at the place is judged against, with the chain of places that were tried.
// Fails as read_baselines() does, and where one of them is a link that leads nowhere.
Result<JudgedAgainst> judged_at(const store::BaselineLayout& layout, const store::BaselinePlace& run);

// Return the place that a run of the platform has; where none is named, all places (of the environment, where
// one is named) at which the case has a baseline, at least that of a run of any platform.
std::vector<store::BaselinePlace> places_of(const Suite& suite, const std::string& case_name,
                                            const std::string& platform, const std::string& environment);

// Return what is to be said of the suite's environment where no baseline is of it and some are of others: it
// is written wrongly or, where a case lacks a baseline, was forgotten; else "".
Sentence unknown_environment(const Suite& suite, bool lacks_baseline);

// Return the options for reading the case's logs: its own formats, else those of the baseline, else auto.
extract::Options extract_options(const config::Case& spec, const Reference& reference);

// Return the report with verdict, checks, ungated, problems and notes. Platform "" is unknown. Run and
// reference are as they were read; derived metrics are put in here. What needs runs of other cases is
// ungated unless they are among the partners. With further runs, each judged alone before, speed is judged by
// the mean of all. The settings say by which profile, and which one judges a second time for information;
// another profile than gate knows nothing of rules, derived metrics and further runs.
CaseReport judge_case(const config::Case& spec, const JudgedAgainst& against, const Extraction& extraction,
                      const std::optional<Outcome>& outcome, const std::string& platform,
                      const std::string& today, const Partners& partners = {},
                      std::span<const Extraction* const> further = {});

// Return the case with these rules alone, judged in gate's own way: no derived metric, no second profile.
config::Case with_rules_alone(config::Case spec, std::vector<Rule> rules);

// Return the report of a launch that measures, and is held against no rule and no baseline: passed where the
// script ended well, printed anything or left an output, and the steps that it announced; else the verdict
// that says why not. How fast it was is told by its derived metrics, too, as of a run.
CaseReport measured_case(const config::Case& spec, const Extraction& extraction,
                         const std::optional<Outcome>& outcome, const std::string& platform,
                         const std::string& today);

}  // namespace gate::app
