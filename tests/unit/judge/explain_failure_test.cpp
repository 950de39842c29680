// What the log says of why a run failed, and what that decides.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::blame_test {
namespace {

using ::testing::HasSubstr;

const std::string thirty = flat("lm_loss", 1, 30, "10.50");
const std::string seven = flat("lm_loss", 1, 7, "10.50");

KnownMessage message(const std::string& name, MessageWeight weight,
                     MessageClass kind = MessageClass::crashed) {
  KnownMessage out;
  out.name = name;
  out.kind = kind;
  out.weight = weight;
  out.what = name;
  out.text = "RuntimeError: " + name;
  out.file = ".gate/runs/1/c/log.txt";
  out.line = 57;
  out.count = 2;
  return out;
}

const KnownMessage memory = message("CUDA out of memory", MessageWeight::root);
const KnownMessage timeout = message("NCCL time-out", MessageWeight::symptom);
const KnownMessage summary = message("a rank failed", MessageWeight::hint);
const KnownMessage ecc = message("ECC error", MessageWeight::root, MessageClass::infra);

Judgement judged(const std::string& log, std::optional<Outcome> outcome, std::vector<KnownMessage> messages) {
  Ask ask;
  ask.reference = baseline(thirty);
  ask.log = run(log);
  ask.log.messages = std::move(messages);
  ask.outcome = std::move(outcome);
  return ask.judge();
}

std::string ruling(const Judgement& judgement) {
  return std::string(to_string(judgement.verdict)) + ": " + judgement.reason.english();
}

TEST(Blame, NamesWhyAScriptCrashed) {
  const Judgement judgement = judged(seven, Exited{1}, {timeout, memory, summary});
  EXPECT_EQ(ruling(judgement), "crashed: exited 1: CUDA out of memory (log.txt:57)");
  ASSERT_TRUE(judgement.cause);
  EXPECT_EQ(judgement.cause->name, "CUDA out of memory");
  ASSERT_EQ(judgement.problems.size(), 2U);
  EXPECT_EQ(judgement.problems[0].kind, ProblemKind::message);
  EXPECT_EQ(judgement.problems[0].text, "RuntimeError: NCCL time-out (2 times)");
  EXPECT_EQ(judgement.problems[0].line, 57U);
}

TEST(Blame, OfTheMachineIsInfra) {
  EXPECT_EQ(ruling(judged(seven, Exited{1}, {ecc})), "infra: exited 1: ECC error (log.txt:57)");
  EXPECT_EQ(ruling(judged(seven, Killed{6}, {ecc})), "infra: killed by SIGABRT: ECC error (log.txt:57)");
  EXPECT_EQ(ruling(judged(seven, Exited{1}, {memory, ecc})),
            "crashed: exited 1: CUDA out of memory (log.txt:57)");
  EXPECT_EQ(ruling(judged(thirty, Exited{1}, {ecc})), "infra: exited 1: ECC error (log.txt:57)");
}

TEST(Blame, DecidesNothingWhereTheScriptEndedWellAndComplete) {
  const Judgement judgement = judged(thirty, Exited{0}, {ecc, summary});
  EXPECT_EQ(ruling(judgement), "passed: 2 checks passed");
  EXPECT_FALSE(judgement.cause);
  ASSERT_EQ(judgement.problems.size(), 2U);
  EXPECT_EQ(judgement.problems[0].text, "RuntimeError: ECC error (2 times)");
}

TEST(Blame, IsMentionedWhereStepsAreMissing) {
  for (const std::optional<Outcome>& outcome :
       {std::optional<Outcome>(Exited{0}), std::optional<Outcome>()}) {
    const Judgement judgement = judged(seven, outcome, {ecc});
    EXPECT_EQ(ruling(judgement),
              "incomplete: missing steps 8-30 of 30; the log says: ECC error (log.txt:57)");
    EXPECT_TRUE(judgement.cause);
    EXPECT_TRUE(judgement.problems.empty());
  }
}

// A run of 7 steps in an attempt that begins on line 100, whose message stands on `line`.
Judgement cut_short(std::optional<ShownBar> bar, std::optional<std::int64_t> total, bool is_order,
                    std::uint32_t line, std::optional<Outcome> outcome) {
  KnownMessage limit = message("time limit", MessageWeight::root);
  limit.file = limit.last_file = "train.log";
  limit.line = limit.last_line = line;
  limit.is_order = is_order;
  Ask ask;
  ask.reference = baseline(seven);
  ask.log = run(seven);
  ask.log.messages = {limit};
  ask.log.total = total;
  ask.log.bar = bar;
  Attempt last;
  last.file = "train.log";
  last.first_line = 100;
  ask.log.attempts = {last};
  ask.outcome = outcome;
  return ask.judge();
}

TEST(Blame, OfWhoTellsARunToEndCountsAnywhereInTheLastAttempt) {
  for (const auto& outcome : {std::optional<Outcome>(), std::optional<Outcome>(Exited{0})}) {
    const bool in_place = outcome.has_value();
    EXPECT_EQ(
        ruling(cut_short({}, 20, true, 103, outcome)),
        in_place
            ? "passed: 1 check passed"
            : "incomplete: ended after step 7 of the 20 that its log announces; the log says: time limit "
              "(train.log:103)");
    EXPECT_EQ(cut_short({}, 20, true, 99, outcome).verdict, Verdict::passed) << "before the last attempt";
    EXPECT_EQ(cut_short({}, 20, false, 103, outcome).verdict, Verdict::passed) << "between steps";
    EXPECT_EQ(cut_short({}, 7, true, 103, outcome).verdict, Verdict::passed) << "all steps are there";
    EXPECT_EQ(cut_short({}, {}, true, 103, outcome).verdict, Verdict::passed) << "nothing is announced";
    EXPECT_EQ(cut_short({}, 20, false, 108, outcome).verdict, Verdict::incomplete) << "behind the last step";
  }
}

TEST(Blame, CountsWhatABarAnnounces) {
  EXPECT_EQ(ruling(cut_short(ShownBar{8, 20}, {}, false, 108, {})),
            "incomplete: ended after step 8 of the 20 that its log announces; the log says: time limit "
            "(train.log:108)");
  EXPECT_EQ(cut_short(ShownBar{20, 20}, {}, false, 108, {}).verdict, Verdict::passed);
  EXPECT_EQ(cut_short(ShownBar{8, 20}, 7, false, 108, {}).verdict, Verdict::passed)
      << "the log itself announces 7";
  Ask ask;
  ask.log = run(seven);
  ask.log.bar = ShownBar{8, 20};
  EXPECT_EQ(ask.judge().verdict, Verdict::unjudged)
      << "it is no promise: no baseline, and nothing is missing";
}

TEST(Blame, OfALauncherBehindTheLastStepIsCrashed) {
  Ask ask;
  ask.reference = baseline(thirty);
  ask.log = run(thirty);
  ask.log.files = {"runs/train.log", "runs/node1.log"};
  for (Series& one : ask.log.series) {
    Series placed(one.metric(), one.rank(), one.unit(), one.numbered());
    for (Sample sample : one.samples())
      placed.append(Sample{sample.number, sample.value, sample.text, 0, 100});
    one = placed;
  }
  const auto verdict = [&](const std::string& file, std::uint32_t line) {
    ask.log.process_ends = {{"failed (exitcode: 1) local_rank: 7", file, line}};
    return ask.judge().verdict;
  };
  for (const std::optional<Outcome>& outcome :
       {std::optional<Outcome>(), std::optional<Outcome>(Exited{0})}) {
    ask.outcome = outcome;
    EXPECT_EQ(verdict("runs/train.log", 101), Verdict::crashed);
    EXPECT_EQ(verdict("runs/node1.log", 3), Verdict::crashed) << "no step is in the file";
    EXPECT_EQ(verdict("runs/train.log", 99), Verdict::passed) << "it went on";
  }
  EXPECT_EQ((verdict("runs/train.log", 101), ruling(ask.judge())),
            "crashed: exited 0, and its launcher says that a process of the job failed: failed (exitcode: 1) "
            "local_rank: 7 (train.log:101)");
  ask.log.attempts = {Attempt{.source = "", .series = {}, .file = "runs/train.log", .last_line = 200}};
  EXPECT_EQ(verdict("runs/train.log", 101), Verdict::passed) << "another attempt went on";
  ask.log.attempts.resize(2);
  EXPECT_EQ(verdict("runs/node1.log", 3), Verdict::passed) << "started again";
}

TEST(Blame, OfTheScriptsOwnWordsDecidesNothing) {
  KnownMessage own = message(std::string(own_error_name), MessageWeight::hint);
  EXPECT_EQ(ruling(judged(seven, Exited{1}, {own})), "crashed: exited 1: own_error (log.txt:57)");
  EXPECT_THAT(judged(thirty, Exited{0}, {own}).problems, ::testing::IsEmpty());
  own.last_file = own.file;
  own.last_line = own.line;
  Ask ask;
  ask.reference = baseline(seven);
  ask.log = run(seven);
  ask.log.total = 20;
  ask.log.messages = {own};
  EXPECT_EQ(ask.judge().verdict, Verdict::passed);
}

TEST(Blame, IsMentionedWhereTheScriptStoodStill) {
  EXPECT_THAT(ruling(judged(seven, Hung{}, {ecc})), HasSubstr("; the log says: ECC error (log.txt:57)"));
  EXPECT_EQ(judged(seven, Hung{}, {ecc}).verdict, Verdict::hung);
  EXPECT_EQ(judged(seven, TimedOut{}, {timeout}).verdict, Verdict::timed_out);
  EXPECT_THAT(judged(seven, TimedOut{}, {timeout}).reason.english(), HasSubstr("NCCL time-out"));
  EXPECT_FALSE(judged(seven, TimedOut{}, {summary}).cause) << "what gate's own stopping made it say";
}

TEST(Blame, IsNotLookedForWhereGateWasStopped) {
  const Judgement judgement = judged(seven, Interrupted{15}, {timeout});
  EXPECT_EQ(ruling(judgement), "interrupted: interrupted by SIGTERM");
  EXPECT_FALSE(judgement.cause);
  EXPECT_EQ(judgement.problems.size(), 1U);
}

TEST(Blame, DoesNotHideARegression) {
  const Judgement judgement = judged(seven + " 8:11.00", Exited{1}, {ecc});
  EXPECT_EQ(judgement.verdict, Verdict::regressed);
  EXPECT_TRUE(judgement.cause);
}

TEST(Blame, OfASigkillNamesItsUsualSender) {
  EXPECT_EQ(ruling(judged(seven, Killed{9}, {})),
            "crashed: killed by SIGKILL, not by gate: usually by the kernel, out of host memory (see dmesg)");
  EXPECT_EQ(ruling(judged(seven, Exited{137}, {})),
            "crashed: exited 137: a process was killed by SIGKILL, usually by the kernel, out of host memory "
            "(see dmesg)");
  EXPECT_EQ(ruling(judged(seven, Killed{9}, {memory})),
            "crashed: killed by SIGKILL: CUDA out of memory (log.txt:57)");
  EXPECT_EQ(ruling(judged(seven, Exited{1}, {})), "crashed: exited 1");
}

}  // namespace
}  // namespace gate::judge::testing::blame_test
