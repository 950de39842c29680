#include "gate/store/history.h"

#include <gmock/gmock.h>

#include <array>
#include <fstream>
#include <thread>

#include "../temporary.h"
#include "gate/store/database.h"
#include "store/history_steps.h"

namespace gate::store::history_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

RememberedCheck check(const std::string& metric, double value, std::optional<int> rank = {}) {
  return {{metric, metric, rank, "ms", "last 10", "mean"}, CheckStatus::pass, "+5%", value, 100.5};
}

RememberedRun run_of(int number, Verdict verdict = Verdict::passed) {
  const std::string name = std::to_string(1000 + number);
  RememberedRun run{"uid" + name,           name, "", "run", "npu-07", "c" + name,
                    "2026-11-21T02:00:00Z", {},   0,  false, {}};
  run.started.replace(14, 5, std::to_string(10 + number / 50) + ":" + std::to_string(10 + number % 50));
  run.cases.push_back({"sub/a", verdict, "", "cpu", "sha", std::chrono::milliseconds(100 * number), {}});
  run.cases.back().checks = {check("iteration_time", 100 + number), check("memory", 7, 0),
                             check("memory", 8, 1)};
  return run;
}

const CaseKey a{"", "sub/a", "cpu"};

class Remembered : public Temporary {
 protected:
  fs::Path path() const { return root / "deep/history.db"; }

  static std::vector<std::string> names(const CaseHistory& history) {
    std::vector<std::string> names;
    for (const CasePoint& point : history.runs) names.push_back(point.run);
    return names;
  }

  History open() const {
    auto history = History::open(path());
    EXPECT_TRUE(history.has_value()) << history.error().message;
    return std::move(*history);
  }

  void add(const std::vector<RememberedRun>& runs) const {
    const Status added = open().add(runs);
    EXPECT_TRUE(added.has_value()) << added.error().message;
  }

  std::string error() const {
    const auto history = History::open(path());
    return history ? "no error" : history.error().message;
  }

  std::vector<std::string> runs_of(const History& history, std::size_t last = 0) const {
    const auto read = history.read(a, last);
    EXPECT_TRUE(read.has_value());
    return names(*read);
  }
};

TEST_F(Remembered, RunsComeBackOldestFirstWithTheirSeries) {
  add({run_of(3), run_of(1), run_of(2)});
  const CaseHistory history = *open().read(a, 0);
  ASSERT_THAT(history.runs, SizeIs(3));
  EXPECT_EQ(history.runs[0].run, "1001");
  EXPECT_EQ(history.runs[2].commit, "c1003");
  EXPECT_EQ(history.runs[2].duration, std::chrono::milliseconds(300));
  ASSERT_THAT(history.series, SizeIs(3));
  const TrendSeries& time = history.series[0];
  EXPECT_EQ(time.key, (TrendKey{"iteration_time", "iteration_time", {}, "ms", "last 10", "mean"}));
  EXPECT_EQ(time.tolerance, "+5%");
  ASSERT_THAT(time.points, SizeIs(3));
  EXPECT_EQ(time.points[0].run, 0u);
  EXPECT_EQ(time.points[0].value, 101);
  EXPECT_EQ(time.points[2].value, 103);
  EXPECT_EQ(time.points[2].baseline, 100.5);
  EXPECT_EQ(history.series[1].key.rank, 0);
  EXPECT_EQ(history.series[2].key.rank, 1);
}

TEST_F(Remembered, ACaseIsOfTheHostThatItRanOn) {
  std::filesystem::create_directories(path().parent_path());
  ASSERT_TRUE(Database::open(path(), std::span(history_steps).first(1), ""));  // of a gate that knew one host
  RememberedRun there = run_of(2);
  there.cases[0].host = "npu1, npu2";
  add({run_of(1), there});
  const CaseHistory history = *open().read(a, 0);
  ASSERT_THAT(history.runs, SizeIs(2));
  EXPECT_EQ(history.runs[0].host, "npu-07");
  EXPECT_EQ(history.runs[1].host, "npu1, npu2");
}

