#include <gmock/gmock.h>

#include "sample_reports.h"

namespace gate::render::text_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string at_80(const Report& report) { return text(report, sample::columns_80()); }

TEST(Text, GreenRunIsOneLineACaseAndCountsTheSkipped) {
  EXPECT_EQ(at_80(sample::report({sample::passed_case(), sample::skipped_case()}, 0)),
            R"(gate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4
2 cases, 1h52m: 1 passed, 1 SKIPPED   speed gated in 1
passed tinygpt/dp2  lm_loss 15 steps, throughput -0.4 %, memory 2 ranks ok  1.1s
skipped llama2_tp2_pp4_vpp2  needs platform ascend-*, this is cpu
GREEN: 1 passed, 1 skipped (exit 0)
)");
}

TEST(Text, RecordingIsNotCalledGreen) {
  Report report = sample::report({sample::passed_case(), sample::skipped_case()}, 0);
  report.command = "record";
  report.cases.front().checks.clear();
  report.cases.front().artifacts["candidate"] = "x.json";
  report.notes = {"1 case: one false failure in two nights"};
  EXPECT_EQ(at_80(report),
            R"(gate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4
2 cases, 1h52m: 1 recorded, 1 SKIPPED
recorded tinygpt/dp2    1.1s
skipped llama2_tp2_pp4_vpp2  needs platform ascend-*, this is cpu
1 case: one false failure in two nights
RECORDED: 1 candidate, 1 skipped (exit 0)
)");
  report.cases = {sample::hung_case()};
  EXPECT_EQ(closing_line(report), "RED: 1 hung (exit 0)");
  report.cases = {sample::passed_case(), sample::hung_case()};
  EXPECT_EQ(closing_line(report), "RECORDED: 0 candidates, 1 hung (exit 0)")
      << "it was launched for another one";
  report.cases.front().artifacts["candidate"] = "x.json";
  EXPECT_EQ(closing_line(report), "RECORDED: 1 candidate, 1 hung (exit 0)");
}

TEST(Text, RedCasesComeLastWithTheirMissesAndWhatToDo) {
  EXPECT_EQ(at_80(sample::report({sample::regressed_case(), sample::hung_case(), sample::skipped_case()}, 1)),
            R"(gate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4
3 cases, 1h52m: 1 SKIPPED, 2 RED: 1 hung, 1 regressed   speed gated in 1
skipped llama2_tp2_pp4_vpp2  needs platform ascend-*, this is cpu
HUNG mixtral_tp4_ep2  after step 7 of 15  16m40s
  hung during training: silent 15m, limit 15m
  undecided lm_loss
  problem  train.log:812: rank 5: HCCL notify wait timeout
  look     gate explain mixtral_tp4_ep2 --run 1121-0203
  log      .gate/runs/1121-0203/mixtral_tp4_ep2/log
REGRESSED tinygpt/dp2  owner zhangwei  30 steps  1.1s
  lm_loss  14 of 15 steps (1-15) out of ±0.01, largest +0.6 (+15.4 %)
    first    step 2: 4.1612 -> 4.1803, delta +0.01911 (+0.46 %)  train.log:34
    largest  step 9: 3.9000 -> 4.5000, delta +0.6 (+15.4 %), limit 3.89..3.91
             train.log:41
  passed   throughput -0.4 %, memory 2 ranks ok
  look     gate explain tinygpt/dp2 --run 1121-0203
  accept   gate baseline accept tinygpt/dp2 --run 1121-0203 --metric lm_loss \
             --reason "..."
  log      .gate/runs/1121-0203/tinygpt/dp2/log
rerun   gate run --again 1121-0203
RED: 1 hung, 1 regressed, 1 skipped (exit 1)
)");
}

TEST(Text, PathsAreToldFromTheFolderOfTheStyle) {
  CaseReport one = sample::regressed_case();
  one.checks[0].first_miss->file = "/s/run/train.log";
  one.reason = "as --config=/s/a.toml and /s/b.toml say";
  one.verdict = Verdict::crashed;
  Style style = sample::columns_80();
  style.folder = "/s";
  const std::string out = text(sample::report({one}, 4), style);
  EXPECT_THAT(out, HasSubstr("             run/train.log:34\n"));
  EXPECT_THAT(out, HasSubstr("as --config=/s/a.toml and b.toml say"));
}

TEST(Text, CommandsAreContinuedBeforeAnOptionThatIsNotQuoted) {
  CaseReport one = sample::regressed_case();
  one.name = "a --b " + std::string(70, 'c');
  const std::string out = at_80(sample::report({one}, 1));
  const std::string name = "'" + one.name + "'";
  EXPECT_THAT(out, HasSubstr("  look     gate explain " + name + " \\\n             --run 1121-0203\n"));
}

