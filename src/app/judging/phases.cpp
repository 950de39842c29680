#include "app/judging/phases.h"

#include <algorithm>
#include <functional>

#include "app/judging/determinism.h"
#include "gate/base/text.h"
#include "gate/config/phases.h"

namespace gate::app {

namespace {

using Keeps = std::function<bool(std::int64_t number)>;

bool is_by_step(const Series& series) { return series.numbered() == Numbering::step; }

// Series that are not numbered by step stay as they are.
void cut_all(std::vector<Series>& all, const Keeps& keeps) {
  for (Series& series : all)
    if (is_by_step(series)) series = series_at(series, keeps);
}

void cut_all(Reference& reference, const Keeps& keeps) {
  for (ReferenceSeries& series : reference.series) {
    cut_all(series.runs, keeps);
    std::erase_if(series.runs, [](const Series& run) { return run.empty() && run.unrecorded().empty(); });
  }
  std::erase_if(reference.series, [](const ReferenceSeries& series) { return series.runs.empty(); });
}

std::optional<std::int64_t> first_step(const Extraction& run) {
  std::optional<std::int64_t> first;
  for (const Series& series : run.series)
    if (is_by_step(series) && !series.empty())
      first = std::min(first.value_or(INT64_MAX), series.samples().begin().number());
  return first;
}

// Of those that the run printed.
std::optional<std::int64_t> next_step(const Extraction& run, std::int64_t behind) {
  std::optional<std::int64_t> next;
  for (const Series& series : run.series) {
    if (!is_by_step(series)) continue;
    for (const std::int64_t number : series.samples().numbers())
      if (number > behind) next = std::min(next.value_or(INT64_MAX), number);
  }
  return next;
}

// Of another profile, which knows nothing of rules: windows that name steps.
Keeps keeps_in(const std::optional<Window>& window) {
  const Window named = window.value_or(Window{});
  switch (named.kind) {
    case Window::Kind::after:
      return [n = named.a](std::int64_t number) { return number > n; };
    case Window::Kind::step:
      return [n = named.a](std::int64_t number) { return number == n; };
    case Window::Kind::between:
      return [a = named.a, b = named.b](std::int64_t number) { return a <= number && number <= b; };
    default:
      return [](std::int64_t) { return true; };
  }
}

std::string why_not_resumed(const PhaseRun& run, bool is_gate) {
  const std::optional<std::int64_t> began = first_step(run.extraction), first = first_step(run.first);
  if (!began || !first) return "";
  const std::string at = "began at step " + std::to_string(*began) + ": ";
  if (*began <= *first) return at + "nothing was resumed";
  if (!run.checkpoint || !is_gate) return "";
  const std::string checkpoint = "the newest checkpoint was of step " + std::to_string(*run.checkpoint);
  const std::optional<std::int64_t> next = next_step(run.first, *run.checkpoint);
  if (!next) return checkpoint + ", behind which there is no step to be compared";
  return *next == *began ? "" : at + checkpoint;
}

std::vector<Rule> without_baseline(const std::vector<Rule>& rules) {
  std::vector<Rule> own;
  std::ranges::copy_if(rules, std::back_inserter(own),
                       [](const Rule& rule) { return !needs_baseline(rule.tolerance); });
  return own;
}

// A metric that is printed at other steps than those of the window alone is not asked for in it.
bool has_one(const Extraction& run, const std::string& metric, const Keeps& keeps) {
  return std::ranges::any_of(run.series, [&](const Series& series) {
    return series.metric() == metric &&
           (!is_by_step(series) || std::ranges::any_of(series.samples().numbers(), keeps));
  });
}

bool judges_by_rules(const Extraction* against, const config::CasePhase& phase) {
  return against == nullptr || phase.tolerance == config::CasePhase::Tolerance::rules;
}

}  // namespace

config::Case case_of_phase(const config::Case& spec, std::size_t phase, const Extraction* against) {
  const config::CasePhase& said = config::phase_at(spec.settings, phase);
  const std::string name = config::phase_name(spec.settings, phase);
  config::Case own = spec;
  own.settings.shadow.clear();
  if (!judges_by_rules(against, said)) {
    own.rules = without_baseline(spec.rules);
    for (Rule& rule : exact_rules(against->series, spec.metrics))
      if (has_one(*against, rule.metric, keeps_in(said.window))) own.rules.push_back(std::move(rule));
  }
  for (Rule& rule : own.rules) {
    rule.name += " " + name;
    if (said.window) rule.window = *said.window;
  }
  return own;
}

JudgedAgainst judged_against_phase(const std::string& phase, const Extraction& extraction) {
  Baseline baseline;
  baseline.formats = extraction.formats;
  baseline.runs.push_back({extraction.total, extraction.series});
  JudgedAgainst against{make_reference(baseline, "phase " + phase), {}};
  against.provenance = extraction.provenance;
  return against;
}

CaseReport judge_phase(const PhaseRun& run, const std::string& platform, const std::string& today,
                       const Partners& partners) {
  const config::Settings& settings = run.spec.settings;
  const std::string name = config::phase_name(settings, run.phase);
  const bool is_gate = settings.profile == "gate";
  const std::optional<std::int64_t> began = first_step(run.extraction);
  const Keeps keeps = is_gate ? [began](std::int64_t number) { return !began || number >= *began; }
                              : keeps_in(config::phase_at(settings, run.phase).window);
  JudgedAgainst against = run.against;
  cut_all(against.reference, keeps);
  Extraction extraction = run.extraction;
  if (!is_gate) cut_all(extraction.series, keeps);
  CaseReport report = judge_case(run.spec, against, extraction, run.outcome, platform, today, partners);
  const std::string why = why_not_resumed(run, is_gate);
  const bool has_ended = !run.outcome || ended_well(*run.outcome);
  if (has_ended && !why.empty()) {
    report.verdict = Verdict::incomplete;
    report.reason = why;
  }
  for (Check& check : report.checks) {
    check.phase = name;
    if (!check.rule.ends_with(" " + name)) check.rule += " " + name;
  }
  return report;
}

void add_phase(CaseReport& report, CaseReport of_phase, const std::string& phase) {
  if (of_phase.verdict < report.verdict) {
    report.verdict = of_phase.verdict;
    report.reason = "phase " + phase + (of_phase.reason.empty() ? "" : ": " + of_phase.reason);
    report.cause = of_phase.cause;
    if (of_phase.outcome) report.outcome = of_phase.outcome;
    report.last_words = of_phase.last_words;
  }
  std::ranges::move(of_phase.checks, std::back_inserter(report.checks));
  std::ranges::move(of_phase.problems, std::back_inserter(report.problems));
  for (Note& note : of_phase.notes)
    if (!note.subjects.empty()) report.notes.push_back(std::move(note));
}

}  // namespace gate::app
