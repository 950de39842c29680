#include "gate/app/compare.h"

#include <algorithm>

#include "app/compare_side.h"
#include "gate/app/charts.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

Reference reference_of(const std::vector<Series>& all) {
  Reference reference;
  for (const Series& series : all) reference.series.push_back({{series}, "", ""});
  return reference;
}

// `baseline rank 3` becomes `A rank 3`.
void rename(Curve& curve) {
  const std::string rank = curve.name.substr(std::min(curve.name.size(), curve.name.find(' ')));
  curve.name = (curve.role == CurveRole::baseline ? "A" : "B") + rank;
}

// A's curves stand where a baseline's do.
std::vector<Chart> charts_of_both(const ComparedCase& compared, const SideCase& a, const SideCase& b) {
  std::vector<Chart> charts = charts_of({}, b.series, reference_of(a.series));
  for (Chart& chart : charts) {
    for (Curve& curve : chart.curves) rename(curve);
    for (const ComparedSeries& series : compared.series)
      if (series.metric == chart.title && series.distance.first) {
        chart.red = true;
        chart.marks.push_back(
            {static_cast<double>(series.distance.first->number), "first different", MarkKind::miss});
        break;
      }
  }
  std::ranges::stable_partition(charts, &Chart::red);
  return charts;
}

ComparedCase compare_cases(const SideCase& a, const SideCase& b) {
  ComparedCase compared{a.name.empty() ? b.name : a.name, a.verdict, b.verdict, {}, {}, {}, {}};
  for (const Series& series : a.series) {
    const Series* other = find_series(b.series, series.metric(), series.rank());
    if (other == nullptr) {
      compared.only_a.push_back(label(series));
      continue;
    }
    compared.series.push_back({series.metric(), series.rank(), series.unit(),
                               std::string(to_string(series.numbered())), judge::distance(series, *other)});
  }
  for (const Series& series : b.series)
    if (find_series(a.series, series.metric(), series.rank()) == nullptr)
      compared.only_b.push_back(label(series));
  compared.charts = charts_of_both(compared, a, b);
  return compared;
}

const SideCase* find(const Side& side, const std::string& name) {
  const auto found = std::ranges::find(side.cases, name, &SideCase::name);
  return found == side.cases.end() ? nullptr : &*found;
}

// Of a run the case that is asked for; a single log or baseline is that case, whatever it is called.
Answer<Side> narrowed(Side side, const std::string& case_name) {
  if (case_name.empty() || side.cases.size() == 1) return side;
  const SideCase* found = find(side, case_name);
  std::vector<std::string> names;
  for (const SideCase& one : side.cases) names.push_back(one.name);
  if (found == nullptr)
    return usage("--case " + case_name + ": no case of " + side.what + did_you_mean(case_name, names));
  const SideCase only = *found;
  side.cases = {only};
  return side;
}

Answer<Side> side(const Suite& suite, const std::string& word, const CompareOptions& options) {
  Answer<Side> read = read_side(suite, word, options);
  return read ? narrowed(std::move(*read), options.case_name) : read;
}

// Beside a log or baseline a run of several cases is asked for the one of its name.
Answer<void> pair_up(const Side& single, Side& run) {
  if (single.kind == Side::Kind::run || run.cases.size() <= 1) return {};
  const SideCase* named = find(run, single.cases.front().name);
  if (named == nullptr) return usage(run.what + " has several cases; say which is meant with --case");
  const SideCase only = *named;
  run.cases = {only};
  return {};
}

bool are_runs(const Side& a, const Side& b) { return a.kind == Side::Kind::run && b.kind == Side::Kind::run; }

void compare_all(const Side& a, const Side& b, Comparison& comparison) {
  if (!are_runs(a, b) && a.cases.size() == 1 && b.cases.size() == 1) {
    comparison.cases.push_back(compare_cases(a.cases.front(), b.cases.front()));
    return;
  }
  for (const SideCase& one : a.cases)
    if (const SideCase* other = find(b, one.name))
      comparison.cases.push_back(compare_cases(one, *other));
    else
      comparison.only_a.push_back(one.name);
  for (const SideCase& one : b.cases)
    if (find(a, one.name) == nullptr) comparison.only_b.push_back(one.name);
}

}  // namespace

bool ComparedCase::same() const {
  const auto equal = [](const ComparedSeries& one) { return one.distance.same(); };
  return verdict_a == verdict_b && only_a.empty() && only_b.empty() && std::ranges::all_of(series, equal);
}

Answer<Comparison> compare(const Suite& suite, const CompareOptions& options) {
  Answer<Side> a = side(suite, options.a, options), b = side(suite, options.b, options);
  if (!a) return tl::unexpected(a.error());
  if (!b) return tl::unexpected(b.error());
  if (const Answer<void> ab = pair_up(*a, *b); !ab) return tl::unexpected(ab.error());
  if (const Answer<void> ba = pair_up(*b, *a); !ba) return tl::unexpected(ba.error());
  Comparison comparison{a->what, b->what, {}, {}, {}};
  compare_all(*a, *b, comparison);
  const bool any =
      std::ranges::any_of(comparison.cases, [](const ComparedCase& one) { return !one.series.empty(); });
  if (!any) return refused(a->what + " and " + b->what + " have no series in common");
  return comparison;
}

}  // namespace gate::app
