// Published performance beside a suite: which figure a case is bound to, and the rules that are held against
// it.
#pragma once

#include <functional>

#include "gate/base/diagnostics.h"
#include "gate/base/fs.h"
#include "gate/config/policy.h"
#include "gate/model/numbers/performance.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

inline constexpr std::string_view references_name = "references.json";

// Return the references in that folder; none where the file is not there. Fails (2) where it cannot be read.
Answer<PerformanceTable> references_in(const fs::Path& folder);

// Bind the case to the row that its setting `reference` names, and its rules against a reference to the row's
// figure: they have constants for a tolerance from then on. A rule that nothing can be bound to is taken out,
// and told as unbound. Mistakes: a row that there is not; a rule that is required, or bounds a mean relative
// error; a reference without a figure, or in another unit than the rule's metric. `at` is where the setting
// is said.
Diagnostics bind_reference(config::Case& spec, const PerformanceTable& table,
                           const std::function<Position()>& at);

// Return what a table says of the case on the platform, without figures: what it trains, by what the case
// tells, else by the row that it is bound to, the model else by the path of its script; and that row. None
// where nothing but the cluster is known of what was trained.
std::optional<CasePerformance> published_training(const config::Case& spec, const std::string& platform);

// Return that the row was measured on another vendor's or generation's devices than those of the platform; ""
// where it was not, or nobody can tell.
Sentence other_hardware(const PerformanceRow& row, const std::string& platform);

// Say of rules of the case whose figure was measured on other devices that it was: they are incomparable. An
// accuracy is of any device.
void tell_measured_elsewhere(std::vector<Rule>& rules, const config::Case& spec, const std::string& platform);

// Return the metric of the case's rule against the reference, whose figure a table prints; "": it has none.
std::string_view published_metric(const config::Case& spec);

}  // namespace gate::app
