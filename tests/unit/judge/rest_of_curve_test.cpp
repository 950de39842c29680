// What is judged behind the steps that lm_loss compares.
#include <gmock/gmock.h>

#include "guarded.h"

namespace gate::judge::testing::rest_of_curve_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Return `lm_loss 1:V ...`: as many steps of 2.50 as lm_loss compares, and then steps of the value.
std::string curve(std::int64_t last, const std::string& end, const std::string& metric = "lm_loss") {
  return flat(metric, 1, 15, "2.50") + flat("", 16, last, end);
}

std::vector<std::string> outcomes(const Judgement& judgement) {
  std::vector<std::string> all;
  for (const Check& check : judgement.checks)
    all.push_back(check.rule + " " + std::string(to_string(check.status)));
  return all;
}

std::vector<std::string> judged_by(std::vector<Rule> rules, const std::string& reference,
                                   const std::string& log) {
  return outcomes(judged(std::move(rules), reference, log));
}

std::vector<std::string> judged_by_built_in(const std::string& reference, const std::string& log) {
  return judged_by(built_in_rules(), reference, log);
}

TEST(RestOfCurve, IsWorseWhereItsMeanIsHigherByMoreThanBothBounds) {
  const auto end_of = [](const std::string& before, const std::string& now) {
    std::vector<std::string> all = judged_by_built_in(curve(30, before), curve(30, now));
    return *std::ranges::find_if(all, [](const std::string& one) { return one.starts_with("lm_loss_end"); });
  };
  EXPECT_EQ(end_of("2.00", "2.10"), "lm_loss_end pass") << "5 % is within";
  EXPECT_EQ(end_of("2.00", "2.101"), "lm_loss_end fail");
  EXPECT_EQ(end_of("2.00", "4.00"), "lm_loss_end fail");
  EXPECT_EQ(end_of("2.00", "0.50"), "lm_loss_end pass") << "lower is better";
  EXPECT_EQ(end_of("0.02", "0.03"), "lm_loss_end pass") << "0.01 is within";
  EXPECT_EQ(end_of("0.02", "0.031"), "lm_loss_end fail");
}

TEST(RestOfCurve, IsTheMeanOfItsLastTenValues) {
  const std::string before = curve(40, "2.00");
  const std::string worse_between = curve(30, "9.00") + flat("", 31, 40, "2.00");
  EXPECT_THAT(judged_by_built_in(before, worse_between), ElementsAre("lm_loss pass", "lm_loss_end pass"));
  const std::string one_peak = curve(39, "2.00") + " 40:2.99";
  EXPECT_THAT(judged_by_built_in(before, one_peak), ElementsAre("lm_loss pass", "lm_loss_end pass"));
  const std::string higher_peak = curve(39, "2.00") + " 40:3.01";
  EXPECT_THAT(judged_by_built_in(before, higher_peak), ElementsAre("lm_loss_end fail", "lm_loss pass"));
}

TEST(RestOfCurve, IsAskedForWhereTheBaselineHas25Values) {
  EXPECT_THAT(judged_by_built_in(curve(24, "2.00"), curve(24, "4.00")), ElementsAre("lm_loss pass"));
  EXPECT_THAT(judged_by_built_in(curve(25, "2.00"), curve(25, "4.00")),
              ElementsAre("lm_loss_end fail", "lm_loss pass"));
  EXPECT_THAT(judged_by_built_in(curve(24, "2.00"), curve(25, "4.00")), ElementsAre("lm_loss pass"))
      << "it is the baseline that has them";
}

// Steps that are printed now and then are values as others are.
TEST(RestOfCurve, CountsValuesNotSteps) {
  std::string before = "lm_loss", now = "lm_loss";
  for (int step = 10; step <= 300; step += 10) {
    before += " " + std::to_string(step) + ":2.00";
    now += " " + std::to_string(step) + (step <= 150 ? ":2.00" : ":4.00");
  }
  EXPECT_THAT(judged_by_built_in(before, now), ElementsAre("lm_loss_end fail", "lm_loss pass"));
}

TEST(RestOfCurve, IsNotAskedForWhereAValueOfItsWindowIsNotAboveZero) {
  for (const std::string word : {"0", "-0.01", "nan"}) {
    const std::string before = curve(29, "2.00") + " 30:" + word;
    EXPECT_EQ(judged_by_built_in(before, curve(30, "4.00")).size(), 1U) << word;
    const std::string outside = curve(19, "2.00") + " 20:" + word + flat("", 21, 30, "2.00");
    EXPECT_EQ(judged_by_built_in(outside, curve(30, "4.00")).size(), 2U) << word;
  }
  EXPECT_THAT(judged_by_built_in(curve(30, "2.00"), curve(29, "2.00") + " 30:-1.00"),
              ElementsAre("lm_loss pass", "lm_loss_end pass"))
      << "of the run it is a value as others are";
}