TEST_F(Remembered, WhatRunsRanOnComesBack) {
  RememberedRun known = run_of(2);
  known.cases[0].ran_on = {{"image", "train:1\n"}, {"torch", "2.4.0"}};
  add({run_of(1), known, run_of(3)});
  const CaseHistory history = *open().read(a, 0);
  ASSERT_THAT(history.runs, SizeIs(3));
  EXPECT_THAT(history.runs[0].ran_on, IsEmpty());
  EXPECT_EQ(history.runs[1].ran_on.at("torch"), "2.4.0");
  EXPECT_EQ(history.runs[1].ran_on.at("image"), "train:1\\x0a");
  std::vector<RememberedRun> all;
  ASSERT_TRUE(open().each_run([&](const RememberedRun& one) { all.push_back(one); }));
  EXPECT_EQ(all[1].cases[0].ran_on.size(), 2u);
}

RememberedRun run_of_speed(int number, MetricKind kind, Better better) {
  RememberedRun run = run_of(number);
  run.cases[0].checks.resize(1);
  run.cases[0].checks[0].kind = kind;
  run.cases[0].checks[0].better = better;
  return run;
}

TEST_F(Remembered, AMetricIsWhatTheLatestRunSays) {
  add({run_of_speed(2, MetricKind::speed, Better::higher)});
  add({run_of_speed(1, MetricKind::accuracy, Better::none)});  // imported later
  EXPECT_EQ(open().read(a, 0)->series[0].better, Better::higher);
  add({run_of_speed(3, MetricKind::speed, Better::lower)});
  EXPECT_EQ(open().read(a, 0)->series[0].better, Better::lower);
  std::vector<RememberedRun> all;
  ASSERT_TRUE(open().each_run([&](const RememberedRun& one) { all.push_back(one); }));
  EXPECT_EQ(all[2].cases[0].checks[0].kind, MetricKind::speed);
}

TEST_F(Remembered, AMetricOfAnOlderGateIsAsTheTableHasIt) {
  add({run_of(1)});
  {
    auto database = *Database::open(path(), history_steps, "");
    database->execute("UPDATE series SET kind = '', better = ''");
    ASSERT_TRUE(database->status());
  }
  const TrendSeries time = open().read(a, 0)->series[0];
  EXPECT_EQ(time.kind, MetricKind::speed);
  EXPECT_EQ(time.better, Better::lower);
}

TEST_F(Remembered, TheLatestAreRead) {
  add({run_of(1), run_of(2), run_of(3)});
  EXPECT_THAT(runs_of(open(), 2), ElementsAre("1002", "1003"));
  const CaseHistory history = *open().read(a, 1);
  ASSERT_THAT(history.series[0].points, SizeIs(1));
  EXPECT_EQ(history.series[0].points[0].run, 0u);
}

TEST_F(Remembered, SameUidIsReplaced) {
  add({run_of(1)});
  RememberedRun again = run_of(1, Verdict::regressed);
  again.cases[0].checks.pop_back();
  add({again});
  const CaseHistory history = *open().read(a, 0);
  ASSERT_THAT(history.runs, SizeIs(1));
  EXPECT_EQ(history.runs[0].verdict, Verdict::regressed);
  EXPECT_THAT(history.series, SizeIs(2));
}

TEST_F(Remembered, WhatWasAddedIsHandedOutWhole) {
  const RememberedRun run = run_of(1, Verdict::crashed);
  add({run_of(2), run});
  std::vector<RememberedRun> all;
  ASSERT_TRUE(open().each_run([&](const RememberedRun& one) { all.push_back(one); }));
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].uid, run.uid);
  EXPECT_EQ(all[0].started, run.started);
  ASSERT_THAT(all[0].cases, SizeIs(1));
  EXPECT_EQ(all[0].cases[0].verdict, Verdict::crashed);
  ASSERT_THAT(all[0].cases[0].checks, SizeIs(3));
  EXPECT_EQ(all[0].cases[0].checks[1].key, run.cases[0].checks[1].key);
  EXPECT_EQ(all[0].cases[0].checks[1].value, 7);
}

