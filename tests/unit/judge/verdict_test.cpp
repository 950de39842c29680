// A whole case: what is gated, what is not, and the verdict.
#include <gmock/gmock.h>

#include <algorithm>

#include "logs.h"

namespace gate::judge::testing::verdict_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string thirty = flat("lm_loss", 1, 30, "10.50");

Ask asked(const std::string& log, std::optional<Outcome> outcome = Exited{0}) {
  Ask ask;
  ask.reference = baseline(thirty);
  ask.log = run(log);
  ask.outcome = std::move(outcome);
  return ask;
}

std::string ruling(const Ask& ask) {
  const Judgement judgement = ask.judge();
  return std::string(to_string(judgement.verdict)) + ": " + judgement.reason.english();
}

CheckStatus status(const Ask& ask) { return ask.judge().checks.at(0).status; }

TEST(Verdict, Passed) {
  EXPECT_EQ(ruling(asked(thirty)), "passed: 2 checks passed");
  EXPECT_EQ(ruling(asked(thirty, std::nullopt)), "passed: 2 checks passed") << "a saved log";
}

const std::string bad = flat("lm_loss", 1, 5, "10.50") + " 6:10.60 7:10.50";
const std::string failure = "lm_loss out of ±0.01 first at step 6 (10.50 -> 10.60, |Δ| 0.10, 1 of 7)";

TEST(Verdict, RegressedWhereGateOrNobodyEndedIt) {
  for (const std::optional<Outcome>& outcome : {std::optional<Outcome>(), std::optional(Outcome(Exited{0})),
                                                std::optional(Outcome(StoppedEarly{"lm_loss step 6"}))})
    EXPECT_EQ(ruling(asked(bad, outcome)), "regressed: " + failure);
}

TEST(Verdict, HowItEndedGoesBeforeWhatItHadMeasured) {
  const std::string before = "; before that: " + failure;
  EXPECT_EQ(ruling(asked(bad, Exited{1})), "crashed: exited 1" + before);
  EXPECT_EQ(ruling(asked(bad, Killed{11})), "crashed: killed by SIGSEGV" + before);
  EXPECT_EQ(ruling(asked(bad, TimedOut{std::chrono::seconds(1)})), "timed_out: timed out after 1s" + before);
  EXPECT_THAT(ruling(asked(bad, Hung{})), AllOf(HasSubstr("hung: hung during"), EndsWith(before)));
  Ask cut = asked(bad, std::nullopt);
  cut.log.cut = "the gzip data ends in its middle";
  EXPECT_EQ(ruling(cut), "incomplete: the gzip data ends in its middle" + before);
}

TEST(Verdict, WhatTheMachineDidIsBehindAFailure) {
  EXPECT_EQ(ruling(asked(bad, NotStarted{"x"})), "regressed: " + failure + "; then not started: x");
  EXPECT_EQ(ruling(asked(bad, Vanished{"host lost"})),
            "regressed: " + failure + "; then vanished: host lost");
}

TEST(Verdict, AMessageThatSaysWhyItEndedGoesBeforeAFailure) {
  Ask ask = asked(bad, std::nullopt);
  KnownMessage message;
  message.name = "gpu_out_of_memory";
  message.what = message.text = "CUDA out of memory";
  ask.log.messages = {message};
  EXPECT_THAT(ruling(ask), AllOf(HasSubstr("incomplete: ended after step 7 of 30; the log says: "),
                                 EndsWith("; before that: " + failure)));
  ask.log.messages.front().name = own_error_name;
  EXPECT_EQ(ruling(ask), "regressed: " + failure) << "a script's own words decide nothing";
  ask.outcome = StoppedEarly{"lm_loss step 6"};
  EXPECT_EQ(ruling(ask), "regressed: " + failure);
  ask.outcome = Exited{1};
  ask.log.messages.front().kind = MessageClass::infra;
  EXPECT_THAT(ruling(ask), HasSubstr("regressed: " + failure + "; then exited 1: "));
  ask.log.messages.front().weight = MessageWeight::root;
  ask.outcome = Hung{};
  EXPECT_THAT(ruling(ask), AllOf(HasSubstr("hung: hung during"), EndsWith("; before that: " + failure)));
}

