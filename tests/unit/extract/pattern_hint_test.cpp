#include "extract/scan/line_shapes.h"

#include <gmock/gmock.h>

#include "reading.h"

namespace gate::extract::pattern_hint_test {
namespace {

// What the pattern for the line reads out of it: `lm_loss 10=2.31`.
std::string read(const std::string& line, const std::string& header = "") {
  const std::optional<PatternHint> hint = hint_for(line, header);
  if (!hint) return "nothing";
  Options options;
  options.patterns = {{hint->metric, hint->pattern}};
  options.formats = {"megatron"};
  if (!hint->has_step()) {
    Metric metric = options.metrics.get(hint->metric);
    metric.numbered = Numbering::report;
    options.metrics.put(metric);
  }
  return hint->metric + " " + words(read_log(line + "\n", options), hint->metric);
}

TEST(PatternHint, ReadsNamesBeforeNumbers) {
  EXPECT_EQ(read("epoch 1 step 10: loss=2.31 acc=0.5"), "lm_loss 10=2.31");
  EXPECT_EQ(read("loss 2.31 at iter 7"), "lm_loss 7=2.31");
  EXPECT_EQ(read("{'loss': 2.31e+00, 'step': 3}"), "lm_loss 3=2.31e+00");
  EXPECT_EQ(read("Iteration 5 | loss -> -0.5 |"), "lm_loss 5=-0.5");
  EXPECT_EQ(read("step 4 train/loss: nan"), "lm_loss 4=nan");
}

TEST(PatternHint, ReadsStepsWithoutAName) {
  EXPECT_EQ(read("[10/100] train_loss 2.3 (2.4) lr 1e-4"), "lm_loss 10=2.3");
  EXPECT_EQ(read("train 10/100 loss=2.3"), "lm_loss 10=2.3");
  EXPECT_EQ(read("epoch 3 loss 2.5"), "lm_loss 3=2.5");
  EXPECT_EQ(read("loss 2.5"), "lm_loss 1=2.5");
}

TEST(PatternHint, PrefersTheLossOfTheTraining) {
  EXPECT_EQ(read("step 1 loss_scale 65536.0 val_loss 9.5 loss 2.5"), "lm_loss 1=2.5");
  EXPECT_EQ(read("step 1 loss 2.5 val_loss 9.5"), "lm_loss 1=2.5");
  EXPECT_EQ(read("step 1 val_loss 9.5"), "validation_loss 1=9.5");
  EXPECT_EQ(read("it=1 hbm_gb=31.25 tokens_s=24208 xent=4.5"), "xent 1=4.5");
  EXPECT_EQ(read("it=1 hbm_gb=31.25 entropy=1.5 cross_entropy=4.5"), "cross_entropy 1=4.5");
  EXPECT_EQ(read("step 1 reward/mean 0.5"), "reward_mean 1=0.5");
}

TEST(PatternHint, ReadsTheRankWhereItIsCalledSo) {
  const auto ranked = [](const std::string& line) {
    return hint_for(line, "step rank loss")->pattern.find("(?P<rank>") != std::string::npos;
  };
  EXPECT_TRUE(ranked("[rank1] it=7 loss=2.5"));
  EXPECT_TRUE(ranked("7 1 2.5"));
  EXPECT_FALSE(ranked("gpu 1 it=7 loss=2.5"));
}

TEST(PatternHint, ReadsTables) {
  EXPECT_EQ(read("| 1 | 8 | 9.5 | 2.31 |", "| epoch | step | val_loss | loss |"), "lm_loss 8=2.31");
  EXPECT_EQ(read("3 9.5 2.31", "epoch acc loss"), "lm_loss 3=2.31");
  EXPECT_EQ(read("8 9.5 2.31", "step acc loss"), "lm_loss 8=2.31");
  EXPECT_EQ(read("8,9.5,2.31", "step,acc,bleu"), "acc 8=9.5");
  EXPECT_EQ(read("8 9.5 2.31"), "value 8=9.5");
  EXPECT_EQ(read("0: 8 9.5 2.31", "step acc loss"), "lm_loss 8=2.31");
}

TEST(PatternHint, KnowsRowsAndHeaders) {
  EXPECT_TRUE(is_row("| 1 | 2.5 |"));
  EXPECT_FALSE(is_row("12"));
  EXPECT_FALSE(is_row("step 1"));
  EXPECT_TRUE(is_header("step | loss"));
  EXPECT_FALSE(is_header("|---|---|"));
  EXPECT_FALSE(is_header("loss"));
}

TEST(PatternHint, HasNothingForOtherLines) {
  EXPECT_EQ(read("took 12 s"), "nothing");
  EXPECT_EQ(read(""), "nothing");
  EXPECT_EQ(read("1 2 3"), "nothing");
}

}  // namespace
}  // namespace gate::extract::pattern_hint_test
