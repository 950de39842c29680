#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "gate/base/text.h"
#include "gate/config/script_flags.h"
#include "gate/config/training.h"
#include "gate/extract/extractor.h"
#include "gate/judge/selftest.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/case_outputs.h"
#include "gate/judging/derived.h"
#include "gate/store/history.h"
#include "gate/stored/lint.h"
#include "gate/stored/list.h"
#include "gate/stored/selftest.h"
#include "gate/suite/chosen_cases.h"
#include "gate/suite/history.h"
#include "gate/suite/imported_sources.h"
#include "gate/suite/profile_choice.h"
#include "gate/suite/published.h"
#include "gate/suite/renames.h"
#include "gate/suite/scripts_beside.h"
#include "gate/words/remarks.h"
#include "stored/checks/guarded_by.h"
#include "stored/init/trees.h"

namespace gate::app {

namespace {

// Series written as a log and read back, as the attempts of one run.

// Metric -> the word that stands for it in the log: names of metrics may hold anything.
using MetricWords = std::map<std::string, std::string>;

std::string sample_line(const Series& series, const Sample& sample, const std::string& word) {
  const std::string rank = series.rank() ? " rank " + std::to_string(*series.rank()) : "";
  const std::string step =
      series.numbered() == Numbering::step ? " step " + std::to_string(sample.number) : "";
  return "replay " + word + rank + step + " value " + sample.text + "\n";
}

std::string log_of(const Extraction& run, const MetricWords& words) {
  std::set<std::int64_t> numbers;
  for (const Series& series : run.series)
    for (const Sample& sample : series.samples()) numbers.insert(sample.number);
  std::string log;
  for (const std::int64_t number : numbers)
    for (const Numbering numbered : {Numbering::step, Numbering::report, Numbering::time})
      for (const Series& series : run.series)
        if (const auto sample = series.find(number); sample && series.numbered() == numbered)
          log += sample_line(series, *sample, words.at(series.metric()));
  return log;
}

Extraction read_back(const MetricTable& metrics, std::span<const Extraction> attempts) {
  MetricWords words;
  for (const Series& series : attempts.front().series)
    words.emplace(series.metric(), "metric" + std::to_string(words.size()));
  extract::Options options;
  for (const auto& [metric, word] : words)
    options.patterns.push_back(
        {metric,
         "^replay " + word + "(?: rank (?P<rank>\\d+))?(?: step (?P<step>\\d+))? value (?P<value>\\S+)$"});
  options.metrics = metrics;
  Result<extract::Extractor> extractor = extract::Extractor::make(std::move(options));
  if (!extractor) return {};
  extractor->begin_file("replay");
  for (const Extraction& attempt : attempts) extractor->feed(log_of(attempt, words));
  return extractor->finish();
}

// Return what writes runs as the attempts of one log, one value a line, and extracts it.
judge::Replay replay(const MetricTable& metrics) {
  return [metrics](std::span<const Extraction> attempts) { return read_back(metrics, attempts); };
}

Sentence words_of_size(const config::Size& size) {
  const Sentence devices = !size.devices         ? say({"whole host", "整台主机"})
                           : *size.devices == -1 ? say({"all devices", "全部设备"})
                           : *size.devices == 0  ? say({"cpu", "cpu"})
                                                 : count_of(*size.devices, "device", "个设备");
  return size.nodes > 1 ? devices + comma + count_of(size.nodes, "node", "个节点") : devices;
}

Sentence needs_of(const config::Settings& settings) {
  std::set<std::string> globs;
  for (const auto& [glob, devices] : settings.devices_on) globs.insert(glob);
  for (const auto& [glob, nodes] : settings.nodes_on) globs.insert(glob);
  const config::Size size = config::size_on(settings, "");
  std::vector<Sentence> parts{words_of_size(size)};
  if (!settings.devices_variable.empty() && !size.devices)
    parts.front() = say({"{} devices", "{} 个设备"}, "{env." + settings.devices_variable + "}") +
                    (size.nodes > 1 ? comma + count_of(size.nodes, "node", "个节点") : Sentence());
  for (const std::string& glob : globs)
    parts.front() += say({" ({}: {})", "（{}：{}）"}, glob, words_of_size(config::size_on(settings, glob)));
  for (const std::string& platform : settings.platform) parts.push_back(platform);
  return join(parts, comma);
}

// `until 2026-12-31, zhang`, or that it is over.
Sentence quarantine_of(const config::Case& spec, const std::string& today) {
  const std::optional<Quarantine>& quarantine = spec.settings.quarantine;
  if (!quarantine) return {};
  const Sentence end = quarantine_on(spec, today) ? say({"until {}", "至 {}"}, quarantine->until)
                                                  : say({"ended {}", "已于 {} 结束"}, quarantine->until);
  return end + comma + quarantine->owner;
}

// Why no series of the case is judged; "" where they are.
Sentence why_no_series(config::JudgeMode judge) {
  if (judge == config::JudgeMode::series) return {};
  return words::text(judge == config::JudgeMode::exit ? remark::Plain::only_exit : remark::Plain::only_tests);
}

void add_findings(judge::LintCase& result, std::string_view row, const std::vector<Sentence>& texts) {
  std::ranges::move(judge::findings_of(row, texts), std::back_inserter(result.findings));
}

// Rules that somebody wrote, and for which the baseline has no value. What gate measures itself has none
// where runs are too short for a reading.
std::vector<Sentence> idle_rules(const Suite& suite, const config::Case& spec,
                                 const judge::GuardedCase& guard) {
  std::vector<Sentence> idle;
  for (const Ungated& gap : judge::ungated_rules(guard)) {
    const auto rule = std::ranges::find(spec.rules, gap.rule, &Rule::name);
    const bool is_written = rule != spec.rules.end() && !rule->is_built_in &&
                            spec.metrics.get(gap.metric).measured_by != MeasuredBy::gate;
    const auto* const why = std::get_if<remark::Plain>(&gap.reason);
    if (!is_written || why == nullptr ||
        (*why != remark::Plain::rule_judges_nothing && *why != remark::Plain::no_baseline))
      continue;
    const std::string place = place_of_setting(suite, spec, "rules." + gap.rule + ".").file;
    idle.push_back(
        say({"rule {}{}: no baseline has a value of {}; gate baseline accept {} --run RUN --metric "
             "{} --reason ... takes it of a run that has it, else remove the rule",
             "规则 {}{}：没有基线含有 {} 的值；gate baseline accept {} --run RUN --metric {} --reason ... "
             "可从含有它的运行中取得，否则请删除该规则"},
            gap.rule, place.empty() ? "" : " (" + place + ")", gap.metric, shell_quote(spec.name),
            shell_quote(gap.metric)));
  }
  return idle;
}

judge::LintCase lint_one(const Suite& suite, const config::Case& spec, const store::BaselinePlace& place,
                         const std::string& today, const std::vector<Rename>& renames) {
  const std::string& platform = place.platform;
  const GuardedBy by = guarded_by(suite, spec, place);
  judge::LintCase result{spec.name, place_word(platform, place.environment), by.why_not, {}, {}};
  result.unreadable = by.unreadable;
  const judge::GuardedCase guard{spec.rules, spec.metrics, by.reference, platform};
  const bool is_judged = result.why_not.empty() || (spec.settings.judge == config::JudgeMode::series &&
                                                    !by.unreadable && !spec.settings.outputs.empty());
  if (is_judged) add_findings(result, "idle_rule", idle_rules(suite, spec, guard));
  if (!result.why_not.empty()) return result;
  result.noise = judge::assess(spec.rules, spec.metrics, by.reference, platform);
  std::vector<const Baseline*> baselines;
  for (const store::BaselineFile& file : by.files) baselines.push_back(&file.baseline);
  const bool has_script = !spec.script.empty();
  const std::string sha256 =
      has_script ? fs::sha256(fs::read_file(suite.root / spec.script).value_or("")) : "";
  const Sentence no_script = has_script ? Sentence() : no_script_words(renames, spec.name);
  std::ranges::move(judge::lint({guard, baselines, no_script, sha256, today, result.noise}),
                    std::back_inserter(result.findings));
  for (const store::BaselineFile& file : by.files)
    if (const Sentence changed = changed_golden(file.baseline.provenance, file.place, suite.root);
        !changed.empty())
      add_findings(result, "import_changed", {changed});
  return result;
}

// Tell whether the rule judges what a baseline holds, under its own name.
bool is_of_baseline(const config::Case& spec, const std::string& name, const std::string& metric) {
  const auto rule = std::ranges::find(spec.rules, name, &Rule::name);
  const auto is_of = [&](const auto& output) { return metric.starts_with(output.first + "."); };
  return rule != spec.rules.end() && !rule->is_against_reference && rule->attempt.empty() &&
         row_in(spec.derivations, metric, &judge::Derivation::metric) == nullptr &&
         std::ranges::none_of(spec.settings.outputs, is_of);
}

// The metrics of which a baseline has no value any more, though a run was judged by one since it was
// accepted.
void add_lost_metrics(judge::LintCase& result, const Suite& suite, const config::Case& spec,
                      const CaseHistory& history, const store::BaselinePlace& place) {
  const GuardedBy by = guarded_by(suite, spec, place);
  if (!by.why_not.empty()) return;
  std::string accepted;
  for (const store::BaselineFile& file : by.files)
    if (!file.baseline.accepted.empty()) accepted = std::max(accepted, file.baseline.accepted.back().when);
  std::map<std::string, std::string> runs;  // by metric
  for (const TrendSeries& series : history.series) {
    const auto has_metric = [&](const auto& one) { return one.runs.front().metric() == series.key.metric; };
    if (!is_of_baseline(spec, series.key.rule, series.key.metric) ||
        std::ranges::any_of(by.reference.series, has_metric))
      continue;
    for (const TrendPoint& point : series.points)
      if (const CasePoint& run = history.runs[point.run];
          point.baseline && was_judged(run) && run.started > accepted)
        runs[series.key.metric] = run.run;
  }
  for (const auto& [metric, run] : runs)
    add_findings(result, "lost_metric",
                 {say({"{}: run {} was judged by a value of it, and no baseline has one any more",
                       "{}：运行 {} 曾按它的值判定，而现在没有基线含有它"},
                      metric, run)});
}

// The suite's history, read once for all cases.
struct SuiteRuns {
  std::optional<store::History> history;            // none: there is none, or it cannot be read
  std::multimap<std::string, store::CaseKey> keys;  // by the names of cases
};

SuiteRuns runs_of_suite(const Suite& suite) {
  SuiteRuns all;
  if (!fs::exists(history_path(suite))) return all;
  Result<store::History> history = store::History::open(history_path(suite));
  const auto keys = history ? history->cases(suite.policy.name()) : fail("");
  if (!keys) return all;
  for (const store::CaseKey& key : *keys) all.keys.emplace(key.name, key);
  all.history = std::move(*history);
  return all;
}

// Likewise at each place that its runs were at. A history that cannot be read tells nothing.
void add_lost_metrics(judge::LintCase& result, const Suite& suite, const config::Case& spec,
                      const SuiteRuns& all) {
  const auto [first, last] = all.keys.equal_range(spec.name);
  for (auto at_place = first; at_place != last; ++at_place) {
    const store::CaseKey& key = at_place->second;
    const auto runs = all.history->read(key, looked_at_runs);
    const std::size_t at = std::min(key.platform.find('@'), key.platform.size());
    const std::string environment = key.platform.substr(std::min(at + 1, key.platform.size()));
    if (runs)
      add_lost_metrics(result, suite, spec, *runs, {key.platform.substr(0, at), spec.name, environment});
  }
}

// What is of the case stands before what is of its baselines.
void add_first(judge::LintCase& result, const std::vector<judge::Finding>& found) {
  result.findings.insert(result.findings.begin(), found.begin(), found.end());
}

// A quarantine is the case's, at whatever place.
void add_quarantine(judge::LintCase& result, const Suite& suite, const config::Case& spec,
                    const std::string& today) {
  result.quarantine = spec.settings.quarantine;
  add_first(result,
            judge::lint_quarantine(*spec.settings.quarantine, today, green_in_quarantine(suite, spec.name)));
}

// Likewise a name.
void add_name(judge::LintCase& result, const Suite& suite, const config::Case& spec) {
  const std::string& naming = suite.policy.naming(spec.group);
  if (naming.empty() || spec.script.empty()) return;
  const std::string script = spec.kind == config::CaseKind::script
                                 ? fs::read_file(suite.root / spec.script).value_or("")
                                 : config::words_of_file(spec);
  config::NameFindings found = config::check_name(naming, spec.name, script);
  auto& findings_of_form = spec.settings.strict == judge::Strict::yes ? found.contradictions : found.hints;
  if (!found.form.empty()) findings_of_form.insert(findings_of_form.begin(), found.form);
  add_first(result, judge::findings_of("name_hint", sentences_of(found.hints)));
  add_first(result, judge::findings_of("name", sentences_of(found.contradictions)));
}

// Likewise what its script turns on.
void add_feature_findings(judge::LintCase& result, const Suite& suite, const config::Case& spec) {
  const config::TrainingFlags flags = config::training_flags(spec, "");
  add_first(result, judge::findings_of("feature",
                                       config::mcore_only_in_legacy(spec, suite.policy.features(), flags)));
}

// Likewise what the files say that gate.toml was made of. A case that it lacks is among all alone.
void add_source_findings(judge::Lint& lint, const Suite& suite, bool is_of_all) {
  for (const SourceFindings& source : source_findings(suite)) {
    const auto same = std::ranges::find(lint.cases, source.case_name, &judge::LintCase::name);
    judge::LintCase alone{source.case_name, "", {}, {}, {}};
    judge::LintCase& result = same != lint.cases.end() ? *same : alone;
    add_first(result, judge::findings_of("source_lacks", source.lacking));
    add_first(result, judge::findings_of("source_differs", source.other));
    add_first(result, judge::findings_of("source_changed", source.changed));
    if (is_of_all && !alone.findings.empty()) lint.cases.push_back(std::move(alone));
  }
}

// Add what lies beside the cases and is none, where all cases are meant.
void add_beside(judge::Lint& lint, const Suite& suite) {
  std::vector<std::string> globs;
  for (const config::CaseGroup& group : suite.policy.groups()) {
    globs.insert(globs.end(), group.cases.begin(), group.cases.end());
    for (const std::string& glob : group.left_out) globs.push_back("!" + glob);
  }
  for (const std::string& script :
       scripts_beside(suite.root, globs, texts_of(suite.found, &config::CaseScript::script))) {
    judge::LintCase& beside = lint.cases.emplace_back();
    beside.name = script;
    beside.why_not = words_of_beside(script);
    beside.is_beside = true;
  }
}

// Likewise the row of a published table that it is bound to, and what its profile does not use.
void add_setting_findings(judge::LintCase& result, const Suite& suite, const config::Case& spec,
                          const PerformanceTable& references) {
  if (spec.reference)
    if (const Sentence changed = changed_reference(*spec.reference, references, suite.root); !changed.empty())
      add_findings(result, "import_changed", {changed});
  if (const Sentence unused = passed_over_words(spec); !unused.empty())
    add_findings(result, "passed_over", {unused});
}

judge::SelftestCase test_one(const Suite& suite, const config::Case& spec, const store::BaselinePlace& place,
                             const judge::Judge& judge) {
  const GuardedBy by = guarded_by(suite, spec, place);
  const judge::GuardedCase guard{spec.rules,     spec.metrics,         by.reference,
                                 place.platform, replay(spec.metrics), profile_of(spec.settings)};
  judge::SelftestCase result{spec.name,
                             place_word(place.platform, place.environment),
                             guard.profile.name,
                             !spec.script.empty(),
                             by.why_not,
                             {},
                             {},
                             by.unreadable};
  if (!result.why_not.empty()) return result;
  result.results = judge::selftest(guard, judge);
  result.ungated = judge::ungated_rules(guard);
  if (result.results.empty())
    result.why_not = say({"no rule applies to its baseline", "没有规则适用于它的基线"});
  return result;
}

}  // namespace

GuardedBy guarded_by(const Suite& suite, const config::Case& spec, const store::BaselinePlace& place) {
  GuardedBy guarded;
  auto files = store::read_baselines(suite.layout, place);
  guarded.why_not = config::unreadable_words(spec);
  if (guarded.why_not.empty() && !files) guarded.why_not = first_and_count(files.error().message);
  guarded.unreadable = !guarded.why_not.empty();
  if (guarded.why_not.empty()) guarded.why_not = why_no_series(spec.settings.judge);
  if (!guarded.why_not.empty()) return guarded;
  guarded.files = *std::move(files);
  guarded.reference = with_derived(spec, store::reference_of(guarded.files), place.platform, {});
  if (guarded.reference.series.empty()) guarded.why_not = say({"no baseline", "没有基线"});
  return guarded;
}

std::vector<CaseListRow> list(const Suite& suite, const std::vector<const config::Case*>& cases) {
  const auto places = store::places_by_case(suite.layout);
  std::vector<CaseListRow> rows;
  rows.reserve(cases.size());
  for (const config::Case* spec : cases) {
    const auto found = places.find(spec->name);
    const auto own = found == places.end() ? std::vector<std::string>{} : store::names_of(found->second);
    const Sentence why_skipped = config::skip_words(*spec);
    rows.push_back({spec->name, spec->script, needs_of(spec->settings), to_string(spec->settings.timeout),
                    join(spec->settings.tags, ","),
                    own.empty() ? say({"none", "无"}) : join(sentences_of(own), ", "),
                    quarantine_of(*spec, suite.today), join(spec->settings.after, ", "), why_skipped,
                    why_skipped.empty() ? config::unreadable_words(*spec) : Sentence(),
                    join(texts_of(passed_over(*spec), &config::SettingOrigin::key), ", ")});
  }
  return rows;
}

std::vector<VariantGrid> grids(const std::vector<const config::Case*>& cases,
                               const std::vector<CaseListRow>& list) {
  std::vector<VariantGrid> grids;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const config::Variant* const variant = cases[i]->variant.get();
    if (variant == nullptr) continue;
    if (grids.empty() || grids.back().base != variant->base) {
      grids.push_back({variant->base, {}, {}, {}, cases[i]->settings.repeat});
      seen.clear();
    }
    VariantGrid& grid = grids.back();
    const std::string choice = cases[i]->name.substr(variant->base.size() + 1);
    const std::size_t comma = std::min(choice.find(','), choice.size());
    const std::string column = choice.substr(0, comma),
                      row = choice.substr(std::min(comma + 1, choice.size()));
    if (seen.insert("column " + column).second) grid.columns.push_back(column);
    if (seen.insert("row " + row).second) grid.rows.push_back(row);
    grid.baselines[{row, column}] = list[i].baselines;
  }
  return grids;
}

