#include "gate/judging/case_judge.h"

#include <algorithm>
#include <set>

#include "gate/base/text.h"
#include "gate/config/flagperf.h"
#include "gate/config/training.h"
#include "gate/extract/format.h"
#include "gate/judge/judge.h"
#include "gate/judge/rules.h"
#include "gate/judging/case_outputs.h"
#include "gate/judging/run_clocks.h"
#include "gate/suite/imported_sources.h"
#include "gate/suite/profile_choice.h"
#include "gate/suite/published.h"
#include "gate/words/remarks.h"
#include "judging/cases/bound_performance.h"

namespace gate::app {

namespace {

bool has_note(const std::vector<Sentence>& notes, const Sentence& note) {
  return std::ranges::find(notes, note) != notes.end();
}

// What two files say alike is told once.
void add_notes(CaseReport& report, const std::vector<Sentence>& notes) {
  for (const Sentence& note : notes)
    if (std::ranges::find(report.notes, plain_note(note)) == report.notes.end())
      report.notes.push_back(plain_note(note));
}

// A device does no more than its peak: the peak is wrong, or what is counted.
void note_impossible_mfu(CaseReport& report, const Extraction& run) {
  for (const Series& series : run.series) {
    if (series.metric() != "mfu" || series.unit() != "%") continue;
    const auto above = std::ranges::find_if(series.samples(), [](const auto& sample) {
      return sample.value.is_finite() && sample.value.number > Decimal{100, 0};
    });
    if (above == series.samples().end()) continue;
    add_notes(report, {say({"mfu {} % is above 100 %: correct the peak in [peaks], or the formula",
                            "mfu {} % 超过 100 %：请更正 [peaks] 中的峰值，或公式"},
                           above->value.number.rounded(4).to_string())});
    return;
  }
}

// If each side has something of its own to say, the run's is told with the name of its file. How its log
// could be read is nothing to say of a case that is judged by outputs, or by its exit.
void add_notes_of_both(CaseReport& report, const config::Settings& settings, const Extraction& run,
                       const Reference& reference) {
  const bool both =
      !std::ranges::all_of(reference.notes, [&](const Sentence& note) { return has_note(run.notes, note); });
  std::vector<Sentence> notes = run.notes;
  if (settings.judge == config::JudgeMode::exit || settings.accuracy_test || !settings.outputs.empty())
    std::erase_if(notes, [&](const Sentence& note) { return has_note(run.advice, note); });
  for (Sentence& note : notes)
    if (both && !has_note(reference.notes, note)) note = as_is(join(run.files, ", ")) + colon + note;
  add_notes(report, notes);
  add_notes(report, reference.notes);
}

// What judge_case() is asked.
struct JudgeRequest {
  const config::Case& spec;
  const Reference& reference;
  const Extraction& run;
  const std::optional<Outcome>& outcome;
  const std::string& platform;
  const std::string& today;
  const Partners& partners;
  std::span<const Extraction* const> further;
  const Provenance& baseline;
  const OutputRules& of_outputs;
};

// Leave out the steps where the series is one of speed, unless nothing would be left.
void keep_steady(Series& series, const std::vector<StepSet>& unsteady, const MetricTable& metrics) {
  if (series.numbered() != Numbering::step || metrics.get(series.metric()).kind != MetricKind::speed) return;
  Series kept = series_at(series, [&](std::int64_t step) {
    return std::ranges::none_of(unsteady, [&](const StepSet& steps) { return steps.contains(step); });
  });
  if (!kept.empty()) series = std::move(kept);
}

bool has_counted_steps(const Series& series) {
  return series.assumed() && series.numbered() == Numbering::step;
}

// Tell whether the steps of the reference were counted: of lists, and of logs that an older gate read.
bool counts_steps(const Reference& reference) {
  return std::ranges::any_of(reference.series, [](const ReferenceSeries& series) {
    return std::ranges::any_of(series.runs, has_counted_steps);
  });
}

// Return the steps at which a record of the training stands.
std::vector<std::int64_t> numbers_of_records(const Reference& reference) {
  const Series* records = nullptr;
  for (const ReferenceSeries& series : reference.series)
    for (const Series& run : series.runs) take_longer(records, run);
  std::vector<std::int64_t> numbers;
  if (records != nullptr)
    for (const Sample& sample : records->samples()) numbers.push_back(sample.number);
  return numbers;
}

// Count the steps of a reference, as those of a log are that shows none. What stands at a step without a
// record is of the record before.
void count_steps(Reference& reference) {
  const std::vector<std::int64_t> numbers = numbers_of_records(reference);
  const auto count_to = [&](std::int64_t step) -> std::int64_t {
    return std::ranges::upper_bound(numbers, step) - numbers.begin();
  };
  for (ReferenceSeries& series : reference.series)
    for (Series& run : series.runs) {
      if (run.numbered() != Numbering::step) continue;
      Series counted(run.metric(), run.rank(), run.unit(), Numbering::step);
      counted.set_assumed(true);
      counted.set_of_last_steps(run.of_last_steps());
      counted.set_unrounded(run.unrounded());
      for (Sample sample : run.samples()) {
        sample.number = count_to(sample.number);
        counted.append(sample);
      }
      for (const std::int64_t number : run.conflicts()) counted.mark_conflict(count_to(number));
      for (const std::int64_t number : run.unrecorded()) counted.mark_unrecorded(count_to(number));
      run = std::move(counted);
    }
  if (reference.last_step) reference.last_step = count_to(*reference.last_step);
  reference.notes.push_back(
      say({"the run's steps are counted, for it shows none: the baseline's are counted, too",
           "运行的步号是数出来的，因为它没有显示步号：基线的步号也照样数"}));
}

// Return how many steps the run goes on behind a series of the last steps; 0 for any other series.
std::int64_t steps_behind(const Series& series, const Extraction& run) {
  const Series* const printed = find_counterpart(run.series, series.metric(), series.rank());
  if (!series.of_last_steps() || series.empty() || printed == nullptr || printed->empty()) return 0;
  return std::max<std::int64_t>(printed->samples().last_number() - series.samples().last_number(), 0);
}

bool ends_before(const Reference& reference, const Extraction& run) {
  return std::ranges::any_of(
      reference.series, [&](const ReferenceSeries& one) { return steps_behind(one.runs.front(), run) > 0; });
}

// Give what is of the last steps of some run the numbers of this run's last ones.
void move_to_end(Reference& reference, const Extraction& run) {
  for (ReferenceSeries& one : reference.series)
    if (const std::int64_t distance = steps_behind(one.runs.front(), run); distance > 0)
      for (Series& series : one.runs) {
        Series moved(series.metric(), series.rank(), series.unit(), series.numbered());
        moved.set_assumed(true);
        moved.set_of_last_steps(true);
        moved.set_unrounded(series.unrounded());
        for (Sample sample : series.samples()) {
          sample.number += distance;
          moved.append(sample);
        }
        series = std::move(moved);
        reference.notes.push_back(say({"{}: the run goes on, and its last steps are compared: {}",
                                       "{}：运行更长，比较它的最后几步：第 {} 步"},
                                      series.metric(), to_string(StepSet(series.samples().numbers()))));
      }
}

// What is judged and against what: as it was read, or, where the profile is gate's, copies with the derived
// series if the case has any, and without what a profiler made of speeds. Steps that were profiled in one of
// the runs, or in that of a partner, are left out of all and of the reference.
class Sides {
 public:
  Sides(const JudgeRequest& request, const judge::Profile& profile)
      : reference_(&request.reference), runs_{&request.run} {
    runs_.insert(runs_.end(), request.further.begin(), request.further.end());
    if (!profile.is_gate()) return;
    derive(request);
    leave_out_unsteady(request.spec.metrics);
  }
  Sides(const Sides&) = delete;
  Sides& operator=(const Sides&) = delete;