TEST(Verdict, InterruptedComesFirst) {
  EXPECT_EQ(ruling(asked("lm_loss 1:99.00", Interrupted{15})), "interrupted: interrupted by SIGTERM");
}

TEST(Verdict, WhatTheDeadlineCutOffWasNotRunUnlessItHadFailed) {
  const PastDeadline past{std::chrono::hours(1)};
  EXPECT_EQ(ruling(asked(flat("lm_loss", 1, 7, "10.50"), past)),
            "not_run: stopped: the run's deadline of 1h was up");
  EXPECT_THAT(ruling(asked("lm_loss 1:99.00", past)), HasSubstr("regressed: lm_loss out of"));
}

TEST(Verdict, AScriptThatIsNotWhatWasPlannedWasNotRun) {
  const ScriptChanged changed{"a.sh: is not the script that was planned"};
  for (const std::string& log : {std::string(), flat("lm_loss", 1, 7, "10.50")})
    EXPECT_EQ(ruling(asked(log, changed)), "not_run: not started: " + changed.why) << "of whatever node";
  EXPECT_THAT(ruling(asked("lm_loss 1:99.00", changed)), HasSubstr("regressed: lm_loss out of"));
}

TEST(Verdict, EndingsOfAScript) {
  const std::string seven = flat("lm_loss", 1, 7, "10.50");
  EXPECT_EQ(ruling(asked("", NotStarted{"no such file"})), "infra: not started: no such file");
  EXPECT_EQ(ruling(asked(seven, Vanished{"host lost"})), "infra: vanished: host lost");
  EXPECT_EQ(ruling(asked(seven, GateFailed{"disk full"})), "infra: stopped, gate could not go on: disk full");
  EXPECT_EQ(ruling(asked(seven, TimedOut{std::chrono::seconds(1)})), "timed_out: timed out after 1s");
  EXPECT_THAT(ruling(asked(seven, Hung{})), HasSubstr("hung: hung during"));
  EXPECT_EQ(ruling(asked(seven, Exited{1})), "crashed: exited 1");
  EXPECT_EQ(ruling(asked(seven, Killed{11})), "crashed: killed by SIGSEGV");
  EXPECT_EQ(ruling(asked(thirty, Exited{3})), "crashed: exited 3") << "even when every step is there";
}

TEST(Verdict, IncompleteWhateverTheExitCode) {
  EXPECT_EQ(ruling(asked(flat("lm_loss", 1, 9, "10.50"))), "incomplete: missing steps 10-30 of 30");
  EXPECT_EQ(ruling(asked(flat("lm_loss", 1, 20, "10.50"))), "incomplete: missing steps 21-30 of 30");
  EXPECT_EQ(ruling(asked(flat("lm_loss", 1, 29, "10.50"), std::nullopt)),
            "incomplete: missing step 30 of 30");
  EXPECT_EQ(ruling(asked(flat("lm_loss", 1, 4, "10.50") + " 30:10.50", StoppedEarly{"step 5 passed over"})),
            "incomplete: missing steps 5-29 of 30");
}

TEST(Verdict, ALogThatEndsInTheMiddleOfARecordIsIncomplete) {
  Ask ask = asked(thirty, std::nullopt);
  ask.log.total = 40;
  EXPECT_EQ(ask.judge().verdict, Verdict::passed) << "short of what it announces";
  ask.log.torn_ends = {{ProblemKind::cut_off, "a/x.log", 31, "record cut off at 7"}};
  EXPECT_EQ(ruling(ask),
            "incomplete: the log ends in the middle of a record behind step 30 of 40 (x.log:31: record cut "
            "off at 7)");
  ask.log.total = 30;
  EXPECT_EQ(ask.judge().verdict, Verdict::passed) << "another file has its last step";
}

