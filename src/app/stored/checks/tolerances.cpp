#include "gate/stored/tolerances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>

#include "gate/base/text.h"
#include "gate/config/tolerance_edit.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/derived.h"
#include "gate/model/rules/grammar.h"
#include "gate/store/history.h"
#include "gate/suite/chosen_cases.h"
#include "gate/suite/history.h"
#include "gate/words/remarks.h"
#include "stored/checks/guarded_by.h"

namespace gate::app {

namespace {

using judge::FitRun;
using judge::FittedRule;

constexpr int least_told = 3;  // runs of a baseline that tell a tolerance

// What is known of a case at a place.
struct KnownRuns {
  const config::Case& spec;
  const store::BaselinePlace& place;
  const Reference& reference;
  CaseHistory history;
  std::vector<const Baseline*> recorded;  // the baselines, and a candidate
};

// A value with the time that it is of.
struct DatedRun {
  std::string when;  // ISO 8601
  FitRun run;
};

bool is_series_of(const TrendKey& key, const Rule& rule, const judge::Noise& noise) {
  return key.rule == rule.name && key.metric == noise.metric && key.rank == noise.rank &&
         key.window == to_string(rule.window) && key.reduce == to_string(rule.reduce);
}

// Of a run that did not reach the other steps of the window, the value is of other ones.
bool is_fit_point(const TrendPoint& point, const CasePoint& run) {
  return was_judged(run) && (point.status == CheckStatus::pass || point.status == CheckStatus::fail) &&
         point.value && std::isfinite(*point.value) && point.baseline && std::isfinite(*point.baseline);
}

std::vector<DatedRun> remembered_runs(const KnownRuns& known, const Rule& rule, const judge::Noise& noise) {
  std::vector<DatedRun> runs;
  for (const TrendSeries& series : known.history.series) {
    if (!is_series_of(series.key, rule, noise)) continue;
    for (const TrendPoint& point : series.points)
      if (const CasePoint& run = known.history.runs[point.run]; is_fit_point(point, run))
        runs.push_back(
            {run.started, {run.run, *point.value, point.baseline, point.status == CheckStatus::fail}});
  }
  return runs;
}

// Add the runs that a baseline or a candidate was recorded from, unless the history has them.
void add_recorded(const Baseline& baseline, std::span<const double> values, std::vector<DatedRun>& runs) {
  const std::string& id = baseline.provenance.run;
  if (std::ranges::any_of(runs, [&](const DatedRun& one) { return one.run.run == id; })) return;
  for (const double value : values)
    if (std::isfinite(value)) runs.push_back({baseline.provenance.date, {id, value}});
}

std::vector<double> values_of(const KnownRuns& known, const Baseline& baseline, const judge::Noise& like) {
  const Reference reference =
      with_derived(known.spec, make_reference(baseline, ""), known.place.platform, {});
  for (const judge::Noise& noise :
       judge::assess(known.spec.rules, known.spec.metrics, reference, known.place.platform))
    if (noise.rule == like.rule && noise.metric == like.metric && noise.rank == like.rank && !noise.problem)
      return noise.values;
  return {};
}

std::vector<FitRun> fit_runs_of(const KnownRuns& known, const Rule& rule, const judge::Noise& noise) {
  std::vector<DatedRun> dated = remembered_runs(known, rule, noise);
  for (const Baseline* baseline : known.recorded)
    add_recorded(*baseline, values_of(known, *baseline, noise), dated);
  std::ranges::stable_sort(dated, {}, &DatedRun::when);
  std::vector<FitRun> runs;
  for (DatedRun& one : dated) runs.push_back(std::move(one.run));
  return runs;
}

// What measures the noise of the case's steps: the runs of its baseline.
Sentence noise_of_steps(const std::string& case_name, const judge::Noise& noise) {
  if (!noise.s)
    return say(
        {"each step is judged, and the history holds their mean alone: gate baseline record {} --runs 3 "
         "measures the steps, once it is accepted",
         "逐步判定，而历史里只有均值：gate baseline record {} --runs 3 可测量各步，接受后生效"},
        shell_quote(case_name));
  std::vector<Sentence> parts{judge::noise_text(noise)};
  std::ranges::move(config::lines_to_paste(case_name, {&noise, 1}, least_told), std::back_inserter(parts));
  return say({"each step is judged: {}", "逐步判定：{}"}, join(parts, semicolon));
}

// Return why nothing is fitted to such a rule; "" where it can be.
Sentence why_not_fitted(const std::string& case_name, const Rule& rule, const judge::Noise& noise) {
  if (noise.problem) return words::text(*noise.problem, noise.numbered);
  if (rule.reduce == Reduce::each) return noise_of_steps(case_name, noise);
  if (!judge::fit_bound(rule.tolerance))
    return say({"its tolerance is no single bound: chosen by hand", "容差不是单个界限：由人选定"});
  return {};
}

Sentence too_few(const std::string& case_name, std::size_t runs) {
  if (runs >= judge::least_fitted)
    return say({"its {} runs tell no spread", "{} 次运行得不出离散程度"}, runs);
  return say({"{0}, {1} are needed: gate baseline record {2} --runs {1}",
              "{0}，需要 {1} 次：gate baseline record {2} --runs {1}"},
             count_of(static_cast<std::int64_t>(runs), "run", "次运行"), judge::least_fitted,
             shell_quote(case_name));
}

// Return what the baseline has for the rule, the mean of its runs.
std::optional<double> mean_of_recorded(const judge::Noise& noise) {
  if (noise.values.empty()) return std::nullopt;
  const double sum = std::accumulate(noise.values.begin(), noise.values.end(), 0.0);
  const double mean = sum / static_cast<double>(noise.values.size());
  return std::isfinite(mean) ? std::optional(mean) : std::nullopt;
}

FittedRule fit_one(const KnownRuns& known, const Rule& rule, const judge::Noise& noise) {
  FittedRule fitted{.case_name = known.spec.name,
                    .platform = place_word(known.place.platform, known.place.environment),
                    .rule = rule.name,
                    .rank = noise.rank,
                    .tolerance = noise.tolerance,
                    .unit = noise.unit};
  fitted.why_not = why_not_fitted(known.spec.name, rule, noise);
  if (!fitted.why_not.empty()) return fitted;
  fitted.measured = fit_runs_of(known, rule, noise);
  fitted.counts = noise.runs;
  fitted.fit = judge::fit_runs(fitted.measured, *judge::fit_bound(rule.tolerance), noise.runs,
                               mean_of_recorded(noise));
  if (!fitted.fit) fitted.why_not = too_few(known.spec.name, fitted.measured.size());
  return fitted;
}

// Return the case's runs there; none where there is no history.
Answer<CaseHistory> history_of(const Suite& suite, const config::Case& spec,
                               const store::BaselinePlace& place) {
  const fs::Path path = history_path(suite);
  if (!fs::exists(path)) return CaseHistory{};
  GATE_TRY(const store::History history, or_usage(store::History::open(path)));
  return or_usage(history.read(
      {suite.policy.name(), spec.name, place_word(place.platform, place.environment)}, looked_at_runs));
}

// What to do about a case without a baseline.
Sentence way_to_baseline(const Suite& suite, const std::string& case_name) {
  const auto waiting = store::candidates(suite.layout);
  if (waiting && row_in(*waiting, case_name, &store::BaselinePlace::case_name) != nullptr)
    return say({": gate baseline accept {} --reason \"...\" takes its candidate",
                "：gate baseline accept {} --reason \"...\" 可接受它的候选基线"},
               shell_quote(case_name));
  return say({": gate baseline record {} --runs {} makes a candidate",
              "：gate baseline record {} --runs {} 可录制候选基线"},
             shell_quote(case_name), judge::least_fitted);
}

Answer<void> fit_case(const Suite& suite, const config::Case& spec, const store::BaselinePlace& place,
                      judge::FittedRules& all) {
  const GuardedBy by = guarded_by(suite, spec, place);
  if (!by.why_not.empty()) {
    const bool is_to_record = !by.unreadable && spec.settings.judge == config::JudgeMode::series;
    const Sentence advice = is_to_record ? way_to_baseline(suite, spec.name) : Sentence();
    all.rules.push_back({.case_name = spec.name,
                         .platform = place_word(place.platform, place.environment),
                         .rule = "",
                         .rank = std::nullopt,
                         .tolerance = "",
                         .why_not = by.why_not + advice});
    return {};
  }
  GATE_TRY(CaseHistory history, history_of(suite, spec, place));
  const Result<Baseline> candidate = store::read_candidate(suite.layout, place);
  KnownRuns known{spec, place, by.reference, std::move(history), {}};
  for (const store::BaselineFile& file : by.files) known.recorded.push_back(&file.baseline);
  if (candidate) known.recorded.push_back(&*candidate);
  for (const judge::Noise& noise : judge::assess(spec.rules, spec.metrics, by.reference, place.platform)) {
    const auto rule = std::ranges::find(spec.rules, noise.rule, &Rule::name);
    if (rule != spec.rules.end()) all.rules.push_back(fit_one(known, *rule, noise));
  }
  return {};
}

// --- one tolerance for all series, and into gate.toml ---

using RuleKey = std::pair<std::string, std::string>;  // case, rule

// All series of one rule of a case, at all places.
struct RuleSeries {
  std::vector<FittedRule*> all;