Answer<judge::Lint> lint(const Suite& suite, const LintOptions& options, Moment now) {
  GATE_TRY(const auto chosen, choose_judged(suite, options.words, options.tags, options.folder));
  const std::string today = to_iso(now).substr(0, 10);
  const std::vector<Rename> renames = find_renames(suite);
  GATE_TRY(const PerformanceTable references, references_in(suite.root));
  const SuiteRuns runs = runs_of_suite(suite);
  judge::Lint all;
  for (const config::Case& one : chosen) {
    const std::size_t first = all.cases.size();
    for (const store::BaselinePlace& place :
         places_of(suite, one.name, options.platform, options.environment))
      all.cases.push_back(lint_one(suite, one, place, today, renames));
    add_name(all.cases[first], suite, one);
    add_feature_findings(all.cases[first], suite, one);
    add_first(all.cases[first],
              judge::findings_of("script_differs", config::contradictions_of(one, suite.policy.platform())));
    if (const Sentence dropped = config::dropped_exit(one); !dropped.empty())
      add_first(all.cases[first], judge::findings_of("drops_exit", {dropped}));
    if (const std::string file = config::redirected_to(one); !file.empty() && one.settings.log.empty())
      add_first(all.cases[first], judge::findings_of("redirected", {as_is(printable(file, 120))}));
    add_setting_findings(all.cases[first], suite, one, references);
    add_lost_metrics(all.cases[first], suite, one, runs);
    add_first(all.cases[first], judge::findings_of("no_golden", lacking_golden(suite, one)));
    if (one.settings.quarantine) add_quarantine(all.cases[first], suite, one, today);
  }
  const bool is_of_all = options.words.empty() && options.tags.empty();
  add_source_findings(all, suite, is_of_all);
  if (is_of_all) add_beside(all, suite);
  return all;
}

Answer<judge::Selftest> selftest(const Suite& suite, const SelftestOptions& options,
                                 const judge::Judge& judge) {
  GATE_TRY(const auto chosen, choose_judged(suite, options.words, options.tags, options.folder));
  judge::Selftest all;
  for (const config::Case& spec : chosen)
    for (const store::BaselinePlace& place :
         places_of(suite, spec.name, options.platform, options.environment))
      all.cases.push_back(test_one(suite, spec, place, judge));
  return all;
}

}  // namespace gate::app
