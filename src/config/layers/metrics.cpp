#include "config/layers/metrics.h"

#include "config/layers/derivations.h"
#include "config/tables/metric_table.h"
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
                        "\" is not built in and has neither a pattern, a key nor a formula" + hint};
}

// A log prints it one way, and two readings of it would be one too many.
void check_reading(const Draft& draft, Diagnostics& mistakes) {
  const Entry* key = draft.find("key");
  if (key != nullptr && draft.find("pattern") != nullptr)
    mistakes.push_back({key->word.at, "metric \"" + printable(draft.name, 80) +
                                          "\" has both a pattern and a key; leave one of them out"});
}

void put_reading(Metrics& metrics, const Declared& declared) {
  const extract::UserPattern& pattern = declared.pattern;
  if (!pattern.regex.empty()) metrics.patterns.push_back(pattern);
  if (!declared.key.empty()) metrics.json.metrics.push_back({pattern.metric, declared.key, pattern.scale});
}

void put_metric(Metrics& metrics, const Draft& draft, Diagnostics& mistakes) {
  const bool built_in = MetricTable().find(draft.name) != nullptr;
  Declared declared = declared_of(draft, metrics.table.get(draft.name));
  const bool read = !declared.pattern.regex.empty() || !declared.key.empty() || declared.formula;
  const bool unread = !built_in && !read;
  if (unread && !draft.broken) mistakes.push_back(without_pattern(draft));
  if (unread || draft.broken) metrics.broken.insert(draft.name);
  if (read) declared.metric.measured_by = MeasuredBy::log;
  check_reading(draft, mistakes);
  put_reading(metrics, declared);
  metrics.declared[draft.name] = draft.at;
  metrics.table.put(declared.metric);
}

}  // namespace

Metrics metrics_of(const Drafts& drafts, Diagnostics& mistakes) {
  Metrics metrics;
  for (const Draft& draft : drafts.all()) put_metric(metrics, draft, mistakes);
  add_derivations(metrics, drafts, mistakes);
  return metrics;
}

}  // namespace gate::config
