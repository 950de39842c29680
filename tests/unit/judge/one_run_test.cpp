// What the log says of its attempts decides before its values do.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::one_run_test {
namespace {

using ::testing::HasSubstr;

const std::string good = "lm_loss 1:2.5000 2:2.4000 3:2.3000";

Judgement judged(const Extraction& log, const std::vector<Rule>& rules, const std::string& golden,
                 Strict strict = Strict::no, Mode mode = Mode::series) {
  const MetricTable metrics;
  const Reference against = baseline(golden);
  return judge({rules, metrics, against, log, Exited{0}, "", mode, strict, std::nullopt, "2026-06-15"});
}

Judgement judged(const Extraction& log, Strict strict = Strict::no, Mode mode = Mode::series) {
  return judged(log, {rule("lm_loss", "±0.01")}, good, strict, mode);
}

TEST(OneRun, NothingIsJudgedWhereNobodyCanTellWhat) {
  Extraction log = run("");
  log.doubt = "lines 1-3 and lines 4-6 may be one attempt or two";
  EXPECT_EQ(judged(log).verdict, Verdict::unjudged);
  EXPECT_EQ(judged(log).reason, log.doubt);
  log = run("lm_loss 1:9.5000 2:2.4000 3:2.3000");
  EXPECT_EQ(judged(log).verdict, Verdict::regressed);
  log.doubt = "lines 1-3 and lines 4-6 may be one attempt or two";
  EXPECT_EQ(judged(log).verdict, Verdict::unjudged);
  EXPECT_EQ(judged(log, Strict::no, Mode::exit).verdict, Verdict::passed);
}

TEST(OneRun, AGatedMetricThatAnotherAttemptHoldsIsMissed) {
  Extraction log = run(good);
  log.lacked = {{"grad_norm", "has no grad_norm"}};
  EXPECT_EQ(judged(log).verdict, Verdict::passed) << judged(log).reason.english();
  log.lacked.push_back({"lm_loss", "its judged attempt has no lm_loss; attempt 1 has 20"});
  EXPECT_EQ(judged(log).verdict, Verdict::incomplete);
  EXPECT_EQ(judged(log).reason, "its judged attempt has no lm_loss; attempt 1 has 20");
  EXPECT_EQ(judged(log, Strict::no, Mode::exit).verdict, Verdict::passed);
}

TEST(OneRun, AGatedMetricThatWasPrintedWithFillersAloneIsNotJudged) {
  const std::string norms = "grad_norm 1:1.5000 2:1.4000";
  const Rule norm = rule("grad_norm", "±0.01"), loss = rule("lm_loss", "±0.01");
  Extraction log = run(norms);
  EXPECT_EQ(judged(log, {norm, loss}, norms).verdict, Verdict::passed);
  log.filled = {{"lm_loss", "lm_loss is -1 throughout"}};
  EXPECT_EQ(judged(log, {norm, loss}, norms).verdict, Verdict::unjudged);
  EXPECT_EQ(judged(log, {norm, loss}, norms).reason, "lm_loss is -1 throughout");
  EXPECT_EQ(judged(log, {norm}, norms).verdict, Verdict::passed) << "no rule asks for it";
  EXPECT_EQ(judged(log, {norm, loss}, norms, Strict::no, Mode::exit).verdict, Verdict::passed);
  EXPECT_EQ(judged(log, {norm, loss}, norms + "\n" + good).verdict, Verdict::incomplete);
  log = run("grad_norm 1:9.5000 2:1.4000");
  log.filled = {{"lm_loss", "lm_loss is -1 throughout"}};
  EXPECT_EQ(judged(log, {norm, loss}, norms).verdict, Verdict::regressed);
}

TEST(OneRun, ARestartIsNotJudgedWhereRulesAreStrict) {
  Extraction log = run(good);
  log.problems = {{ProblemKind::restart, "train.log", 7, "step 1 after step 3: attempt 2 begins"}};
  EXPECT_EQ(judged(log).verdict, Verdict::passed) << judged(log).reason.english();
  EXPECT_EQ(judged(log, Strict::yes).verdict, Verdict::unjudged);
  EXPECT_EQ(judged(log, Strict::yes).reason, "line 7: step 1 after step 3: attempt 2 begins (strict)");
}

TEST(OneRun, ARestartBehindAFailureIsNotJudged) {
  Extraction log = run(good);
  log.problems = {{ProblemKind::restart, "train.log", 7, "step 1 after step 3: attempt 2 begins"}};
  log.attempts.resize(2);
  for (Attempt& attempt : log.attempts) attempt.file = "train.log";
  log.attempts[0].first_line = 1;
  log.attempts[1].first_line = 7;
  KnownMessage message{.name = "traceback", .weight = MessageWeight::symptom, .what = "boom"};
  message.file = "train.log";
  message.line = 5;
  log.messages = {message};
  EXPECT_EQ(judged(log).verdict, Verdict::unjudged);
  EXPECT_EQ(judged(log).reason,
            "line 7: step 1 after step 3: attempt 2 begins, behind a failure; restarts = true allows it; the "
            "log says: boom (train.log:5)");
  log.messages[0].line = 8;
  EXPECT_EQ(judged(log).verdict, Verdict::passed) << "of the last attempt";
  log.messages[0].line = 5;
  log.messages[0].weight = MessageWeight::hint;
  EXPECT_EQ(judged(log).verdict, Verdict::passed) << "it may be harmless";
  log.messages[0].weight = MessageWeight::symptom;
  log.problems.clear();
  EXPECT_EQ(judged(log).verdict, Verdict::passed) << "restarts = true";
}

}  // namespace
}  // namespace gate::judge::testing::one_run_test
