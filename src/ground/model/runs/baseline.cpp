#include "gate/model/runs/baseline.h"

#include <algorithm>

namespace gate {

namespace {

ReferenceSeries* find(Reference& reference, const Series& series) {
  for (ReferenceSeries& candidate : reference.series)
    if (candidate.runs.front().metric() == series.metric() && candidate.runs.front().rank() == series.rank())
      return &candidate;
  return nullptr;
}

void take_series(Reference& reference, const Series& series, const std::string& path,
                 const Baseline& baseline) {
  if (ReferenceSeries* known = find(reference, series)) {
    known->runs.push_back(series);
  } else {
    reference.series.push_back({{series}, path, baseline.platform, known_switches(baseline.provenance)});
  }
}

void update_last_step(Reference& reference) {
  reference.last_step.reset();
  for (const ReferenceSeries& series : reference.series)
    for (const Series& run : series.runs)
      if (run.numbered() == Numbering::step && !run.empty())
        reference.last_step = std::max(reference.last_step.value_or(0), run.samples().last_number());
}

}  // namespace

std::string platform_name(const std::string& platform) { return platform.empty() ? "general" : platform; }

std::string place_word(const std::string& platform, const std::string& environment) {
  return environment.empty() ? platform : platform + "@" + environment;
}

Reference make_reference(const Baseline& baseline, const std::string& path) {
  Reference reference;
  for (const BaselineRun& run : baseline.runs)
    for (const Series& series : run.series)
      if (!series.empty())
        take_series(reference, series, path, baseline);
      else if (!series.unrecorded().empty())
        reference.unrecorded.push_back(series);
  for (const BaselineRun& run : baseline.runs) {
    if (run.attempts) reference.attempts.insert(*run.attempts);
    for (const std::string& job : run.other_jobs)
      reference.notes.push_back(say({"in the baseline {}", "基线中{}"}, job));
  }
  reference.formats = baseline.formats;
  reference.notes.insert(reference.notes.end(), baseline.notes.begin(), baseline.notes.end());
  reference.margins = baseline.margins;
  reference.warm_up = baseline.warm_up;
  update_last_step(reference);
  return reference;
}

Reference merge_references(const std::vector<Reference>& most_specific_first) {
  Reference merged;
  std::set<std::string> taken;
  for (const Reference& reference : most_specific_first) {
    std::set<std::string> here;
    for (const ReferenceSeries& series : reference.series) {
      const std::string& metric = series.runs.front().metric();
      if (taken.contains(metric)) continue;
      here.insert(metric);
      merged.series.push_back(series);
    }
    for (const Series& series : reference.unrecorded)
      if (!taken.contains(series.metric()) && here.insert(series.metric()).second)
        merged.unrecorded.push_back(series);
    taken.merge(here);
    if (merged.formats.empty()) merged.formats = reference.formats;
    if (merged.margins.empty()) merged.margins = reference.margins;
    if (!merged.warm_up) merged.warm_up = reference.warm_up;
    if (merged.attempts.empty()) merged.attempts = reference.attempts;
    merged.notes.insert(merged.notes.end(), reference.notes.begin(), reference.notes.end());
  }
  update_last_step(merged);
  return merged;
}

}  // namespace gate
