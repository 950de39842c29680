#include "stored/baselines/candidate_weighing.h"

#include <algorithm>
#include <iterator>

#include "gate/base/text.h"
#include "gate/config/tolerance_edit.h"
#include "gate/judging/derived.h"
#include "gate/judging/read_logs.h"
#include "gate/judging/refusals.h"
#include "gate/judging/run_clocks.h"
#include "gate/suite/chosen_cases.h"
#include "gate/words/remarks.h"

namespace gate::app {

namespace {

Baseline select_metrics(Baseline baseline, const std::vector<std::string>& metrics) {
  for (BaselineRun& run : baseline.runs) {
    std::erase_if(run.series, [&](const Series& series) { return !is_chosen(metrics, series.metric()); });
    if (!metrics.empty()) run.unfit.clear();
  }
  return baseline;
}

// Return the rules with so many times their tolerances; those that allow nothing, and constants, left out.
std::vector<Rule> widened(std::vector<Rule> rules, int times) {
  const Decimal factor = *Decimal::parse(std::to_string(times));
  const auto widen = [&](Bound& bound) {
    bound.amount = multiply(bound.amount, factor).value_or(bound.amount);
    return bound.kind == Bound::Kind::absolute || bound.kind == Bound::Kind::relative ||
           bound.kind == Bound::Kind::error;
  };
  std::erase_if(rules, [&](Rule& rule) {
    bool is_wide = false;
    for (std::vector<Bound>& all_of : rule.tolerance.any_of)
      for (Bound& bound : all_of) is_wide |= widen(bound);
    return !is_wide || !needs_baseline(rule.tolerance);
  });
  return rules;
}

// The file in use: the most specific one that there is for the candidate's platform in its environment; for a
// new baseline the candidate's own place. Environments are never mixed.
store::BaselinePlace place_for(const Baseline& candidate, const std::string& to,
                               const std::vector<store::BaselineFile>& files) {
  store::BaselinePlace place = store::place_of(candidate);
  if (to == "general") place.platform.clear();
  if (!to.empty()) return place;
  const auto in_use = std::ranges::find(
      files, place.environment, [](const store::BaselineFile& file) { return file.place.environment; });
  return in_use == files.end() ? place : in_use->place;
}

bool is_bound_to_platform(const Baseline& baseline, const MetricTable& metrics) {
  return std::ranges::any_of(baseline.runs, [&](const BaselineRun& run) {
    return std::ranges::any_of(run.series, [&](const Series& series) {
      const MetricKind kind = metrics.get(series.metric()).kind;
      return kind == MetricKind::speed || kind == MetricKind::memory;
    });
  });
}

// The platform that a general file says its numbers are of. Of those of two it could say neither.
Answer<std::string> platform_of_numbers(const Baseline& candidate, const Baseline* present,
                                        const AcceptOptions& options, const MetricTable& metrics) {
  const std::string before = present != nullptr ? present->platform : "";
  if (candidate.platform.empty() || before.empty() || candidate.platform == before)
    return candidate.platform.empty() ? before : candidate.platform;
  if (options.metrics.empty()) return candidate.platform;
  if (!is_bound_to_platform(candidate, metrics)) return before;
  return refused(candidate.case_name + ": refused, and nothing was changed: its general baseline is of " +
                 before + ", the candidate of " + candidate.platform +
                 "; accept all metrics, or --to platform gives each its own");
}

// Tell whether the present rules call the metric red.
bool is_red(const CaseReport& report, const std::string& metric) {
  return std::ranges::any_of(report.checks, [&](const Check& check) {
    return check.metric == metric && check.status == CheckStatus::fail;
  });
}

// What the candidate is measured from. At a new place that is what it holds of another one: of another
// platform accuracy alone says anything.
FirstAccepted first_for(const Weighing& weighing, const store::BaselineFile& known,
                        const MetricTable& metrics) {
  FirstAccepted first = first_of(known);
  if (weighing.file) return first;
  const bool is_of_platform = known.baseline.platform == weighing.candidate.platform;
  for (BaselineRun& run : first.runs)
    std::erase_if(run.series, [&](const Series& series) {
      const bool is_held =
          find_series(weighing.candidate.runs.front().series, series.metric(), series.rank()) != nullptr;
      return !is_held || (!is_of_platform && metrics.get(series.metric()).kind != MetricKind::accuracy);
    });
  return first;
}

std::vector<judge::Noise> noise_of_candidate(const config::Case& spec, const Baseline& candidate) {
  if (spec.settings.judge != config::JudgeMode::series) return {};
  const Reference reference = with_derived(spec, make_reference(candidate, ""), candidate.platform, {});
  return judge::assess(spec.rules, spec.metrics, reference, candidate.platform);
}

// Return what of the candidate's noise makes more than 1 % of good runs red, and what would do; "" if
// nothing.
Sentence noisy_words(const Weighing& weighing) {
  std::vector<judge::Noise> noisy;
  std::ranges::copy_if(weighing.noise, std::back_inserter(noisy), judge::is_noisy);
  std::vector<Sentence> parts;
  for (const Note& note : judge::noise_notes(noisy)) parts.push_back(words::text(note));
  constexpr int least_runs = 2;
  for (Sentence& line : config::lines_to_paste(weighing.candidate.case_name, noisy, least_runs))
    parts.push_back(std::move(line));
  return join(parts, semicolon);
}

void add_refusals(const Accepting& accepting, const config::Case& spec, Weighing& weighing) {
  const Baseline& candidate = weighing.candidate;
  const MetricTable& metrics = accepting.suite.policy.metrics();
  Baseline compared;
  if (weighing.file)
    compared = without_clocks(select_metrics(weighing.file->baseline, accepting.options.metrics), metrics);
  weighing.standing = refusals(without_clocks(candidate, metrics), weighing.file ? &compared : nullptr);
  std::vector<Rule> asked = spec.rules;
  std::erase_if(asked, [&](const Rule& rule) { return !is_chosen(accepting.options.metrics, rule.metric); });
  add_lacking(weighing.standing, candidate, spec, asked);
  const bool is_named = accepting.named.contains(candidate.case_name);
  if (Sentence noisy = noisy_words(weighing); !noisy.empty())
    weighing.standing.insert(weighing.standing.begin(), {noisy_refusal, std::move(noisy)});
  if (weighing.drift && weighing.has_first && !(is_named && is_red(weighing.report, weighing.drift->metric)))
    weighing.standing.insert(weighing.standing.begin(), {drift_refusal, weighing.drift->text});
  if (!weighing.red.empty() && !is_named)
    weighing.standing.insert(weighing.standing.begin(), {regressed_refusal, weighing.red});
}

}  // namespace

bool is_chosen(const std::vector<std::string>& metrics, const std::string& metric) {
  return metrics.empty() ||
         std::ranges::any_of(metrics, [&](const std::string& glob) { return glob_match(glob, metric); });
}

Answer<Weighing> weigh_candidate(const Accepting& accepting, const Baseline& whole,
                                 const std::vector<store::BaselineFile>& files) {
  const AcceptOptions& options = accepting.options;
  const std::string& to = options.to;
  Baseline candidate = select_metrics(whole, options.metrics);
  if (make_reference(candidate, "").series.empty())
    return refused(candidate.case_name + ": nothing to accept: the candidate has no series" +
                   (options.metrics.empty() ? "" : " of " + join(options.metrics, ", ")));
  if (!to.empty() && to != "general" && to != "platform")
    return usage("--to " + to + ": it is general or platform");
  const store::BaselinePlace place = place_for(candidate, to, files);
  GATE_TRY(const config::Case spec, case_of(accepting.suite, candidate.case_name));
  Weighing weighing;
  weighing.whole = &whole;
  weighing.candidate = std::move(candidate);
  weighing.place = place;
  weighing.numbers = place.platform;
  JudgedAgainst against = judged_against(files);
  against.environment = weighing.candidate.environment;
  weighing.report = judge_candidate(spec, against, weighing.candidate, accepting.today());
  weighing.noise = noise_of_candidate(spec, weighing.candidate);
  weighing.red = red_reason_of(spec, weighing.report);
  const auto file = std::ranges::find(files, place, &store::BaselineFile::place);
  if (file != files.end()) weighing.file = *file;
  if (place.platform.empty()) {
    GATE_TRY(std::string numbers, platform_of_numbers(weighing.candidate, weighing.present(), options,
                                                      accepting.suite.policy.metrics()));
    weighing.numbers = std::move(numbers);
  }
  if (const auto* present = weighing.present(); present != nullptr && !options.metrics.empty())
    if (const auto change =
            changed_determinism(known_switches(present->provenance), known_switches(whole.provenance)))
      return refused(whole.case_name + ": refused, and nothing was changed: " + change->name + " is " +
                     change->to + ", and of the present baseline, whose other metrics would stay, " +
                     change->from + "; accept all metrics");
  constexpr int farthest = 2;  // times the tolerance
  if (!files.empty()) {
    const store::BaselineFile& known = weighing.file ? *weighing.file : files.front();
    weighing.has_first = known.baseline.first.has_value() || !weighing.file;
    weighing.drift = drift_of(spec, known, weighing.candidate, accepting.today(), farthest, &weighing.report);
    weighing.first = first_for(weighing, known, spec.metrics);
  }
  add_refusals(accepting, spec, weighing);
  return weighing;
}

FirstAccepted first_of(const store::BaselineFile& file) {
  const Baseline& present = file.baseline;
  const std::string when = present.accepted.empty() ? present.provenance.date : present.accepted.back().when;
  if (!present.first) return {when, file.sha256, present.runs};
  FirstAccepted first = *present.first;
  std::set<std::string> held;
  for (const BaselineRun& run : first.runs)
    for (const Series& series : run.series) held.insert(series.metric());
  first.runs.resize(std::max(first.runs.size(), present.runs.size()));
  for (std::size_t i = 0; i < present.runs.size(); ++i)
    for (const Series& series : present.runs[i].series)
      if (!held.contains(series.metric())) first.runs[i].series.push_back(series);
  return first;
}

std::optional<Drift> drift_of(const config::Case& spec, const store::BaselineFile& file,
                              const Baseline& candidate, const std::string& today, int times,
                              const CaseReport* now) {
  config::Case lenient = spec;
  lenient.rules = widened(spec.rules, times);
  lenient.settings.profile = "gate";
  lenient.settings.shadow.clear();
  const FirstAccepted first = first_of(file);
  Baseline before = file.baseline;
  before.runs = first.runs;
  const CaseReport report =
      judge_candidate(lenient, {make_reference(before, file.path), {}}, candidate, today);
  const auto has_failed = [](const Check& check) { return check.status == CheckStatus::fail; };
  auto found = std::ranges::find_if(report.checks, [&](const Check& check) {
    return has_failed(check) && (now == nullptr || !is_red(*now, check.metric));
  });
  if (found == report.checks.end()) found = std::ranges::find_if(report.checks, has_failed);
  if (found == report.checks.end()) return std::nullopt;
  const std::string day = first.when.substr(0, 10);
  const Sentence since = day.empty() ? Sentence() : say({", {}", "（{}）"}, day);
  return Drift{found->metric, say({"{}; against what was first accepted{}", "{}；与最初接受的值{}相比"},
                                  words::failure(*found), since)};
}

bool is_overridden(const Accepting& accepting, const Weighing& weighing, const Refusal& refusal) {
  const AcceptOptions& options = accepting.options;
  const bool moved_with_rest =
      options.common_shift &&
      (refusal.name == regressed_refusal || refusal.name == noisy_refusal ||
       (refusal.name == drift_refusal && is_red(weighing.report, weighing.drift->metric)));
  return moved_with_rest || std::ranges::find(options.despite, refusal.name) != options.despite.end();
}

void override_refusals(const Accepting& accepting, Weighing& weighing) {
  std::erase_if(weighing.standing, [&](const Refusal& refusal) {
    const bool is_gone = is_overridden(accepting, weighing, refusal);
    if (is_gone) weighing.despite.push_back(refusal.name);
    return is_gone;
  });
}

}  // namespace gate::app
