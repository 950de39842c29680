#include "gate/stored/compare.h"

#include <algorithm>
#include <iterator>

#include "gate/base/text.h"
#include "gate/judge/difference.h"
#include "gate/judge/triage.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/determinism.h"
#include "gate/model/rules/grammar.h"
#include "gate/stored/charts.h"
#include "gate/suite/chosen_cases.h"
#include "gate/words/remarks.h"
#include "stored/compare/compare_side.h"

namespace gate::app {

namespace {

constexpr std::size_t most_named_cases = 5;

bool is_run(const SideSource& side) { return side.told.kind == SideKind::run; }

// The cases of another side that are compared with A's, and those that only one of the two has.
struct ComparisonPlan {
  std::vector<std::string> cases, only_a, only_b;
};

ComparisonPlan plan_of_runs(const Report& a, const Report& b) {
  const std::vector<std::string> of_a = a.case_names(), of_b = b.case_names();
  ComparisonPlan plan;
  for (const std::string& name : of_a)
    (std::ranges::find(of_b, name) != of_b.end() ? plan.cases : plan.only_a).push_back(name);
  std::ranges::copy_if(of_b, std::back_inserter(plan.only_b),
                       [&](const std::string& name) { return std::ranges::find(of_a, name) == of_a.end(); });
  return plan;
}

// The one case that is meant: sides that are no runs may say which, or a run has only one. "" where none is.
Answer<std::string> only_case(const CompareOptions& options, const std::vector<SideSource>& sides) {
  if (!options.case_name.empty()) return options.case_name;
  for (const auto member : {&SideSource::case_name, &SideSource::says})
    for (const SideSource& side : sides)
      if (!(side.*member).empty()) return side.*member;
  const auto run = std::ranges::find_if(sides, is_run);
  if (run == sides.end()) return "";
  const std::vector<std::string> names = run->report.case_names();
  if (names.size() == 1) return names.front();
  return usage("run " + run->told.word + " has " + count_of(static_cast<std::int64_t>(names.size()), "case") +
               " (" + some_of(names, most_named_cases) + "); say which one is meant with --case");
}

// Return a plan for each side but A.
Answer<std::vector<ComparisonPlan>> plans_of(const CompareOptions& options,
                                             const std::vector<SideSource>& sides) {
  std::vector<ComparisonPlan> plans;
  if (options.case_name.empty() && std::ranges::all_of(sides, is_run)) {
    for (std::size_t i = 1; i < sides.size(); ++i)
      plans.push_back(plan_of_runs(sides.front().report, sides[i].report));
    return plans;
  }
  GATE_TRY(const std::string name, only_case(options, sides));
  for (const SideSource& side : sides) {
    const std::vector<std::string> names = side.report.case_names();
    if (is_run(side) && std::ranges::find(names, name) == names.end())
      return usage(printable(name) + ": not a case of run " + side.told.word + did_you_mean(name, names));
  }
  plans.resize(sides.size() - 1, {{name}, {}, {}});
  return plans;
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

// A side that is of another case than the one that is compared.
void add_case_note(ComparedCase& compared, const SideSource& side) {
  const std::string& own = side.case_name.empty() ? side.says : side.case_name;
  if (!own.empty() && own != compared.name)
    compared.notes.push_back(
        say({"{} is of case {}; settings and rules are those of {}", "{} 属于用例 {}；设置和规则用 {} 的"},
            side.letter, own, compared.name));
}

// The case's rules that hold a series against another one, as if each were alone.
config::Case comparing_rules_of(const config::Case& spec) {
  std::vector<Rule> rules = spec.rules;
  std::erase_if(
      rules, [](const Rule& rule) { return rule.rank != RankMode::each || !needs_baseline(rule.tolerance); });
  for (Rule& rule : rules) rule.group.clear();
  return with_rules_alone(spec, std::move(rules));
}

CaseReport judged_beside(const config::Case& rules, const std::vector<Series>& a,
                         const std::vector<Series>& b) {
  Baseline baseline;
  baseline.runs.push_back({std::nullopt, a});
  Extraction run;
  run.series = b;
  return judge_case(rules, {make_reference(baseline, "A"), {}}, run, std::nullopt, "", "");
}

// The case's rules that hold a series against constants, as if they were against another one, within any
// distance: they tell what is reduced, and nothing else.
config::Case constant_rules_of(const config::Case& spec) {
  std::vector<Rule> rules = spec.rules;
  std::erase_if(rules, [](const Rule& rule) {
    return rule.rank != RankMode::each || rule.reduce == Reduce::each || needs_baseline(rule.tolerance);
  });
  for (Rule& rule : rules) {
    rule.group.clear();
    rule.tolerance = *parse_tolerance("±1000000000%");
  }
  return with_rules_alone(spec, std::move(rules));
}

// What a check says is said here in the same words.
void add_reduced_values(ComparedCase& compared, const CaseReport& report) {
  for (ComparedSeries& series : compared.series) {
    if (series.reduced) continue;
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

// What a side has of one case.
struct DrawnSide {
  std::string letter;
  std::vector<Series> series;
};

std::optional<std::int64_t> first_difference(const std::vector<const ComparedCase*>& pairs,
                                             const std::string& metric) {
  std::optional<std::int64_t> first;
  for (const ComparedCase* pair : pairs)
    for (const ComparedSeries& series : pair->series)
      if (series.metric == metric && series.difference.first)
        first = std::min(first.value_or(INT64_MAX), series.difference.first->number);
  return first;
}

std::string non_finite_note(const std::vector<const ComparedCase*>& pairs, const std::string& metric) {
  std::vector<std::string> words;
  const auto add = [&](const std::string& letter, const ComparedSeries& series, const std::string& text) {
    const std::string rank = series.rank ? " rank " + std::to_string(*series.rank) : "";
    std::string word = letter + rank + ": " + printable(text, 120);
    if (!text.empty() && std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
  };
  for (const ComparedCase* pair : pairs) {
    for (const ComparedSeries& series : pair->series) {
      if (series.metric != metric) continue;
      add("A", series, series.difference.non_finite_a);
      add(pair->second, series, series.difference.non_finite_b);
    }
  }
  return some_of(words, 4);
}

// The curves of a metric are in the order of the sides, of each in that of its series.
void name_curves(Chart& chart, const std::vector<DrawnSide>& sides) {
  auto curve = chart.curves.begin();
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (const Series& series : sides[i].series) {
      if (series.metric() != chart.title || series.empty()) continue;
      curve->name = curve_name(as_is(sides[i].letter), series.rank());
      if (sides.size() > 2) curve->side = i + 1;
      ++curve;
    }
  }
}

void finish_chart(Chart& chart, const std::vector<DrawnSide>& sides,
                  const std::vector<const ComparedCase*>& pairs) {
  if (chart.of.empty())
    name_curves(chart, sides);
  else
    chart.curves.front().name = as_is("B / A");
  chart.note = non_finite_note(pairs, chart.title);
  chart.marks.clear();
  chart.group.clear();
  if (const auto first = first_difference(pairs, chart.title)) {
    chart.marks.push_back(
        {static_cast<double>(*first), say({"first difference", "首处不同"}), MarkKind::change});
    chart.red = true;
  }
}

// Return a chart for each metric of any side, with curves `A`, `B`, ... and a mark at the first number at
// which any rank differs; what differs comes first. Series by a single number have none.
std::vector<Chart> laid_over(const std::vector<DrawnSide>& sides,
                             const std::vector<const ComparedCase*>& pairs) {
  Reference reference;
  for (const Series& series : sides.front().series)
    if (!series.empty()) reference.series.push_back({{series}, "", ""});
  std::vector<Series> others;
  for (auto side = sides.begin() + 1; side != sides.end(); ++side)
    others.insert(others.end(), side->series.begin(), side->series.end());
  std::vector<Chart> charts = charts_of(CaseReport{}, others, reference);
  std::erase_if(charts, [](const Chart& chart) {  // B's alone: when its steps came
    return chart.title == "step_wall_time" && !chart.group.empty();
  });
  for (Chart& chart : charts) finish_chart(chart, sides, pairs);
  std::ranges::stable_sort(charts, {}, [](const Chart& chart) { return chart.red ? 0 : 1; });
  return charts;
}

// Return what the side has of the case, as far as it is compared, and tell what the side is.
Answer<SideSeries> read_side(const Suite& suite, const CompareOptions& options, SideSource& side,
                             const config::Case& spec, const std::string& name) {
  GATE_TRY(SideSeries read, series_of(suite, options, side, name));
  side.told.kind = read.kind;
  if (options.metrics == CompareOptions::Metrics::deterministic)
    std::erase_if(read.series, [&](const Series& one) { return !must_be_same(one, spec.metrics); });
  return read;
}

// A side that is put beside A.
struct OtherSide {
  SideSource source;
  ComparisonPlan plan;
  Comparison found;
  std::vector<CaseReport> reports;  // of its cases, as judged against A
};

void add_compared_case(OtherSide& other, const CompareOptions& options, const config::Case& spec,
                       const std::string& name, const SideSource& a, const SideSeries& of_a,
                       const SideSeries& of_b) {
  const bool is_all = options.metrics == CompareOptions::Metrics::all;
  ComparedCase& compared = other.found.cases.emplace_back();
  compared.second = other.source.letter;
  compared.name = name;
  if (is_all) compared.a = verdict_of(a, name), compared.b = verdict_of(other.source, name);
  compared.notes = of_a.notes;
  compared.notes.insert(compared.notes.end(), of_b.notes.begin(), of_b.notes.end());
  add_case_note(compared, a);
  add_case_note(compared, other.source);
  add_compared_series(compared, spec, of_a.series, of_b.series,
                      is_all ? judge::Equality::as_printed : judge::Equality::as_values);
  other.reports.push_back(judged_beside(comparing_rules_of(spec), of_a.series, of_b.series));
  add_reduced_values(compared, other.reports.back());
  if (const config::Case constants = constant_rules_of(spec); !constants.rules.empty())
    add_reduced_values(compared, judged_beside(constants, of_a.series, of_b.series));
}

// Put what each other side has of the case beside what A has. A is read once: it may be standard input.
Answer<void> compare_case(const Suite& suite, const CompareOptions& options, SideSource& a,
                          std::vector<OtherSide>& others, const std::string& name) {
  GATE_TRY(const auto spec, case_of(suite, name));
  GATE_TRY(SideSeries of_a, read_side(suite, options, a, spec, name));
  std::vector<DrawnSide> drawn;
  std::vector<ComparedCase*> pairs;
  for (OtherSide& other : others) {
    if (std::ranges::find(other.plan.cases, name) == other.plan.cases.end()) continue;
    GATE_TRY(SideSeries of_b, read_side(suite, options, other.source, spec, name));
    add_compared_case(other, options, spec, name, a, of_a, of_b);
    pairs.push_back(&other.found.cases.back());
    drawn.push_back({other.source.letter, std::move(of_b.series)});
  }
  if (options.charts == CompareOptions::Charts::no) return {};
  drawn.insert(drawn.begin(), {a.letter, std::move(of_a.series)});
  pairs.front()->charts = laid_over(drawn, {pairs.begin(), pairs.end()});
  return {};
}

std::vector<std::string> cases_of(const std::vector<ComparisonPlan>& plans) {
  std::vector<std::string> names;
  for (const ComparisonPlan& plan : plans)
    for (const std::string& name : plan.cases)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

}  // namespace

Answer<std::vector<Comparison>> compare(const Suite& suite, const CompareOptions& options) {
  if (std::ranges::count(options.sides, "-") > 1)
    return usage("-: standard input can be one of the sides; name a file for the other");
  std::vector<SideSource> sides;
  for (const std::string& word : options.sides) {
    GATE_TRY(SideSource side, find_side(suite, options, word));
    side.letter = side_letter(sides.size());
    sides.push_back(std::move(side));
  }
  GATE_TRY(const std::vector<ComparisonPlan> plans, plans_of(options, sides));
  std::vector<OtherSide> others;
  for (std::size_t i = 0; i < plans.size(); ++i)
    others.push_back({std::move(sides[i + 1]), plans[i], {}, {}});
  for (const std::string& name : cases_of(plans)) {
    GATE_TRY_STATUS(compare_case(suite, options, sides.front(), others, name));
  }
  std::vector<Comparison> found;
  for (OtherSide& other : others) {
    other.found.triage = judge::triage(other.reports);
    other.found.a = sides.front().told;
    other.found.b = other.source.told;
    other.found.second = other.source.letter;
    other.found.only_a = other.plan.only_a;
    other.found.only_b = other.plan.only_b;
    found.push_back(std::move(other.found));
  }
  return found;
}

}  // namespace gate::app