  const Reference& reference() const { return *reference_; }
  const Extraction& run() const { return *runs_.front(); }
  std::span<const Extraction* const> further() const { return std::span(runs_).subspan(1); }
  const ProfiledSteps& profiled() const { return profiled_; }

 private:
  void derive(const JudgeRequest& request) {
    for (const Extraction* run : runs_) add_profiled(*run);
    for (const auto& [name, partner] : request.partners) add_profiled(partner.extraction);
    if (request.spec.derivations.empty() && profiled_.empty()) return;
    const MetricTable& metrics = request.spec.metrics;
    derived_reference_ = with_derived(request.spec, request.reference, request.platform, request.partners);
    for (ReferenceSeries& series : derived_reference_.series)
      leave_out_profiled(series.runs, profiled_, metrics);
    reference_ = &derived_reference_;
    derived_runs_.reserve(runs_.size());
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      derived_runs_.push_back(
          with_derived(request.spec, *runs_[i], request.platform, beside_run(request.partners, i)));
      leave_out_profiled(derived_runs_.back().series, profiled_, metrics);
      runs_[i] = &derived_runs_.back();
    }
  }

  // Steps whose speed says nothing in one of the runs leave the speeds of all, and of the baseline.
  void leave_out_unsteady(const MetricTable& metrics) {
    std::vector<StepSet> unsteady;
    for (const Extraction* run : runs_)
      if (!run->unsteady.empty()) unsteady.push_back(run->unsteady);
    if (unsteady.empty()) return;
    steady_reference_ = *reference_;
    for (ReferenceSeries& series : steady_reference_.series)
      for (Series& run : series.runs) keep_steady(run, unsteady, metrics);
    reference_ = &steady_reference_;
    steady_runs_.reserve(runs_.size());
    for (const Extraction*& run : runs_) {
      steady_runs_.push_back(*run);
      for (Series& series : steady_runs_.back().series) keep_steady(series, unsteady, metrics);
      run = &steady_runs_.back();
    }
  }

