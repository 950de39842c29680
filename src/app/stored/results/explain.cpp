#include "gate/stored/explain.h"

#include <algorithm>
#include <map>
#include <set>

#include "gate/base/decompress.h"
#include "gate/base/text.h"
#include "gate/config/case_names.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/read_logs.h"
#include "gate/schema/baseline_file.h"
#include "gate/store/run_folder.h"
#include "gate/words/values.h"
#include "stored/results/compared.h"

namespace gate::app {

namespace {

// Without the case, which may be gone by now, what is derived is left out.
std::vector<std::vector<Series>> kept_series(const config::Case* spec, const CaseReport& report,
                                             const std::string& phase) {
  const auto artifact = report.artifacts.find(phase.empty() ? "series" : "series-" + phase);
  if (artifact == report.artifacts.end()) return {};
  const Result<std::string> text = fs::read_file(artifact->second);
  if (!text) return {};
  const Result<Baseline> kept = schema::read_baseline(*text, artifact->second);
  if (!kept) return {};
  std::vector<std::vector<Series>> runs;
  for (Extraction& run : as_extractions(*kept, artifact->second))
    runs.push_back(spec == nullptr ? std::move(run.series)
                                   : with_derived(*spec, std::move(run), report.platform, {}).series);
  return runs;
}

std::vector<const Series*> baseline_runs(const Reference& reference, const Check& check) {
  std::vector<const Series*> runs;
  const auto series = std::ranges::find_if(reference.series, [&](const ReferenceSeries& one) {
    return one.runs.front().metric() == check.metric && one.runs.front().rank() == check.rank;
  });
  if (series != reference.series.end())
    for (const Series& run : series->runs) runs.push_back(&run);
  return runs;
}

std::string printed_at(const std::vector<const Series*>& runs, std::int64_t number) {
  std::vector<std::string> values;
  for (const Series* run : runs) {
    const std::optional<Sample> sample = run->find(number);
    const bool is_finite = sample && sample->value.is_finite();
    values.push_back(!sample                ? ""
                     : is_finite            ? sample->value.number.to_string()
                     : sample->text.empty() ? "left out"
                                            : sample->text);
  }
  return join(values, ", ");
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

// Return the values at the numbers of the check's window; none for a check that combines ranks.
std::vector<ExplainedValue> compared_values(const Compared& compared, const Check& check) {
  std::vector<const Series*> runs;
  for (const std::vector<Series>& run : compared.runs)
    if (const Series* series = find_counterpart(run, check.metric, check.rank)) runs.push_back(series);
  const auto baseline = baseline_runs(compared.reference, check);
  std::vector<ExplainedValue> values;
  if (runs.empty()) return values;
  for (const std::int64_t number : check.steps.numbers()) {
    values.push_back({number, printed_at(baseline, number), printed_at(runs, number),
                      words::signed_text(delta_at(runs, baseline, number))});
  }
  return values;
}

// Return line `number` (from 1) of the file, printable, or "" where it is not there.
std::string log_line(const std::string& path, std::uint32_t number) {
  std::uint32_t at = 1;
  std::string line;
  const Result<std::string> read = read_unpacked(path, [&](std::string_view block) {
    while (!block.empty() && at <= number) {
      const std::size_t end = std::min(block.find('\n'), block.size());
      if (at == number) line += block.substr(0, end);
      if (end == block.size()) return;
      ++at;
      block.remove_prefix(end + 1);
    }
  });
  return read ? printable(line) : "";
}

std::vector<std::string> quoted_lines(const Check& check) {
  std::vector<std::string> quoted;
  std::set<std::uint32_t> seen;
  for (const std::optional<Miss>& miss : {check.first_miss, check.largest}) {
    if (!miss || miss->line == 0 || miss->file.empty() || !seen.insert(miss->line).second) continue;
    quoted.push_back(miss->file + ":" + std::to_string(miss->line) + ": " + log_line(miss->file, miss->line));
  }
  return quoted;
}

Answer<CaseReport> find_case(const Report& report, const std::string& case_name) {
  const auto found = std::ranges::find(report.cases, case_name, &CaseReport::name);
  if (found != report.cases.end()) return *found;
  std::vector<std::string> variants;
  for (const CaseReport& one : report.cases)
    if (is_glob(case_name) ? glob_match(case_name, one.name) : config::base_in(one.name) == case_name)
      variants.push_back(one.name);
  if (is_glob(case_name) && variants.size() == 1) return find_case(report, variants.front());
  if (!variants.empty())
    return usage(case_name + ": is several cases of run " + report.run + ": " + some_of(variants, 5) +
                 "; name one");
  return usage(case_name + ": not a case of run " + report.run +
               did_you_mean(case_name, report.case_names()));
}

// The phase against which that one was judged, "" being the first; nothing where that was the baseline.
std::optional<std::string> phase_that_is_held_against(const CaseReport& report, const std::string& phase) {
  constexpr std::string_view prefix = "phase ";
  for (const Check& check : report.checks) {
    if (phase.empty() || check.phase != phase || !check.baseline_file.starts_with(prefix)) continue;
    std::string against = check.baseline_file.substr(prefix.size());
    return report.artifacts.contains("series-" + against) ? against : "";
  }
  return std::nullopt;
}

Reference reference_of(std::vector<std::vector<Series>> runs) {
  Baseline baseline;
  for (std::vector<Series>& run : runs) baseline.runs.push_back({std::nullopt, std::move(run)});
  return make_reference(baseline, "");
}

// The case as the second profile judged it.
Answer<CaseReport> as_shadow(CaseReport report) {
  if (!report.shadow) return usage("--shadow: no second profile judged " + report.name + " in that run");
  report.profile = report.shadow->profile;
  report.verdict = report.shadow->verdict;
  report.reason = report.shadow->reason;
  report.checks = std::move(report.shadow->checks);
  report.ungated.clear();
  report.shadow.reset();
  return report;
}

// Tell whether it is a rule on the rest of a curve that makes no check and that nobody misses: it has another
// name than its metric.
bool is_end_of_curve(const Ungated& entry) { return entry.absent && entry.rule != entry.metric; }

}  // namespace

Compared what_was_compared(const Suite& suite, const CaseReport& report, const std::string& phase) {
  const config::Case* spec = suite.find(report.name);
  if (const std::optional<std::string> against = phase_that_is_held_against(report, phase))
    return {kept_series(spec, report, phase), reference_of(kept_series(spec, report, *against))};
  auto files = store::read_baselines(suite.layout, {report.platform, report.name, report.environment});
  if (!files) files = std::vector<store::BaselineFile>{};
  std::erase_if(*files, [&](const store::BaselineFile& file) {
    return std::ranges::none_of(report.baselines, [&](const BaselineUsed& used) {
      return used.path == file.path && used.sha256 == file.sha256;
    });
  });
  Reference reference = store::reference_of(*files);
  if (spec != nullptr) reference = with_derived(*spec, std::move(reference), report.platform, {});
  return {kept_series(spec, report, phase), std::move(reference)};
}

Answer<Explanation> explain(const Suite& suite, const std::string& case_name, const std::string& check,
                            const std::string& run, CheckSource source) {
  const Result<Report> report = store::read_run(suite.root, run);
  if (!report)
    return usage(report.error().message +
                 (store::run_ids(suite.root).empty()
                      ? "; a saved log is explained by gate check -v or gate check --report html=FILE"
                      : ""));
  Answer<CaseReport> judged = find_case(*report, case_name);
  if (judged && source == CheckSource::shadow) judged = as_shadow(std::move(*judged));
  if (!judged) return tl::unexpected(judged.error());
  Explanation explanation{*judged, {}, {}, ""};
  std::map<std::string, Compared> compared;  // by the phase
  const auto asked = [&](const std::string& rule, const std::string& metric) {
    return check.empty() || rule == check || metric == check;
  };
  std::vector<std::string> known;
  for (const Check& one : judged->checks) {
    known.push_back(one.rule);
    if (!asked(one.rule, one.metric)) continue;
    if (!compared.contains(one.phase))
      compared.emplace(one.phase, what_was_compared(suite, *judged, one.phase));
    explanation.checks.push_back({one, compared_values(compared.at(one.phase), one), quoted_lines(one)});
  }
  for (const Ungated& entry : judged->ungated)
    if (is_end_of_curve(entry) ? check == entry.rule : !entry.rule.empty() && asked(entry.rule, entry.metric))
      explanation.ungated.push_back(entry);
  const auto of_first = compared.find("");
  if (of_first != compared.end() && of_first->second.reference.series.empty() && !judged->baselines.empty())
    explanation.note =
        "the baseline is no longer the file that the run was judged against: its values are not shown";
  if (explanation.checks.empty() && explanation.ungated.empty() && !check.empty())
    return usage(check + ": no check of " + case_name + " in that run" + did_you_mean(check, known));
  return explanation;
}

}  // namespace gate::app
