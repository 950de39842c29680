#include "gate/judging/determinism.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <variant>

#include "gate/base/text.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/case_outputs.h"
#include "gate/words/values.h"

namespace gate::app {

namespace {

std::vector<Rule> named_rules(const Extraction& run, const MetricTable& metrics) {
  std::vector<Rule> rules = exact_rules(run.series, metrics);
  for (Rule& rule : rules) rule.name += " " + std::string(determinism_rule);
  return rules;
}

std::vector<Check> checks_against(const config::Case& spec, const Extraction& first, const Extraction& run) {
  Baseline baseline;
  baseline.runs.push_back({std::nullopt, first.series});
  Extraction series;
  series.files = run.files;
  series.series = run.series;
  config::Case exact = with_rules_alone(spec, named_rules(first, spec.metrics));
  exact.settings.judge = config::JudgeMode::series;
  std::vector<Check> checks =
      judge_case(exact, {make_reference(baseline, "run 1"), {}}, series, std::nullopt, "", "").checks;
  std::erase_if(checks, [](const Check& check) { return !check.rule.ends_with(determinism_rule); });
  return checks;
}

// Of a check that passed behind all.
auto severity(const Check& check) {
  const std::int64_t first =
      check.first_miss ? check.first_miss->number : std::numeric_limits<std::int64_t>::max();
  const int status = check.status == CheckStatus::fail      ? 0
                     : check.status == CheckStatus::missing ? 1
                     : check.status == CheckStatus::pass    ? 3
                                                            : 2;
  return std::tuple(status, first);
}

// Keep of the checks of one series the one that says most.
void keep_worst(std::vector<Check>& checks, Check check) {
  const auto same = std::ranges::find_if(
      checks, [&](const Check& one) { return one.metric == check.metric && one.rank == check.rank; });
  if (same == checks.end())
    checks.push_back(std::move(check));
  else if (severity(check) < severity(*same))
    *same = std::move(check);
}

int digits_of(std::string_view text) {
  text = text.substr(0, text.find_first_of("eE"));
  std::size_t digits = 0;
  for (const char c : text)
    if (is_digit(c) && (c != '0' || digits > 0)) ++digits;
  return static_cast<int>(digits);
}

// Of the run that prints fewest of them.
int digits_of_all(std::span<const Extraction* const> runs, const Check& check) {
  int fewest = std::numeric_limits<int>::max();
  for (const Extraction* run : runs) {
    int digits = 1;
    if (const Series* series = find_counterpart(run->series, check.metric, check.rank))
      for (const Sample& sample : series->samples()) digits = std::max(digits, digits_of(sample.text));
    fewest = std::min(fewest, digits);
  }
  return fewest;
}

// What the first run lacks and another one has: the same the other way about.
std::vector<Check> checks_of_more(const config::Case& spec, const Extraction& first, const Extraction& run) {
  std::vector<Check> checks = checks_against(spec, run, first);
  std::erase_if(checks, [](const Check& check) { return check.status == CheckStatus::pass; });
  for (Check& check : checks) {
    if (check.status == CheckStatus::missing)
      check.remarks = {remark::Text{say({"run 1 does not have all of it", "第 1 次运行没有它的全部"})}};
    for (std::optional<Miss>* miss : {&check.first_miss, &check.largest})
      if (*miss) std::swap((*miss)->baseline, (*miss)->actual);
  }
  return checks;
}

void worsen(CaseReport& report, Verdict verdict, Sentence reason) {
  const bool is_well = report.verdict == Verdict::passed || report.verdict == Verdict::unjudged;
  if (!is_well && !(report.verdict == Verdict::incomplete && verdict == Verdict::regressed)) return;
  if (report.verdict == Verdict::unjudged && verdict == Verdict::unjudged) return;
  report.verdict = verdict;
  report.reason = std::move(reason);
}

}  // namespace

bool must_be_same(const Series& series, const MetricTable& metrics) {
  const Metric* metric = metrics.find(series.metric());
  return metric != nullptr && metric->kind == MetricKind::accuracy;
}

std::vector<Rule> exact_rules(std::span<const Series> all, const MetricTable& metrics) {
  std::vector<Rule> rules;
  for (const Series& series : all) {
    if (series.empty() || !must_be_same(series, metrics)) continue;
    if (std::ranges::find(rules, series.metric(), &Rule::metric) != rules.end()) continue;
    Rule rule;
    rule.name = rule.metric = series.metric();
    rule.tolerance = {{{Bound{}}}};
    rules.push_back(std::move(rule));
  }
  return rules;
}

std::vector<Check> determinism_checks(const config::Case& spec, std::span<const Extraction* const> runs) {
  std::vector<Check> checks;
  const Extraction& first = *runs.front();
  for (std::size_t i = 1; i < runs.size(); ++i) {
    std::vector<Check> own = checks_against(spec, first, *runs[i]);
    std::ranges::move(checks_of_more(spec, first, *runs[i]), std::back_inserter(own));
    for (Check& check : own) {
      const remark::PrintedOtherwise other{static_cast<std::int64_t>(i) + 1, std::ssize(runs)};
      if (check.status == CheckStatus::pass)
        check.remarks = {remark::PrintedAlike{std::ssize(runs), digits_of_all(runs, check)}};
      else
        check.remarks.insert(check.remarks.begin(), other);
      keep_worst(checks, std::move(check));
    }
  }
  return checks;
}

namespace {

Sentence label_of(const Check& check) {
  const std::string name = check.metric + (check.rank ? " rank " + std::to_string(*check.rank) : "");
  return check.phase.empty() ? as_is(name) : say({"{} in phase {}", "阶段 {1} 的 {0}"}, name, check.phase);
}

// `3 runs print the same: lm_loss (7 digits), grad_norm (4 digits)`.
Sentence same_words(std::span<const Extraction* const> runs, const std::vector<Check>& checks,
                    const std::vector<Sentence>& outputs) {
  std::vector<Sentence> metrics;
  for (const Check& check : checks) {
    Sentence words = as_is(check.metric);
    for (const Remark& remark : check.remarks)
      if (const auto* alike = std::get_if<remark::PrintedAlike>(&remark))
        words += say({" ({})", "（{}）"}, count_of(alike->digits, "digit", "位数字"));
    if (std::ranges::find(metrics, words) == metrics.end()) metrics.push_back(std::move(words));
  }
  metrics.insert(metrics.end(), outputs.begin(), outputs.end());
  return say({"{} print the same: {}", "{}打印的相同：{}"}, count_of(std::ssize(runs), "run", "次运行"),
             join(metrics, comma));
}

void name_phase(Check& check, const std::string& phase) {
  check.phase = phase;
  check.rule = check.metric + " " + phase + " " + std::string(determinism_rule);
}

std::int64_t attempts_in(const Extraction& run) {
  return static_cast<std::int64_t>(run.attempts.size() + run.attempts_counted);
}

// Return what must be the same of an output: its bytes; of an evaluation tool's results, whose files tell the
// time, each score and its error.
std::string identity_of(const OutputResult& output, const config::CaseOutput& said) {
  if (said.metric != config::results_metric) return golden_hash(output.file);
  std::string scores;
  for (const OutputScore& score : output.scores)
    scores += fmt::format("{} {} {}\n", score.metric, score.value.value_or(NAN),
                          score.standard_error.value_or(NAN));
  return scores;
}

// What the outputs of the runs say.
struct ComparedOutputs {
  std::vector<Sentence> same;  // their names
  Sentence different;          // why they are not deterministic; "": they are
};

ComparedOutputs compare_outputs(const config::Case& spec, std::span<const Extraction* const> runs) {
  ComparedOutputs all;
  for (const OutputResult& first : runs.front()->outputs) {
    const auto said = spec.settings.outputs.find(first.name);
    if (said == spec.settings.outputs.end()) continue;
    const std::string one = identity_of(first, said->second);
    const auto other = std::ranges::find_if(runs.subspan(1), [&](const Extraction* run) {
      const auto same = std::ranges::find(run->outputs, first.name, &OutputResult::name);
      // A script that writes into the weights of the run before leaves one file of both, and nothing to
      // compare.
      return one.empty() || same == run->outputs.end() || is_same_file(first.file, same->file) ||
             identity_of(*same, said->second) != one;
    });
    if (other == runs.end())
      all.same.push_back(say({"output {}", "输出 {}"}, first.name));
    else if (all.different.empty())
      all.different = say({"not deterministic: output {} of run {} is not equal to that of run 1",
                           "不确定：第 {1} 次运行的输出 {0} 与第 1 次的不相等"},
                          first.name, other - runs.begin() + 1);
  }
  return all;
}

Sentence first_words(const Check& worst) {
  const Sentence at = words::number_text(worst.first_miss ? worst.first_miss->number : 0, worst.numbering());
  if (worst.status == CheckStatus::fail)
    return say({"not deterministic: {} differs first at {}", "不确定：{} 从{}起不同"}, label_of(worst), at);
  if (worst.status == CheckStatus::missing)
    return say({"not deterministic: not every run has all of {}", "不确定：并非每次运行都有 {} 的全部"},
               label_of(worst));
  return say({"--determinism: {} cannot be compared", "--determinism：{} 无法比较"}, label_of(worst));
}

}  // namespace

void add_determinism(CaseReport& report, const config::Case& spec, std::span<const Extraction* const> runs,
                     const std::string& phase) {
  const bool has_series = spec.settings.judge == config::JudgeMode::series;
  std::vector<Check> checks = has_series ? determinism_checks(spec, runs) : std::vector<Check>{};
  if (!phase.empty())
    for (Check& check : checks) name_phase(check, phase);
  const auto more = std::ranges::find_if(
      runs, [&](const Extraction* run) { return attempts_in(*run) != attempts_in(*runs.front()); });
  if (more != runs.end())
    worsen(
        report, Verdict::incomplete,
        say({"not deterministic: run 1 has {}, run {} has {}", "不确定：第 1 次运行有 {}，第 {} 次有 {} 次"},
            count_of(attempts_in(*runs.front()), "attempt", "次尝试"), more - runs.begin() + 1,
            attempts_in(**more)));
  const ComparedOutputs outputs = compare_outputs(spec, runs);
  if (checks.empty() && outputs.same.empty() && outputs.different.empty())
    return worsen(report, Verdict::unjudged,
                  say({"--determinism: the runs print nothing that is compared",
                       "--determinism：运行没有打印任何可比较的内容"}));
  const auto worst = std::ranges::min_element(checks, {}, severity);
  const bool are_same = worst == checks.end() || worst->status == CheckStatus::pass;
  if (!are_same) {
    const Sentence words = first_words(*worst);
    report.notes.push_back(plain_note(words));
    worsen(report,
           worst->status == CheckStatus::fail      ? Verdict::regressed
           : worst->status == CheckStatus::missing ? Verdict::incomplete
                                                   : Verdict::unjudged,
           words);
  }
  if (!outputs.different.empty()) {
    report.notes.push_back(plain_note(outputs.different));
    worsen(report, Verdict::regressed, outputs.different);
  } else if (are_same) {
    report.notes.push_back(
        plain_note(same_words(runs, checks, outputs.same) +
                   (phase.empty() ? Sentence() : say({", in phase {}", "，在阶段 {}"}, phase))));
  }
  std::ranges::move(checks, std::back_inserter(report.checks));
}

}  // namespace gate::app
