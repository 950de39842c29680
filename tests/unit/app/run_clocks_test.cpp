#include "gate/judging/run_clocks.h"

#include <gmock/gmock.h>

namespace gate::app::run_clocks_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::Pair;

// A step of an attempt, and the line of the log that prints it.
struct Printed {
  std::int64_t step;
  std::uint32_t line;
};

Series losses(const std::vector<Printed>& steps) {
  Series series("lm_loss", std::nullopt, "", Numbering::step);
  for (const Printed& printed : steps)
    series.append({printed.step, *parse_value("2.5"), "2.5", 0, printed.line});
  return series;
}

// A log of these attempts; `judged` are the steps that are judged.
Extraction log_of(const std::vector<std::vector<Printed>>& attempts, const std::vector<Printed>& judged) {
  Extraction run;
  for (const std::vector<Printed>& steps : attempts)
    run.attempts.push_back({"", steps.front().step, steps.back().step, {losses(steps)}});
  run.series.push_back(losses(judged));
  return run;
}

Extraction log_of(const std::vector<Printed>& steps) { return log_of({steps}, steps); }

std::string words(const Extraction& run, const std::string& metric) {
  const Series* series = find_series(run.series, metric, std::nullopt);
  if (series == nullptr) return "none";
  std::string out;
  for (const Sample& sample : series->samples()) {
    out += out.empty() ? "" : " ";
    out += std::to_string(sample.number) + "=" + sample.text;
  }
  return out;
}

std::vector<std::string> metrics_of(const Extraction& run) {
  std::vector<std::string> names;
  for (const Series& series : run.series) names.push_back(series.metric());
  return names;
}

TEST(RunClocks, TakeEachStepFromTheLineBeforeIt) {
  Extraction run = log_of({{1, 1}, {2, 2}, {3, 3}});
  add_clocks(run, {{0, 1, 30s}, {0, 2, 30500ms}, {0, 3, 31250ms + 7us}}, 33s, {});
  EXPECT_EQ(words(run, "step_wall_time"), "2=500.000 3=750.007");
  EXPECT_EQ(words(run, "startup_time"), "1=30000");
  EXPECT_EQ(words(run, "wall_time"), "1=33000");
  const Series* series = find_series(run.series, "step_wall_time", std::nullopt);
  EXPECT_EQ(series->unit(), "ms");
  EXPECT_EQ(series->samples()[1].value.number, *Decimal::parse("750.007"));
}

TEST(RunClocks, DivideByTheStepsThatAreNotPrinted) {
  Extraction run = log_of({{10, 1}, {20, 2}, {23, 3}});
  add_clocks(run, {{0, 10, 1s}, {0, 20, 2s}, {0, 23, 2s + 500us}}, {}, {});
  EXPECT_EQ(words(run, "step_wall_time"), "20=100.000 23=0.167");
}

TEST(RunClocks, StandInTheOrderOfTheTable) {
  Extraction run = log_of({{1, 1}, {2, 2}});
  run.series.emplace_back("memory_allocated", 0, "MiB", Numbering::report);
  run.series.emplace_back("of_the_suite", std::nullopt, "", Numbering::step);
  add_clocks(run, {{0, 1, 1s}, {0, 2, 2s}}, 3s, {});
  EXPECT_THAT(metrics_of(run), ElementsAre("lm_loss", "step_wall_time", "startup_time", "wall_time",
                                           "memory_allocated", "of_the_suite"));
}

TEST(RunClocks, FollowTheirLinesWhereAttemptsAreSettledOtherwise) {
  Extraction run;
  run.files = {"train.log"};
  run.attempts = {{"", 1, 2, {losses({{1, 1}, {2, 2}})}, "train.log", 1, 2},
                  {"", 1, 2, {losses({{1, 3}, {2, 4}})}, "train.log", 3, 4}};
  run.series = {losses({{1, 3}, {2, 4}})};
  // another source printed the second attempt: it began nothing anew
  add_clocks(run, {{0, 1, 1s, 0, 1}, {0, 2, 2s, 0, 2}, {0, 1, 11s, 0, 3}, {0, 2, 13s, 0, 4}}, 33s, {});
  EXPECT_EQ(words(run, "step_wall_time"), "2=2000.000");
  EXPECT_EQ(words(run, "startup_time"), "1=11000");
}

TEST(RunClocks, AreThoseOfTheJudgedAttempt) {
  const std::vector<Printed> again{{1, 3}, {2, 4}};
  Extraction run = log_of({{{1, 1}, {2, 2}}, again}, again);
  add_clocks(run, {{0, 1, 1s}, {0, 2, 2s}, {1, 1, 10s}, {1, 2, 14s}}, 20s, {});
  EXPECT_EQ(words(run, "step_wall_time"), "2=4000.000");
  EXPECT_EQ(words(run, "startup_time"), "1=10000");
}