  void add_profiled(const Extraction& run) {
    profiled_.insert(profiled_.end(), run.profiled.begin(), run.profiled.end());
  }

  ProfiledSteps profiled_;
  Reference derived_reference_, steady_reference_;
  std::vector<Extraction> steady_runs_;
  std::vector<Extraction> derived_runs_;
  const Reference* reference_;
  std::vector<const Extraction*> runs_;
};

bool uses_seq_length(const config::Case& spec, const std::string& metric) {
  const auto derivation = std::ranges::find(spec.derivations, metric, &judge::Derivation::metric);
  if (derivation == spec.derivations.end()) return false;
  return std::ranges::any_of(derivation->formula.terms, [&](const judge::Term& term) {
    return term.kind == judge::TermKind::number ? term.metric == "seq_length"
                                                : !term.metric.empty() && uses_seq_length(spec, term.metric);
  });
}

// A sequence length is told by the script as it is now: of another script's baseline it is not known.
void withhold_lengths(const JudgeRequest& request, std::map<std::string, Sentence>& reasons) {
  const Provenance &then = request.baseline, &now = request.run.provenance;
  const bool are_known = !then.script_sha256.empty() && !now.script_sha256.empty();
  if (!are_known || (then.script_sha256 == now.script_sha256 && then.args == now.args)) return;
  for (const Rule& rule : request.spec.rules)
    if (needs_baseline(rule.tolerance) && uses_seq_length(request.spec, rule.metric))
      reasons.emplace(
          rule.metric,
          say({"the script or its arguments changed since the baseline was recorded, whose sequence "
               "length is not known: record it again",
               "脚本或参数在录制基线之后有改动，而基线的序列长度未知：请重新录制"}));
}

std::map<std::string, Remark> withheld_of(const JudgeRequest& request, const Sides& sides) {
  std::map<std::string, Sentence> reasons =
      withheld(request.spec, request.platform, request.partners, request.run);
  if (!request.outcome) reasons.merge(unclocked(request.spec, sides.run()));
  withhold_lengths(request, reasons);
  std::map<std::string, Remark> remarks;
  for (auto& [metric, reason] : reasons) remarks.emplace(metric, remark::Text{std::move(reason)});
  remarks.insert(request.of_outputs.withheld.begin(), request.of_outputs.withheld.end());
  return remarks;
}

judge::Mode mode_of(config::JudgeMode judge) {
  if (judge == config::JudgeMode::series) return judge::Mode::series;
  return judge == config::JudgeMode::exit ? judge::Mode::exit : judge::Mode::pytest;
}

// What the run's switches say. Where nobody can tell, since no process was read, or no Python and no switch,
// what trains may have ended before, and the mode is that of the baseline's run if that was deterministic.
remark::ByMode mode_told(const JudgeRequest& request) {
  const auto before = determinism_of(request.baseline), told = determinism_of(request.run.provenance);
  const bool is_told = told && (!told->by.empty() || !request.run.provenance.python.empty());
  if (!is_told && before && before->is_deterministic) return {true, before->by, false};
  return told ? remark::ByMode{told->is_deterministic, told->by} : remark::ByMode{.is_known = false};
}

// Of two tolerances the mode chooses, or the looser one is taken.
std::vector<Rule> rules_by_mode(const JudgeRequest& request, const remark::ByMode& mode) {
  std::vector<Rule> rules = request.spec.rules;
  for (Rule& rule : rules) {
    if (!rule.deterministic) continue;
    const bool is_looser = shift_of(rule.tolerance, *rule.deterministic) == PolicyShift::loosened;
    if (mode.is_known || mode.is_deterministic ? mode.is_deterministic : is_looser)
      rule.tolerance = *rule.deterministic;
  }
  return rules;
}

// Return by which tolerances the case was judged although its baseline's run was deterministic.
std::vector<PolicyFinding> loosened_by_mode(const JudgeRequest& request, const Judgement& judgement) {
  const auto before = determinism_of(request.baseline);
  const remark::ByMode mode = mode_told(request);
  std::vector<PolicyFinding> found;
  if (!before || !before->is_deterministic || mode.is_deterministic) return found;
  for (const Rule& rule : rules_by_mode(request, mode))
    if (rule.deterministic &&
        std::ranges::find(judgement.checks, rule.name, &Check::rule) != judgement.checks.end())
      found.push_back({PolicyArea::rule,
                       shift_of(*rule.deterministic, rule.tolerance),
                       "rules." + rule.name + ".tolerance",
                       to_string(*rule.deterministic),
                       to_string(rule.tolerance),
                       "baseline " + before->by,
                       {request.spec.name}});
  return found;
}

// A rule that speaks of another case's run is not to fall away with it, nor one with a number that is
// doubtful.
void require_inputs(const JudgeRequest& request, std::vector<Rule>& rules) {
  const std::set<std::string> metrics =
      without_inputs(request.spec, request.platform, request.partners, request.run);
  for (Rule& rule : rules) rule.required |= metrics.contains(rule.metric);
}

void tell_mode(Judgement& judgement, const std::vector<Rule>& rules, const remark::ByMode& mode) {
  for (Check& check : judgement.checks) {
    const auto rule = std::ranges::find(rules, check.rule, &Rule::name);
    if (rule != rules.end() && rule->deterministic) check.remarks.emplace_back(mode);
    if (rule != rules.end() && !rule->published.empty())
      check.remarks.emplace_back(
          remark::Text{say({"against the reference {}", "对照参考值 {}"}, rule->published)});
  }
}

// Of outputs that are judged accuracy is compared, of phases with one another.
judge::Strict strictness_of(const JudgeRequest& request) {
  const config::Settings& settings = request.spec.settings;
  const bool compares_otherwise =
      !settings.phases.empty() || !settings.outputs.empty() || !request.run.outputs.empty();
  return settings.strict == judge::Strict::accuracy && compares_otherwise ? judge::Strict::no
                                                                          : settings.strict;
}

// Return how many ranks the run's log tells of, else its case; nothing where neither does.
std::optional<std::int64_t> ranks_of(const JudgeRequest& request) {
  if (const auto told = setup_count(request.run.provenance, "world_size")) return told;
  const config::Size size = config::size_on(request.spec.settings, request.platform);
  const std::int64_t ranks = std::int64_t{size.devices.value_or(0)} * size.nodes;
  return ranks > 0 ? std::optional(ranks) : std::nullopt;
}

// A person looks for what the log calls it.
void tell_finished_keys(const config::Case& spec, std::vector<Check>& checks) {
  if (config::flagperf_hardware_of(spec.settings) == nullptr) return;
  for (Check& check : checks) {
    const auto known = extract::finished_keys(check.metric);
    std::vector<std::string> keys(known.begin(), known.end());
    const auto is_unsaid = [&](const std::string& key) {
      return !spec.training_text || spec.training_text->find('"' + key + '"') == std::string::npos;
    };
    if (!std::ranges::all_of(keys, is_unsaid)) std::erase_if(keys, is_unsaid);
    const bool is_absent = std::ranges::any_of(
        check.remarks, [](const Remark& remark) { return std::holds_alternative<remark::NotInRun>(remark); });
    if (is_absent && !keys.empty() && keys != std::vector{check.metric})
      check.remarks.emplace_back(
          remark::Text{say({"FINISHED would call it {}", "在 FINISHED 中的名字是 {}"}, join(keys, " / "))});
  }
}

Judgement judged(const JudgeRequest& request, const Sides& sides, const judge::Profile& profile) {
  const config::Settings& settings = request.spec.settings;
  const remark::ByMode mode = mode_told(request);
  std::vector<Rule> rules = rules_by_mode(request, mode);
  require_inputs(request, rules);
  tell_measured_elsewhere(rules, request.spec, request.platform);
  Judgement judgement =
      judge::judge({.rules = rules,
                    .metrics = request.spec.metrics,
                    .reference = sides.reference(),
                    .run = sides.run(),
                    .outcome = request.outcome,
                    .platform = request.platform,
                    .mode = mode_of(settings.judge),
                    .strict = strictness_of(request),
                    .steps = settings.steps,
                    .today = request.today,
                    .further = sides.further(),
                    .withheld = withheld_of(request, sides),
                    .profile = profile,
                    .pooling = settings.repeat > 1 ? judge::Pooling::all : judge::Pooling::speed,
                    .is_profiled = !sides.profiled().empty(),
                    .ranks = ranks_of(request),
                    .drops_exit = config::dropped_exit(request.spec),
                    .outlives_ranks = config::flagperf_hardware_of(settings) != nullptr,
                    .has_fault = settings.fault.has_value()});
  tell_mode(judgement, rules, mode);
  tell_finished_keys(request.spec, judgement.checks);
  for (Check& check : judgement.checks)
    if (request.spec.metrics.get(check.metric).numbered == Numbering::time && !check.actual &&
        !request.run.not_sampled.empty())
      check.remarks.emplace_back(remark::Text{request.run.not_sampled});
  return judgement;
}

std::optional<Shadow> judged_by_shadow(const JudgeRequest& request) {
  const std::optional<judge::Profile> profile = shadow_of(request.spec.settings);
  if (!profile) return std::nullopt;
  Judgement judgement = judged(request, Sides(request, *profile), *profile);
  return Shadow{profile->name, judgement.verdict, std::move(judgement.reason), std::move(judgement.checks)};
}

std::vector<std::string> metrics_from(const Reference& reference, const std::string& path) {
  std::set<std::string> metrics;
  for (const ReferenceSeries& series : reference.series)
    if (series.path == path) metrics.insert(series.runs.front().metric());
  return {metrics.begin(), metrics.end()};
}

// Add what the run's outputs say to the case, and to what it is judged against.
void add_to(config::Case& spec, Reference& reference, const OutputRules& outputs) {
  for (const Metric& metric : outputs.metrics) spec.metrics.put(metric);
  std::vector<Rule> rules = spec.rules;
  rules.insert(rules.end(), outputs.rules.begin(), outputs.rules.end());
  spec.rules = std::move(rules);
  for (const ReferenceSeries& golden : outputs.golden) {
    std::erase_if(reference.series, [&](const ReferenceSeries& one) {
      return one.runs.front().metric() == golden.runs.front().metric();
    });
    reference.series.push_back(golden);
  }
}

// Tell whether the metric is one that neither run nor baseline has: of a case with outputs it is not missed.
bool is_of_another_case(const Ungated& ungated) {
  const auto* plain = std::get_if<remark::Plain>(&ungated.reason);
  return plain != nullptr &&
         (*plain == remark::Plain::no_baseline || *plain == remark::Plain::not_in_baseline ||
          *plain == remark::Plain::rule_judges_nothing);
}

// What is measured while a script runs is not in the baseline of a short run for the same reason.
void tell_not_sampled(CaseReport& report, const config::Case& spec, const Extraction& run) {
  if (run.not_sampled.empty()) return;
  for (Ungated& ungated : report.ungated)
    if (!ungated.rule.empty() && spec.metrics.get(ungated.metric).numbered == Numbering::time)
      ungated.reason = remark::Text{run.not_sampled + semicolon + words::text(ungated.reason)};
}

// Say which format was found out from the content, if nobody said which one it is.
void note_found_formats(CaseReport& report, const config::Case& spec, const Reference& reference) {
  const std::vector<std::string> told = extract_options(spec, reference).formats;
  const bool found = told.empty() || std::ranges::find(told, "auto") != told.end();
  if (found && !report.formats.empty())
    add_notes(report, {say({"read as format {}, from the content", "按内容识别为格式 {}"},
                           join(report.formats, ", "))});
}

// An empty log is no riddle where the script sends what it prints to a file of its own.
void note_redirected(CaseReport& report, const config::Case& spec, const Extraction& run) {
  const std::string file = run.bytes > 0 || !spec.settings.log.empty() ? "" : config::redirected_to(spec);
  if (!file.empty())
    add_notes(report, {say({"its script sends its output to {}: log = \"...\" in gate.toml names such a file",
                            "它的脚本把输出写到 {}：在 gate.toml 中用 log = \"...\" 指出这个文件"},
                           printable(file, 120))});
}

// Say that a quarantine is over: the case gates again.
void note_ended_quarantine(CaseReport& report, const config::Case& spec, const std::string& today) {
  const std::optional<Quarantine>& quarantine = spec.settings.quarantine;
  if (quarantine && quarantine->until < today)
    add_notes(report, {say({"its quarantine ended on {}, and it gates again: {} ({})",
                            "隔离已于 {} 结束，重新设门禁：{}（{}）"},
                           quarantine->until, quarantine->reason, quarantine->owner)});
}

// Each output that a script left nothing of is a problem, but for the one that is the verdict's reason. Of a
// script that ended badly nobody expects any.
void add_missing_outputs(CaseReport& report, const Extraction& run) {
  if (report.outcome && !ended_well(*report.outcome)) return;
  const bool is_reason_told = report.verdict == Verdict::incomplete && run.cut.empty();
  for (const OutputResult& output : run.outputs) {
    if (output.missing.empty()) continue;
    const Sentence text = missing_output_words(output);
    if (!is_reason_told || !(text == run.not_shown)) report.add_problems({text});
  }
}

// Rules that are held against no reference say so, in the place of a metric without a rule.
void add_unbound(CaseReport& report, const config::Case& spec) {
  for (const config::UnboundRule& rule : spec.unbound) {
    std::erase_if(report.ungated,
                  [&](const Ungated& one) { return one.metric == rule.metric && one.rule.empty(); });
    report.ungated.push_back({rule.metric, rule.rule, remark::Text{rule.reason}});
  }
}

// Numbers of another set-up are no regression of what was to be measured.
void put_setup_first(CaseReport& report, const std::vector<FactChange>& setup) {
  if (report.verdict == Verdict::regressed && !setup.empty())
    report.reason = say({"another set-up than the baseline's: {}; {}", "配置与基线的不同：{}；{}"},
                        join(sentences_of(setup), comma), report.reason);
}

// Return the nodes of a launch that printed nothing; none where that is not known.
std::optional<StepSet> silent_nodes(const Provenance& provenance) {
  const auto told = provenance.setup.find(std::string(silent_nodes_fact));
  if (told == provenance.setup.end()) return std::nullopt;
  return told->second == "none" ? std::optional<StepSet>(StepSet()) : StepSet::parse(told->second);
}

Sentence silence_of(const StepSet& nodes) {
  return nodes.size() == 1 ? say({"node {} printed nothing", "节点 {} 没有任何输出"}, nodes.front())
                           : say({"nodes {} printed nothing", "节点 {} 没有任何输出"}, to_string(nodes));
}

// Return why the run does not show what its case is about: nodes are silent that spoke when its baseline was
// recorded. "" where all did, and where nobody knows.
Sentence fell_silent(const Provenance& baseline, const Extraction& extraction) {
  const std::optional<StepSet> before = silent_nodes(baseline), now = silent_nodes(extraction.provenance);
  if (!before || !now) return {};
  std::vector<std::int64_t> numbers = now->numbers();
  std::erase_if(numbers, [&](std::int64_t node) { return before->contains(node); });
  if (numbers.empty()) return {};
  return silence_of(StepSet(numbers)) +
         say({", and did when the baseline was recorded", "，而录制基线时有输出"});
}

void tell_silent_nodes(CaseReport& report, const Provenance& baseline, const Provenance& run) {
  if (const std::optional<StepSet> now = silent_nodes(run); now && !now->empty() && !silent_nodes(baseline))
    add_notes(report, {silence_of(*now) +
                       say({", and no baseline says whether it is to", "，也没有基线说明是否应当如此"})});
}

CaseReport report_of(const JudgeRequest& request, const JudgedAgainst& against) {
  const config::Case& spec = request.spec;
  const Extraction& extraction = request.run;
  const judge::Profile profile = profile_of(spec.settings);
  const Sides sides(request, profile);
  Judgement judgement = judged(request, sides, profile);
  CaseReport report;
  report.name = spec.name;
  report.verdict = judgement.verdict;
  report.reason = std::move(judgement.reason);
  report.ended_by = judgement.ended_by;
  if (Sentence why = config::unreadable_words(spec); !why.empty()) {
    report.verdict = Verdict::unjudged;
    report.reason = std::move(why);
  }
  report.profile = profile.name;
  report.shadow = judged_by_shadow(request);
  report.loosened = loosened_by_mode(request, judgement);
  report.outcome = request.outcome;
  report.platform = request.platform;
  report.owner = spec.settings.owner;
  report.baselines = against.files;
  report.environment = against.environment;
  report.chain = against.chain;
  report.formats = extraction.formats;
  report.steps = last_step(extraction.series);
  report.total = extraction.total;
  if (spec.settings.steps) report.total = *spec.settings.steps;
  if (against.reference.last_step) report.total = against.reference.last_step;
  report.checks = std::move(judgement.checks);
  report.ungated = std::move(judgement.ungated);
  report.outputs = extraction.outputs;
  if (!report.outputs.empty())
    std::erase_if(report.ungated, [&](const Ungated& ungated) {
      return is_of_another_case(ungated) &&
             find_series(extraction.series, ungated.metric, std::nullopt) == nullptr;
    });
  tell_not_sampled(report, spec, extraction);
  report.cause = std::move(judgement.cause);
  report.problems = extraction.problems;
  if (spec.settings.judge == config::JudgeMode::exit && extraction.series.empty())
    std::erase_if(report.problems,
                  [](const Problem& problem) { return problem.kind == ProblemKind::unreadable; });
  report.problems.insert(report.problems.end(), judgement.problems.begin(), judgement.problems.end());
  add_missing_outputs(report, extraction);
  if (const Sentence unused = passed_over_words(spec); !unused.empty()) add_notes(report, {unused});
  note_found_formats(report, spec, against.reference);
  note_ended_quarantine(report, spec, request.today);
  add_notes_of_both(report, spec.settings, extraction, against.reference);
  tell_silent_nodes(report, against.provenance, extraction.provenance);
  note_redirected(report, spec, extraction);
  add_notes(report, spec.source_changes);
  add_notes(report, config::contradictions_of(spec, report.platform, extraction));
  if (!sides.profiled().empty())
    add_notes(report, {say({"left out of every speed: {}, and what is of the whole run; a profiler ran",
                            "不计入任何速度：{}，以及属于整个运行的值；当时开着剖析器 (profiler)"},
                           to_string(sides.profiled()))});
  report.notes.insert(report.notes.end(), judgement.notes.begin(), judgement.notes.end());
  if (!profile.is_gate() && !request.further.empty())
    add_notes(report,
              {say({"profile {} judges each of the {} runs alone", "判定方案 {0} 对 {1} 次运行逐个单独判定"},
                   profile.name, request.further.size() + 1)});
  if (!extraction.provenance.host.empty()) report.ran_on = environment_facts(extraction.provenance);
  report.differs = differences(against.provenance, extraction.provenance);
  put_setup_first(report, setup_differences(against.provenance, extraction.provenance));
  if (profile.is_gate()) add_unbound(report, spec);
  report.performance = performance_of(spec, sides.run(), report);
  const Sentence other = spec.reference ? other_hardware(*spec.reference, report.platform) : Sentence();
  if (!other.empty() && report.reason.english().find(other.english()) == std::string::npos)
    report.problems.push_back({ProblemKind::other, "", 0, other});
  note_impossible_mfu(report, sides.run());
  if (profile.is_gate()) {
    add_formulas(report, spec, sides.run(), request.partners);
    note_derivations(report, spec, extraction, sides.run(), sides.reference());
  }
  return report;
}

}  // namespace

