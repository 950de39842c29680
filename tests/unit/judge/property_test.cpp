// Properties that hold for any series: shown on many random ones, from fixed seeds.
#include <gmock/gmock.h>

#include <random>
#include <set>

#include "gate/judge/watch.h"
#include "logs.h"

namespace gate::judge::testing {
namespace {

using Random = std::mt19937_64;

int pick(Random& random, int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

bool chance(Random& random, int percent) { return pick(random, 1, 100) <= percent; }

template <typename T>
const T& one_of(Random& random, const std::vector<T>& all) {
  return all[static_cast<std::size_t>(pick(random, 0, static_cast<int>(all.size()) - 1))];
}

Sample random_sample(Random& random, std::int64_t number, int low, int high, int decimals) {
  const Decimal value{pick(random, low, high), -decimals};
  return {number, {ValueKind::finite, value}, value.to_string(), 0, 1};
}

Series random_series(Random& random, const Metric& metric, std::optional<int> rank) {
  Series out(metric.name, rank, metric.unit, metric.numbered);
  std::int64_t number = 0;
  const int size = pick(random, 2, 25);
  const int step = metric.numbered == Numbering::step ? pick(random, 1, 5) : 1;
  for (int i = 0; i < size; ++i) out.append(random_sample(random, number += step, 100, 120, 2));
  return out;
}

Reference reference_of(const std::vector<Series>& series) {
  Baseline baseline;
  baseline.runs.push_back({{}, series});
  return make_reference(baseline, "b.json");
}

std::vector<Series> random_case(Random& random) {
  std::vector<Series> all;
  for (const Metric& metric : built_in_metrics()) {
    if (!chance(random, 50)) continue;
    const int ranks = metric.numbered == Numbering::report ? pick(random, 1, 4) : 0;
    for (int rank = 0; rank < ranks; ++rank) all.push_back(random_series(random, metric, rank));
    if (ranks == 0) all.push_back(random_series(random, metric, std::nullopt));
  }
  return all;
}

Rule random_rule(Random& random, const std::string& metric) {
  static const std::vector<std::string> tolerances{
      "±0.05", "-5%", "+5%", "±3% or ±0.02", "±0.03 and ±9%", "exact", ">= 1", "<= 1.1", "-0.05 and +0.1"};
  static const std::vector<std::string> windows{"all", "first 5", "last 5", "3..9", "after 4", "step 5"};
  static const std::vector<std::string> reduces{"each", "each",   "each",          "mean",
                                                "mean", "median", "min",           "max",
                                                "last", "p90",    "harmonic_mean", "trimmed_mean"};
  Rule out = rule(metric, one_of(random, tolerances), one_of(random, windows), one_of(random, reduces));
  if (chance(random, 20)) out.rank = one_of<RankMode>(random, {RankMode::max, RankMode::min, RankMode::mean});
  if (chance(random, 20)) out.max_misses = pick(random, 1, 3);
  if (chance(random, 30)) out.cap = Decimal{120, -2};
  return out;
}

TEST(Property, ARunPassesAgainstTheBaselineMadeFromItself) {
  Random random(1);
  for (int i = 0; i < 150; ++i) {
    Ask ask;
    const std::vector<Series> all = random_case(random);
    ask.reference = reference_of(all);
    ask.log.series = all;
    ask.rules.clear();
    for (const Series& series : all) ask.rules.push_back(rule(series.metric(), "exact"));
    const Judgement judgement = ask.judge();
    for (const Check& check : judgement.checks)
      EXPECT_EQ(check.status, CheckStatus::pass) << check.metric << check.note;
    EXPECT_EQ(judgement.verdict, all.empty() ? Verdict::unjudged : Verdict::passed);
  }
}

TEST(Property, EveryRuleYieldsOneCheckPerComparableSeriesElseAnUngatedEntry) {
  Random random(2);
  for (int i = 0; i < 150; ++i) {
    Ask ask;
    const std::vector<Series> all = random_case(random);
    ask.reference = reference_of(all);
    ask.log.series = chance(random, 50) ? all : random_case(random);
    ask.rules = built_in_rules();
    const Judgement judgement = ask.judge();
    for (const Rule& rule : ask.rules) {
      const auto checks = std::count_if(judgement.checks.begin(), judgement.checks.end(),
                                        [&](const Check& check) { return check.rule == rule.name; });
      const auto listed = std::count_if(
          judgement.ungated.begin(), judgement.ungated.end(),
          [&](const Ungated& entry) { return entry.rule == rule.name && !entry.reason.starts_with("rank"); });
      const auto held = std::count_if(all.begin(), all.end(),
                                      [&](const Series& series) { return series.metric() == rule.metric; });
      EXPECT_TRUE(listed == 1 ? checks == 0 : listed == 0 && checks == held && checks > 0) << rule.name;
    }
    std::set<std::string> told;
    for (const Check& check : judgement.checks) told.insert(check.metric);
    for (const Ungated& entry : judgement.ungated) told.insert(entry.metric);
    for (const auto& series : {all, ask.log.series})
      for (const Series& one : series) EXPECT_TRUE(told.contains(one.metric())) << one.metric();
  }
}

TEST(Property, ASmallChangeIsNeverExact) {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const Series before = random_series(random, MetricTable().get("lm_loss"), std::nullopt);
    const auto changed = static_cast<std::size_t>(pick(random, 0, static_cast<int>(before.size()) - 1));
    Series after("lm_loss", {}, "", Numbering::step);
    for (std::size_t k = 0; k < before.size(); ++k) {
      Sample next = before.samples()[k];
      if (k == changed) next.value.number.coefficient += 1;
      after.append(next);
    }
    Ask ask;
    ask.rules = {rule("lm_loss", "exact")};
    ask.reference = reference_of({before});
    ask.log.series = {after};
    EXPECT_EQ(ask.judge().verdict, Verdict::regressed);
    EXPECT_EQ(ask.judge().checks[0].first_miss->number, before.samples()[changed].number);
  }
}

TEST(Property, ARunCutAnywhereIsNeverGreen) {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    const Series whole = random_series(random, MetricTable().get("lm_loss"), std::nullopt);
    Series cut("lm_loss", {}, "", Numbering::step);
    const int keep = pick(random, 0, static_cast<int>(whole.size()) - 1);
    for (int k = 0; k < keep; ++k) cut.append(whole.samples()[static_cast<std::size_t>(k)]);
    Ask ask;
    ask.rules = {random_rule(random, "lm_loss")};
    ask.reference = reference_of({whole});
    if (keep > 0) ask.log.series = {cut};
    EXPECT_NE(ask.judge().verdict, Verdict::passed) << to_string(ask.rules[0].tolerance);
  }
}

// Return the run that goes on from the samples seen so far in any way that its metric allows.
Series completed(Random& random, const Series& seen, const Series& whole, bool capped) {
  Series out(seen.metric(), seen.rank(), seen.unit(), seen.numbered());
  for (const Sample& one : seen.samples()) out.append(one);
  const std::int64_t last = seen.empty() ? 0 : seen.samples().back().number;
  const int low = chance(random, 30) ? 0 : 80;
  for (const Sample& one : whole.samples())
    if (one.number > last) out.append(random_sample(random, one.number, low, capped ? 120 : 140, 2));
  return out;
}

// A run that wanders off now and then: out of bounds, not a number, a step left out.
Series wandering(Random& random, const Series& reference) {
  Series out(reference.metric(), reference.rank(), reference.unit(), reference.numbered());
  const int spread = pick(random, 0, 8);
  for (const Sample& one : reference.samples()) {
    if (chance(random, 2)) continue;
    Sample next = one;
    next.value.number.coefficient += pick(random, -spread, spread);
    if (next.value.number.coefficient > 120) next.value.number.coefficient = 120;
    if (chance(random, 2)) next.value.kind = one_of<ValueKind>(random, {ValueKind::nan, ValueKind::left_out});
    out.append(next);
  }
  return out;
}

TEST(Property, WhatTheWatchCallsCertainEveryCompletionConfirms) {
  Random random(5);
  int certain = 0, means = 0;
  for (int i = 0; i < 1500; ++i) {
    const Metric metric =
        MetricTable().get(one_of<std::string>(random, {"lm_loss", "throughput", "iteration_time"}));
    const Series reference = random_series(random, metric, std::nullopt);
    const Series log = wandering(random, reference);
    Ask ask;
    ask.rules = {random_rule(random, metric.name)};
    const bool baseline = chance(random, 85) || needs_baseline(ask.rules[0].tolerance);
    if (baseline) ask.reference = reference_of({reference});
    Watch watch(ask.rules, ask.metrics, ask.reference, "");
    Series seen(metric.name, {}, metric.unit, metric.numbered);
    for (const Sample& one : log.samples()) {
      seen.append(one);
      const std::optional<Certain> failure = watch.see(metric.name, std::nullopt, one);
      if (!failure) continue;
      ++certain;
      means += ask.rules[0].reduce == Reduce::mean && failure->reason.find("come back") != std::string::npos
                   ? 1
                   : 0;
      ask.log.series = {seen};
      ask.outcome = StoppedEarly{failure->reason};
      const Check stopped = ask.judge().checks.at(0);
      EXPECT_TRUE(stopped.status == CheckStatus::fail || stopped.status == CheckStatus::missing)
          << failure->reason << " / " << stopped.note;
      ask.outcome = Exited{0};
      for (int k = 0; k < 8; ++k) {
        ask.log.series = {completed(random, seen, reference, ask.rules[0].cap.has_value())};
        const Check check = ask.judge().checks.at(0);
        EXPECT_TRUE(check.status == CheckStatus::fail || check.status == CheckStatus::missing)
            << failure->reason << " / " << to_string(check.status) << " " << check.note << " "
            << to_string(ask.rules[0].tolerance) << " " << to_string(ask.rules[0].window);
      }
      break;
    }
  }
  EXPECT_GT(certain, 400);
  EXPECT_GT(means, 10);
}

TEST(Property, TheWatchMissesNoStepOutOfBounds) {
  Random random(6);
  for (int i = 0; i < 500; ++i) {
    const Series reference = random_series(random, MetricTable().get("lm_loss"), std::nullopt);
    const Series log = wandering(random, reference);
    Ask ask;
    ask.rules = {rule("lm_loss", "±0.03")};
    ask.reference = reference_of({reference});
    ask.log.series = {log};
    Watch watch(ask.rules, ask.metrics, ask.reference, "");
    bool certain = false;
    for (const Sample& one : log.samples()) certain |= watch.see("lm_loss", std::nullopt, one).has_value();
    const Check check = ask.judge().checks.at(0);
    EXPECT_TRUE(certain || check.status != CheckStatus::fail) << check.note;
  }
}

}  // namespace
}  // namespace gate::judge::testing
