#include "gate/judging/judged_phases.h"

#include <algorithm>
#include <functional>

#include "gate/config/phases.h"
#include "gate/judging/determinism.h"
#include "gate/suite/profile_choice.h"
#include "gate/words/remarks.h"

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

// The step that is printed first behind the checkpoint. A log that counts from 0 is one step behind it.
std::optional<std::int64_t> step_behind(const Extraction& first, std::int64_t checkpoint) {
  return next_step(first, checkpoint - (first_step(first) == 0 ? 1 : 0));
}

Sentence why_not_resumed(const PhaseRun& run) {
  const std::optional<std::int64_t> began = first_step(run.extraction), first = first_step(run.first);
  if (!first) return {};
  if (!began) return say({"printed no step: nothing was resumed", "没有打印任何一步：没有续训"});
  if (*began <= *first)
    return say({"began at step {}: nothing was resumed", "从第 {} 步开始：没有续训"}, *began);
  if (!run.checkpoint) return {};
  const std::optional<std::int64_t> next = step_behind(run.first, *run.checkpoint);
  if (!next)
    return say({"the newest checkpoint was of step {}, behind which there is no step to be compared",
                "最新的检查点是第 {} 步的，其后没有可比较的步"},
               *run.checkpoint);
  const bool may_be_earlier = run.spec.kind == config::CaseKind::megatron;
  if (*began == *next || (may_be_earlier && *began < *next)) return {};
  return say(
      {"began at step {}: the newest checkpoint was of step {}", "从第 {} 步开始：最新的检查点是第 {} 步的"},
      *began, *run.checkpoint);
}

// What one of both sides has at an end, and the other has not.
Sentence why_other_steps(const PhaseRun& run) {
  const Reference& whole = run.against.reference;
  const std::optional<std::int64_t> began = first_step(run.extraction);
  const std::int64_t ended = last_step(run.extraction.series);
  std::optional<std::int64_t> first;
  for (const ReferenceSeries& series : whole.series)
    for (const Series& own : series.runs)
      if (is_by_step(own) && !own.empty())
        first = std::min(first.value_or(INT64_MAX), own.samples().begin().number());
  if (!began || !first || !whole.last_step) return {};
  if (*first > *began)
    return say({"began at step {}, and what it is judged against at {}",
                "从第 {} 步开始，而它所对照的从第 {} 步开始"},
               *began, *first);
  if (ended == *whole.last_step) return {};
  return say(
      {"ended at step {}, and what it is judged against at {}", "在第 {} 步结束，而它所对照的在第 {} 步结束"},
      ended, *whole.last_step);
}

// What must be the same is asked for by others, and of a start speed and memory say little.
bool holds_in_each_phase(const Rule& rule, const MetricTable& metrics) {
  const MetricKind kind = metrics.get(rule.metric).kind;
  return kind == MetricKind::other || !needs_baseline(rule.tolerance);
}

// A metric that is printed at other steps than those of the window alone is not asked for in it.
bool has_one(const Series& series, const Keeps& keeps) {
  return !is_by_step(series) || std::ranges::any_of(series.samples().numbers(), keeps);
}

// By the profile of the run's case alone.
CaseReport judged_by_profile(const PhaseRun& run, const std::string& platform, const std::string& today,
                             const Partners& partners) {
  const config::Settings& settings = run.spec.settings;
  const std::string name = config::phase_name(settings, run.phase);
  const bool is_gate = settings.profile == "gate";
  const std::optional<std::int64_t> began = first_step(run.extraction);
  const std::optional<Window>& window = config::phase_at(settings, run.phase).window;
  const Keeps keeps = is_gate || !window ? [began](std::int64_t number) { return !began || number >= *began; }
                                         : keeps_in(window);
  JudgedAgainst against = run.against;
  cut_all(against.reference, keeps);
  Extraction extraction = run.extraction;
  if (!is_gate) cut_all(extraction.series, keeps);
  CaseReport report = judge_case(run.spec, against, extraction, run.outcome, platform, today, partners);
  // Numbers of another part of the run say nothing; one that ended at another step has failed where it
  // failed.
  Sentence why = why_not_resumed(run);
  const bool was_resumed = why.empty();
  if (was_resumed) why = why_other_steps(run);
  const bool has_ended = !run.outcome || ended_well(*run.outcome);
  if (has_ended && !why.empty() && (!was_resumed || report.verdict > Verdict::incomplete)) {
    report.verdict = Verdict::incomplete;
    report.reason = why;
  }
  if (why.empty() && !run.checkpoint && began)
    report.notes.push_back(
        plain_note(say({"phase {} began at step {}; of which step its checkpoint was is not known",
                        "阶段 {} 从第 {} 步开始；不知道它的检查点是哪一步的"},
                       name, *began)));
  for (Check& check : report.checks) {
    check.phase = name;
    if (!check.rule.ends_with(" " + name)) check.rule += " " + name;
  }
  return report;
}