TEST(RunClocks, HaveNoStepOverAResumption) {
  Extraction run = log_of({{{1, 1}, {2, 2}, {3, 3}}, {{3, 4}, {4, 5}}}, {{1, 1}, {2, 2}, {3, 4}, {4, 5}});
  add_clocks(run, {{0, 1, 1s}, {0, 2, 2s}, {0, 3, 3s}, {1, 3, 60s}, {1, 4, 62s}}, {}, {});
  EXPECT_EQ(words(run, "step_wall_time"), "2=1000.000 4=2000.000");
  EXPECT_EQ(words(run, "startup_time"), "1=1000");
}

TEST(RunClocks, AreNoSignThatAnythingWasTrained) {
  Extraction run;
  add_clocks(run, {}, 20s, {});
  EXPECT_THAT(metrics_of(run), ElementsAre());
}

TEST(RunClocks, OfARunWithoutStepLinesAreItsWholeTimeOnly) {
  Extraction run;
  run.series.emplace_back("memory_allocated", 0, "MiB", Numbering::report);
  run.series.back().append({1, *parse_value("5"), "5", 0, 1});
  add_clocks(run, {}, 20s, {});
  EXPECT_THAT(metrics_of(run), ElementsAre("wall_time", "memory_allocated"));
}

TEST(RunClocks, LeaveToTheSuiteWhatItReadsItself) {
  MetricTable metrics;
  Metric own = metrics.get("wall_time");
  own.measured_by = MeasuredBy::log;
  metrics.put(own);
  Extraction run = log_of({{1, 1}, {2, 2}});
  add_clocks(run, {{0, 1, 1s}, {0, 2, 2s}}, 20s, metrics);
  EXPECT_EQ(words(run, "wall_time"), "none");
  EXPECT_EQ(words(run, "startup_time"), "1=1000");
}

TEST(RunClocks, CountTheFirstLineOfAStep) {
  std::vector<Arrival> arrivals;
  const Sample sample;
  const auto line = [&](std::size_t attempt, std::optional<std::int64_t> step, Elapsed at) {
    note_arrival({"lm_loss", std::nullopt, sample, false, attempt, step}, at, arrivals);
  };
  line(0, 0, 1s);
  line(0, 0, 2s);
  line(0, std::nullopt, 3s);
  line(0, 1, 4s);
  line(1, 1, 5s);
  std::vector<std::pair<std::int64_t, std::int64_t>> told;
  for (const Arrival& arrival : arrivals)
    told.emplace_back(arrival.step, std::chrono::duration_cast<std::chrono::seconds>(arrival.at).count());
  EXPECT_THAT(told, ElementsAre(Pair(0, 1), Pair(1, 4), Pair(1, 5)));
}

TEST(RunClocks, AreTakenFromWhatTheLaunchRecorded) {
  Extraction launched = log_of({{1, 1}, {2, 2}});
  add_clocks(launched, {{0, 1, 1s}, {0, 2, 2s}}, 20s, {});
  Baseline recorded;
  recorded.runs.push_back({std::nullopt, launched.series});
  Extraction again = log_of({{1, 1}, {2, 2}});
  add_recorded_clocks(again, recorded, {});
  EXPECT_EQ(words(again, "step_wall_time"), "2=1000.000");
  EXPECT_EQ(metrics_of(again), metrics_of(launched));
  EXPECT_EQ(without_clocks(recorded, {}).runs[0].series.size(), 1U);
}

TEST(RunClocks, OfASavedLogAreLackingWithTheirReason) {
  config::Case spec;
  spec.derivations.push_back({"overhead", *judge::parse_formula("wall_time - startup_time"), {}});
  Extraction run = log_of({{1, 1}, {2, 2}});
  const std::string reason = "measured by gate while a script runs";
  EXPECT_THAT(unclocked(spec, run),
              testing::IsSupersetOf({Pair("overhead", "it is derived from wall_time, " + reason),
                                     Pair("startup_time", reason), Pair("step_wall_time", reason),
                                     Pair("wall_time", reason), Pair("device_memory", reason)}));
  run.series.emplace_back("wall_time", std::nullopt, "ms", Numbering::report);
  EXPECT_THAT(unclocked(spec, run), testing::Not(testing::Contains(testing::Key("wall_time"))));
  EXPECT_THAT(unclocked(spec, run),
              testing::Contains(Pair("overhead", "it is derived from startup_time, " + reason)));
}

}  // namespace
}  // namespace gate::app::run_clocks_test
