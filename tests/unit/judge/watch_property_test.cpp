// What the watch calls certain, the final judgement confirms: however the run goes on.
#include "gate/judge/watch.h"

#include <gmock/gmock.h>

#include <set>

#include "random_cases.h"

namespace gate::judge::testing::watch_property_test {
namespace {

constexpr int cap = 120;  // in hundredths, where a rule declares one

// A run that wanders off now and then: out of bounds, not a number, a step left out.
Series wandering(Random& random, const Series& reference) {
  Series out(reference.metric(), reference.rank(), reference.unit(), reference.numbered());
  const int spread = pick(random, 0, 8);
  const bool spikes = chance(random, 30);
  for (const Sample& one : reference.samples()) {
    if (chance(random, 2)) continue;
    Sample next = one;
    next.value.number.coefficient += pick(random, -spread, spread);
    if (next.value.number.coefficient > cap) next.value.number.coefficient = cap;
    if (spikes && chance(random, 10)) next.value.number.coefficient *= pick(random, 2, 20);
    if (chance(random, 2)) next.value.kind = one_of<ValueKind>(random, {ValueKind::nan, ValueKind::left_out});
    out.append(next);
  }
  return out;
}

// A case under watch: what it is judged against and by, and what its log will hold.
struct WatchedRun {
  Ask ask;
  std::vector<Series> log;
  bool steps_only = true;  // then a resume is a step number that falls, and no more
};

std::vector<Series> watched_series(Random& random, WatchedRun& watched) {
  std::vector<Series> all;
  for (const char* name : {"lm_loss", "throughput", "iteration_time", "memory_allocated"}) {
    if (!chance(random, 45)) continue;
    const Metric metric = MetricTable().get(name);
    const bool ranked = metric.numbered == Numbering::report || chance(random, 20);
    watched.steps_only &= metric.numbered == Numbering::step;
    if (!ranked) all.push_back(random_series(random, metric, std::nullopt));
    for (int rank = 0, ranks = ranked ? pick(random, 1, 3) : 0; rank < ranks; ++rank)
      all.push_back(random_series(random, metric, rank));
  }
  return all;
}

WatchedRun random_run(Random& random) {
  WatchedRun watched;
  const std::vector<Series> recorded = watched_series(random, watched);
  std::vector<std::vector<Series>> runs{recorded};
  while (chance(random, 30) && runs.size() < 3) runs.push_back(like(random, recorded));
  watched.ask.reference = reference_of(runs);
  watched.ask.rules.clear();
  std::set<std::string> metrics;
  for (const Series& series : recorded) metrics.insert(series.metric());
  for (const std::string& metric : metrics)
    for (int i = pick(random, 1, 2); i > 0; --i) {
      watched.ask.rules.push_back(random_rule(random, metric));
      watched.ask.rules.back().name = metric + std::to_string(i);
      if (chance(random, 20)) watched.ask.rules.back().waive = Waiver{"known", "2999-01-01"};
    }
  if (chance(random, 10)) watched.ask.reference = {};
  for (const Series& series : one_of(random, runs)) watched.log.push_back(wandering(random, series));
  if (!recorded.empty() && recorded.back().rank() && chance(random, 20))
    watched.log.push_back(
        wandering(random, random_series(random, MetricTable().get(recorded.back().metric()), 7)));
  return watched;
}

// Return up to which value the metric may go on: the cap, unless it was declared in vain.
int most_of(const std::vector<Rule>& rules, const Series& seen) {
  const bool declared = std::any_of(
      rules.begin(), rules.end(), [&](const Rule& rule) { return rule.metric == seen.metric() && rule.cap; });
  const SampleTape& samples = seen.samples();
  const bool held = std::all_of(samples.begin(), samples.end(), [](const Sample& one) {
    return !one.value.is_finite() || one.value.number <= Decimal{cap, -2};
  });
  return declared && held ? cap : 400;
}

// Return what was seen, gone on in any way that its metric allows.
Series completed(Random& random, const Series& seen, const Series& whole, int most) {
  Series out = seen;
  const std::int64_t last = seen.empty() ? -1 : seen.samples().back().number;
  const int least = chance(random, 30) ? seen.metric() == "lm_loss" ? -2000 : 0 : 80;
  for (const Sample& one : whole.samples())
    if (one.number > last && !chance(random, 2))
      out.append(random_sample(random, one.number, least, most, 2));
  return out;
}

// A log on its way: its series so far, and what a resume keeps of the attempt before.
struct Growing {
  const WatchedRun& watched;
  std::vector<Series> seen;
  std::vector<std::size_t> next;

  explicit Growing(const WatchedRun& run) : watched(run), next(run.log.size()) {
    for (const Series& s : run.log) seen.emplace_back(s.metric(), s.rank(), s.unit(), s.numbered());
  }

  // Append the next sample of a series that has one; nothing where none has.
  std::optional<Sample> grow(Random& random, std::size_t& which) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < next.size(); ++i)
      if (next[i] < watched.log[i].size()) open.push_back(i);
    if (open.empty()) return std::nullopt;
    which = one_of(random, open);
    const Sample& sample = watched.log[which].samples()[next[which]++];
    seen[which].append(sample);
    return sample;
  }

