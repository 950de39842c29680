#include "render/text/compare_fold.h"

#include <algorithm>
#include <map>

#include "gate/base/text.h"
#include "gate/model/decimal.h"
#include "gate/model/step_set.h"

namespace gate::render {

namespace {

std::int64_t step_of(const std::optional<DifferentAt>& at) { return at ? at->number : 0; }

bool differ_alike(const ComparedSeries& a, const ComparedSeries& b) {
  const Difference &x = a.difference, &y = b.difference;
  const bool beyond = a.beyond.has_value() == b.beyond.has_value() &&
                      (!a.beyond || a.beyond->at.number == b.beyond->at.number);
  return a.metric == b.metric && a.rank && b.rank && x.common == y.common && x.only_a == y.only_a &&
         x.only_b == y.only_b && x.odd_a == y.odd_a && x.odd_b == y.odd_b && beyond &&
         x.first.has_value() == y.first.has_value() && step_of(x.first) == step_of(y.first);
}

Decimal largest_of(const ComparedSeries& series) {
  const auto& largest = series.difference.largest;
  const bool finite = largest && is_finite(largest->delta);
  return finite ? largest->delta->number.abs() : Decimal{};
}

}  // namespace

std::vector<ComparedFold> fold(const ComparedCase& compared) {
  std::vector<ComparedFold> folds;
  for (const ComparedSeries& series : compared.series) {
    auto it =
        std::ranges::find_if(folds, [&](const auto& known) { return differ_alike(*known.shown, series); });
    if (it == folds.end()) it = folds.insert(folds.end(), {&series, {}});
    if (largest_of(*it->shown) < largest_of(series)) it->shown = &series;
    if (series.rank) it->ranks.push_back(*series.rank);
  }
  for (ComparedFold& one : folds) std::ranges::sort(one.ranks);
  return folds;
}

std::string name_of(const ComparedFold& fold) {
  const std::string rank = fold.ranks.size() == 1 ? " rank " : " ranks ";
  return fold.shown->metric + (fold.ranks.empty() ? "" : rank + to_string(StepSet(fold.ranks)));
}

ComparedCount count_of_metrics(const ComparedCase& compared) {
  std::map<std::string, bool> metrics;
  for (const ComparedSeries& series : compared.series) metrics[series.metric] |= !series.same();
  const auto different = std::ranges::count_if(metrics, [](const auto& one) { return one.second; });
  return {metrics.size(), static_cast<std::size_t>(different)};
}

}  // namespace gate::render
