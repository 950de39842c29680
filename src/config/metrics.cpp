#include "config/metrics.h"

#include "config/derivations.h"
#include "config/metric_slots.h"
#include "gate/base/text.h"

namespace gate::config {

namespace {

Declared declared_of(const Draft& draft, const Metric& base) {
  Declared declared{base, {draft.name, "", Decimal{1, 0}}};
  for (const auto& [key, entry] : draft.keys) set_metric_key(declared, key, entry->word);
  return declared;
}

Diagnostic without_pattern(const Draft& draft) {
  std::vector<std::string> names;
  for (const Metric& metric : built_in_metrics()) names.push_back(metric.name);
  const std::string hint = did_you_mean(draft.name, names);
  return {draft.at, "metric \"" + printable(draft.name, 80) +
                        "\" is not built in and has neither a pattern nor a formula" + hint};
}

void put(Metrics& metrics, const Draft& draft, Diagnostics& mistakes) {
  const bool built_in = MetricTable().find(draft.name) != nullptr;
  Declared declared = declared_of(draft, metrics.table.get(draft.name));
  const bool unread = !built_in && declared.pattern.regex.empty() && !declared.formula;
  if (unread && !draft.broken) mistakes.push_back(without_pattern(draft));
  if (unread || draft.broken) metrics.broken.insert(draft.name);
  if (!declared.pattern.regex.empty() || declared.formula) declared.metric.measured_by = MeasuredBy::log;
  if (!declared.pattern.regex.empty()) metrics.patterns.push_back(declared.pattern);
  metrics.declared[draft.name] = draft.at;
  metrics.table.put(declared.metric);
}

}  // namespace

Metrics metrics_of(const Drafts& drafts, Diagnostics& mistakes) {
  Metrics metrics;
  for (const Draft& draft : drafts.all()) put(metrics, draft, mistakes);
  add_derivations(metrics, drafts, mistakes);
  return metrics;
}

}  // namespace gate::config
