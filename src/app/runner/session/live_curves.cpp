#include "runner/session/live_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gate/base/text.h"
#include "gate/judge/band.h"

namespace gate::app {

namespace {

constexpr std::size_t newest_values = 10;
constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

double finite_of(const Sample& sample) {
  return sample.value.is_finite() ? sample.value.number.to_double() : no_value;
}

void drop_every_second(std::vector<double>& values) {
  for (std::size_t i = 0; 2 * i < values.size(); ++i) values[i] = values[2 * i];
  values.resize((values.size() + 1) / 2);
}

}  // namespace

bool CaseCurves::take(const SampleSeen& event) {
  if (event.rank.value_or(0) != 0 || event.sample.text.empty()) return false;  // "": the log left it out
  Drawn* const drawn = drawn_of(event.metric);
  if (drawn == nullptr) return false;
  const double value = finite_of(event.sample);
  if (event.sample.number <= drawn->last_step) *drawn = {drawn->watched, {}};
  drawn->last_step = event.sample.number;
  append(*drawn, value, event.baseline ? finite_of(*event.baseline) : no_value);
  compare(*drawn, event.sample.number);
  return true;
}

CaseCurves::Drawn* CaseCurves::drawn_of(const std::string& metric) {
  for (Drawn& drawn : drawn_)
    if (drawn.watched->metric == metric) return &drawn;
  const WatchedMetric* watched = row_in(watched_, metric, &WatchedMetric::metric);
  return watched == nullptr ? nullptr : &drawn_.emplace_back(Drawn{watched, {}});
}

// A value that is no number is told by `now`, and has no place in a curve.
void CaseCurves::append(Drawn& drawn, double value, double baseline) {
  drawn.newest.emplace_back(value, baseline);
  if (drawn.newest.size() > newest_values) drawn.newest.pop_front();
  LiveCurve& curve = drawn.curve;
  if (!std::isfinite(value) || drawn.seen++ % drawn.stride != 0) return;
  if (curve.values.size() == most_live_values) {
    drop_every_second(curve.values);
    drop_every_second(curve.baseline);
    drawn.stride *= 2;
    if ((drawn.seen - 1) % drawn.stride != 0) return;
  }
  curve.values.push_back(value);
  curve.baseline.push_back(baseline);
}

void CaseCurves::compare(Drawn& drawn, std::int64_t step) {
  LiveCurve& curve = drawn.curve;
  const std::size_t window = drawn.watched->is_each ? 1 : drawn.newest.size();
  double sum = 0, sum_of_baseline = 0;
  for (auto one = drawn.newest.end() - static_cast<std::ptrdiff_t>(window); one != drawn.newest.end();
       ++one) {
    sum += one->first;
    sum_of_baseline += one->second;
  }
  curve.now = sum / static_cast<double>(window);
  curve.baseline_now = sum_of_baseline / static_cast<double>(window);
  const bool has_baseline = std::isfinite(curve.baseline_now);
  const judge::Band band = judge::band_of(drawn.watched->tolerance,
                                          has_baseline ? std::optional(curve.baseline_now) : std::nullopt);
  const bool is_beyond = !std::isfinite(curve.now) || (band.low && curve.now < *band.low) ||
                         (band.high && curve.now > *band.high);
  if (!is_beyond && !drawn.watched->is_each) curve.beyond_since.reset();
  if (is_beyond && !curve.beyond_since) curve.beyond_since = step;
}

std::vector<LiveCurve> CaseCurves::shown() const {
  std::vector<LiveCurve> shown;
  for (const auto& [kind, most] : {std::pair{MetricKind::accuracy, 1}, {MetricKind::speed, 2}}) {
    int left = most;
    for (const WatchedMetric& watched : watched_) {
      const auto drawn = std::ranges::find(drawn_, &watched, &Drawn::watched);
      if (watched.kind != kind || drawn == drawn_.end() || left-- <= 0) continue;
      LiveCurve& curve = shown.emplace_back(drawn->curve);
      curve.metric = watched.metric;
      curve.unit = watched.unit;
      curve.tolerance = to_string(watched.tolerance);
      const auto has_value = [](double value) { return std::isfinite(value); };
      if (std::ranges::none_of(curve.baseline, has_value)) curve.baseline.clear();
    }
  }
  return shown;
}

}  // namespace gate::app