TEST(Verdict, AFaultBehindAllThatIsJudgedIsUnjudged) {
  Ask ask = asked(thirty);
  ask.rules = {rule("lm_loss", "±0.01", "first 15")};
  ask.log.resumed_at = 15;
  EXPECT_EQ(ruling(ask), "passed: 1 check passed");
  ask.log.resumed_at = 16;
  EXPECT_THAT(ruling(ask), HasSubstr("unjudged: the training went on at step 16 behind its fault"));
  EXPECT_THAT(ruling(ask), HasSubstr("widen the window of lm_loss"));
  ask.log.outputs = {OutputResult{}};
  EXPECT_EQ(ask.judge().verdict, Verdict::passed) << "its outputs are judged";
}

TEST(Verdict, AnEmptyOrUnreadableLogIsIncomplete) {
  EXPECT_EQ(ruling(asked("")), "incomplete: the log is empty");
  Ask ask = asked("");
  ask.log.bytes = 9;
  EXPECT_EQ(ruling(ask), "incomplete: nothing that is judged was found in the log");
  ask.log.problems.push_back({ProblemKind::unreadable, "a.log", 0, "binary bytes"});
  EXPECT_EQ(ruling(ask), "incomplete: binary bytes");
}

TEST(Verdict, WithoutABaselineUnjudged) {
  Ask ask = asked(thirty);
  ask.reference = {};
  EXPECT_EQ(ruling(ask), "unjudged: no baseline");
  ask.strict = Strict::yes;
  EXPECT_EQ(ruling(ask), "unjudged: no baseline");
  ask.log = run("");
  EXPECT_EQ(ruling(ask), "unjudged: no baseline");
}

TEST(Verdict, NothingComparedIsUnjudged) {
  Ask ask = asked("grad_norm 1:1.0");
  ask.reference = baseline("grad_norm 1:1.0");
  EXPECT_EQ(ruling(ask), "unjudged: nothing in the baseline is comparable");
  ask.rules = {rule("grad_norm", "±0.01")};
  EXPECT_EQ(ruling(ask), "unjudged: grad_norm: prints 1 decimal; ±0.01 cannot be tested");
}

// Of the two sides the one that prints less decides, once it shows as much by several values.
TEST(Verdict, ATwoSidedComparisonIsAsCoarseAsItsCoarserSide) {
  const std::string coarse = "grad_norm 1:1.0 2:1.1 3:1.2 4:1.3 5:1.4";
  const std::string fine = "grad_norm 1:1.000 2:1.105 3:1.200 4:1.300 5:1.400";
  const std::string why = "unjudged: grad_norm: prints 1 decimal; ±0.01 cannot be tested";
  const auto of = [](const std::string& log, const std::string& reference) {
    Ask ask = asked(log);
    ask.reference = baseline(reference);
    ask.rules = {rule("grad_norm", "±0.01")};
    return ruling(ask);
  };
  EXPECT_EQ(of(coarse, fine), why);
  EXPECT_EQ(of(fine, coarse), why);
  const std::string far = "grad_norm 1:1.0 2:9.1 3:1.2 4:1.3 5:1.4";
  EXPECT_THAT(of(far, fine), ::testing::StartsWith("regressed: grad_norm out of ±0.01 first at step 2"));
  EXPECT_EQ(of(coarse, coarse), why);
  EXPECT_EQ(of("grad_norm 1:1.000 2:1.105 3:1.200 4:1.300", "grad_norm 1:1.0 2:1.1 3:1.2 4:1.3"),
            of(fine, fine));
}

