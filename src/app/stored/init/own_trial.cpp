#include "stored/init/own_trial.h"

#include <algorithm>
#include <functional>

#include "gate/base/text.h"
#include "gate/judge/judge.h"

namespace gate::app {

namespace {

using config::OwnMetric;

// Returns what becomes of the k-th of n values; nothing: it is lost.
using Damage = std::function<std::optional<Value>(const Value& value, std::size_t k, std::size_t n)>;

// More by that share of its size, less where the share is below 0.
Value moved(const Value& value, const Decimal& share) {
  if (!value.is_finite()) return value;
  const auto by = multiply(value.number.is_negative() ? -value.number : value.number, share);
  const auto sum = by ? add(value.number, *by) : std::nullopt;
  return sum ? Value{ValueKind::finite, *sum} : value;
}

class RuleTrial {
 public:
  RuleTrial(const Extraction& run, const std::vector<OwnMetric>& metrics) : run_(run), metrics_(metrics) {
    for (const OwnMetric& own : metrics) {
      table_.put(own.guess.metric);
      if (const auto rule = config::rule_of(own)) rules_.push_back(config::judged_rule(own, *rule));
    }
    for (Series& series : run_.series)
      series = damaged(series, [](const Value& value, std::size_t k, std::size_t) {
        return k < most_samples ? std::optional(value) : std::nullopt;
      });
    run_.problems.clear();
    Baseline baseline;
    baseline.runs.emplace_back().series = run_.series;
    reference_ = make_reference(baseline, "");
  }

  std::vector<Sentence> results() {
    if (!passes("", [](const Value& value, std::size_t, std::size_t) { return std::optional(value); }))
      missed_.push_back(say({"the log is not green by these rules against itself: {}",
                             "用这些规则，日志与自身相比也不是绿色：{}"},
                            reason_));
    for (const OwnMetric& own : metrics_) try_metric(own);
    const Damage cut = [](const Value& value, std::size_t k, std::size_t n) {
      return n > 1 && k * 5 >= n * 4 ? std::nullopt : std::optional(value);
    };
    if (!rules_.empty() && passes("", cut))
      missed_.push_back(say({"a log without its last fifth is green", "缺少最后五分之一的日志会是绿色"}));
    return std::move(missed_);
  }

 private:
  void try_metric(const OwnMetric& own) {
    const Metric& metric = own.guess.metric;
    if (!config::rule_of(own) || own.values.size() < 2) return;
    if (metric.kind == MetricKind::accuracy) try_accuracy(metric);
    if (metric.kind == MetricKind::speed) try_speed(metric);
  }

  void try_accuracy(const Metric& metric) {
    constexpr std::size_t most_places = 25;
    const bool is_higher = metric.better == Better::higher;
    const Decimal worse = is_higher ? Decimal{-5, -1} : Decimal{1, 0};
    const std::size_t size = size_of(metric.name);
    std::size_t green = 0, tried = 0;
    for (std::size_t at = 0; at < size; at += std::max<std::size_t>(size / most_places, 1), ++tried)
      green += passes(metric.name, [&](const Value& value, std::size_t k, std::size_t) {
        return std::optional(k == at ? moved(value, worse) : value);
      });
    if (green > 0)
      missed_.push_back(
          is_higher ? say({"{}: half of it is green at {} of {} steps", "{}：减半在 {} / {} 个步上是绿色"},
                          metric.name, green, tried)
                    : say({"{}: twice of it is green at {} of {} steps", "{}：加倍在 {} / {} 个步上是绿色"},
                          metric.name, green, tried));
    const bool is_late_green =
        !is_higher && passes(metric.name, [](const Value& value, std::size_t k, std::size_t n) {
          return std::optional(k * 4 >= n * 3 ? moved(value, Decimal{1, -1}) : value);
        });
    if (is_late_green)
      missed_.push_back(
          say({"{}: 10 % more in its last quarter is green; a narrower tolerance of its rule makes it red",
               "{}：最后四分之一高 10 % 会是绿色；把它的规则的 tolerance 收窄即可判红"},
              metric.name));
    const bool is_nan_green = passes(metric.name, [](const Value& value, std::size_t k, std::size_t n) {
      return std::optional(k == n / 2 ? Value{ValueKind::nan, {}} : value);
    });
    if (is_nan_green) missed_.push_back(say({"{}: a NaN is green", "{}：NaN 会是绿色"}, metric.name));
  }

  void try_speed(const Metric& metric) {
    const Decimal worse = metric.better == Better::higher ? Decimal{-1, -1} : Decimal{11, -2};
    if (passes(metric.name, [&](const Value& value, std::size_t, std::size_t) {
          return std::optional(moved(value, worse));
        }))
      missed_.push_back(say({"{}: 10 % slower is green, for its lines differ as much",
                             "{}：慢 10 % 会是绿色，因为各行之间的差别就有这么大"},
                            metric.name));
  }

  std::size_t size_of(const std::string& metric) const {
    std::size_t size = 0;
    for (const Series& series : run_.series)
      if (series.metric() == metric) size = std::max(size, series.size());
    return size;
  }

  // Judge the run with that damage of the metric, "": of all.
  bool passes(const std::string& metric, const Damage& damage) {
    Extraction run = run_;
    for (Series& series : run.series)
      if (metric.empty() || series.metric() == metric) series = damaged(series, damage);
    const judge::JudgeInput input{.rules = rules_,
                                  .metrics = table_,
                                  .reference = reference_,
                                  .run = run,
                                  .outcome = {},
                                  .platform = {},
                                  .steps = {},
                                  .today = {}};
    const Judgement judgement = judge::judge(input);
    reason_ = judgement.reason;
    return judgement.verdict == Verdict::passed;
  }

  static Series damaged(const Series& series, const Damage& damage) {
    Series other(series.metric(), series.rank(), series.unit(), series.numbered());
    std::size_t k = 0;
    for (const Sample& sample : series.samples()) {
      const std::optional<Value> value = damage(sample.value, k++, series.size());
      if (value) other.append(SampleView{sample.number, *value, sample.text, sample.file, sample.line});
    }
    return other;
  }

  static constexpr std::size_t most_samples = 1000;  // of a longer log the first ones tell as much

  Extraction run_;
  const std::vector<OwnMetric>& metrics_;
  MetricTable table_;
  std::vector<Rule> rules_;
  Reference reference_;
  Sentence reason_;
  std::vector<Sentence> missed_;
};

}  // namespace

std::vector<Sentence> try_rules(const Extraction& run, const std::vector<OwnMetric>& metrics) {
  return RuleTrial(run, metrics).results();
}

}  // namespace gate::app
