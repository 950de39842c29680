// Properties that hold for any series: shown on many random ones, from fixed seeds.
#include <gmock/gmock.h>

#include <set>

#include "judge/series/reduce.h"
#include "random_cases.h"

namespace gate::judge::testing::property_test {
namespace {

TEST(Property, ARunPassesAgainstTheBaselineMadeFromItself) {
  Random random(1);
  for (int i = 0; i < (SANITIZED ? 40 : 150); ++i) {
    Ask ask;
    const std::vector<Series> all = random_case(random);
    ask.reference = reference_of({all});
    ask.log.series = all;
    ask.rules.clear();
    for (const Series& series : all) {  // samples by time cannot be put side by side
      const char* reduce = series.numbered() == Numbering::time ? "mean" : "each";
      ask.rules.push_back(rule(series.metric(), "exact", "all", reduce));
    }
    const Judgement judgement = ask.judge();
    for (const Check& check : judgement.checks)
      EXPECT_EQ(check.status, CheckStatus::pass) << check.metric << Words(check).note;
    EXPECT_EQ(judgement.verdict, all.empty() ? Verdict::unjudged : Verdict::passed);
  }
}

// One way in which a run is not whole, done to its series of that metric and rank.
enum class Damage { nan, infinity, minus_infinity, left_out, sample_missing, series_missing, cut, run_empty };

void damage(Random& random, Damage how, std::vector<Series>& run, std::size_t at) {
  const Series whole = run[at];
  const auto where = static_cast<std::size_t>(pick(random, 0, static_cast<int>(whole.size()) - 1));
  Series broken(whole.metric(), whole.rank(), whole.unit(), whole.numbered());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    Sample next = whole.samples()[i];
    if (how == Damage::cut && i >= where) break;
    if (how == Damage::sample_missing && i == where) continue;
    if (i == where && how == Damage::nan) next.value.kind = ValueKind::nan;
    if (i == where && how == Damage::infinity) next.value.kind = ValueKind::positive_infinity;
    if (i == where && how == Damage::minus_infinity) next.value.kind = ValueKind::negative_infinity;
    if (i == where && how == Damage::left_out) next.value.kind = ValueKind::left_out;
    broken.append(next);
  }
  run[at] = broken;
  if (how == Damage::series_missing) run.erase(run.begin() + static_cast<std::ptrdiff_t>(at));
  if (how == Damage::run_empty) run.clear();
}

TEST(Property, NothingBrokenPassesUnderTheDefaultRules) {
  constexpr unsigned seeds = SANITIZED ? 60 : 400;
  int broken = 0;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    Random random(seed);
    Ask ask;
    const std::vector<Series> all = random_case(random);
    std::vector<std::vector<Series>> runs{all};
    while (chance(random, 30)) runs.push_back(all);
    ask.reference = reference_of(runs);
    ask.log.series = all;
    if (chance(random, 50)) ask.outcome = Exited{0};
    const Judgement whole = ask.judge();
    if (whole.checks.empty()) continue;
    ASSERT_EQ(whole.verdict, Verdict::passed) << "seed " << seed << "\n" << in_words(all);
    const Check& check = one_of(random, whole.checks);
    const auto at = std::find_if(all.begin(), all.end(), [&](const Series& series) {
      return series.metric() == check.metric && series.rank() == check.rank;
    });
    const auto how = static_cast<Damage>(pick(random, 0, static_cast<int>(Damage::run_empty)));
    damage(random, how, ask.log.series, static_cast<std::size_t>(at - all.begin()));
    const Verdict right = how <= Damage::left_out ? Verdict::regressed : Verdict::incomplete;
    ASSERT_EQ(ask.judge().verdict, right)
        << "seed " << seed << ", damage " << int(how) << " to " << label(*at) << "\n"
        << in_words(all) << "run\n"
        << in_words(ask.log.series);
    ++broken;
  }
  EXPECT_GT(broken, static_cast<int>(seeds * 5 / 8));
}

TEST(Property, EachOfTheRecordedRunsIsExactWhateverTheRule) {
  Random random(7);
  for (const Metric& metric : built_in_metrics())
    for (const ReduceRow& row : reduces())
      for (const char* window : {"all", "first 3", "last 3", "2..30", "after 1"}) {
        if (row.reduce == Reduce::mean_relative_error) continue;  // has no exact
        if (SANITIZED && !chance(random, 25)) continue;
        const Series first = random_series(random, metric, std::nullopt);
        const std::vector<std::vector<Series>> runs{{first}, {like(random, first)}, {like(random, first)}};
        Ask ask;
        ask.rules = {rule(metric.name, "exact", window, std::string(to_string(row.reduce)))};
        ask.reference = reference_of(runs);
        ask.log.series = one_of(random, runs);
        const Check check = ask.judge().checks.at(0);
        const bool by_time = metric.numbered == Numbering::time && row.reduce == Reduce::each;
        EXPECT_EQ(check.status, by_time ? CheckStatus::incomparable : CheckStatus::pass)
            << in_words(ask.rules[0]) << in_words(runs[0]) << in_words(ask.log.series) << Words(check).note;
      }
}

TEST(Property, EveryRuleYieldsOneCheckPerComparableSeriesAndFurtherRankElseAnUngatedEntry) {
  Random random(2);
  for (int i = 0; i < (SANITIZED ? 40 : 150); ++i) {
    Ask ask;
    const std::vector<Series> all = random_case(random);
    ask.reference = reference_of({all});
    ask.log.series = chance(random, 50) ? all : random_case(random);
    ask.rules = built_in_rules();
    const Judgement judgement = ask.judge();
    for (const Rule& rule : ask.rules) {
      if (rule.metric.empty()) continue;  // it has checks that fail alone
      const auto checks = std::count_if(judgement.checks.begin(), judgement.checks.end(),
                                        [&](const Check& check) { return check.rule == rule.name; });
      const auto listed = std::count_if(judgement.ungated.begin(), judgement.ungated.end(),
                                        [&](const Ungated& entry) { return entry.rule == rule.name; });
      const auto held = std::count_if(all.begin(), all.end(),
                                      [&](const Series& series) { return series.metric() == rule.metric; });
      const bool is_whole = rule.rank == RankMode::each && !rule.is_rest_of_curve;
      const auto further =
          is_whole ? std::ranges::count_if(ask.log.series,
                                           [&](const Series& series) {
                                             return series.metric() == rule.metric &&
                                                    !find_series(all, series.metric(), series.rank());
                                           })
                   : 0;
      EXPECT_TRUE(listed == 1 ? checks == 0 : listed == 0 && checks == held + further && checks > 0)
          << rule.name;
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
    ask.reference = reference_of({{before}});
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
    ask.reference = reference_of({{whole}});
    if (keep > 0) ask.log.series = {cut};
    EXPECT_NE(ask.judge().verdict, Verdict::passed) << to_string(ask.rules[0].tolerance);
  }
}

}  // namespace
}  // namespace gate::judge::testing::property_test
