// What is behind a check of a run: values, log lines, and what the case's history says.
#include "gate/stored/explain.h"

#include <gmock/gmock.h>

#include "gate/suite/history.h"
#include "made_up_host.h"

namespace gate::app::explain_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Explained : public MadeUpHost {
 protected:
  Suite suite() const {
    Answer<Suite> opened = open_suite({root, {}, {}});
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
    return std::move(*opened);
  }

  void a_red_run() {
    recorded("a");
    runner.plays("a", {{TrainingLog{.losses = {"2.500000E+00", "2.400000E+00", "2.320000E+00"}}.text()}});
    ASSERT_EQ(verdicts(ran()), "a regressed");
  }
};

TEST_F(Explained, TheChecksOfTheLatestRun) {
  a_red_run();
  const auto explained = explain(suite(), "a", "", "");
  ASSERT_TRUE(explained) << explained.error().message;
  EXPECT_EQ(explained->report.verdict, Verdict::regressed);
  const auto loss =
      std::ranges::find_if(explained->checks, [](const auto& one) { return one.check.metric == "lm_loss"; });
  ASSERT_NE(loss, explained->checks.end());
  ASSERT_EQ(loss->values.size(), 3U);
  EXPECT_EQ(loss->values[2].baseline, "2.300000");
  EXPECT_EQ(loss->values[2].actual, "2.320000");
  EXPECT_EQ(loss->values[2].delta, "+0.020000");
  EXPECT_EQ(loss->values[0].delta, "0.000000");
  EXPECT_THAT(loss->lines, Contains(HasSubstr("iteration 3/ 3")));
  EXPECT_EQ(explained->note, "");
}

TEST_F(Explained, OnlyTheRuleThatWasAskedFor) {
  a_red_run();
  const auto explained = explain(suite(), "a", "lm_loss", "");
  ASSERT_TRUE(explained) << explained.error().message;
  EXPECT_EQ(explained->checks.size(), 1U);
  const auto ungated = explain(suite(), "a", "throughput", "");
  ASSERT_TRUE(ungated) << ungated.error().message;
  EXPECT_THAT(ungated->checks, IsEmpty());
  EXPECT_EQ(ungated->ungated.size(), 1U);
}

TEST_F(Explained, OfABaselineThatIsAnotherByNowNoValueIsTold) {
  a_red_run();
  std::string other = get("baselines/cpu/a.json");
  other.replace(other.find("2.300000E+00"), 12, "2.200000E+00");
  put("baselines/cpu/a.json", other);
  const auto explained = explain(suite(), "a", "lm_loss", "");
  ASSERT_TRUE(explained) << explained.error().message;
  EXPECT_NE(explained->note, "");
  for (const ExplainedValue& value : explained->checks.at(0).values) EXPECT_EQ(value.baseline, "");
}

TEST_F(Explained, OfNoRunAWordOfSavedLogs) {
  EXPECT_THAT(explain(suite(), "a", "", "").error().message,
              HasSubstr("yet; start one with gate run; a saved log is explained by gate check -v"));
  a_red_run();
  EXPECT_THAT(explain(suite(), "a", "", "0101-0101").error().message, Not(HasSubstr("saved log")));
}

TEST_F(Explained, WhatIsNotThereIsSaid) {
  script("a");
  EXPECT_FALSE(explain(suite(), "a", "", "")) << "nothing ran";
  recorded("a");
  ran();
  EXPECT_FALSE(explain(suite(), "b", "", ""));
  EXPECT_FALSE(explain(suite(), "a", "", "9999-9999"));
  const auto unknown = explain(suite(), "a", "lm_los", "");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("lm_loss"));
  EXPECT_FALSE(explain(suite(), "a", "", "", CheckSource::shadow)) << "there is no second profile";
}

using Remembered = Explained;

TEST_F(Remembered, EveryRunIsAPointOfItsSeries) {
  a_red_run();
  runner.forget();
  ran();
  const auto found = trends(suite(), {});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->cases.size(), 1U);
  const CaseTrend& trend = found->cases.front();
  EXPECT_EQ(trend.history.name, "a");
  EXPECT_EQ(trend.counted, 2U);
  EXPECT_EQ(trend.green, 1U);
  const auto loss =
      std::ranges::find_if(trend.trends, [](const Trend& one) { return one.key.metric == "lm_loss"; });
  ASSERT_NE(loss, trend.trends.end());
  EXPECT_EQ(loss->values.size(), 2U);
  EXPECT_GT(loss->values[0], loss->values[1]);
}

TEST_F(Remembered, WordsAndPlatformsChoose) {
  a_red_run();
  EXPECT_EQ(trends(suite(), {.words = {"a"}, .platform = ""})->cases.size(), 1U);
  EXPECT_EQ(trends(suite(), {.words = {"*"}, .platform = "cpu"})->cases.size(), 1U);
  const auto unknown = trends(suite(), {.words = {"b"}, .platform = ""});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().exit_code, exit_code::usage);
}

TEST_F(Remembered, OfNoRunNothingIsTold) {
  const auto none = trends(suite(), {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().exit_code, exit_code::refused);
}

TEST_F(Remembered, OldRunsAreForgotten) {
  a_red_run();
  runner.forget();
  ran();
  EXPECT_EQ(prune_history(suite(), 1).value(), 2) << "the recording is remembered, too";
  EXPECT_EQ(trends(suite(), {})->cases.front().counted, 1U);
}

}  // namespace
}  // namespace gate::app::explain_test
