#include "gate/model/numbers/guessed_metric.h"

#include <gtest/gtest.h>

namespace gate::guessed_metric_test {
namespace {

// `lm_loss accuracy none`, and the unit if there is one.
std::string guessed(const std::string& name, const std::string& unit = "") {
  const GuessedMetric guess = guess_metric(name, unit);
  std::string out = guess.metric.name + " " + std::string(to_string(guess.metric.kind)) + " " +
                    std::string(to_string(guess.metric.better));
  if (!guess.metric.unit.empty()) out += " " + guess.metric.unit;
  return out + (guess.is_progress ? " progress" : "");
}

TEST(GuessedMetric, TellsLossesApart) {
  EXPECT_EQ(guessed("Loss"), "lm_loss accuracy none");
  EXPECT_EQ(guessed("train/loss"), "lm_loss accuracy none");
  EXPECT_EQ(guessed("val_loss"), "validation_loss accuracy none");
  EXPECT_EQ(guessed("z_loss"), "z_loss accuracy none");
  EXPECT_EQ(guessed("loss_scale"), "loss_scale other none");
}

TEST(GuessedMetric, TellsTimesAndSpeedsOfEvaluations) {
  EXPECT_EQ(guessed("validation_time"), "validation_time speed lower");
  EXPECT_EQ(guessed("eval_tps"), "eval_tps speed higher");
  EXPECT_EQ(guessed("eval_acc_time"), "eval_acc_time accuracy higher");
  EXPECT_EQ(guessed("val"), "val accuracy none");
}

TEST(GuessedMetric, TellsKindAndBetterSideByWordsAndUnits) {
  EXPECT_EQ(guessed("acc"), "acc accuracy higher");
  EXPECT_EQ(guessed("accumulated"), "accumulated other none") << "whole words count";
  EXPECT_EQ(guessed("step_time", "ms"), "step_time speed lower ms");
  EXPECT_EQ(guessed("tok/s"), "tok_per_second speed higher tok/s");
  EXPECT_EQ(guessed("sec/it"), "sec_it speed lower sec/it");
  EXPECT_EQ(guessed("s/iter"), "s_iter speed lower s/iter");
  EXPECT_EQ(guessed("vram", "G"), "vram memory lower") << "31.2G is read as 31200000000";
  EXPECT_EQ(guessed("tokens_per_sec"), "tokens_per_sec speed higher");
  EXPECT_EQ(guessed("avail_mem", "GB"), "avail_mem memory higher GB");
  EXPECT_EQ(guessed("sec_per_step"), "sec_per_step speed lower");
  EXPECT_EQ(guessed("throughput", "ms/step"), "throughput speed lower ms/step");
  EXPECT_EQ(guessed("elapsed time per iteration"), "elapsed_time_per_iteration speed lower");
  EXPECT_EQ(guessed("epoch"), "epoch other none progress");
  EXPECT_EQ(guessed(""), "value other none");
}

TEST(GuessedMetric, TellsSpeedsWithoutASlash) {
  for (const std::string name :
       {"tokens_s", "toks", "samples_s", "tok_s", "tokens_per_s", "imgs_sec", "steps_per_sec", "sps"})
    EXPECT_EQ(guessed(name), name + " speed higher");
  EXPECT_EQ(guessed("steps/s"), "steps_per_second speed higher steps/s");
  EXPECT_EQ(guessed("tokens"), "tokens other none");
  EXPECT_EQ(guessed("step_s"), "step_s other none progress") << "of a step, or steps";
}

TEST(GuessedMetric, TellsMemoryByItsUnit) {
  EXPECT_EQ(guessed("hbm_gb"), "hbm_gb memory lower GB");
  EXPECT_EQ(guessed("peak_mib"), "peak_mib memory lower MiB");
  EXPECT_EQ(guessed("peak_mem"), "peak_mem memory lower");
  EXPECT_EQ(guessed("mem_gb", "MiB"), "mem_gb memory lower MiB") << "what is printed counts";
  EXPECT_EQ(guessed("mem_gb", "G"), "mem_gb memory lower") << "31.2G is read as 31200000000";
  EXPECT_EQ(guessed("peak", "GiB"), "peak memory lower GiB");
  EXPECT_EQ(guessed("free_gb"), "free_gb memory higher GB");
  EXPECT_EQ(guessed("bucket_size_mb"), "bucket_size_mb other none MB");
  EXPECT_EQ(guessed("read_gb_s"), "read_gb_s other none");
  EXPECT_EQ(guessed("gb"), "gb other none");
}

TEST(GuessedMetric, TakesCrossEntropiesForLosses) {
  for (const char* name : {"xent", "ce", "train/cross_entropy"})
    EXPECT_EQ(guess_metric(name, "").place, guess_metric("aux_loss", "").place) << name;
  EXPECT_EQ(guessed("xent"), "xent accuracy none");
  EXPECT_GT(guess_metric("entropy", "").place, guess_metric("xent", "").place);
}

TEST(GuessedMetric, PutsTheLossOfTheTrainingFirst) {
  EXPECT_LT(guess_metric("loss", "").place, guess_metric("aux_loss", "").place);
  EXPECT_LT(guess_metric("aux_loss", "").place, guess_metric("val_loss", "").place);
  EXPECT_LT(guess_metric("acc", "").place, guess_metric("avail_mem", "").place);
}

}  // namespace
}  // namespace gate::guessed_metric_test