TEST_F(Remembered, DurationsAreThoseOfTheLatestFivePasses) {
  std::vector<RememberedRun> runs;
  for (int i = 1; i <= 8; ++i) runs.push_back(run_of(i, i == 7 ? Verdict::hung : Verdict::passed));
  add(runs);
  using std::chrono::milliseconds;
  EXPECT_THAT(*open().durations(a), ElementsAre(milliseconds(800), milliseconds(600), milliseconds(500),
                                                milliseconds(400), milliseconds(300)));
  EXPECT_THAT(*open().durations({"", "other", "cpu"}), IsEmpty());
}

TEST_F(Remembered, LastGreenIsTheLatestThatPassedAsItIs) {
  RememberedRun altered = run_of(3);
  altered.altered = true;
  RememberedRun recorded = run_of(4);
  recorded.command = "record";
  add({run_of(1), run_of(2), altered, recorded, run_of(5, Verdict::regressed)});
  const auto green = *open().last_green(a);
  ASSERT_TRUE(green.point);
  EXPECT_EQ(green.point->run, "1002");
  EXPECT_EQ(green.runs_since, 1) << "neither altered nor recorded";
  EXPECT_FALSE(open().last_green({"", "sub/a", "nvidia-h100"})->point);
}

TEST_F(Remembered, WhatWasNeverGreenSaysInHowManyRuns) {
  RememberedRun altered = run_of(3);
  altered.altered = true;
  add({run_of(1, Verdict::regressed), run_of(2, Verdict::hung), altered});
  const auto green = *open().last_green(a);
  EXPECT_FALSE(green.point);
  EXPECT_EQ(green.runs_since, 2);
}

TEST_F(Remembered, SuitesAndPlatformsAreApart) {
  RememberedRun other = run_of(2);
  other.suite = "other";
  RememberedRun gpu = run_of(3);
  gpu.cases[0].platform = "nvidia-h100";
  add({run_of(1), other, gpu});
  EXPECT_THAT(runs_of(open()), ElementsAre("1001"));
  EXPECT_THAT(*open().cases(""), SizeIs(2));
  EXPECT_THAT(*open().cases(std::nullopt), SizeIs(3));
}

TEST_F(Remembered, PruneForgetsTheOldest) {
  add({run_of(1), run_of(2), run_of(3)});
  History history = open();
  EXPECT_EQ(*history.prune(2), 1);
  EXPECT_THAT(runs_of(history), ElementsAre("1002", "1003"));
  EXPECT_EQ(*history.prune(0), 2);
  EXPECT_THAT(*history.cases(std::nullopt), IsEmpty());
}

TEST_F(Remembered, RunsSayWhatTheyDidWithTheirDevices) {
  const auto on_devices = [](int number, Verdict verdict) {
    RememberedRun run = run_of(number, verdict);
    run.duration = std::chrono::minutes(10);
    run.devices = 8;
    run.cases[0].duration = std::chrono::minutes(6);
    run.cases[0].device_time = std::chrono::minutes(24);
    run.cases[0].device_time_saved = std::chrono::minutes(1);
    return run;
  };
  RememberedRun of_other = on_devices(7, Verdict::passed);
  of_other.suite = "other";
  add({on_devices(1, Verdict::passed), on_devices(2, Verdict::hung), on_devices(3, Verdict::infra), run_of(4),
       of_other});
  const auto use = open().device_use("", "");
  ASSERT_TRUE(use) << use.error().message;
  EXPECT_EQ(use->runs, 3);
  EXPECT_EQ(use->used, std::chrono::minutes(72));
  EXPECT_EQ(use->hung, std::chrono::minutes(24));
  EXPECT_EQ(use->infra, std::chrono::minutes(24));
  EXPECT_EQ(use->saved, std::chrono::minutes(3));
  EXPECT_EQ(use->idle, std::chrono::minutes(3 * (80 - 24)));
  EXPECT_EQ(use->best, std::chrono::minutes(18));
  EXPECT_EQ(open().device_use("", run_of(3).started)->runs, 1);
  EXPECT_EQ(open().device_use(std::nullopt, "")->runs, 4);
  std::vector<RememberedRun> handed;
  ASSERT_TRUE(open().each_run([&](const RememberedRun& run) { handed.push_back(run); }));
  EXPECT_EQ(handed[0].devices, 8);
  EXPECT_EQ(handed[0].cases[0].device_time, std::chrono::minutes(24));
}

