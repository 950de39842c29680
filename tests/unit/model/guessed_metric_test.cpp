#include "gate/model/guessed_metric.h"

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

TEST(GuessedMetric, PutsTheLossOfTheTrainingFirst) {
  EXPECT_LT(guess_metric("loss", "").place, guess_metric("aux_loss", "").place);
  EXPECT_LT(guess_metric("aux_loss", "").place, guess_metric("val_loss", "").place);
  EXPECT_LT(guess_metric("acc", "").place, guess_metric("avail_mem", "").place);
}

}  // namespace
}  // namespace gate::guessed_metric_test
