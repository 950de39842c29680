#include <gmock/gmock.h>

#include "gate/model/reports/report.h"

namespace gate::launch_record_test {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::Pair;

LaunchRecord recorded(Duration duration, const std::string& log) {
  LaunchRecord record;
  record.outcome = Exited{0};
  record.devices = "2 x ascend-910b3 on " + log;
  record.hosts = {log};
  record.duration = duration;
  record.device_time = 2 * duration;
  record.device_time_saved = duration;
  record.last_words = "of " + log;
  record.add_problems({"pid 7"}, log + ": ", ProblemKind::leftover);
  record.artifacts = {{"log", log}};
  return record;
}

std::vector<std::string> problems_of(const LaunchRecord& record) {
  std::vector<std::string> texts;
  for (const Problem& problem : record.problems) texts.push_back(problem.text.english());
  return texts;
}

TEST(LaunchRecord, IsTheReportsOwn) {
  CaseReport report;
  report.outcome = Killed{9};
  report.add_problems({"of the judge"});
  report.add(recorded(seconds(3), "n1"));
  EXPECT_EQ(report.devices, "2 x ascend-910b3 on n1");
  EXPECT_THAT(report.hosts, ElementsAre("n1"));
  EXPECT_EQ(report.duration, seconds(3));
  EXPECT_EQ(report.device_time, Duration(seconds(6)));
  EXPECT_EQ(report.device_time_saved, Duration(seconds(3)));
  EXPECT_EQ(report.last_words, "of n1");
  EXPECT_THAT(problems_of(report), ElementsAre("of the judge", "n1: pid 7"));
  EXPECT_EQ(report.problems.back().kind, ProblemKind::leftover);
  EXPECT_THAT(report.artifacts, ElementsAre(Pair("log", "n1")));
  EXPECT_EQ(report.outcome, Outcome(Killed{9})) << "the judge tells whose counts";
}

TEST(LaunchRecord, OfAnotherLaunchIsAddedUnderItsName) {
  LaunchRecord record = recorded(seconds(3), "n1");
  record.add(recorded(seconds(4), "n2"), "2");
  EXPECT_EQ(record.devices, "2 x ascend-910b3 on n1");
  EXPECT_THAT(record.hosts, ElementsAre("n1"));
  EXPECT_EQ(record.duration, seconds(7));
  EXPECT_EQ(record.device_time, Duration(seconds(14)));
  EXPECT_EQ(record.device_time_saved, Duration(seconds(3)));
  EXPECT_EQ(record.last_words, "of n1");
  EXPECT_THAT(problems_of(record), ElementsAre("n1: pid 7", "n2: pid 7"));
  EXPECT_THAT(record.artifacts, ElementsAre(Pair("log", "n1"), Pair("log-2", "n2")));
}

TEST(LaunchRecord, KeepsTheLastWordsOfAFurtherPhase) {
  LaunchRecord record, launch;
  record.last_words = "of the phase that crashed";
  record.add(launch, "");
  EXPECT_EQ(record.last_words, "of the phase that crashed");
}

TEST(LaunchRecord, WithoutDevicesHasNoTimeOfThem) {
  LaunchRecord record, other;
  record.add(other, "2");
  EXPECT_FALSE(record.device_time.has_value());
  EXPECT_FALSE(record.has_ended_well()) << "nothing was launched";
  for (const Outcome& outcome : {Outcome(Exited{0}), Outcome(Exited{1}), Outcome(NotStarted{})}) {
    record.outcome = outcome;
    EXPECT_EQ(record.has_ended_well(), ended_well(outcome)) << kind_of(outcome);
  }
}

}  // namespace
}  // namespace gate::launch_record_test
