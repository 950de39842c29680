// Whether several runs of a case print the same, value by value.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/config/policy.h"
#include "gate/model/reports/report.h"
#include "gate/model/runs/extraction.h"

namespace gate::app {

inline constexpr std::string_view determinism_rule = "determinism";

// Tell whether the series must be the same in runs that are deterministic: its metric is in the table, of
// kind accuracy.
bool must_be_same(const Series& series, const MetricTable& metrics);

// Return a rule for each metric of the series that must be the same, in their order, that demands it exactly
// and has the metric's name.
std::vector<Rule> exact_rules(std::span<const Series> all, const MetricTable& metrics);

// Compare the runs with the first one: every metric of kind accuracy that the table of metrics has, of each
// rank, number by number, as exact decimals of what was printed. Returns a check for each metric and rank, of
// the rule `METRIC determinism`: passed, or that of the run that differs first. One that a run has and
// another has not is missing.
std::vector<Check> determinism_checks(const config::Case& spec, std::span<const Extraction* const> runs);

// Put these checks into the report of the first run, and note what was compared. A difference makes it
// regressed unless it was worse, something missing incomplete; where nothing was to be compared the case is
// unjudged. The runs may be those of a further phase of the case.
void add_determinism(CaseReport& report, const config::Case& spec, std::span<const Extraction* const> runs,
                     const std::string& phase = "");

}  // namespace gate::app
