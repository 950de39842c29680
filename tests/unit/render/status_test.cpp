#include "gate/render/status.h"

#include <gmock/gmock.h>

namespace gate::render::status_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class StatusText : public testing::Test {
 protected:
  StatusText() {
    run.run = "1125-0301";
    run.suite = "st";
    run.folder = "/s/.gate/runs/1125-0301";
    run.command = "run";
    run.host = "npu-07";
    run.user = "ada";
    run.pid = 71;
    run.started = run.updated = "2026-03-01T10:00:00Z";
    run.cases.push_back({"a", JobState::failed, Verdict::regressed, "", "0-3", 1, 50, 50, ""});
    run.cases.push_back({"b", JobState::running, {}, "2026-03-01T10:01:00Z", "4-7", 2, 12, 50, ""});
    run.cases.push_back({.name = "c"});
  }
  std::string text() const { return status_text({run}, *parse_iso("2026-03-01T10:02:05Z"), style); }

  RunStatus run;
  Style style;
};

TEST_F(StatusText, ShowsWhatGoesOnAndCountsTheRest) {
  EXPECT_EQ(text(),
            "run 1125-0301 of st: run for 2m05s\n"
            "  pid 71 of ada on npu-07, /s/.gate/runs/1125-0301\n"
            "  case  state    for    left    step   devices\n"
            "  b     running  1m05s  ~3m26s  12/50  4-7      launch 2\n"
            "  1 pending, 1 regressed, 1 running\n");
}

TEST_F(StatusText, IsSaidInChinese) {
  style.language = Language::chinese;
  EXPECT_EQ(text(),
            "运行 1125-0301（st）：run 已运行 2m05s\n"
            "  pid 71，用户 ada，主机 npu-07，/s/.gate/runs/1125-0301\n"
            "  用例  状态    已用   剩余    步     设备\n"
            "  b     运行中  1m05s  ~3m26s  12/50  4-7   第 2 次启动\n"
            "  1 等待中，1 劣化，1 运行中\n");
}

TEST_F(StatusText, ShowsEachCaseWhereThatIsAskedFor) {
  style.verbose = true;
  EXPECT_THAT(text(), HasSubstr("  a     regressed                 50/50  0-3"));
  EXPECT_THAT(text(), HasSubstr("  c     pending"));
}

TEST_F(StatusText, ShowsCurvesBelowTheirCase) {
  run.cases[2] = {.name = "c", .state = JobState::running};
  run.cases[1].hosts = "npu1";
  run.cases[1].expected = Duration(70000);
  run.cases[1].curves = {{"lm_loss", "", "±0.01", {3, 2, 1.5}, {3, 2, 1}, 1.5, 1, 12},
                         {"throughput", "TFLOP/s/device", "-5%", {100, 99}, {100, 100}, 99, 100}};
  EXPECT_THAT(text(),
              HasSubstr("  b     running  1m05s  ~5.0s  12/50  4-7 of npu1  launch 2\n"
                        "    lm_loss     █▅▃  1.5  baseline █▅▁ 1  +0.5 (±0.01)  OUT OF TOLERANCE since "
                        "step 12\n"
                        "    throughput  █▁  99 TFLOP/s/device  baseline ██ 100  -1 % (-5%)\n"
                        "  c     running"));
  run.cases[1].curves[0].baseline.clear();
  run.cases[1].curves[0].baseline_now = std::numeric_limits<double>::quiet_NaN();
  run.cases[1].curves[0].tolerance = "";
  EXPECT_THAT(text(), HasSubstr("    lm_loss     █▃▁  1.5  OUT OF TOLERANCE since step 12\n"));
}

TEST_F(StatusText, IsALineACaseWhereNobodyLooks) {
  const Moment now = *parse_iso("2026-03-01T10:02:05Z");
  EXPECT_EQ(status_line(run, run.cases[0], "st", now, style), "1125-0301 of st a: regressed, step 50/50\n");
  run.cases[1].curves = {{"lm_loss", "", "±0.01", {3}, {3}, 3, 3}};
  EXPECT_EQ(status_line(run, run.cases[1], "", now, style),
            "1125-0301 b: step 12/50, ~3m26s left, lm_loss 3 +0 (±0.01)\n");
  run.cases[1].waits_for = "w\n";
  style.language = Language::chinese;
  EXPECT_THAT(status_line(run, run.cases[1], "", now, style), testing::EndsWith("，w\\x0a\n"));
}

TEST_F(StatusText, SaysForWhomItWaits) {
  run.waits_for = "waiting for device 0: pid 3 of bob";
  EXPECT_THAT(text(), HasSubstr("\n  waiting for device 0: pid 3 of bob\n"));
}

TEST_F(StatusText, SaysHowARunEnded) {
  run.state = JobState::failed;
  run.exit_code = 1;
  EXPECT_THAT(text(), HasSubstr("run ended 2m05s ago, exit code 1\n"));
  run.exit_code.reset();
  EXPECT_THAT(text(),
              HasSubstr("run cut off, last seen 2m05s ago; gate run --resume 1125-0301 finishes it\n"));
}

TEST_F(StatusText, LetsNothingHostileThrough) {
  run.suite = "x\n##[error]\x1b[31m";
  run.cases[1].waits_for = "##vso[task.complete]";
  EXPECT_THAT(text(), Not(HasSubstr("##[")));
  EXPECT_THAT(text(), Not(HasSubstr("##vso[")));
  EXPECT_THAT(text(), Not(HasSubstr("\x1b")));
}

TEST_F(StatusText, OfNoRunSaysSo) { EXPECT_EQ(status_text({}, now(), style), "no run goes on\n"); }

}  // namespace
}  // namespace gate::render::status_test
