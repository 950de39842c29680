#include "gate/app/compare.h"

#include <algorithm>
#include <array>
#include <set>

#include "app/compare/compare_charts.h"
#include "app/compare/compare_side.h"
#include "app/judging/case_judge.h"
#include "app/suite/chosen_cases.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

constexpr std::size_t most_named_cases = 5;

bool is_run(const Side& side) { return side.told.kind == SideKind::run; }

// The cases that are compared, and those of one run alone.
struct Plan {
  std::vector<std::string> cases, only_a, only_b;
};

Answer<Plan> plan_of_one(const std::string& name, const Side& a, const Side& b) {
  for (const Side* side : {&a, &b}) {
    const std::vector<std::string> names = side->report.case_names();
    if (is_run(*side) && std::ranges::find(names, name) == names.end())
      return usage(printable(name) + ": not a case of run " + side->told.word + did_you_mean(name, names));
  }
  return Plan{{name}, {}, {}};
}

Plan plan_of_runs(const Report& a, const Report& b) {
  const std::vector<std::string> of_a = a.case_names(), of_b = b.case_names();
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  Plan plan;
  for (const std::string& name : of_a) (has(of_b, name) ? plan.cases : plan.only_a).push_back(name);
  for (const std::string& name : of_b)
    if (!has(of_a, name)) plan.only_b.push_back(name);
  return plan;
}

// Beside a run the other side says which case is meant, or there is only one.
Answer<std::string> case_beside(const Side& run, const Side& other) {
  const std::string& named = other.case_name.empty() ? other.says : other.case_name;
  if (!named.empty()) return named;
  const std::vector<std::string> names = run.report.case_names();
  if (names.size() == 1) return names.front();
  return usage("run " + run.told.word + " has " + count_of(static_cast<std::int64_t>(names.size()), "case") +
               " (" + some_of(names, most_named_cases) + "); say which one is meant with --case");
}

Answer<Plan> plan_of(const CompareOptions& options, const Side& a, const Side& b) {
  if (!options.case_name.empty()) return plan_of_one(options.case_name, a, b);
  if (is_run(a) && is_run(b)) return plan_of_runs(a.report, b.report);
  if (!is_run(a) && !is_run(b)) {
    for (const Side* side : {&a, &b})
      if (!side->case_name.empty()) return Plan{{side->case_name}, {}, {}};
    return Plan{{a.says.empty() ? b.says : a.says}, {}, {}};
  }
  const Answer<std::string> name = is_run(a) ? case_beside(a, b) : case_beside(b, a);
  return name ? plan_of_one(*name, a, b) : tl::unexpected(name.error());
}

std::optional<Verdict> verdict_of(const Side& side, const std::string& name) {
  const auto report = std::ranges::find(side.report.cases, name, &CaseReport::name);
  return report == side.report.cases.end() ? std::nullopt : std::optional(report->verdict);
}

ComparedSeries side_by_side(const config::Case& spec, const Series& a, const Series& b) {
  const Metric metric = spec.metrics.get(a.metric());
  return {a.metric(),
          a.rank(),
          a.unit(),
          a.numbered(),
          b.numbered(),
          metric.kind,
          metric.measured_by,
          judge::difference_of(a, b),
          judge::first_beyond(spec.rules, a, b)};
}

void put_series(ComparedCase& compared, const config::Case& spec, const std::vector<Series>& a,
                const std::vector<Series>& b) {
  for (const Series& series : a) {
    const Series* other = find_series(b, series.metric(), series.rank());
    if (other == nullptr || other->empty() || series.empty()) continue;
    compared.series.push_back(side_by_side(spec, series, *other));
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

void note_cases(ComparedCase& compared, const Side& a, const Side& b) {
  for (const auto& [word, side] : {std::pair("A", &a), std::pair("B", &b)}) {
    const std::string& of = side->case_name.empty() ? side->says : side->case_name;
    if (!of.empty() && of != compared.name)
      compared.notes.push_back(std::string(word) + " is of case " + of +
                               "; settings and rules are those of " + compared.name);
  }
}

// The case's rules that reduce, as if each were alone.
config::Case reducing(config::Case spec) {
  std::erase_if(spec.rules, [](const Rule& rule) {
    return rule.reduce == Reduce::each || rule.rank != RankMode::each || !needs_baseline(rule.tolerance);
  });
  for (Rule& rule : spec.rules) rule.group.clear();
  spec.derivations.clear();
  spec.settings.profile = "gate";
  spec.settings.shadow.clear();
  return spec;
}

// What a check says is said here in the same words.
void put_reduced(ComparedCase& compared, const config::Case& spec, const std::vector<Series>& a,
                 const std::vector<Series>& b) {
  Baseline baseline;
  baseline.runs.push_back({std::nullopt, a});
  Extraction run;
  run.series = b;
  const CaseReport report =
      judge_case(reducing(spec), {make_reference(baseline, "A"), {}}, run, std::nullopt, "", "");
  for (ComparedSeries& series : compared.series) {
    const auto check = std::ranges::find_if(report.checks, [&](const Check& one) {
      return one.metric == series.metric && one.rank == series.rank && one.baseline && one.actual;
    });
    if (check == report.checks.end()) continue;
    const std::string window = check->window == Window{} ? "" : " of " + to_string(*check->window);
    series.reduced = Reduced{.rule = check->rule,
                             .what = std::string(to_string(*check->reduce)) + window,
                             .a = *check->baseline,
                             .b = *check->actual,
                             .delta = check->delta,
                             .delta_percent = check->delta_percent};
  }
}

Answer<ComparedCase> compare_case(const Suite& suite, const CompareOptions& options, Side& a, Side& b,
                                  const std::string& name) {
  GATE_TRY(const auto spec, case_of(suite, name));
  GATE_TRY(const auto of_a, series_of(suite, options, a, name), of_b = series_of(suite, options, b, name));
  if (!of_b) return tl::unexpected(of_b.error());
  a.told.kind = of_a.kind;
  b.told.kind = of_b->kind;
  ComparedCase compared{name, verdict_of(a, name), verdict_of(b, name), {}, {}, {}, of_a.notes, {}};
  compared.notes.insert(compared.notes.end(), of_b->notes.begin(), of_b->notes.end());
  note_cases(compared, a, b);
  put_series(compared, spec, of_a.series, of_b->series);
  put_reduced(compared, spec, of_a.series, of_b->series);
  if (options.charts == CompareOptions::Charts::yes)
    compared.charts = charts_beside(compared, of_a.series, of_b->series);
  return compared;
}

}  // namespace

Answer<Comparison> compare(const Suite& suite, const CompareOptions& options) {
  if (options.a == "-" && options.b == "-")
    return usage("- -: standard input can be one of the two sides; name a file for the other");
  GATE_TRY(Side a, find_side(suite, options, options.a));
  GATE_TRY(Side b, find_side(suite, options, options.b));
  GATE_TRY(const Plan plan, plan_of(options, a, b));
  Comparison comparison{{}, {}, {}, plan.only_a, plan.only_b};
  for (const std::string& name : plan.cases) {
    GATE_TRY(ComparedCase compared, compare_case(suite, options, a, b, name));
    comparison.cases.push_back(std::move(compared));
  }
  comparison.a = a.told;
  comparison.b = b.told;
  return comparison;
}

}  // namespace gate::app
