#include "worker/hub_notice.h"

#include <gmock/gmock.h>

namespace gate::worker::notice_test {
namespace {

using testing::HasSubstr;

HubTest test_of(TestState state) {
  HubTest test;
  test.number = 3;
  test.order.id = {"5", true};
  test.order.model = {"77", true};
  test.order.baseline = {"b_1", false};
  test.order.commit = "c1";
  test.order.image = "img";
  test.state = state;
  test.result = {true, 0.85, "BLEU", ">= 0.75", "output.txt", "execution.log", "", "", "", true};
  test.changed = "2026-11-21T02:03:04Z";
  return test;
}

TEST(Notice, IsAsTheHubReadsIt) {
  config::WorkerSettings settings;
  settings.results = "obs://ci/results/{test_id}/";
  EXPECT_EQ(
      notice_of(test_of(TestState::running_success), settings),
      R"({"id":5,"model_id":77,"commit_id":"c1","ci_status":"success",)"
      R"("result_url":"obs://ci/results/5/execution.log","external_args_info":)"
      R"("{\"image_name\":\"img\",\"job_id\":\"gate-3\",\"status\":\"success\",\"stage\":\"inference\",)"
      R"(\"report_url\":\"obs://ci/results/5/execution.log\",)"
      R"(\"test_result_url\":\"obs://ci/results/5/test_result.json\",\"new_base_line_url\":null,)"
      R"(\"output_url\":\"obs://ci/results/5/output.txt\",\"log_url\":\"obs://ci/results/5/execution.log\",)"
      R"(\"passed\":true,\"metric_value\":0.85,\"metric\":\"BLEU\",\"threshold\":\">= 0.75\",)"
      R"(\"baseline_id\":\"b_1\",\"test_type\":\"accuracy_test\",\"reason\":\"\",)"
      R"(\"status_confirmed\":true,\"updated_date\":\"2026-11-21T02:03:04Z\"}"})");
}

TEST(Notice, IsInTheOtherSpellingAndShape) {
  config::WorkerSettings settings;
  settings.style = config::NoticeStyle::pascal;
  HubTest test = test_of(TestState::downloading);
  test.result = {};
  EXPECT_EQ(
      notice_of(test, settings),
      R"({"Id":5,"ModelId":77,"CommitId":"c1","CiStatus":"running","ResultURL":null,"ExternalArgsInfo":)"
      R"({"ImageName":"img","JobID":"gate-3","Status":"running","Stage":"download","ReportURL":null,)"
      R"("TestResultURL":null,"NewBaseLineURL":null,)"
      R"("OutputURL":null,"LogURL":null,"Passed":null,"MetricValue":null,"Metric":"","Threshold":"",)"
      R"("BaselineId":"b_1","TestType":"accuracy_test","Reason":"","StatusConfirmed":false,)"
      R"("UpdatedDate":1795226584}})");
}

TEST(Notice, TellsWhereTheLogWillBeAndTheEnginesJob) {
  config::WorkerSettings settings;
  settings.results = "s3://ci/{test_id}";
  HubTest test = test_of(TestState::running);
  test.result = {};
  test.result.job = "71";
  const std::string running = notice_of(test, settings);
  for (const char* part : {R"(\"job_id\":\"71\")", R"(\"log_url\":\"s3://ci/5/execution.log\")",
                           R"(\"test_result_url\":null)", R"("result_url":"s3://ci/5/execution.log")"})
    EXPECT_THAT(running, HasSubstr(part));
  test.state = TestState::downloading;
  EXPECT_THAT(notice_of(test, settings), HasSubstr(R"(\"log_url\":\"s3://ci/5/download.log\")"));
  test.state = TestState::create_failed;
  EXPECT_THAT(notice_of(test, settings), HasSubstr(R"(\"log_url\":null)"));
  test.result.is_uploaded = true;
  test.result.log = "download.log";
  test.result.baseline = "obs://b/base/output.txt";
  test.state = TestState::download_failed;
  EXPECT_THAT(notice_of(test, settings), HasSubstr(R"(\"report_url\":\"s3://ci/5/download.log\")"));
  EXPECT_THAT(notice_of(test, settings), HasSubstr(R"(\"new_base_line_url\":\"obs://b/base/output.txt\")"));
  test.result.baseline = "/base/output.txt";
  EXPECT_THAT(notice_of(test, settings), HasSubstr(R"(\"new_base_line_url\":\"file:///base/output.txt\")"));
}

TEST(Notice, TellsOfAStoppedTestWhereItWas) {
  HubTest test = test_of(TestState::stopped);
  test.before = TestState::running;
  EXPECT_THAT(notice_of(test, {}), HasSubstr(R"(\"stage\":\"inference\")"));
}

}  // namespace
}  // namespace gate::worker::notice_test