std::int64_t last_step(const std::vector<Series>& all) {
  std::int64_t last = 0;
  for (const Series& series : all)
    if (series.numbered() == Numbering::step && !series.empty())
      last = std::max(last, series.samples().last_number());
  return last;
}

Sentence early_end(const std::vector<Series>& all, std::optional<std::int64_t> total) {
  const std::int64_t last = last_step(all);
  return total && last < *total ? say({"it ends at step {} of {}: record a run that reaches its end",
                                       "在第 {} 步结束，应有 {} 步：请录制跑到末尾的运行"},
                                      last, *total)
                                : Sentence();
}

// A log's series are numbered as the metric is; those of some golden files are not.
bool gates(const Rule& rule, Numbering numbered, const Reference& reference) {
  return !needs_baseline(rule.tolerance) ||
         std::ranges::any_of(reference.series, [&](const ReferenceSeries& series) {
           return series.runs.front().metric() == rule.metric && series.runs.front().numbered() == numbered;
         });
}

JudgedAgainst judged_against(const std::vector<store::BaselineFile>& files) {
  JudgedAgainst against{store::reference_of(files), {}, {}};
  if (!files.empty()) against.provenance = files.front().baseline.provenance;
  for (const store::BaselineFile& file : files)
    against.files.push_back({file.path, file.sha256, std::ssize(file.baseline.runs)});
  return against;
}