  // Return the series with the widest fit of those that have one.
  const FittedRule* widest() const {
    const FittedRule* found = nullptr;
    for (const FittedRule* one : all)
      if (one->fit && (found == nullptr || one->fit->fitted.amount > found->fit->fitted.amount)) found = one;
    return found;
  }

  bool has_all() const {
    return std::ranges::all_of(all, [](const FittedRule* one) { return one->fit.has_value(); });
  }

  // Each series is told what the widest bound does to it.
  void share_bound() const {
    const FittedRule* const one_for_all = widest();
    if (one_for_all == nullptr) return;
    const judge::FitBound bound = one_for_all->fit->fitted;
    for (FittedRule* one : all)
      if (one->fit) judge::set_bound(*one->fit, one->measured, bound, one->counts);
  }

  bool is_told() const {
    return std::ranges::any_of(all, [](const FittedRule* one) { return one->fit.has_value(); });
  }

  void say_written(const Sentence& what, bool is_written) const {
    for (FittedRule* one : all) one->written = what, one->is_written = is_written;
  }
};

std::string comment_of(const FittedRule& one, const std::string& today) {
  const judge::Fit& fit = *one.fit;
  return fmt::format(
      "{}, {}: fitted on {} runs, {} of {} later ones beyond; false-failure rate {:.2g} %, {:.2g} % with {}",
      config::edit_mark, today, fit.fitted_on, fit.beyond, fit.later, 100 * fit.rate, 100 * fit.now_rate,
      one.tolerance);
}

// Tell whether gate understands the text, and reads of it the tolerance that is meant for the case.
Status check_read(const Suite& suite, const std::string& toml, const config::ToleranceEdit& edit) {
  auto policy = config::Policy::parse(toml, suite.config.string());
  if (!policy) return fail(to_string(policy.error()));
  const auto spec = case_of(suite, edit.case_name);
  Suite changed = suite;
  changed.policy = std::move(*policy);
  if (!spec) return fail(spec.error().message);
  const auto read = origins(changed, *spec);
  if (!read) return fail(read.error().message);
  const std::string key = "rules." + edit.rule + ".tolerance";
  for (const config::SettingOrigin& one : *read)
    if (one.key == key && one.value == edit.tolerance) return {};
  return fail("another place of gate.toml, or the script, has the last word on " + key + " of " +
              edit.case_name + "; to be changed by hand: \"" + edit.tolerance + "\"");
}

// Put the rule's tolerance into the text of gate.toml, or say why not.
void edit_rule(const Suite& suite, const RuleKey& key, const RuleSeries& rule, const std::string& today,
               std::string& text) {
  const FittedRule* widest = rule.has_all() ? rule.widest() : nullptr;
  if (widest == nullptr && rule.is_told())
    rule.say_written(say({"not written: of another series of this rule nothing is told",
                          "未写入：这条规则的另一个序列得不出结果"}),
                     false);
  if (widest == nullptr || widest->fit->fitted.amount == widest->fit->now.amount) return;
  const config::ToleranceEdit edit{key.first, key.second, judge::written_bound(widest->fit->fitted),
                                   comment_of(*widest, today)};
  const std::string file = fs::name_of(suite.config);
  Result<std::string> edited = config::with_tolerance(text, file, edit);
  if (!edited) return rule.say_written({edited.error().message}, false);
  if (const Status read = check_read(suite, *edited, edit); !read)
    return rule.say_written({read.error().message}, false);
  text = std::move(*edited);
  rule.say_written(say({"written to {}: \"{}\"", "已写入 {}：\"{}\""}, file, edit.tolerance), true);
}

using SeriesOfRules = std::map<RuleKey, RuleSeries>;

SeriesOfRules series_of_rules(judge::FittedRules& all) {
  SeriesOfRules series;
  for (FittedRule& one : all.rules)
    if (!one.rule.empty()) series[{one.case_name, one.rule}].all.push_back(&one);
  return series;
}

// What somebody else wrote into the file meanwhile stays.
Answer<void> write_fitted(const Suite& suite, const std::string& today, const SeriesOfRules& series) {
  GATE_TRY(const std::string before, or_usage(fs::read_file(suite.config)));
  std::string text = before;
  for (const auto& [key, rule] : series) edit_rule(suite, key, rule, today, text);
  if (text == before) return {};
  GATE_TRY(const std::string now, or_usage(fs::read_file(suite.config)));
  if (now != before)
    return refused(suite.config.string() + ": was changed meanwhile, and is left as it is; run it again");
  return or_infra(fs::write_output(suite.config, text));
}

}  // namespace

Answer<judge::FittedRules> fit_tolerances(const Suite& suite, const LintOptions& options, Moment now,
                                          Write write) {
  if (write == Write::yes && !suite.overrides.empty())
    return usage("--write: gate.toml is what is fitted; leave --set out");
  if (write == Write::yes && !(options.platform.empty() && options.environment.empty()))
    return usage("--write: a rule holds at each place of its case; leave --platform and --environment out");
  GATE_TRY(const auto chosen, choose_judged(suite, options.words, options.tags, options.folder));
  judge::FittedRules all;
  for (const config::Case& spec : chosen)
    for (const store::BaselinePlace& place :
         places_of(suite, spec.name, options.platform, options.environment))
      GATE_TRY_STATUS(fit_case(suite, spec, place, all));
  const SeriesOfRules series = series_of_rules(all);
  for (const auto& [key, rule] : series) rule.share_bound();
  if (write == Write::yes) GATE_TRY_STATUS(write_fitted(suite, to_iso(now).substr(0, 10), series));
  return all;
}

}  // namespace gate::app
