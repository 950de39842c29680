#include "app/results/explain_values.h"

#include <algorithm>

#include "app/judging/case_judge.h"
#include "gate/app/read_logs.h"
#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "gate/words/values.h"

namespace gate::app {

namespace {

// Without the case, which may be gone by now, what is derived is left out.
std::vector<std::vector<Series>> kept_series(const config::Case* spec, const CaseReport& report) {
  const auto artifact = report.artifacts.find("series");
  if (artifact == report.artifacts.end()) return {};
  const Result<std::string> text = fs::read_file(artifact->second);
  if (!text) return {};
  const Result<Baseline> kept = schema::read_baseline(*text, artifact->second);
  if (!kept) return {};
  std::vector<std::vector<Series>> runs;
  for (Extraction& run : as_extractions(*kept, artifact->second))
    runs.push_back(spec == nullptr ? std::move(run.series) : with_derived(*spec, std::move(run), {}).series);
  return runs;
}

bool was_judged_against(const CaseReport& report, const store::BaselineFile& file) {
  return std::any_of(report.baselines.begin(), report.baselines.end(), [&](const BaselineUsed& used) {
    return used.path == file.path && used.sha256 == file.sha256;
  });
}

const ReferenceSeries* reference_series(const Reference& reference, const Check& check) {
  for (const ReferenceSeries& series : reference.series)
    if (series.runs.front().metric() == check.metric && series.runs.front().rank() == check.rank)
      return &series;
  return nullptr;
}

std::string shown_value(const std::optional<Sample>& sample) {
  if (!sample) return "";
  if (sample->value.is_finite()) return sample->value.number.to_string();
  return sample->text.empty() ? "left out" : sample->text;
}

std::string value_words_at(const std::vector<const Series*>& runs, std::int64_t number) {
  std::vector<std::string> values;
  for (const Series* run : runs) values.push_back(shown_value(run->find(number)));
  return join(values, ", ");
}

std::vector<const Series*> baseline_runs(const ReferenceSeries* reference) {
  std::vector<const Series*> runs;
  if (reference != nullptr)
    for (const Series& run : reference->runs) runs.push_back(&run);
  return runs;
}

// Of one run on either side, with a finite number there.
std::optional<Value> delta_at(const std::vector<const Series*>& runs,
                              const std::vector<const Series*>& baseline, std::int64_t number) {
  if (runs.size() != 1 || baseline.size() != 1) return std::nullopt;
  const auto a = runs.front()->find(number), b = baseline.front()->find(number);
  if (!a || !b || !a->value.is_finite() || !b->value.is_finite()) return std::nullopt;
  const auto delta = subtract(a->value.number, b->value.number);
  return delta ? std::optional(Value{ValueKind::finite, *delta}) : std::nullopt;
}

}  // namespace

Compared what_was_compared(const Suite& suite, const CaseReport& report) {
  const config::Case* spec = suite.find(report.name);
  auto files = store::read_baselines(suite.layout, report.name, report.platform);
  if (!files) files = std::vector<store::BaselineFile>{};
  std::erase_if(*files, [&](const store::BaselineFile& file) { return !was_judged_against(report, file); });
  Reference reference = store::reference_of(*files);
  if (spec != nullptr) reference = with_derived(*spec, std::move(reference), {});
  return {kept_series(spec, report), std::move(reference)};
}

std::vector<ExplainedValue> compared_values(const Compared& compared, const Check& check) {
  std::vector<const Series*> runs;
  for (const std::vector<Series>& run : compared.runs)
    if (const Series* series = find_series(run, check.metric, check.rank)) runs.push_back(series);
  const auto baseline = baseline_runs(reference_series(compared.reference, check));
  std::vector<ExplainedValue> values;
  if (runs.empty()) return values;
  for (const std::int64_t number : check.steps.numbers()) {
    values.push_back({number, value_words_at(baseline, number), value_words_at(runs, number),
                      words::signed_text(delta_at(runs, baseline, number))});
  }
  return values;
}

}  // namespace gate::app