Result<JudgedAgainst> judged_at(const store::BaselineLayout& layout, const store::BaselinePlace& run) {
  GATE_TRY(const auto files, store::read_baselines(layout, run));
  JudgedAgainst against = judged_against(files);
  against.environment = run.environment;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Provenance& provenance = files[i].baseline.provenance;
    Sentence changed = changed_golden(provenance, files[i].place, layout.root);
    if (changed.empty()) continue;
    against.files[i].source = fs::is_taken(layout.root / provenance.source) ? "changed" : "gone";
    against.reference.notes.push_back(std::move(changed));
  }
  for (const store::BaselinePlace& place : store::baseline_chain(layout, run)) {
    const auto file = std::ranges::find(files, place, &store::BaselineFile::place);
    const std::string path = store::baseline_path(layout, place);
    if (file == files.end() && fs::is_taken(store::folder_of_files(layout) / path))
      return fail(path + ": is a link that leads nowhere; another baseline is not to stand in for it");
    if (file == files.end())
      against.chain.push_back({path, "", {}});
    else
      against.chain.push_back({file->path, file->sha256, metrics_from(against.reference, file->path)});
  }
  return against;
}

std::vector<store::BaselinePlace> places_of(const Suite& suite, const std::string& case_name,
                                            const std::string& platform, const std::string& environment) {
  if (!platform.empty()) return {{platform, case_name, suite.environment}};
  std::vector<store::BaselinePlace> places = store::baseline_places(suite.layout, case_name);
  std::erase_if(places, [&](const store::BaselinePlace& place) {
    return !environment.empty() && place.environment != environment;
  });
  if (places.empty()) places.push_back({"", case_name, suite.environment});
  return places;
}

