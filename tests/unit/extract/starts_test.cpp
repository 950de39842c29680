// A script that was started again: what a further start prints is no line, no step and no cause of the first.
#include <gmock/gmock.h>

#include "reading.h"

namespace gate::extract::starts_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string step(int number, const std::string& loss, const std::string& time = "500.0") {
  return " iteration " + std::to_string(number) + "/ 5 | elapsed time per iteration (ms): " + time +
         " | lm loss: " + loss + " | number of nan iterations:   0 |\n";
}

Extraction read_starts(const std::string& first, const std::string& second, Options options = {}) {
  options.restarts = true;
  Extractor extractor = make(std::move(options));
  extractor.begin_file("train.log");
  extractor.feed(first);
  extractor.begin_start();
  extractor.feed(second);
  return extractor.finish();
}

TEST(Starts, TheLastStepAgainIsNoConflict) {
  const Extraction x = read_starts(step(1, "2.5") + step(2, "2.4"), step(2, "2.4", "501.0") + step(3, "2.3"));
  EXPECT_EQ(words(x, "lm_loss"), "1=2.5 2=2.4 3=2.3");
  EXPECT_EQ(words(x, "iteration_time"), "1=500.0 2=501.0 3=500.0");
  EXPECT_THAT(problems(x, ProblemKind::conflict), IsEmpty());
  EXPECT_EQ(x.attempts.size(), 2U);
}

TEST(Starts, WhatGoesOnBehindTheLastStepIsTheSameAttempt) {
  const Extraction x = read_starts(step(1, "2.5"), step(2, "2.4"));
  EXPECT_EQ(words(x, "lm_loss"), "1=2.5 2=2.4");
  EXPECT_EQ(x.attempts.size(), 1U);
}

// Wherever the first start was killed in a line, no value of it is wrong, and the next line is whole.
TEST(Starts, ALineThatWasCutOffIsNoBeginningOfTheNext) {
  const std::string line = step(2, "2.400000E+00");
  for (std::size_t at = 0; at < line.size(); ++at) {
    const Extraction x = read_starts(step(1, "2.5") + line.substr(0, at), step(3, "2.3"));
    ASSERT_THAT(words(x, "lm_loss"),
                testing::AnyOf("1=2.5 3=2.3", "1=2.5 2=2.400000E+00 3=2.3", "1=2.5 2=left_out 3=2.3"))
        << at;
    ASSERT_EQ(x.lines, at == 0 ? 2 : 3) << at;
  }
}

TEST(Starts, OneCutWordIsNoValueWhereNothingEndsIt) {
  Options options;
  options.patterns = {{"lm_loss", R"(step (?P<step>\d+) loss (?P<value>\S+))"}};
  options.formats = {"none"};
  const Extraction x = read_starts("step 1 loss 2.5\nstep 2 lo", "step 2 loss 2.4\n", std::move(options));
  EXPECT_EQ(words(x, "lm_loss"), "1=2.5 2=2.4");
}

TEST(Starts, WhatTheFirstSaidOfItsEndIsNoCauseOfTheSecond) {
  const std::string death = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n";
  EXPECT_EQ(read_log(step(1, "2.5") + death).messages.size(), 1U);
  EXPECT_THAT(read_starts(step(1, "2.5") + death, step(2, "2.4")).messages, IsEmpty());
  EXPECT_EQ(read_starts(step(1, "2.5") + death, step(2, "2.4") + death).messages.size(), 1U);
}

TEST(Starts, StepsThatNobodyPrintsAreCountedAgain) {
  const auto line = [](const std::string& loss, const std::string& epoch) {
    return "{'loss': " + loss + ", 'grad_norm': 1.0, 'learning_rate': 1e-05, 'epoch': " + epoch + "}\n";
  };
  const std::string first = line("2.5", "0.25") + line("2.4", "0.5"), second = line("2.3", "0.5");
  EXPECT_EQ(words(read_log(first + second), "lm_loss"), "1=2.5 2=2.4 3=2.3");
  EXPECT_EQ(words(read_starts(first, second), "lm_loss"), "1=2.5 2=2.3") << "at the epoch that it was at";
}

}  // namespace
}  // namespace gate::extract::starts_test