  // Go back to the step, as a resume does: what was printed before it stays.
  void resume(std::int64_t step) {
    for (std::size_t i = 0; i < seen.size(); ++i) {
      Series kept(seen[i].metric(), seen[i].rank(), seen[i].unit(), seen[i].numbered());
      for (const Sample& one : seen[i].samples())
        if (one.number < step) kept.append(one);
      next[i] = kept.size();
      seen[i] = kept;
    }
  }
};

// Tell whether a check of the rule, which the watch named, says that the run is not good.
bool confirmed(const Judgement& judgement, const std::string& rule) {
  const bool red = judgement.verdict == Verdict::regressed || judgement.verdict == Verdict::incomplete;
  return red && std::any_of(judgement.checks.begin(), judgement.checks.end(), [&](const Check& check) {
           return check.rule == rule &&
                  (check.status == CheckStatus::fail || check.status == CheckStatus::missing);
         });
}

// Return the first certain failure of the log, read sample by sample with at most one resume.
std::optional<Certain> watch_growing(Random& random, Growing& growing) {
  const Ask& ask = growing.watched.ask;
  Watch watch(ask.rules, ask.metrics, ask.reference, "");
  bool may_resume = growing.watched.steps_only && chance(random, 30);
  std::size_t which = 0;
  while (const std::optional<Sample> sample = growing.grow(random, which)) {
    const Series& series = growing.seen[which];
    if (const auto certain = watch.on_sample(series.metric(), series.rank(), *sample)) return certain;
    if (!may_resume || !chance(random, 10)) continue;
    may_resume = false;
    watch.restart();
    growing.resume(pick(random, 1, static_cast<int>(sample->number)));
  }
  return std::nullopt;
}

void confirm(Random& random, Growing& growing, const Certain& certain) {
  Ask ask = growing.watched.ask;
  ask.log.series = growing.seen;
  ask.outcome = StoppedEarly{certain.reason};
  ASSERT_TRUE(confirmed(ask.judge(), certain.rule)) << "stopped: " << ask.judge().reason.english();
  ask.outcome = Exited{0};
  for (int k = 0; k < 8; ++k) {
    for (std::size_t i = 0; i < growing.seen.size(); ++i)
      ask.log.series[i] =
          completed(random, growing.seen[i], growing.watched.log[i], most_of(ask.rules, growing.seen[i]));
    ASSERT_TRUE(confirmed(ask.judge(), certain.rule)) << "completed: " << ask.judge().reason.english() << "\n"
                                                      << in_words(ask.log.series);
  }
}

constexpr unsigned run_count = SANITIZED ? 100 : 800;

TEST(WatchProperty, WhatItCallsCertainEveryCompletionConfirms) {
  std::map<Reduce, unsigned> certain_of;
  unsigned certain = 0, with_waivers = 0, several_runs = 0;
  for (unsigned seed = 1; seed <= run_count; ++seed) {
    Random random(seed);
    const WatchedRun watched = random_run(random);
    std::string words = "seed " + std::to_string(seed) + "\n";
    for (const Rule& rule : watched.ask.rules) words += in_words(rule);
    for (const ReferenceSeries& reference : watched.ask.reference.series) words += in_words(reference.runs);
    Growing growing(watched);
    const std::optional<Certain> failure = watch_growing(random, growing);
    if (!failure) continue;
    SCOPED_TRACE(words + "certain: " + failure->rule + ": " + failure->reason + "\n" +
                 in_words(growing.seen));
    const auto named = std::find_if(watched.ask.rules.begin(), watched.ask.rules.end(),
                                    [&](const Rule& rule) { return rule.name == failure->rule; });
    ASSERT_NE(named, watched.ask.rules.end());
    ASSERT_FALSE(named->waive);
    ASSERT_NO_FATAL_FAILURE(confirm(random, growing, *failure));
    ++certain;
    if (failure->reason.find("come back") != std::string::npos) ++certain_of[named->reduce];
    with_waivers += std::any_of(watched.ask.rules.begin(), watched.ask.rules.end(),
                                [](const Rule& rule) { return rule.waive.has_value(); });
    several_runs += !watched.ask.reference.series.empty() && watched.ask.reference.series[0].runs.size() > 1;
  }
  EXPECT_GT(certain, run_count / 3);
  EXPECT_GT(with_waivers, run_count / 16);
  EXPECT_GT(several_runs, run_count / 16);
  for (const Reduce reduce : {Reduce::mean, Reduce::max, Reduce::min, Reduce::mean_relative_error})
    EXPECT_GE(certain_of[reduce], run_count / 200);
}

TEST(WatchProperty, TheWatchMissesNoStepOutOfBounds) {
  Random random(6);
  for (int i = 0; i < 500; ++i) {
    const Series reference = random_series(random, MetricTable().get("lm_loss"), std::nullopt);
    const Series log = wandering(random, reference);
    Ask ask;
    ask.rules = {rule("lm_loss", "±0.03")};
    ask.reference = reference_of({{reference}});
    ask.log.series = {log};
    Watch watch(ask.rules, ask.metrics, ask.reference, "");
    bool certain = false;
    for (const Sample& one : log.samples())
      certain |= watch.on_sample("lm_loss", std::nullopt, one).has_value();
    const Check check = ask.judge().checks.at(0);
    EXPECT_TRUE(certain || check.status != CheckStatus::fail) << Words(check).note;
  }
}

}  // namespace
}  // namespace gate::judge::testing::watch_property_test