Sentence unknown_environment(const Suite& suite, bool lacks_baseline) {
  if (suite.environment.empty() && !lacks_baseline) return {};
  std::set<std::string> known;
  for (const auto& [name, places] : store::places_by_case(suite.layout))
    for (const store::BaselinePlace& place : places) known.insert(place.environment);
  if (known.contains(suite.environment)) return {};
  known.erase("");
  if (known.empty()) return {};
  const std::vector<std::string> names(known.begin(), known.end());
  if (suite.environment.empty())
    return say({"no environment is named, and all baselines are of one: {}",
                "没有指定环境，而基线都属于某个环境：{}"},
               join(names, ", "));
  const std::string meant = did_you_mean(suite.environment, names);
  const Sentence none = say({"no baseline is of environment {}", "没有环境 {} 的基线"}, suite.environment);
  return none + (meant.empty() ? say({"; there are some of {}", "；有 {} 的基线"}, join(names, ", "))
                               : Sentence(meant));
}

extract::Options extract_options(const config::Case& spec, const Reference& reference) {
  extract::Options options;
  if (counts_steps(reference)) options.steps_of = extract::StepsOf::count;
  options.formats = spec.settings.formats.empty() ? reference.formats : spec.settings.formats;
  options.patterns = spec.patterns;
  options.json = spec.json;
  options.metrics = spec.metrics;
  options.attempt = spec.settings.attempt;
  options.of_attempts = spec.of_attempts;
  options.sources = spec.settings.sources;
  options.profiler = config::profiler_flags(spec, "");
  options.all_attempts = !profile_of(spec.settings).is_gate() || shadow_of(spec.settings).has_value() ||
                         !spec.settings.log.empty();
  options.restarts = spec.settings.restarts || spec.settings.fault;
  return options;
}

