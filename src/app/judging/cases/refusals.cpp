#include "gate/judging/refusals.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "gate/base/text.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/read_logs.h"
#include "gate/judging/run_clocks.h"
#include "gate/model/numbers/step_set.h"
#include "gate/suite/profile_choice.h"
#include "gate/words/values.h"

namespace gate::app {

namespace {

struct RefusalRow {
  const char* name;
  Sentence (*why)(const Baseline& candidate,
                  const Baseline* present);  // "" where there is nothing to refuse
};

// Return the first complaint about a run of the candidate, with its number where there are several.
template <typename Complaint>
Sentence first_of_runs(const Baseline& candidate, Complaint complaint) {
  for (std::size_t i = 0; i < candidate.runs.size(); ++i)
    if (const Sentence why = complaint(candidate.runs[i]); !why.empty())
      return candidate.runs.size() > 1 ? say({"run {}: {}", "第 {} 次运行：{}"}, i + 1, why) : why;
  return {};
}

// Times are never the same twice.
std::vector<std::int64_t> missing_numbers(const Series& present, const Series& candidate) {
  std::vector<std::int64_t> missing;
  if (present.numbered() == Numbering::time) return missing;
  std::ranges::set_difference(present.samples().numbers(), candidate.samples().numbers(),
                              std::back_inserter(missing));
  return missing;
}

// Return what of `wanted` the run does not have; `whose` has it.
Sentence lacks(const BaselineRun& run, const BaselineRun& wanted, const Sentence& whose) {
  for (const Series& series : wanted.series) {
    const Series* same = find_series(run.series, series.metric(), series.rank());
    if (same == nullptr)
      return say({"{} has {}, the candidate has not", "{}有 {}，候选基线没有"}, whose, label(series));
    const std::vector<std::int64_t> numbers = missing_numbers(series, *same);
    if (numbers.empty()) continue;
    const std::string of = std::string(to_string(series.numbered())) + " " + to_string(StepSet(numbers));
    return say({"{}: {} of {} {} not in the candidate", "{}：{}，属于{}，{}候选基线里"}, label(series), of,
               whose, Sentence(numbers.size() == 1 ? "is" : "are", "不在"));
  }
  return {};
}

// Return of which metric as many ranks printed values as no division of the run's ranks into equal groups
// makes; "" where there is none, and where the log tells no number of ranks.
Sentence lost_ranks(const BaselineRun& run, const Provenance& provenance) {
  const std::int64_t ranks = setup_count(provenance, "world_size").value_or(0);
  for (const auto& [metric, printed] : ranks_by_metric(run.series))
    if (const auto count = std::ssize(printed); count < ranks && ranks % count != 0)
      return say({"{}: {} of its {} ranks printed it", "{0}：{2} 个 rank 中有 {1} 个打印了它"}, metric, count,
                 ranks);
  return {};
}

// Every run must have what the present baseline has, and what any other run of the candidate has.
Sentence missing(const Baseline& candidate, const Baseline* present) {
  return first_of_runs(candidate, [&](const BaselineRun& run) -> Sentence {
    if (!run.unfit.empty()) return run.unfit;
    if (Sentence why = lost_ranks(run, candidate.provenance); !why.empty()) return why;
    if (present != nullptr)
      for (const BaselineRun& wanted : present->runs)
        if (Sentence why = lacks(run, wanted, {"the present baseline", "现有基线"}); !why.empty()) return why;
    for (std::size_t i = 0; i < candidate.runs.size(); ++i)
      if (&run != &candidate.runs[i])
        if (Sentence why = lacks(run, candidate.runs[i], say({"run {}", "第 {} 次运行"}, i + 1));
            !why.empty())
          return why;
    return {};
  });
}

std::int64_t last_step_of(const Baseline* baseline) {
  std::int64_t last = 0;
  if (baseline != nullptr)
    for (const BaselineRun& run : baseline->runs) last = std::max(last, last_step(run.series));
  return last;
}

// Return the first step of the run's training; nothing where that is where a log begins: at its first step,
// or one distance of its steps behind the start.
std::optional<std::int64_t> late_start(const BaselineRun& run) {
  const Series* records = nullptr;
  for (const Series& series : run.series) take_longer(records, series);
  if (records == nullptr || records->size() < 2) return std::nullopt;
  const std::vector<std::int64_t> steps = records->samples().numbers();
  return steps[0] > steps[1] - steps[0] ? std::optional(steps[0]) : std::nullopt;
}

bool begins_as_late(const Baseline* present, std::int64_t step) {
  return present != nullptr && std::ranges::any_of(present->runs, [&](const BaselineRun& run) {
           return late_start(run).value_or(0) >= step;
         });
}

Sentence too_short(const Baseline& candidate, const Baseline* present) {
  const std::int64_t before = last_step_of(present);
  return first_of_runs(candidate, [&](const BaselineRun& run) -> Sentence {
    const std::int64_t reached = last_step(run.series);
    if (const auto first = late_start(run); first && !begins_as_late(present, *first))
      return say({"the candidate begins at step {}, as a run does that goes on from a checkpoint: the steps "
                  "before would not be judged",
                  "候选基线从第 {} 步开始，像是从检查点续训的运行：之前的步将不会被判定"},
                 *first);
    if (reached < before)
      return say({"the candidate ends at step {}, the present baseline at step {}",
                  "候选基线在第 {} 步结束，现有基线在第 {} 步"},
                 reached, before);
    if (!run.total || reached == 0 || reached >= *run.total) return {};
    return say({"the candidate ends at step {} of the {} that its log announces",
                "候选基线在第 {} 步结束，而它的日志声明有 {} 步"},
               reached, *run.total);
  });
}

Sentence non_finite(const Baseline& candidate, const Baseline*) {
  return first_of_runs(candidate, [](const BaselineRun& run) -> Sentence {
    for (const Series& series : run.series)
      for (const Sample& sample : series.samples())
        if (!sample.value.is_finite())
          return say({"{} is {} at {}", "{0} 在{2}是 {1}"}, label(series),
                     sample.text.empty() ? words::shown_text(sample.value) : as_is(sample.text),
                     words::number_text(sample.number, series.numbered()));
    return {};
  });
}

Sentence bad_end(const Baseline& candidate, const Baseline*) {
  if (candidate.provenance.ended_well) return {};
  return say({"it comes from a run that did not end well", "所属运行没有正常结束"});
}

// Return `said` with the words that the candidate's run was given, and with those of before; "" if they are
// the same.
Sentence other_words(const Baseline& candidate, const Baseline* present,
                     std::vector<std::string> Provenance::*words, const Sentence& said) {
  const auto in_quotes = [](const std::vector<std::string>& all) {
    return all.empty() ? say({"none", "无"}) : as_is("\"" + join(all, " ") + "\"");
  };
  const auto before = present != nullptr ? present->provenance.*words : std::vector<std::string>{};
  const std::vector<std::string>& after = candidate.provenance.*words;
  if (after == before) return {};
  return say({"{}: {}, before: {}", "{}：{}，之前：{}"}, said, in_quotes(after), in_quotes(before));
}

Sentence other_args(const Baseline& candidate, const Baseline* present) {
  return other_words(candidate, present, &Provenance::args,
                     {"its script was given other ARGS", "给脚本的 ARGS 不同"});
}

Sentence other_set(const Baseline& candidate, const Baseline* present) {
  return other_words(candidate, present, &Provenance::set,
                     {"it was run with other --set", "运行时的 --set 不同"});
}

Sentence fewer_runs(const Baseline& candidate, const Baseline* present) {
  if (present == nullptr || candidate.runs.size() >= present->runs.size()) return {};
  return say({"the candidate holds {}, the present baseline {}", "候选基线有 {}，现有基线有 {} 次"},
             count_of(std::ssize(candidate.runs), "run", "次运行"), present->runs.size());
}

constexpr const char* missing_refusal = "missing";

// Tell whether a log alone has the metric: neither gate's own measuring nor a formula nor an output does.
bool is_printed(const config::Case& spec, const std::string& metric) {
  return spec.metrics.get(metric).measured_by == MeasuredBy::log &&
         std::ranges::find(spec.derivations, metric, &judge::Derivation::metric) == spec.derivations.end() &&
         std::ranges::none_of(spec.settings.outputs, [&](const auto& output) {
           return config::metric_of_output(output.first, output.second.metric) == metric;
         });
}

constexpr std::array<RefusalRow, 7> refusal_rows{{{missing_refusal, missing},
                                                  {"fewer_runs", fewer_runs},
                                                  {short_refusal, too_short},
                                                  {"non_finite", non_finite},
                                                  {bad_end_refusal, bad_end},
                                                  {"args", other_args},
                                                  {"set", other_set}}};

}  // namespace

std::vector<Refusal> refusals(const Baseline& candidate, const Baseline* present) {
  std::vector<Refusal> found;
  for (const RefusalRow& row : refusal_rows)
    if (Sentence why = row.why(candidate, present); !why.empty()) found.push_back({row.name, std::move(why)});
  return found;
}

void add_lacking(std::vector<Refusal>& refusals, const Baseline& candidate, const config::Case& spec,
                 const std::vector<Rule>& rules) {
  if (spec.settings.judge != config::JudgeMode::series || !profile_of(spec.settings).is_gate() ||
      std::ranges::find(refusals, missing_refusal, &Refusal::name) != refusals.end())
    return;
  const Sentence lacking = first_of_runs(candidate, [&](const BaselineRun& run) -> Sentence {
    for (const Rule& rule : rules)
      if (rule.required && is_printed(spec, rule.metric) &&
          std::ranges::find(run.series, rule.metric, &Series::metric) == run.series.end())
        return say({"rules.{} is required, and the candidate has no {}",
                    "rules.{} 是 required，而候选基线里没有 {}"},
                   rule.name, rule.metric);
    return {};
  });
  if (!lacking.empty()) refusals.push_back({missing_refusal, lacking});
}

std::optional<Refusal> flaw_of_recording(const Baseline& candidate, const config::Case& spec) {
  constexpr std::array flaws{missing_refusal, short_refusal, "non_finite"};
  std::vector<Refusal> found = refusals(without_clocks(candidate, spec.metrics), nullptr);
  add_lacking(found, candidate, spec, spec.rules);
  for (Refusal& refusal : found)
    if (std::ranges::find(flaws, refusal.name) != flaws.end()) return std::move(refusal);
  return std::nullopt;
}

CaseReport judge_candidate(const config::Case& spec, const JudgedAgainst& against, const Baseline& candidate,
                           const std::string& today) {
  const std::vector<Extraction> runs = as_extractions(candidate, "candidate");
  std::optional<CaseReport> first;
  for (const Extraction& run : runs) {
    std::vector<const Extraction*> further;
    for (const Extraction& other : runs)
      if (&other != &run) further.push_back(&other);
    CaseReport report = judge_case(spec, against, run, std::nullopt, candidate.platform, today, {}, further);
    if (report.verdict != Verdict::passed) return report;
    if (!first) first = std::move(report);
  }
  return *std::move(first);
}

Sentence red_reason_of(const config::Case& spec, const CaseReport& report) {
  const bool is_unclear = std::ranges::any_of(report.checks, [](const Check& check) {
    return check.status == CheckStatus::incomparable || check.status == CheckStatus::undecided;
  });
  const bool is_red =
      report.verdict == Verdict::regressed || (report.verdict == Verdict::unjudged && is_unclear);
  return is_red && spec.settings.judge == config::JudgeMode::series ? report.reason : Sentence();
}

std::vector<std::string> refusal_names() {
  std::vector<std::string> names{regressed_refusal, drift_refusal, noisy_refusal};
  for (const RefusalRow& row : refusal_rows) names.emplace_back(row.name);
  return names;
}

}  // namespace gate::app