TEST(Verdict, MoreThanOneFailureIsCounted) {
  Ask ask = asked("lm_loss 1:1.00 2:2.00\nmemory_allocated/0 1:9.0\nmemory_allocated/1 1:9.0");
  ask.reference = baseline("lm_loss 1:1.00 2:1.00\nmemory_allocated/0 1:8.0\nmemory_allocated/1 1:9.0");
  EXPECT_EQ(
      ruling(ask),
      "regressed: lm_loss out of ±0.01 first at step 2 (1.00 -> 2.00, |Δ| 1.00, 1 of 2), and 1 more check");
}

TEST(Verdict, OfAMean) {
  Ask ask = asked("throughput 1:10.0 2:94.0 3:95.0");
  ask.reference = baseline("throughput 1:10.0 2:100.0 3:100.0");
  EXPECT_EQ(ruling(ask), "regressed: throughput mean of steps 2 and 3 100.0 -> 94.5 (-5.5 %), limit 95.0");
}

TEST(Undecided, OnlyWhereTheRunEndedBeforeItsWindowWasFull) {
  EXPECT_EQ(status(asked(flat("lm_loss", 1, 7, "10.50"), Exited{1})), CheckStatus::undecided);
  EXPECT_EQ(status(asked("", Exited{1})), CheckStatus::undecided);
  EXPECT_EQ(status(asked(flat("lm_loss", 1, 20, "10.50"), Exited{1})), CheckStatus::missing)
      << "15 were compared";
  EXPECT_EQ(status(asked(flat("lm_loss", 1, 3, "10.50") + " 5:10.50", Exited{1})), CheckStatus::missing)
      << "passed over";
  EXPECT_EQ(status(asked(flat("lm_loss", 1, 7, "10.50"))), CheckStatus::missing) << "exit 0";
  EXPECT_EQ(status(asked(flat("lm_loss", 1, 7, "10.50"), std::nullopt)), CheckStatus::missing)
      << "a saved log";
}

TEST(StoppedEarly, AMeanOutOfReachIsAFailure) {
  Ask ask = asked("iteration_time 1:10.0 2:700.0 3:600.0", StoppedEarly{"iteration_time"});
  ask.reference = baseline(flat("iteration_time", 1, 11, "100.0"));
  EXPECT_EQ(status(ask), CheckStatus::fail);
  EXPECT_EQ(ruling(ask),
            "regressed: iteration_time its mean cannot come back into 105.0; missing steps 4-11 of 11");
  ask.log = run("iteration_time 1:10.0 2:500.0 3:500.0");
  EXPECT_EQ(status(ask), CheckStatus::undecided) << "the rest could take no time";
}

TEST(Length, WithoutABaselineTheTotalMustBeReached) {
  Ask ask;
  ask.rules = {rule("grad_norm", "<= 5")};
  ask.log = run(flat("grad_norm", 1, 9, "1.0"));
  EXPECT_EQ(
      ruling(ask),
      "unjudged: no rule compares with a baseline, and the log announces no last step: steps = N says how "
      "long the run must be");
  ask.steps = 9;
  EXPECT_EQ(ruling(ask), "passed: 1 check passed");
  ask.steps.reset();
  ask.log.total = 30;
  EXPECT_EQ(ruling(ask), "incomplete: grad_norm: the run ended before its window was settled");
  ask.rules = {rule("grad_norm", "<= 5", "first 3")};
  EXPECT_EQ(ruling(ask), "incomplete: ended after step 9 of 30");
  ask.steps = 9;
  EXPECT_EQ(ruling(ask), "passed: 1 check passed");
  ask.steps = 10;
  EXPECT_EQ(ruling(ask), "incomplete: ended after step 9 of 10");
}

TEST(Length, TheBaselineDecidesWhereThereIsOne) {
  Ask ask = asked(thirty);
  ask.log.total = 100;
  ask.steps = 50;
  EXPECT_EQ(ruling(ask), "passed: 2 checks passed");
}