TEST(Text, CommandsKeepNamesWithQuotesAndPathsWhole) {
  for (const std::string odd : {"a' --b /s/c ", "a\x01' --b /s/c ", "\\' --b /s/c "}) {
    CaseReport one = sample::regressed_case();
    one.name = odd;
    Style style;
    style.width = 40;
    style.folder = "/s";
    const std::string narrow = text(sample::report({one}, 1), style);
    style.width = 0;
    style.folder = "";
    const std::string whole = text(sample::report({one}, 1), style);
    const std::size_t start = whole.find("gate explain "), end = whole.find(" --run", start);
    EXPECT_THAT(narrow, HasSubstr(whole.substr(start, end - start) + " \\\n             --run "));
  }
}

TEST(Text, TheLastLineOfTheLogTellsWhereItStands) {
  CaseReport one = sample::hung_case();
  one.last_words = "rank3: entering all_reduce";
  EXPECT_THAT(at_80(sample::report({one}, 4)), HasSubstr("\n  log ends rank3: entering all_reduce\n"));
}

TEST(Text, DeviceTimeIsToldWhereThereWereDevices) {
  Report report = sample::report({sample::passed_case(), sample::passed_case()}, 0);
  EXPECT_THAT(at_80(report), Not(HasSubstr("device-minutes")));
  report.cases[0].device_time = report.cases[1].device_time = std::chrono::minutes(448);
  EXPECT_THAT(at_80(report), HasSubstr("2 cases, 1h52m, 896 device-minutes: 2 passed"));
  EXPECT_THAT(at_80(report), Not(HasSubstr("idle")));
  report.cases[0].duration = std::chrono::minutes(56);
  report.cases[0].verdict = Verdict::hung;
  report.cases[1].duration = std::chrono::minutes(28);
  EXPECT_THAT(text(report, {.width = 0}),
              HasSubstr("\n16 devices, 1h52m: 896 device-minutes used, 448 lost to "
                        "hangs, 896 idle; at best 56m\n"));
}

TEST(Text, WhatIsUngatedInAllCasesIsToldOnce) {
  CaseReport one = sample::passed_case(), two = sample::hung_case();
  one.ungated = two.ungated = {shown::ungated("throughput", "throughput", "the baseline is of other"),
                               {"grad_norm", "", remark::Plain::no_rule}};
  two.ungated.push_back(shown::ungated("loss", "loss", "no such series"));
  const std::string out = at_80(sample::report({one, two, sample::skipped_case()}, 4));
  EXPECT_THAT(out, HasSubstr("\n  ungated  loss: no such series\n"));
  EXPECT_THAT(out, HasSubstr("\nungated in all cases  throughput: the baseline is of other\n"
                             "1 metric ungated: -v\n"))
      << "what no rule and no baseline has is so in every run";
  EXPECT_EQ(out.find("throughput: the"), out.rfind("throughput: the"));
}

TEST(Text, WhatWasNeverGreenSaysSo) {
  CaseReport one = sample::hung_case();
  one.green_until = GreenUntil{"", "", "", 5, std::nullopt};
  EXPECT_THAT(at_80(sample::report({one}, 4)), HasSubstr("HUNG mixtral_tp4_ep2  not green in 5 runs before"));
}