TEST_F(Remembered, HostileWordsAreWordsOnly) {
  RememberedRun run = run_of(1);
  run.run = "x'; DROP TABLE runs; --";
  run.cases[0].reason = std::string("nul \0 in it", 11);
  add({run});
  EXPECT_THAT(runs_of(open()), ElementsAre(run.run));
  ASSERT_TRUE(open().each_run(
      [&](const RememberedRun& one) { EXPECT_EQ(one.cases[0].reason, run.cases[0].reason); }));
}

TEST_F(Remembered, OtherFilesAreRefused) {
  std::filesystem::create_directories(path().parent_path());
  std::ofstream(path()) << std::string(2000, 'x');
  EXPECT_THAT(error(), HasSubstr("history.db: file is not a database; move the file away"));
}

TEST_F(Remembered, OtherDatabasesAreRefused) {
  constexpr std::array<std::string_view, 0> none{};
  std::filesystem::create_directories(path().parent_path());
  {
    auto database = *Database::open(path(), none, "");
    database->execute("CREATE TABLE t(x); PRAGMA application_id = 5");
    ASSERT_TRUE(database->status());
  }
  EXPECT_THAT(error(), HasSubstr("none of gate's"));
}

TEST_F(Remembered, NewerOnesAreRefused) {
  open();
  constexpr std::array<std::string_view, 6> steps{"", "", "", "", "", "CREATE TABLE more(x)"};
  ASSERT_TRUE(Database::open(path(), steps, ""));
  EXPECT_THAT(error(), HasSubstr("written by a newer gate (version 6, this one knows 5)"));
}

TEST_F(Remembered, OlderOnesAreBroughtForwardStepByStep) {
  constexpr std::array<std::string_view, 3> steps{"CREATE TABLE t(x)", "INSERT INTO t VALUES(1)",
                                                  "UPDATE t SET x = x + 1"};
  ASSERT_TRUE(Database::open(path(), std::span(steps).first(1), ""));
  ASSERT_TRUE(Database::open(path(), steps, ""));
  auto database = *Database::open(path(), steps, "");
  Statement row(*database, "SELECT x FROM t");
  ASSERT_TRUE(row.next());
  EXPECT_EQ(row.integer(0), 2);
  EXPECT_FALSE(row.next());
}

TEST_F(Remembered, AStepThatFailsLeavesTheOldVersion) {
  constexpr std::array<std::string_view, 2> broken{"CREATE TABLE t(x)", "INSERT INTO nowhere VALUES(1)"};
  ASSERT_TRUE(Database::open(path(), std::span(broken).first(1), ""));
  EXPECT_FALSE(Database::open(path(), broken, ""));
  EXPECT_TRUE(Database::open(path(), std::span(broken).first(1), ""));
}

TEST_F(Remembered, ManyWriteAtOnce) {
  constexpr int writers = 8, each = 10;
  {
    std::vector<std::jthread> threads;
    for (int w = 0; w < writers; ++w)
      threads.emplace_back([this, w] {
        for (int i = 0; i < each; ++i) add({run_of(w * each + i)});
      });
  }
  EXPECT_THAT(runs_of(open()), SizeIs(writers * each));
}

}  // namespace
}  // namespace gate::store::history_test