// That it makes no check is told in result.json alone.
TEST(RestOfCurve, IsMissedByNobody) {
  const std::string before = curve(24, "2.00");
  Ask ask;
  ask.reference = baseline(before);
  ask.log = run(before);
  ask.strict = Strict::yes;
  ask.rules.resize(2);
  const Judgement judgement = ask.judge();
  EXPECT_EQ(judgement.verdict, Verdict::passed) << judgement.reason.english();
  ASSERT_EQ(judgement.ungated.size(), 1U);
  EXPECT_EQ(judgement.ungated[0].rule, "lm_loss_end");
  EXPECT_EQ(judgement.ungated[0].reason, Remark(remark::Plain::short_curve));
  EXPECT_TRUE(judgement.ungated[0].absent);
}

TEST(RestOfCurve, OfWhichGateTomlSpeaksIsUngatedWhereItIsNot) {
  std::vector<Rule> rules = built_in_rules();
  rules[1].is_built_in = false;
  const std::string before = curve(24, "2.00");
  EXPECT_FALSE(judged(rules, before, before).ungated.at(0).absent);
  rules[1].required = true;
  EXPECT_EQ(judged(rules, before, before).verdict, Verdict::unjudged);
}

TEST(RestOfCurve, GivesWayToARuleThatReachesBehindStep15) {
  const std::string before = curve(30, "2.00"), now = curve(30, "4.00");
  const auto beside = [&](const std::string& window, const std::string& metric = "lm_loss") {
    std::vector<Rule> rules = built_in_rules();
    rules.push_back(rule(metric, "±100", window));
    rules.back().name = "own";
    return judged_by(rules, before + "\n" + curve(30, "2.00", "grad_norm"),
                     now + "\n" + curve(30, "4.00", "grad_norm"));
  };
  for (const char* window : {"all", "first 16", "last 3", "10..16", "after 2", "step 16"})
    EXPECT_THAT(beside(window), ElementsAre("lm_loss pass", "own pass")) << window;
  for (const char* window : {"first 15", "3..15", "step 15"})
    EXPECT_THAT(beside(window), ElementsAre("lm_loss_end fail", "lm_loss pass", "own pass")) << window;
  EXPECT_THAT(beside("all", "grad_norm"), ElementsAre("lm_loss_end fail", "lm_loss pass", "own pass"));
}

TEST(RestOfCurve, GivesWayAsLongAsGateTomlSaysNothingOfIt) {
  std::vector<Rule> rules = built_in_rules();
  rules[1].is_built_in = false;
  rules.push_back(rule("lm_loss", "±100", "all"));
  EXPECT_THAT(judged_by(rules, curve(30, "2.00"), curve(30, "4.00")),
              ElementsAre("lm_loss_end fail", "lm_loss pass", "lm_loss pass"));
}

// What the run lacks of the curve is told once.
TEST(RestOfCurve, IsNoCheckWhereItsBeginningFailsForIt) {
  const std::string before = curve(30, "2.00");
  for (const std::string& now :
       {curve(22, "2.00"), curve(27, "2.00") + " 28:nan" + flat("", 29, 30, "2.00"),
        flat("lm_loss", 1, 2, "2.50") + " 3:nan" + flat("", 4, 15, "2.50") + flat("", 16, 30, "2.00"),
        std::string("grad_norm 1:1.0")}) {
    const Judgement judgement = judged(built_in_rules(), before, now);
    ASSERT_EQ(judgement.checks.size(), 1U) << now;
    EXPECT_NE(judgement.checks[0].status, CheckStatus::pass);
    EXPECT_EQ(judgement.ungated.at(0).rule, "lm_loss_end");
    EXPECT_TRUE(judgement.ungated.at(0).absent);
  }
  EXPECT_THAT(judged_by_built_in(before, curve(29, "4.00") + " 31:4.00"), ElementsAre("lm_loss missing"));
  std::vector<Rule> rules = built_in_rules();
  rules.erase(rules.begin());
  EXPECT_THAT(judged_by(rules, before, curve(22, "2.00")), ElementsAre("lm_loss_end missing"))
      << "nobody else says it";
}

// Every mutation of selftest is caught, and no lower value is one.
TEST(RestOfCurve, CanFail) {
  Guarded guarded;
  guarded.reference = baseline(wandering("lm_loss", 30, 1050, -5));
  const std::vector<Tried> results = guarded.tested();
  EXPECT_THAT(survivors(results), IsEmpty()) << all_texts(results);
  EXPECT_EQ(text_of(results, "beyond_all", "lm_loss_end").substr(0, 6), "caught");
}

}  // namespace
}  // namespace gate::judge::testing::rest_of_curve_test