TEST(ExitOnly, TheExitIsTheOnlyCheck) {
  Ask ask = asked("lm_loss 1:99.00");
  ask.mode = Mode::exit;
  EXPECT_EQ(ruling(ask), "passed: 1 check passed");
  EXPECT_EQ(ask.judge().checks[0].metric, "exit");
  EXPECT_EQ(words::text(ask.judge().ungated[0].reason), "only the exit is judged");
  ask.drops_exit = as_is("it drops it");
  EXPECT_EQ(ruling(ask).substr(0, 55), "unjudged: exit: it drops it, and nothing else is compar");
  ask.outcome = Exited{2};
  EXPECT_EQ(ruling(ask), "crashed: exited 2");
  ask.outcome.reset();
  EXPECT_EQ(ruling(ask), "unjudged: exit: a saved log does not say how the script ended");
  ask = asked("", Exited{0});
  ask.mode = Mode::exit;
  EXPECT_EQ(ruling(ask), "passed: 1 check passed");
  ask.log = run("lm_loss 1:1.0 2:1.0");
  ask.log.total = 10;
  EXPECT_EQ(ruling(ask), "incomplete: ended after step 2 of 10");
}

std::vector<std::string> ungated(const Judgement& judgement) {
  std::vector<std::string> lines;
  for (const Ungated& entry : judgement.ungated)
    lines.push_back(entry.metric + (entry.rule.empty() ? "" : " [" + entry.rule + "]") + ": " +
                    words::text(entry.reason).english());
  return lines;
}

// Return `memory_allocated pass; memory_reserved: memory_allocated is gated instead`.
std::string memory_of(const std::string& baseline_log, const std::string& run_log) {
  Ask ask;
  const std::string loss = flat("lm_loss", 1, 3, "1.00") + "\n";
  ask.reference = baseline(loss + baseline_log);
  ask.log = run(loss + run_log);
  const Judgement judgement = ask.judge();
  std::vector<std::string> words;
  for (const Check& check : judgement.checks)
    if (check.metric != "lm_loss") words.push_back(check.metric + " " + std::string(to_string(check.status)));
  for (const Ungated& entry : judgement.ungated)
    if (!entry.absent) words.push_back(entry.metric + ": " + words::text(entry.reason).english());
  return join(words, "; ");
}

TEST(UngatedRules, MemoryThatIsThereIsGated) {
  const auto log_of = [](const char* metric, const char* value) {
    return std::string(metric) + "/0 1:" + value + " 2:" + value + "\n";
  };
  const std::string allocated = log_of("memory_allocated", "100.0"),
                    most = log_of("memory_max_allocated", "120.0"),
                    reserved = log_of("memory_reserved", "130.0"),
                    most_reserved = log_of("memory_max_reserved", "140.0");
  const std::string all = allocated + most + reserved + most_reserved;
  EXPECT_EQ(
      memory_of(all, all),
      "memory_allocated pass; memory_max_allocated pass; memory_max_reserved: memory_allocated is gated "
      "instead; memory_reserved: memory_allocated is gated instead");
  EXPECT_EQ(memory_of(most, most), "memory_max_allocated pass");
  EXPECT_EQ(memory_of(reserved + most_reserved, reserved + most_reserved),
            "memory_max_reserved pass; memory_reserved: memory_max_reserved is gated instead");
  EXPECT_EQ(memory_of(most_reserved, log_of("memory_max_reserved", "155.0")), "memory_max_reserved fail");
  EXPECT_EQ(memory_of(reserved, reserved), "memory_reserved pass");
  EXPECT_EQ(memory_of(reserved, "memory_reserved/0 1:130.0 2:144.0\n"), "memory_reserved fail")
      << "its maximum";
  EXPECT_EQ(memory_of(reserved, "memory_reserved/0 1:142.0 2:100.0\n"), "memory_reserved pass");
  EXPECT_EQ(memory_of(reserved, all),
            "memory_reserved pass; memory_allocated: memory_reserved is gated instead; memory_max_allocated: "
            "memory_reserved is gated instead; memory_max_reserved: memory_reserved is gated instead");
  EXPECT_EQ(memory_of("", ""), "");
}

