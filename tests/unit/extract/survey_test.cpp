#include "gate/extract/survey.h"

#include <gtest/gtest.h>

namespace gate::extract::survey_test {
namespace {

// The metrics of the likeliest reading and their words: `10: lm_loss 2.31, acc 0.5`.
std::string surveyed(const std::string& log) {
  const std::optional<LineSurvey> survey = survey_lines(log);
  if (!survey) return "nothing";
  std::string out = survey->readings.front().step + ":";
  for (const SurveyedMetric& metric : survey->readings.front().metrics)
    out += " " + metric.guess.metric.name + " " + metric.word;
  return out;
}

TEST(Survey, ReadsEveryNumberWithAName) {
  EXPECT_EQ(surveyed("step 10: loss=2.31 acc=0.5\nstep 11: loss=2.30 acc=0.6\n"), "10: lm_loss 2.31 acc 0.5");
  EXPECT_EQ(surveyed("iter 1 | elapsed time (ms): 312.5 | lm loss: 2.5E+00 |\n"),
            "1: elapsed_time 312.5 lm_loss 2.5E+00");
  EXPECT_EQ(surveyed("step 1 | loss 2.5 | 1234.5 tok/s | 312 ms\n"),
            "1: lm_loss 2.5 tok_per_second 1234.5 time 312");
}

TEST(Survey, HasTheUnitOfTheValueThatIsRead) {
  const auto unit_of = [](const std::string& number) {
    return survey_lines("step 1 loss=2.5 mem=" + number + "\n")
        ->readings.front()
        .metrics.back()
        .guess.metric.unit;
  };
  EXPECT_EQ(unit_of("23.1GiB"), "MiB");
  EXPECT_EQ(unit_of("1,024.5GB"), "MiB");
  EXPECT_EQ(unit_of("23.1 GiB"), "GiB");
  EXPECT_EQ(unit_of("23.1TB"), "TB");
}

// The ranks and steps of the readings, in their order, ! behind a rank that is called so.
std::string places(const std::string& log) {
  const std::optional<LineSurvey> survey = survey_lines(log);
  std::string out;
  for (const LineReading& reading : survey->readings)
    out += (out.empty() ? "" : " ") + reading.rank + (reading.is_rank_named ? "!" : "") + "/" + reading.step;
  return out;
}

TEST(Survey, ReadsTheRankOfALine) {
  EXPECT_EQ(places("10:00:01 [rank3] it=7 loss=4.3\n"), "3!/7 /7 3!/ /");
  EXPECT_EQ(places("rank 3 | step 7 | loss 4.3\n"), "3!/7 /7 3!/ /");
  EXPECT_EQ(places("step=7 loss=4.3 local_rank=3\n"), "3!/7 /7 3!/ /");
  EXPECT_EQ(places("rank3: step 7 loss 4.3\n"), "3!/7 /7 3!/ /");
  EXPECT_EQ(places("host: [default3]: step 7 loss 4.3\n"), "3!/7 /7 3!/ /");
  EXPECT_EQ(places("| step | rank | loss |\n| 7 | 3 | 4.3 |\n"), "3!/7 /7");
}

TEST(Survey, TakesANumberOfAnotherNameForARankThatMayBe) {
  EXPECT_EQ(places("gpu 3 step 7 loss 4.3\n"), "3/7 /7 3/ /");
  EXPECT_EQ(places("[3] step 7 loss 4.3\n"), "3/7 /7 3/ /");
  EXPECT_EQ(places("3: step 7 loss 4.3\n"), "3/7 /7 3/ /");
  EXPECT_EQ(places("| step | worker_id | loss |\n| 7 | 3 | 4.3 |\n"), "3/7 /7");
  EXPECT_EQ(places("step 7 gpu 45.5 gpu_mem 3 loss 4.3\n"), "/7 /");
}

TEST(Survey, MeasuresNoRank) {
  EXPECT_EQ(surveyed("rank0 loss=4.3 it=7 local_rank=0\n"), "7: lm_loss 4.3");
  EXPECT_EQ(surveyed("| step | rank | loss |\n| 7 | 3 | 4.3 |\n"), "7: lm_loss 4.3");
  EXPECT_EQ(survey_lines("| step | rank | loss |\n| 7 | 3 | 4.3 |\n")->readings.back().metrics.size(), 1);
}

TEST(Survey, LeavesOutDatesTotalsAndMeansInParentheses) {
  EXPECT_EQ(surveyed("2026-01-02 10:11:12 [10/100] loss 2.3 (2.4) top-5 0.5\n"), "10: lm_loss 2.3 top_5 0.5");
}

TEST(Survey, TakesLinesWithALossBeforeCommonerOnes) {
  EXPECT_EQ(surveyed("step 1 mem 3.5\nstep 2 mem 3.5\nstep 3 mem 3.5\nstep 1 loss 2.5\nstep 2 loss 2.25\n"),
            "1: lm_loss 2.5");
}

TEST(Survey, KnowsABarThatIsDrawnOverAndOver) {
  EXPECT_TRUE(survey_lines("\r 1/3 loss=2.5\r 2/3 loss=2.4\n")->is_drawn);
  EXPECT_FALSE(survey_lines("step 1 loss 2.5\r\nstep 2 loss 2.4\r\n")->is_drawn);
}

TEST(Survey, HasALastReadingThatCountsLines) {
  const auto survey = survey_lines("step 1 loss 2.5\nstep 2 loss 2.4\n");
  EXPECT_EQ(survey->readings.back().step, "");
  EXPECT_EQ(survey->readings.back().metrics.front().pattern.find("step"), std::string::npos);
}

TEST(Survey, SaysNothingOfWords) { EXPECT_EQ(surveyed("hello\nworld\n"), "nothing"); }

}  // namespace
}  // namespace gate::extract::survey_test