TEST(Text, CrashedCaseQuotesItsCauseAndSaysWhatToDo) {
  EXPECT_THAT(at_80(sample::report({sample::crashed_case()}, 4)),
              HasSubstr(R"(CRASHED mixtral_tp4_ep2  before its first step
  exited 1: CUDA out of memory (log.txt:57)
  cause    mixtral/log.txt:57: [rank3]: torch.OutOfMemoryError: CUDA out of
           memory. (8 times)
  advice   Use less memory.
  look     gate explain mixtral_tp4_ep2 --run 1121-0203
)"));
}

TEST(Text, EightRanksThatFailAlikeAreOneRow) {
  CaseReport one = sample::regressed_case();
  one.checks.clear();
  for (int rank = 0; rank < 8; ++rank)
    one.checks.push_back(rank == 3 ? sample::failed_memory(rank, "16.5", "4.0", +32)
                                   : sample::failed_memory(rank, "16.1", "3.6", +28.8));
  EXPECT_THAT(at_80(sample::report({one}, 1)),
              HasSubstr("\n  memory_max_allocated  8 of 8 ranks (0-7)  8 of 16 reports out of +10%, largest\n"
                        "    +4.0 (+32 %)\n"
                        "    first    report 2 of rank 0: 12.5 -> 16.1 MiB, delta +3.6 (+28.8 %)\n"
                        "             train.log:20\n"
                        "    largest  report 2 of rank 3: 12.5 -> 16.5 MiB, delta +4.0 (+32 %), limit\n"
                        "             13.75  train.log:23\n"));
}

TEST(Text, OneRankOfSeveralIsNamed) {
  CaseReport one = sample::regressed_case();
  one.checks = {sample::memory(0, CheckStatus::pass), sample::failed_memory(1, "16.1", "3.6", +28.8)};
  const std::string out = at_80(sample::report({one}, 1));
  EXPECT_THAT(out, HasSubstr("  memory_max_allocated  1 of 2 ranks (1)  1 of 2 reports out of +10%, "
                             "largest\n    +3.6 (+28.8 %)\n"
                             "    first and largest  report 2: 12.5 -> 16.1 MiB, delta +3.6 (+28.8 %)"));
  EXPECT_THAT(out, HasSubstr("  passed   memory 1 rank ok\n"));
}

TEST(Text, ReducedCheckShowsBothValuesDeltaAndLimit) {
  CaseReport one = sample::regressed_case();
  one.checks = {sample::speed(CheckStatus::fail, "127.40", "-6.77", -5.05)};
  EXPECT_THAT(at_80(sample::report({one}, 1)),
              HasSubstr("  throughput  mean of steps 6-15  134.17 -> 127.40 TFLOP/s/device, delta -6.77\n"
                        "    (-5.05 %), limit -5% (127.46)\n"));
}

TEST(Text, NotANumberAfterTheWindowIsShownWithItsStep) {
  CaseReport one = sample::regressed_case();
  Check check = sample::loss(CheckStatus::fail);
  check.misses = 1;
  check.first_miss = shown::miss(20, "3.1", "nan", "", "train.log", 52);
  check.remarks = {shown::text("step 20 is not a number")};
  one.checks = {check};
  const std::string out = at_80(sample::report({one}, 1));
  EXPECT_THAT(out, HasSubstr("  lm_loss  1 step not finite or out of ±0.01\n    first    step 20: 3.1 -> "
                             "nan  train.log:52\n"));
  EXPECT_THAT(out, HasSubstr("note     step 20 is not a number\n"));
  EXPECT_THAT(out, Not(HasSubstr("gate baseline accept"))) << "what is not finite is never a reference";
}

TEST(Text, MissingStepsAreQuoted) {
  CaseReport one = sample::passed_case();
  one.verdict = Verdict::incomplete;
  one.reason = "ended at step 9, the baseline has 30";
  one.steps = 9;
  Check check = sample::loss(CheckStatus::missing);
  check.remarks = {shown::text("steps 10-30")};
  one.checks = {check};
  const std::string out = at_80(sample::report({one}, 4));
  EXPECT_THAT(out, HasSubstr("INCOMPLETE tinygpt/dp2  after step 9 of 30  1.1s\n"
                             "  ended at step 9, the baseline has 30\n"
                             "  exited 0\n"
                             "  lm_loss  missing: steps 10-30\n"));
  EXPECT_THAT(out, HasSubstr("RED: 1 incomplete (exit 4)\n"));
}

TEST(Text, StatusIsNotSaidTwice) {
  CaseReport one = sample::hung_case();
  one.verdict = Verdict::incomplete;
  one.checks[0].status = CheckStatus::missing;
  one.checks[0].remarks = {remark::MissingSteps{shown::steps("8-15"), 15}};
  EXPECT_THAT(at_80(sample::report({one}, 4)), HasSubstr("\n  lm_loss  missing steps 8-15 of 15\n"));
}

TEST(Text, WhatACrashLeavesOpenIsNamedAndNotExplained) {
  CaseReport one = sample::hung_case();
  one.checks.push_back(sample::speed(CheckStatus::missing, "127.40", "-6.77", -5.05));
  EXPECT_THAT(at_80(sample::report({one}, 4)), HasSubstr("\n  undecided lm_loss, throughput\n"));
  Style style = sample::columns_80();
  style.verbose = true;
  EXPECT_THAT(text(sample::report({one}, 4), style), HasSubstr("\n  lm_loss  undecided: the run ended at"));
}

TEST(Text, ALogWithoutAStepOfAScriptThatCrashedIsNoProblemOfItsOwn) {
  CaseReport one = sample::hung_case();
  one.problems = {{ProblemKind::unreadable, "log.txt", 1, "no line of a known format"}};
  EXPECT_THAT(at_80(sample::report({one}, 4)), HasSubstr("no line of a known format"));
  one.steps = 0;
  EXPECT_THAT(at_80(sample::report({one}, 4)), Not(HasSubstr("no line of a known format")));
}

TEST(Text, DigitsThatTellTheMissAreShown) {
  CaseReport one = sample::regressed_case();
  Check check = sample::loss(CheckStatus::fail);
  check.misses = 1;
  check.first_miss = check.largest = shown::miss(2, "3.2301040", "3.2401041", "0.0100001", "train.log", 52);
  check.limit.clear();
  one.checks = {check};
  EXPECT_THAT(at_80(sample::report({one}, 1)), HasSubstr("3.2301040 -> 3.2401041, delta +0.0100001"));
  one.checks[0].first_miss = one.checks[0].largest =
      shown::miss(2, "3.2301040", "3.2601041", "0.0300001", "train.log", 52);
  EXPECT_THAT(at_80(sample::report({one}, 1)), HasSubstr("3.2301 -> 3.2601, delta +0.03000"));
}

// A suite of so many passed cases, and of so many red ones that all say the same.
Report many(int passed, int red, int not_run) {
  std::vector<CaseReport> cases;
  const auto add = [&](int count, const std::string& prefix, const CaseReport& like) {
    for (int i = 0; i < count; ++i) {
      cases.push_back(like);
      cases.back().name = prefix + std::to_string(i);
    }
  };
  CaseReport good = sample::passed_case(), late;
  good.notes = {plain_note("lm_loss: bit-equal")};
  good.problems.clear();
  late.reason = "the deadline came first";
  add(passed, "good", good);
  add(red, "bad", sample::hung_case());
  add(not_run, "late", late);
  return sample::report(cases, red > 0 ? 4 : 0);
}

TEST(Text, ManyPassedCasesAreOneLine) {
  EXPECT_THAT(at_80(many(12, 0, 0)),
              HasSubstr("\npassed 12 cases  lm_loss in 12, throughput in 12, memory in 12   each: gate -v\n"
                        "  report 1121-0203\n"));
  Style style = sample::columns_80();
  style.verbose = true;
  EXPECT_THAT(text(many(12, 0, 0), style), HasSubstr("\npassed good11  "));
}

TEST(Text, APassedCaseWithAProblemIsNamedAmongMany) {
  Report report = many(12, 0, 0);
  report.cases[3].problems = {{ProblemKind::other, "log.txt", 1, "odd"}};
  EXPECT_THAT(at_80(report), AllOf(HasSubstr("\npassed good3  "), HasSubstr("\npassed 11 cases  ")));
}

TEST(Text, ManyRedCasesEndInOneLineEach) {
  const std::string page = at_80(many(2, 14, 0));
  const std::size_t lines = page.rfind("\nHUNG bad0  after step 7 of 15, hung during training: silent");
  EXPECT_NE(lines, std::string::npos) << page;
  EXPECT_THAT(page.substr(lines + 1), HasSubstr("\nHUNG bad11  "));
  EXPECT_THAT(page.substr(lines + 1), Not(HasSubstr("\nHUNG bad12  ")));
  EXPECT_THAT(page.substr(lines + 1), HasSubstr("\nand 2 more red cases\nlook    gate explain bad0 --run"));
}

TEST(Text, TwoRedCasesOfManyEndInOneLineEach) {
  const std::string page = at_80(many(12, 2, 0));
  EXPECT_THAT(page.substr(page.rfind("\nHUNG bad0  ")), HasSubstr("\nHUNG bad1  "));
  EXPECT_NE(page.find("\nHUNG bad1  "), page.rfind("\nHUNG bad1  "));
  const std::string few = at_80(many(2, 2, 0));
  EXPECT_EQ(few.find("\nHUNG bad1  "), few.rfind("\nHUNG bad1  "));
}

TEST(Text, WhatSeveralRedCasesAreRedForIsSaidOnce) {
  const std::string page = at_80(many(0, 2, 0));
  EXPECT_THAT(page, HasSubstr("\n2 red cases  hung during training: silent 15m, limit 15m\nHUNG bad0  "));
  EXPECT_THAT(page, Not(HasSubstr("\n  hung during training")));
}

TEST(Text, CasesThatWereNotRunForOneReasonAreOne) {
  const std::string page = at_80(many(1, 0, 3));
  EXPECT_THAT(page, HasSubstr("\nNOT_RUN 3 cases  late0, late1, late2\n  the deadline came first\n"));
  EXPECT_EQ(page.find("the deadline"), page.rfind("the deadline"));
}

TEST(Text, RegressionThatEndedBadlySaysHowItEnded) {
  CaseReport one = sample::regressed_case();
  one.outcome = StoppedEarly{"lm_loss step 3, |d| = 0.47 > 0.01"};
  one.steps = 3;
  EXPECT_THAT(at_80(sample::report({one}, 1)),
              HasSubstr("REGRESSED tinygpt/dp2  owner zhangwei  after step 3 of 30  1.1s\n"
                        "  stopped early: lm_loss step 3, |d| = 0.47 > 0.01\n"));
}

TEST(Text, DeviceTimeThatAnEarlyStopSavedIsCounted) {
  CaseReport one = sample::regressed_case();
  one.outcome = StoppedEarly{"lm_loss step 3", std::chrono::minutes(90)};
  one.device_time_saved = std::chrono::minutes(720);
  CaseReport other = one;
  other.device_time_saved = std::chrono::seconds(3);
  const std::string out = at_80(sample::report({one, other}, 1));
  EXPECT_THAT(out, HasSubstr("  stopped early: lm_loss step 3\n  stopped early: 720 device-minutes saved\n"));
  EXPECT_THAT(out, HasSubstr("  stopped early: less than 0.1 device-minutes saved\n"));
  EXPECT_THAT(out, HasSubstr("2 RED   speed gated in 2   stopped early: 720 device-minutes\n"));
  EXPECT_THAT(markdown(sample::report({one}, 1), {}),
              HasSubstr("\n\nstopped early: 720 device-minutes saved\n\n"));
  one.device_time_saved = std::chrono::seconds(90);
  EXPECT_THAT(at_80(sample::report({one}, 1)), HasSubstr("  stopped early: 1.5 device-minutes saved\n"));
  one.device_time_saved.reset();
  EXPECT_THAT(at_80(sample::report({one}, 1)), Not(HasSubstr("device-minutes"))) << "nothing is claimed";
}

TEST(Text, OutcomeOfAHungCaseIsItsReason) {
  const std::string text = at_80(sample::report({sample::hung_case()}, 4)), end = "hung during training";
  ASSERT_THAT(text, HasSubstr(end));
  EXPECT_THAT(text.substr(text.find(end) + end.size()), Not(HasSubstr(end)));
}

TEST(Text, OutcomeOfACaseWhoseReasonIsNotShownIsSaid) {
  CaseReport one = sample::regressed_case();
  one.outcome = Exited{3};
  one.reason = "lm_loss out of ±0.01 first at step 3; then exited 3";
  EXPECT_THAT(at_80(sample::report({one}, 1)), HasSubstr("\n  exited 3\n"));
}

TEST(Text, NoteThatACheckAlreadySaysIsNotRepeated) {
  CaseReport one = sample::regressed_case();
  one.checks[0].remarks = {remark::NoLongerBitEqual{1, {}}, remark::NotJudged{shown::steps("16-30")}};
  one.notes = {{{{"lm_loss", {}}}, Numbering::step, remark::NotJudged{shown::steps("16-30")}},
               {{{"throughput", {}}}, Numbering::step, remark::NotJudged{shown::steps("16-30")}},
               plain_note("a restart was seen")};
  const std::string out = at_80(sample::report({one}, 1));
  EXPECT_THAT(out, Not(HasSubstr("lm_loss: steps 16-30")));
  EXPECT_THAT(out,
              HasSubstr("  note     throughput: steps 16-30 not judged\n  note     a restart was seen\n"));
}

TEST(Text, SpeedAndMemoryAreWhatTheSuiteSaysTheyAre) {
  CaseReport one = sample::passed_case();
  one.checks = {sample::speed(CheckStatus::pass, "134.2", "0.03", 0.02), sample::memory(0, CheckStatus::pass),
                sample::memory(1, CheckStatus::pass)};
  one.checks[0].metric = one.checks[0].rule = "examples";
  one.checks[1].metric = one.checks[1].rule = "host_peak";
  one.checks[2].metric = one.checks[2].rule = "host_peak";
  const std::string out = at_80(sample::report({one}, 0));
  EXPECT_THAT(out, HasSubstr("passed tinygpt/dp2  examples +0.02 %, memory 2 ranks ok"));
  EXPECT_THAT(out, HasSubstr("1 passed   speed gated in 1\n"));
  one.checks[0].better = Better::higher;
  one.checks[0].tolerance = parse_tolerance(">= 60").value();
  one.checks[0].margin = shown::value("74.2");
  EXPECT_THAT(at_80(sample::report({one}, 0)), HasSubstr("gated in 0\n"));  // half of it would pass
  one.checks[0].margin = shown::value("34");
  EXPECT_THAT(at_80(sample::report({one}, 0)), HasSubstr("gated in 1\n"));
  for (Check& check : one.checks) check.kind = MetricKind::other;
  EXPECT_THAT(at_80(sample::report({one}, 0)),
              AllOf(HasSubstr("host_peak 2 ranks ok"), HasSubstr("gated in 0\n")));
}

TEST(Text, CaseThatIsJudgedByItsExitSaysSo) {
  CaseReport one = sample::passed_case();
  Check check;
  check.rule = check.metric = "exit";
  check.tolerance = parse_tolerance("== 0").value();
  check.status = CheckStatus::pass;
  check.compared = 1;
  check.actual = shown::value("0");
  one.checks = {check};
  EXPECT_THAT(at_80(sample::report({one}, 0)), HasSubstr("\npassed tinygpt/dp2  exit ok  1.1s\n"));
}

TEST(Text, ConstantsAndExactReadAsTheyAreMeant) {
  CaseReport one = sample::regressed_case();
  one.checks[0].tolerance = parse_tolerance(">= 0.75").value();
  EXPECT_THAT(at_80(sample::report({one}, 1)),
              HasSubstr("\n  lm_loss  14 of 15 steps (1-15) not >= 0.75, largest "));
  one.checks[0].tolerance = parse_tolerance("exact").value();
  EXPECT_THAT(at_80(sample::report({one}, 1)),
              HasSubstr("\n  lm_loss  14 of 15 steps (1-15) not exact, largest "));
}

TEST(Text, InterruptedRunCountsWhatWasNotRun) {
  CaseReport cut = sample::passed_case();
  cut.verdict = Verdict::interrupted;
  cut.outcome = Interrupted{15};
  cut.steps = 7;
  cut.checks.clear();
  CaseReport later;
  later.name = "tinygpt/dp1";
  later.reason = "interrupted before its turn";
  EXPECT_EQ(at_80(sample::report({cut, later}, 143)),
            R"(gate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4
2 cases, 1h52m: 2 RED: 1 interrupted, 1 not_run   speed gated in 0
NOT_RUN tinygpt/dp1
  interrupted before its turn
INTERRUPTED tinygpt/dp2  after step 7 of 30  1.1s
  interrupted by SIGTERM
  log      .gate/runs/1121-0203/tinygpt/dp2/log
resume  gate run --resume 1121-0203
rerun   gate run --again 1121-0203
RED: 1 interrupted, 1 not_run (exit 143)
)");
}

TEST(Text, NothingJudgedIsNotGreen) {
  EXPECT_THAT(at_80(sample::report({sample::skipped_case()}, 3)),
              HasSubstr("\nRED: nothing was judged, 1 skipped (exit 3)\n"));
  EXPECT_THAT(at_80(sample::report({}, 3)), HasSubstr("\nRED: no cases (exit 3)\n"));
}

TEST(Text, CaseThatWasAskedForAndSkippedIsNotGreen) {
  EXPECT_THAT(at_80(sample::report({sample::passed_case(), sample::skipped_case()}, 3)),
              HasSubstr("\nRED: a case that was asked for was skipped, 1 passed, 1 skipped (exit 3)\n"));
}

TEST(Text, RedCaseIsNeverGreenWhateverTheExitCode) {
  EXPECT_EQ(closing_line(sample::report({sample::hung_case()}, 0)), "RED: 1 hung (exit 0)");
  EXPECT_EQ(closing_line(sample::report({sample::passed_case()}, 125)),
            "RED: not all results were written, 1 passed (exit 125)");
}

TEST(Text, WaivedFailureIsListedAndCounted) {
  CaseReport one = sample::passed_case();
  one.checks[0] = sample::failed_loss();
  one.checks[0].status = CheckStatus::waived;
  one.checks[0].remarks = {shown::text("waived until 2026-12-01: new tokenizer")};
  const std::string out = at_80(sample::report({one, sample::passed_case()}, 0));
  EXPECT_THAT(out, HasSubstr("2 cases, 1h52m: 1 passed, 1 waived   speed"));
  EXPECT_THAT(out, HasSubstr("memory 2 ranks ok, waived  1.1s\n  lm_loss  WAIVED  14 of 15 steps (1-15) out "
                             "of ±0.01, largest +0.6 (+15.4 %)\n"));
  EXPECT_THAT(out, HasSubstr("    note     waived until 2026-12-01: new tokenizer\n"));
  EXPECT_THAT(out, HasSubstr("\nGREEN: 2 passed (1 of them waived) (exit 0)\n"));
}

TEST(Text, CaseWithNothingButAWaivedCheckSaysSo) {
  CaseReport one = sample::passed_case();
  one.checks = {sample::failed_loss()};
  one.checks[0].status = CheckStatus::waived;
  EXPECT_THAT(at_80(sample::report({one}, 0)), HasSubstr("\npassed tinygpt/dp2  waived  1.1s\n"));
}

TEST(Text, NotesAndUngatedRulesOfAFewGreenCasesAreListed) {
  CaseReport one = sample::passed_case();
  one.notes = {plain_note("throughput 349.41, 2.6 times the baseline: re-record?")};
  one.ungated = {shown::ungated("throughput", "throughput", "the baseline does not hold it"),
                 shown::ungated("tokens_per_second", "tokens_per_second", "the baseline does not hold it"),
                 shown::ungated("iteration_time", "iteration_time", "the baseline does not hold it", true),
                 shown::ungated("grad_norm", "", "no rule names it")};
  const std::string out = at_80(sample::report({one}, 0));
  EXPECT_THAT(out, HasSubstr("  note     throughput 349.41, 2.6 times the baseline: re-record?\n"
                             "  ungated  throughput, tokens_per_second: the baseline does not hold it\n"
                             "  ungated  grad_norm: no rule names it\n"));
  EXPECT_THAT(out, Not(HasSubstr("iteration_time"))) << "it is absent";
}

TEST(Text, NotesOfManyGreenCasesAreCounted) {
  CaseReport one = sample::passed_case();
  one.checks.resize(1);
  one.notes = {plain_note("a"), plain_note("b")};
  one.problems = {{ProblemKind::duplicate, "train.log", 3, "step 3 twice"}};
  const std::string out = at_80(sample::report(std::vector<CaseReport>(11, one), 0));
  EXPECT_THAT(out, HasSubstr("passed tinygpt/dp2  lm_loss 15 steps, 1 problem  1.1s\npassed"));
  EXPECT_THAT(out, HasSubstr("\nnote a (in 11 of 11 cases)\nnote b (in 11 of 11 cases)\n"));
}

TEST(Text, VerboseShowsEveryCheckAndEverySeriesWithoutARule) {
  Style style = sample::columns_80();
  style.verbose = true;
  CaseReport one = sample::passed_case();
  one.ungated = {shown::ungated("grad_norm", "", "no rule names it")};
  const std::string out = text(sample::report({one}, 0), style);
  EXPECT_THAT(out, HasSubstr("  lm_loss  ok  15 steps within ±0.01\n"));
  EXPECT_THAT(out, HasSubstr("  memory_max_allocated  2 of 2 ranks (0, 1)  ok  4 reports within +10%\n"));
  EXPECT_THAT(out, HasSubstr("  ungated  grad_norm: no rule names it\n"));
}

TEST(Text, QuietShowsRedCasesAndTheLastLineOnly) {
  Style style = sample::columns_80();
  style.quiet = true;
  const std::string red = text(sample::report({sample::passed_case(), sample::hung_case()}, 4), style);
  EXPECT_THAT(red, StartsWith("HUNG mixtral_tp4_ep2"));
  EXPECT_THAT(red, Not(HasSubstr("passed tinygpt")));
  EXPECT_EQ(text(sample::report({sample::passed_case(), sample::skipped_case()}, 0), style),
            "GREEN: 1 passed, 1 skipped (exit 0)\n");
}

TEST(Text, CheckHasALighterHeaderAndOffersNoStoredRun) {
  Report report = sample::report({sample::regressed_case()}, 1);
  report.command = "check";
  report.run = "";
  const std::string out = at_80(report);
  EXPECT_THAT(out, StartsWith("gate 1.0.0  check  ascend-910b3\nREGRESSED tinygpt/dp2"));
  EXPECT_THAT(out, Not(HasSubstr("gate explain")));
  EXPECT_THAT(out, Not(HasSubstr("gate baseline")));
}

TEST(Text, ColourOnlyPaintsTheWord) {
  Style style = sample::columns_80();
  style.color = Color::yes;
  const Report report =
      sample::report({sample::passed_case(), sample::skipped_case(), sample::hung_case()}, 4);
  std::string out = text(report, style);
  EXPECT_THAT(out, HasSubstr("\x1b[32mpassed\x1b[0m tinygpt/dp2"));
  EXPECT_THAT(out, HasSubstr("\x1b[33mskipped\x1b[0m llama2"));
  EXPECT_THAT(out, HasSubstr("\x1b[1;31mHUNG\x1b[0m mixtral"));
  EXPECT_THAT(out, HasSubstr("\x1b[1;31mRED:\x1b[0m 1 hung"));
  for (const std::string code : {"\x1b[32m", "\x1b[33m", "\x1b[1;31m", "\x1b[0m"})
    for (std::size_t at; (at = out.find(code)) != std::string::npos;) out.erase(at, code.size());
  EXPECT_EQ(out, at_80(report));
}

TEST(Text, ManyProblemsAreCutWithTheirCount) {
  CaseReport one = sample::hung_case();
  for (std::uint32_t line = 1; line <= 40; ++line)
    one.problems.push_back({ProblemKind::not_finite, "train.log", line, "lm loss is nan"});
  const std::string out = at_80(sample::report({one}, 4));
  EXPECT_THAT(out, HasSubstr("  problem  train.log:7: lm loss is nan\n  problem  and 33 more\n"));
}

TEST(Text, ManyRanksThatFailEachInItsOwnWayAreCutWithTheirCount) {
  CaseReport one = sample::regressed_case();
  one.checks.clear();
  for (int rank = 0; rank < 64; ++rank) {
    one.checks.push_back(sample::memory(rank, CheckStatus::missing));
    one.checks.back().remarks = {shown::text("report " + std::to_string(rank) + " is missing")};
    one.checks.push_back(sample::failed_memory(rank, "16.1", "3.6", +28.8));
    one.checks.back().remarks = {shown::text("rank " + std::to_string(rank) + " leaks")};
  }
  const std::string out = at_80(sample::report({one}, 1));
  EXPECT_THAT(out, HasSubstr("    note     rank 2 leaks\n    note     and 61 more\n"));
  EXPECT_THAT(out, HasSubstr("\n  and 53 checks more\n"));
}

TEST(Text, FullCommitIsShortenedAndItsSuffixKept) {
  Report report = sample::report({sample::passed_case()}, 0);
  report.commit = "9c1e2f4aa00112233445566778899aabbccddeef-dirty";
  EXPECT_THAT(at_80(report), HasSubstr("commit 9c1e2f4-dirty\n"));
}

TEST(Text, EmptyReportHasAHeaderAndALastLine) {
  EXPECT_EQ(text(Report{}, Style{}), "gate \nRED: no cases (exit 3)\n");
}

// A red case and a green one, of which both have one difference, and each one of its own.
Report alike() {
  Report report = sample::report({sample::regressed_case(), sample::passed_case()}, 1);
  for (CaseReport& one : report.cases) one.baselines = {{"b.json", ""}};
  report.cases[0].differs = {{"torch", "2.1.0", "2.2.0"}, {"host", "a", "b"}};
  report.cases[1].differs = {{"torch", "2.1.0", "2.2.0"}, {"host", "a", "c"}};
  return report;
}

TEST(Text, WhatSeveralCasesDifferInIsSaidOnceAboveTheRedOnes) {
  const std::string page = at_80(alike());
  const std::size_t line =
      page.find("differs from the baselines' runs: torch 2.1.0 -> 2.2.0 (in 2 of 2 cases)");
  EXPECT_LT(line, page.find("REGRESSED"));
  EXPECT_THAT(page, HasSubstr("  differs  from the baseline's run: host a -> b\n"));
  EXPECT_THAT(page, Not(HasSubstr("host a -> c"))) << "it is green";
  EXPECT_EQ(page.find("torch"), page.rfind("torch"));
}

TEST(Text, WithAllDetailsGreenCasesTellWhatTheyDifferIn) {
  Style style = sample::columns_80();
  style.verbose = true;
  EXPECT_THAT(text(alike(), style), HasSubstr("  differs  from the baseline's run: host a -> c\n"));
}

TEST(Text, WhereNothingIsRedOnlyWhatMayMoveNumbersIsTold) {
  Report report = alike();
  report.cases.erase(report.cases.begin());
  report.cases.push_back(report.cases.front());
  EXPECT_THAT(at_80(report), AllOf(HasSubstr("differs from the baselines' runs: torch 2.1.0 -> 2.2.0"),
                                   Not(HasSubstr("host a"))));
  report.command = "diff";
  EXPECT_THAT(at_80(report), HasSubstr("torch 2.1.0 -> 2.2.0 (in 2 of 2 cases), host a"));
}

}  // namespace
}  // namespace gate::render::text_test