TEST(UngatedRules, OneOfAGroupIsActive) {
  Ask ask;
  const std::string log = flat("lm_loss", 1, 3, "1.00") + "\n" + flat("tokens_per_second", 1, 3, "500.0") +
                          "\n" + flat("iteration_time", 1, 3, "70.0") + "\nlearning_rate 1:0.1";
  ask.reference = baseline(log);
  ask.log = run(log);
  const Judgement judgement = ask.judge();
  ASSERT_EQ(judgement.checks.size(), 2U);
  EXPECT_EQ(judgement.checks[1].metric, "tokens_per_second");
  EXPECT_THAT(
      ungated(judgement),
      ElementsAre(
          "lm_loss [lm_loss_end]: the baseline has fewer than 25 values, or not all of the window are "
          "above 0",
          "throughput [throughput]: tokens_per_second is gated instead",
          "samples_per_second [samples_per_second]: tokens_per_second is gated instead",
          "iteration_time [iteration_time]: tokens_per_second is gated instead",
          "memory_allocated [memory_allocated]: not in the baseline",
          "memory_max_allocated [memory_max_allocated]: not in the baseline",
          "memory_max_reserved [memory_max_reserved]: not in the baseline",
          "memory_reserved [memory_reserved]: not in the baseline", "learning_rate: no rule"));
}

TEST(UngatedRules, ABuiltInOneIsAbsentBesideAnotherAccuracy) {
  const auto is_absent = [](const Ask& ask) {
    const Judgement judgement = ask.judge();
    const auto loss = std::ranges::find(judgement.ungated, "lm_loss", &Ungated::metric);
    return loss->absent;
  };
  Ask ask;
  Rule own = ask.rules.front();
  own.name = own.metric = "grad_norm";
  own.is_built_in = false;
  ask.rules.push_back(own);
  const std::string speed = flat("throughput", 1, 3, "100.0"), norm = "\n" + flat("grad_norm", 1, 3, "1.00");
  ask.reference = baseline(speed + norm);
  ask.log = run(speed + norm);
  EXPECT_TRUE(is_absent(ask));
  ask.log = run(speed + norm + "\n" + flat("lm_loss", 1, 3, "1.00"));
  EXPECT_FALSE(is_absent(ask)) << "the run has it";
  ask.log = run(speed + norm);
  ask.rules.front().is_built_in = false;
  EXPECT_FALSE(is_absent(ask)) << "gate.toml asks for it";
  ask.rules.front().is_built_in = true;
  ask.reference = baseline(speed);
  EXPECT_FALSE(is_absent(ask)) << "no accuracy is judged";
  ask.strict = Strict::yes;
  ask.reference = baseline(speed + norm);
  EXPECT_EQ(ruling(ask), "unjudged: lm_loss is ungated: not in the baseline (strict)");
}

TEST(UngatedRules, ASpeedThatIsZeroThroughoutLeavesItsPlace) {
  Ask ask;
  const std::string loss = flat("lm_loss", 1, 3, "1.00") + "\n", none = flat("throughput", 1, 3, "0.0"),
                    time = "\n" + flat("iteration_time", 1, 3, "70.0");
  ask.reference = baseline(loss + none + time);
  ask.log = run(loss + none + time);
  EXPECT_EQ(ask.judge().checks.at(1).metric, "iteration_time");
  ask.reference = baseline(loss + none);
  EXPECT_EQ(ask.judge().checks.size(), 1U);
  EXPECT_EQ(ungated(ask.judge()).at(1),
            "throughput [throughput]: nowhere above 0 in the baseline, which is no speed");
  for (const char* no_speed : {"0.0", "-1.0"}) {
    ask.reference = baseline(loss + flat("throughput", 1, 3, no_speed));
    ask.log = run(loss + flat("throughput", 1, 3, "9.0"));
    EXPECT_EQ(ask.judge().verdict, Verdict::unjudged) << "a speed that nothing judges";
  }
  ask.log = run(loss + none + time);
  ask.reference = baseline(loss + "throughput 1:0.0 2:0.0 3:9.0");
  EXPECT_EQ(ask.judge().checks.at(0).metric, "throughput") << "one value is a speed";
  EXPECT_EQ(ask.judge().checks.at(0).status, CheckStatus::fail);
  for (Rule& rule : ask.rules) rule.group.clear();
  ask.reference = baseline(loss + none);
  EXPECT_EQ(ruling(ask), "unjudged: throughput: the baseline is 0, and so is a percentage of it")
      << "a rule that is asked for";
}