CaseReport judge_case(const config::Case& spec, const JudgedAgainst& against, const Extraction& extraction,
                      const std::optional<Outcome>& outcome, const std::string& platform,
                      const std::string& today, const Partners& partners,
                      std::span<const Extraction* const> further) {
  if (std::ranges::any_of(extraction.series, has_counted_steps) && !counts_steps(against.reference) &&
      !numbers_of_records(against.reference).empty()) {
    JudgedAgainst counted = against;
    count_steps(counted.reference);
    return judge_case(spec, counted, extraction, outcome, platform, today, partners, further);
  }
  if (Sentence why = fell_silent(against.provenance, extraction);
      !why.empty() && extraction.not_shown.empty()) {
    Extraction told = extraction;
    told.not_shown = std::move(why);
    return judge_case(spec, against, told, outcome, platform, today, partners, further);
  }
  if (ends_before(against.reference, extraction)) {
    JudgedAgainst moved = against;
    move_to_end(moved.reference, extraction);
    return judge_case(spec, moved, extraction, outcome, platform, today, partners, further);
  }
  const OutputRules outputs = rules_of_outputs(spec, extraction);
  if (outputs.rules.empty())
    return report_of({spec, against.reference, extraction, outcome, platform, today, partners, further,
                      against.provenance, outputs},
                     against);
  config::Case all = spec;
  Reference reference = against.reference;
  add_to(all, reference, outputs);
  return report_of(
      {all, reference, extraction, outcome, platform, today, partners, further, against.provenance, outputs},
      against);
}

