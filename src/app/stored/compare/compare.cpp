#include "gate/stored/compare.h"

#include <algorithm>
#include <iterator>

#include "gate/base/text.h"
#include "gate/judge/difference.h"
#include "gate/judge/triage.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/determinism.h"
#include "gate/stored/charts.h"
#include "gate/suite/chosen_cases.h"
#include "gate/words/remarks.h"
#include "stored/compare/compare_side.h"

namespace gate::app {

namespace {

constexpr std::size_t most_named_cases = 5;

bool is_run(const SideSource& side) { return side.told.kind == SideKind::run; }

// The cases that are compared, and those that only one run has.
struct ComparisonPlan {
  std::vector<std::string> cases, only_a, only_b;
};

Answer<ComparisonPlan> plan_of_one(const std::string& name, const SideSource& a, const SideSource& b) {
  for (const SideSource* side : {&a, &b}) {
    const std::vector<std::string> names = side->report.case_names();
    if (is_run(*side) && std::ranges::find(names, name) == names.end())
      return usage(printable(name) + ": not a case of run " + side->told.word + did_you_mean(name, names));
  }
  return ComparisonPlan{{name}, {}, {}};
}

ComparisonPlan plan_of_runs(const Report& a, const Report& b) {
  const std::vector<std::string> of_a = a.case_names(), of_b = b.case_names();
  ComparisonPlan plan;
  for (const std::string& name : of_a)
    (std::ranges::find(of_b, name) != of_b.end() ? plan.cases : plan.only_a).push_back(name);
  std::ranges::copy_if(of_b, std::back_inserter(plan.only_b),
                       [&](const std::string& name) { return std::ranges::find(of_a, name) == of_a.end(); });
  return plan;
}

// Beside a run the other side says which case is meant, or there is only one.
Answer<std::string> case_beside(const SideSource& run, const SideSource& other) {
  const std::string& named = other.case_name.empty() ? other.says : other.case_name;
  if (!named.empty()) return named;
  const std::vector<std::string> names = run.report.case_names();
  if (names.size() == 1) return names.front();
  return usage("run " + run.told.word + " has " + count_of(static_cast<std::int64_t>(names.size()), "case") +
               " (" + some_of(names, most_named_cases) + "); say which one is meant with --case");
}

Answer<ComparisonPlan> plan_of(const CompareOptions& options, const SideSource& a, const SideSource& b) {
  if (!options.case_name.empty()) return plan_of_one(options.case_name, a, b);
  if (is_run(a) && is_run(b)) return plan_of_runs(a.report, b.report);
  if (!is_run(a) && !is_run(b)) {
    for (const SideSource* side : {&a, &b})
      if (!side->case_name.empty()) return ComparisonPlan{{side->case_name}, {}, {}};
    return ComparisonPlan{{a.says.empty() ? b.says : a.says}, {}, {}};
  }
  const Answer<std::string> name = is_run(a) ? case_beside(a, b) : case_beside(b, a);
  return name ? plan_of_one(*name, a, b) : tl::unexpected(name.error());
}

std::optional<Verdict> verdict_of(const SideSource& side, const std::string& name) {
  const auto report = std::ranges::find(side.report.cases, name, &CaseReport::name);
  return report == side.report.cases.end() ? std::nullopt : std::optional(report->verdict);
}

ComparedSeries side_by_side(const config::Case& spec, const Series& a, const Series& b,
                            judge::Equality equality) {
  const Metric metric = spec.metrics.get(a.metric());
  return {a.metric(),
          a.rank(),
          a.unit(),
          a.numbered(),
          b.numbered(),
          metric.kind,
          metric.measured_by,
          judge::difference_of(a, b, equality),
          judge::first_beyond(spec.rules, a, b)};
}

void add_compared_series(ComparedCase& compared, const config::Case& spec, const std::vector<Series>& a,
                         const std::vector<Series>& b, judge::Equality equality) {
  for (const Series& series : a) {
    const Series* other = find_series(b, series.metric(), series.rank());
    if (other == nullptr || other->empty() || series.empty()) continue;
    compared.series.push_back(side_by_side(spec, series, *other, equality));
  }
  const auto lacking = [&](const std::vector<Series>& from, const std::vector<Series>& in) {
    std::vector<std::string> labels;
    for (const Series& series : from) {
      const Series* other = find_series(in, series.metric(), series.rank());
      if (spec.metrics.get(series.metric()).measured_by == MeasuredBy::gate) continue;
      if (!series.empty() && (other == nullptr || other->empty())) labels.push_back(label(series));
    }
    return labels;
  };
  compared.only_a = lacking(a, b);
  compared.only_b = lacking(b, a);
}

void add_case_notes(ComparedCase& compared, const SideSource& a, const SideSource& b) {
  for (const auto& [word, side] : {std::pair("A", &a), std::pair("B", &b)}) {
    const std::string& own = side->case_name.empty() ? side->says : side->case_name;
    if (!own.empty() && own != compared.name)
      compared.notes.push_back(
          say({"{} is of case {}; settings and rules are those of {}", "{} 属于用例 {}；设置和规则用 {} 的"},
              word, own, compared.name));
  }
}

// The case's rules that hold a series against another one, as if each were alone.
config::Case comparing_rules_of(const config::Case& spec) {
  std::vector<Rule> rules = spec.rules;
  std::erase_if(
      rules, [](const Rule& rule) { return rule.rank != RankMode::each || !needs_baseline(rule.tolerance); });
  for (Rule& rule : rules) rule.group.clear();
  return with_rules_alone(spec, std::move(rules));
}

CaseReport judged_beside(const config::Case& spec, const std::vector<Series>& a,
                         const std::vector<Series>& b) {
  Baseline baseline;
  baseline.runs.push_back({std::nullopt, a});
  Extraction run;
  run.series = b;
  return judge_case(comparing_rules_of(spec), {make_reference(baseline, "A"), {}}, run, std::nullopt, "", "");
}

// What a check says is said here in the same words.
void add_reduced_values(ComparedCase& compared, const CaseReport& report) {
  for (ComparedSeries& series : compared.series) {
    const auto check = std::ranges::find_if(report.checks, [&](const Check& one) {
      return one.metric == series.metric && one.rank == series.rank && !one.is_each() && one.baseline &&
             one.actual;
    });
    if (check == report.checks.end()) continue;
    series.reduced = Reduced{.rule = check->rule,
                             .what = words::reduced_text(*check),
                             .over = words::reduced_over(words::reduce_text(*check->reduce), check->steps),
                             .a = *check->baseline,
                             .b = *check->actual,
                             .delta = check->delta,
                             .delta_percent = check->delta_percent};
  }
}

std::optional<std::int64_t> first_difference(const ComparedCase& compared, const std::string& metric) {
  std::optional<std::int64_t> first;
  for (const ComparedSeries& series : compared.series)
    if (series.metric == metric && series.difference.first)
      first = std::min(first.value_or(INT64_MAX), series.difference.first->number);
  return first;
}

std::string non_finite_note(const ComparedCase& compared, const std::string& metric) {
  std::vector<std::string> words;
  const auto add = [&](const std::string& side, const ComparedSeries& series, const std::string& text) {
    const std::string rank = series.rank ? " rank " + std::to_string(*series.rank) : "";
    if (!text.empty()) words.push_back(side + rank + ": " + printable(text, 120));
  };
  for (const ComparedSeries& series : compared.series) {
    if (series.metric != metric) continue;
    add("A", series, series.difference.non_finite_a);
    add("B", series, series.difference.non_finite_b);
  }
  return some_of(words, 4);
}

void finish_chart(Chart& chart, const ComparedCase& compared) {
  for (Curve& curve : chart.curves) {  // `baseline rank 1` becomes `A rank 1`
    const bool is_a = curve.role == CurveRole::baseline;
    curve.name = curve_name(as_is(is_a ? "A" : "B"), curve.rank);
  }
  chart.note = non_finite_note(compared, chart.title);
  chart.marks.clear();
  chart.group.clear();
  if (const auto first = first_difference(compared, chart.title)) {
    chart.marks.push_back(
        {static_cast<double>(*first), say({"first difference", "首处不同"}), MarkKind::change});
    chart.red = true;
  }
}

// Return a chart for each metric of either side, with curves `A` and `B` and a mark at the first number at
// which any rank differs; what differs comes first. Series by a single number have none.
std::vector<Chart> charts_beside(const ComparedCase& compared, const std::vector<Series>& a,
                                 const std::vector<Series>& b) {
  Reference reference;
  for (const Series& series : a)
    if (!series.empty()) reference.series.push_back({{series}, "", ""});
  std::vector<Chart> charts = charts_of(CaseReport{}, b, reference);
  std::erase_if(charts, [](const Chart& chart) {  // B's alone: when its steps came
    return chart.title == "step_wall_time" && !chart.group.empty();
  });
  for (Chart& chart : charts) finish_chart(chart, compared);
  std::ranges::stable_sort(charts, {}, [](const Chart& chart) { return chart.red ? 0 : 1; });
  return charts;
}

// A case side by side, and the report of B as judged against A.
struct ComparedWithReport {
  ComparedCase compared;
  CaseReport report;
};

Answer<ComparedWithReport> compare_case(const Suite& suite, const CompareOptions& options, SideSource& a,
                                        SideSource& b, const std::string& name) {
  GATE_TRY(const auto spec, case_of(suite, name));
  GATE_TRY(auto of_a, series_of(suite, options, a, name));
  GATE_TRY(auto of_b, series_of(suite, options, b, name));
  const bool is_all = options.metrics == CompareOptions::Metrics::all;
  for (auto* side : {&of_a, &of_b})
    if (!is_all)
      std::erase_if(side->series, [&](const Series& one) { return !must_be_same(one, spec.metrics); });
  a.told.kind = of_a.kind;
  b.told.kind = of_b.kind;
  ComparedCase compared{name, {}, {}, {}, {}, {}, of_a.notes, {}};
  if (is_all) compared.a = verdict_of(a, name), compared.b = verdict_of(b, name);
  compared.notes.insert(compared.notes.end(), of_b.notes.begin(), of_b.notes.end());
  add_case_notes(compared, a, b);
  add_compared_series(compared, spec, of_a.series, of_b.series,
                      is_all ? judge::Equality::as_printed : judge::Equality::as_values);
  CaseReport report = judged_beside(spec, of_a.series, of_b.series);
  add_reduced_values(compared, report);
  if (options.charts == CompareOptions::Charts::yes)
    compared.charts = charts_beside(compared, of_a.series, of_b.series);
  return ComparedWithReport{std::move(compared), std::move(report)};
}

}  // namespace

Answer<Comparison> compare(const Suite& suite, const CompareOptions& options) {
  if (options.a == "-" && options.b == "-")
    return usage("- -: standard input can be one of the two sides; name a file for the other");
  GATE_TRY(SideSource a, find_side(suite, options, options.a));
  GATE_TRY(SideSource b, find_side(suite, options, options.b));
  GATE_TRY(const ComparisonPlan plan, plan_of(options, a, b));
  Comparison comparison{{}, {}, {}, plan.only_a, plan.only_b};
  std::vector<CaseReport> reports;
  for (const std::string& name : plan.cases) {
    GATE_TRY(ComparedWithReport one, compare_case(suite, options, a, b, name));
    comparison.cases.push_back(std::move(one.compared));
    reports.push_back(std::move(one.report));
  }
  comparison.triage = judge::triage(reports);
  comparison.a = a.told;
  comparison.b = b.told;
  return comparison;
}

}  // namespace gate::app
