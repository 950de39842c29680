// Which check of a case comes first.
#include <gmock/gmock.h>

#include "judge/rules/weight.h"
#include "logs.h"

namespace gate::judge::testing::weight_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Rules of one metric each, all on four steps of 100.
const std::vector<std::string> metrics{"a", "b", "c", "d", "e", "f"};

// Return the checks in their order, and the reason, of a run of which each metric has these values; "-" is
// the baseline's.
Judgement judged_of(const std::vector<std::string>& tolerances, const std::vector<std::string>& values) {
  std::vector<Rule> rules;
  std::string reference, log;
  for (std::size_t i = 0; i < values.size(); ++i) {
    rules.push_back(rule(metrics[i], tolerances[i]));
    reference += flat(metrics[i], 1, 4, "100.00") + "\n";
    log += values[i] == "-"    ? flat(metrics[i], 1, 4, "100.00") + "\n"
           : values[i].empty() ? ""
                               : metrics[i] + " " + values[i] + "\n";
  }
  return judged(std::move(rules), reference, log);
}

std::vector<std::string> order(const Judgement& judgement) {
  std::vector<std::string> names;
  for (const Check& check : judgement.checks) names.push_back(check.metric);
  return names;
}

const std::string near_miss = "1:100.00 2:100.00 3:100.00 4:100.02";  // 2 tolerances of ±0.01
const std::string far_miss = "1:100.00 2:110.00 3:100.00 4:100.00";   // 1000

TEST(Weight, NotFiniteThenMissingThenTheFarthestOut) {
  const Judgement judgement = judged_of({"±0.01", "±0.01", "±0.01", "±0.01", "±0.01", "exact"},
                                        {"-", near_miss, far_miss, "", "1:100.00 2:100.00 3:100.00 4:nan",
                                         "1:100.00 2:100.00 3:100.00 4:101.00"});
  EXPECT_THAT(order(judgement), ElementsAre("e", "d", "f", "c", "b", "a"));
  EXPECT_EQ(judgement.verdict, Verdict::regressed);
  EXPECT_EQ(judgement.reason, "e step 4: nan, and 4 more checks");
}

TEST(Weight, IsCountedTowardsTheBadSide) {
  EXPECT_THAT(order(judged_of({"-5%", "+10%"},
                              {"1:100.00 2:100.00 3:100.00 4:94.00", "1:111.00 2:100.00 3:100.00 4:100.00"})),
              ElementsAre("a", "b"))
      << "6/5 and 11/10";
  EXPECT_THAT(order(judged_of({">= 90", "<= 100"},
                              {"1:100.00 2:100.00 3:100.00 4:80.00", "1:150.00 2:100.00 3:100.00 4:100.00"})),
              ElementsAre("b", "a"))
      << "a ninth and a half of the limit beyond it";
}

TEST(Weight, TiesGoByTheFirstStepThenAsTheRulesStand) {
  const std::string late = "1:100.00 2:100.00 3:100.00 4:101.00",
                    early = "1:100.00 2:101.00 3:100.00 4:100.00";
  EXPECT_THAT(order(judged_of({"±0.5", "±0.5", "±0.5"}, {late, early, early})), ElementsAre("b", "c", "a"));
}

TEST(Weight, OfARatioThatIsTheSameThatIsSaid) {
  const auto ratio = [](const std::string& log) {
    return checked(rule("lm_loss", "±0.01"), "lm_loss 1:10.46 2:9.98 3:9.51", "lm_loss " + log).remarks;
  };
  EXPECT_THAT(ratio("1:20.92 2:19.96 3:19.02"), have(remark::SameRatio{2}));
  EXPECT_THAT(ratio("1:20.92 2:19.96 3:19.05"), Not(have_any<remark::SameRatio>()));
  EXPECT_THAT(ratio("1:20.92 2:19.96"), Not(have_any<remark::SameRatio>())) << "of two nobody can tell";
  EXPECT_THAT(ratio("1:20.92 2:19.96 3:nan"), Not(have_any<remark::SameRatio>()));
}

}  // namespace
}  // namespace gate::judge::testing::weight_test