// What the report is for information.
Shadow shadow_in(const CaseReport& report) {
  return {report.profile, report.verdict, report.reason, report.checks};
}

// Where a check had failed, how the phase ended goes before that, and what the machine did in it stands
// behind that. Returns whether the verdict is now that of the phase.
bool take_worse(Verdict& verdict, Sentence& reason, Verdict of_phase, const Sentence& told,
                EndedBy ended_by) {
  const bool had_failed = verdict == Verdict::regressed;
  const bool ended_by_itself = had_failed && ended_by == EndedBy::itself;
  if (had_failed && ended_by == EndedBy::machine) {
    reason = words::and_then(reason, told);
    return false;
  }
  if (!ended_by_itself && of_phase >= verdict) return false;
  reason = ended_by_itself ? words::before_that(told, reason) : told;
  verdict = of_phase;
  return true;
}

Sentence told_of_phase(const std::string& phase, const Sentence& reason) {
  const Sentence of_phase = say({"phase {}", "阶段 {}"}, phase);
  return reason.empty() ? of_phase : of_phase + colon + reason;
}

}  // namespace

config::Case case_of_phase(const config::Case& spec, std::size_t phase, const Reference& against) {
  using Tolerance = config::CasePhase::Tolerance;
  const config::CasePhase& said = config::phase_at(spec.settings, phase);
  const std::string name = config::phase_name(spec.settings, phase);
  const bool is_against_phase = config::phase_against(spec.settings, phase).has_value();
  std::vector<Rule> rules = spec.rules;
  std::erase_if(rules, &Rule::is_rest_of_curve);  // a phase has its part of the curve
  if (said.tolerance.value_or(is_against_phase ? Tolerance::exact : Tolerance::rules) == Tolerance::exact) {
    std::erase_if(rules, [&](const Rule& rule) { return !holds_in_each_phase(rule, spec.metrics); });
    std::vector<Series> held;
    for (const ReferenceSeries& series : against.series)
      if (has_one(series.runs.front(), keeps_in(said.window))) held.push_back(series.runs.front());
    std::ranges::move(exact_rules(held, spec.metrics), std::back_inserter(rules));
  }
  for (Rule& rule : rules) {
    rule.name += " " + name;
    if (said.window) rule.window = *said.window;
  }
  config::Case own = spec;
  own.rules = std::move(rules);
  return own;
}

Reference reference_behind(Reference reference, const Extraction& first, std::int64_t checkpoint) {
  const std::optional<std::int64_t> next = step_behind(first, checkpoint);
  cut_all(reference, [next](std::int64_t number) { return next && number >= *next; });
  return reference;
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
  CaseReport report = judged_by_profile(run, platform, today, partners);
  if (const auto shadow = shadow_of(run.spec.settings)) {
    config::Case spec = run.spec;
    spec.settings.profile = spec.settings.shadow;
    report.shadow = shadow_in(judged_by_profile(
        {spec, run.phase, run.against, run.first, run.checkpoint, run.extraction, run.outcome}, platform,
        today, partners));
  }
  return report;
}

void leave_out_phase(CaseReport& report, const Sentence& why) {
  if (report.verdict <= Verdict::incomplete)
    report.notes.push_back(plain_note(why));
  else
    take_worse(report.verdict, report.reason, Verdict::incomplete, why, EndedBy::none);
  if (report.shadow)
    take_worse(report.shadow->verdict, report.shadow->reason, Verdict::incomplete, why, EndedBy::none);
}

void add_phase(CaseReport& report, CaseReport of_phase, const std::string& phase) {
  if (report.verdict == Verdict::regressed && of_phase.ended_by == EndedBy::machine)
    report.add_problems({told_of_phase(phase, of_phase.reason)});
  if (report.shadow) {
    Shadow other = of_phase.shadow.value_or(shadow_in(of_phase));
    take_worse(report.shadow->verdict, report.shadow->reason, other.verdict,
               told_of_phase(phase, other.reason),
               other.verdict == of_phase.verdict ? of_phase.ended_by : EndedBy::none);
    std::ranges::move(other.checks, std::back_inserter(report.shadow->checks));
  }
  if (take_worse(report.verdict, report.reason, of_phase.verdict, told_of_phase(phase, of_phase.reason),
                 of_phase.ended_by)) {
    report.ended_by = of_phase.ended_by;
    report.cause = of_phase.cause;
    if (of_phase.outcome) report.outcome = of_phase.outcome;
    report.last_words = of_phase.last_words;
  }
  std::ranges::move(of_phase.checks, std::back_inserter(report.checks));
  std::ranges::move(of_phase.problems, std::back_inserter(report.problems));
  for (Note& note : of_phase.notes)
    if (std::ranges::find(report.notes, note) == report.notes.end()) report.notes.push_back(std::move(note));
}

}  // namespace gate::app