config::Case with_rules_alone(config::Case spec, std::vector<Rule> rules) {
  std::vector<Rule> alone = spec.rules;
  std::erase_if(alone,
                [](const Rule& rule) { return rule.name != judge::converged_rule || !rule.metric.empty(); });
  std::ranges::move(rules, std::back_inserter(alone));
  spec.rules = std::move(alone);
  spec.derivations.clear();
  spec.settings.outputs.clear();
  spec.settings.profile = "gate";
  spec.settings.shadow.clear();
  spec.settings.strict = judge::Strict::no;
  return spec;
}

namespace {

// Tell whether the log printed a step, or a report of a loss, a speed or memory: what gate measures beside a
// script is there of any script.
bool is_of_training(const Series& series, const Metric& metric) {
  if (series.empty() || metric.measured_by != MeasuredBy::log) return false;
  return series.numbered() == Numbering::step || metric.kind != MetricKind::other;
}

}  // namespace

CaseReport measured_case(const config::Case& spec, const Extraction& extraction,
                         const std::optional<Outcome>& outcome, const std::string& platform,
                         const std::string& today) {
  CaseReport report = judge_case(with_rules_alone(spec, {}), {}, extraction, outcome, platform, today);
  const bool reached = !report.total || report.steps >= *report.total;
  const bool showed_anything =
      !extraction.outputs.empty() || std::ranges::any_of(extraction.series, [&](const Series& series) {
        return is_of_training(series, spec.metrics.get(series.metric()));
      });
  if (report.verdict == Verdict::unjudged && showed_anything && reached) report.verdict = Verdict::passed;
  report.ungated.clear();
  const Reference nothing;
  const Partners alone;
  const Provenance unknown;
  const OutputRules no_rules;
  const JudgeRequest request{spec,  nothing, extraction, outcome, platform,
                             today, alone,   {},         unknown, no_rules};
  report.performance = performance_of(spec, Sides(request, profile_of(spec.settings)).run(), report);
  return report;
}

}  // namespace gate::app
