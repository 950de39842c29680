#include "gate/model/reports/run_status.h"

#include <gtest/gtest.h>

namespace gate::run_status_test {
namespace {

TEST(RunStatus, StatesAreThoseOfJobs) {
  for (const JobState state :
       {JobState::pending, JobState::running, JobState::success, JobState::failed, JobState::stopped})
    EXPECT_EQ(parse_job_state(to_string(state)), state);
  EXPECT_EQ(to_string(JobState::success), "success");
  EXPECT_EQ(parse_job_state("passed"), std::nullopt);
}

TEST(RunStatus, OnlyWhatPassedIsASuccess) {
  for (const VerdictRow& row : verdicts())
    EXPECT_EQ(job_state_of(row.verdict) == JobState::success, row.verdict == Verdict::passed) << row.name;
  EXPECT_EQ(job_state_of(Verdict::interrupted), JobState::stopped);
  EXPECT_EQ(job_state_of(Verdict::regressed), JobState::failed);
  EXPECT_EQ(job_state_of(Verdict::unjudged), JobState::failed);
}

TEST(RunStatus, AnExitCodeBeyondThatOfASignalIsAStop) {
  EXPECT_EQ(job_state_of(0), JobState::success);
  EXPECT_EQ(job_state_of(1), JobState::failed);
  EXPECT_EQ(job_state_of(exit_code::infra), JobState::failed);
  EXPECT_EQ(job_state_of(130), JobState::stopped);
  EXPECT_EQ(job_state_of(143), JobState::stopped);
}

TEST(RunStatus, OfAReportHasWhatEndedAndTheRestAsPending) {
  Report report;
  report.run = "1";
  report.started = "2026-03-01T10:00:00Z";
  report.cases.resize(3);
  report.cases[0].name = "a";
  report.cases[0].verdict = Verdict::regressed;
  report.cases[0].steps = 7;
  report.cases[1].name = "b";
  report.cases[2].name = "c";
  report.cases[2].verdict = Verdict::skipped;
  const RunStatus status = run_status_of(report);
  ASSERT_EQ(status.cases.size(), 2);  // what is skipped here is no job
  EXPECT_EQ(status.cases[0].state, JobState::failed);
  EXPECT_EQ(status.cases[0].verdict, Verdict::regressed);
  EXPECT_EQ(status.cases[0].step, 7);
  EXPECT_EQ(status.cases[1].state, JobState::pending);
  EXPECT_EQ(status.cases[1].verdict, std::nullopt);
  EXPECT_EQ(status.count(JobState::pending), 1);
}

}  // namespace
}  // namespace gate::run_status_test