TEST(UngatedRules, SpeedAndMemoryOfAnotherPlatform) {
  Ask ask;
  const std::string log =
      flat("lm_loss", 1, 3, "1.00") + "\n" + flat("throughput", 1, 3, "100.0") + "\nmemory_allocated/0 1:5.0";
  ask.reference = baseline(log, "nvidia-h100");
  ask.log = run(log);
  ask.platform = "ascend-910b3";
  const Judgement judgement = ask.judge();
  EXPECT_EQ(judgement.verdict, Verdict::passed);
  ASSERT_EQ(judgement.checks.size(), 1U);
  EXPECT_EQ(judgement.checks[0].metric, "lm_loss") << "a loss is gated against another platform's";
  EXPECT_EQ(words::text(judgement.ungated[1].reason),
            "the baseline is of nvidia-h100, this run of ascend-910b3");
  for (const char* platform : {"", "nvidia-h100"}) {
    ask.platform = platform;
    EXPECT_EQ(ask.judge().checks.size(), 3U) << platform;
  }
  ask.platform = "nvidia-h100";
  ask.reference = baseline(log, "nvidia-*");
  EXPECT_EQ(ask.judge().checks.size(), 3U) << "a group";
}

TEST(UngatedRules, StrictAndRequiredDoNotLetThemPass) {
  Ask ask = asked(thirty);
  EXPECT_EQ(ask.judge().verdict, Verdict::passed);
  ask.strict = Strict::yes;
  EXPECT_EQ(ruling(ask), "unjudged: throughput is ungated: not in the baseline (strict)");
  ask.strict = Strict::no;
  std::ranges::find(ask.rules, "memory_reserved", &Rule::name)->required = true;
  EXPECT_EQ(ruling(ask), "unjudged: memory_reserved is ungated: not in the baseline (required)");
}

TEST(UngatedRules, StrictCountsAGroupOnce) {
  Ask ask;
  const std::string log = flat("lm_loss", 1, 3, "1.00") + "\n" + flat("throughput", 1, 3, "100.0") +
                          "\nmemory_allocated/0 1:5.0\nmemory_max_allocated/0 1:5.0";
  ask.reference = baseline(log);
  ask.log = run(log);
  ask.strict = Strict::yes;
  EXPECT_EQ(ruling(ask), "passed: 4 checks passed");
}

TEST(UngatedRules, EveryMetricOfRunAndBaselineIsJudgedOrListed) {
  Ask ask = asked(thirty + "\nparams_norm 1:1.0");
  ask.reference = baseline(thirty + "\ngrad_norm 1:1.0");
  ask.rules = {built_in_rules()[0]};
  EXPECT_THAT(ungated(ask.judge()), ElementsAre("grad_norm: no longer printed", "params_norm: no rule"));
}

TEST(SeveralRules, OnOneMetric) {
  Ask ask = asked(thirty);
  ask.rules = {rule("lm_loss", "±0.01", "first 15"), rule("lm_loss", "±5%", "all", "mean"),
               rule("lm_loss", "<= 12")};
  EXPECT_EQ(ask.judge().checks.size(), 3U);
  EXPECT_EQ(ask.judge().verdict, Verdict::passed);
}

}  // namespace
}  // namespace gate::judge::testing::verdict_test
