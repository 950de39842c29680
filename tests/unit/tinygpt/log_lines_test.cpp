#include "trainer/log_lines.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <limits>
#include <system_error>

namespace tinygpt::log_lines_test {
namespace {

IterationRecord some_record() {
  IterationRecord r;
  r.iteration = 12;
  r.iterations = 30;
  r.consumed_samples = 96;
  r.elapsed_ms = 33.70649;
  r.tflops = 0.0053204;
  r.learning_rate = 0.0021;
  r.global_batch = 8;
  r.loss = 2.3395678;
  r.grad_norm = 1.2536;
  return r;
}

// Without the time of day, which depends on the zone.
std::string after_time(const std::string& line) { return line.substr(line.find(']') + 1); }

TEST(LogLines, IterationIsMegatrons) {
  EXPECT_EQ(
      after_time(iteration_line(some_record())),
      " iteration       12/      30 | consumed samples:           96 | elapsed time per iteration (ms): "
      "33.706 "
      "| throughput per GPU (TFLOP/s/GPU): 0.005320 | learning rate: 2.100000E-03 | global batch size:     8 "
      "| "
      "lm loss: 2.339568E+00 | loss scale: 1.0 | grad norm: 1.254 | number of skipped iterations:   0 | "
      "number of nan iterations:   0 |");
}

TEST(LogLines, IterationBeginsWithBlankAndTime) {
  const IterationRecord r = some_record();
  EXPECT_EQ(iteration_line(r).find(" [" + timestamp(r.time) + "] iteration "), 0u);
}

TEST(LogLines, NanLossLeavesItsFieldOut) {
  IterationRecord r = some_record();
  r.loss = r.grad_norm = -std::numeric_limits<double>::quiet_NaN();
  r.skipped = r.nan = 1;
  EXPECT_NE(iteration_line(r).find("global batch size:     8 | loss scale: 1.0 | grad norm: nan | number of "
                                   "skipped iterations:   1 | number of nan iterations:   1 |"),
            std::string::npos);
}

TEST(LogLines, Memory) {
  const MemoryStatus status{3 << 19, 5 << 20, 6 << 20, 8 << 20};
  EXPECT_EQ(
      memory_line(1, 2, status),
      "[Rank 1] (after 2 iterations) memory (MB) | allocated: 1.50 | max allocated: 5.00 | reserved: 6.00 | "
      "max reserved: 8.00");
}

TEST(LogLines, Validation) {
  EXPECT_EQ(validation_line(30, 2.0),
            " validation loss at iteration 30 | lm loss value: 2.000000E+00 | lm loss PPL: 7.389056E+00 |");
}

TEST(LogLines, CheckpointsAreMegatrons) {
  EXPECT_EQ(saving_line(20, "/ckpt"), "saving checkpoint at iteration      20 to /ckpt");
  EXPECT_EQ(saved_line(20, "/ckpt"), "  successfully saved checkpoint from iteration      20 to /ckpt");
  EXPECT_EQ(loading_line(20, "/ckpt"), " loading checkpoint from /ckpt at iteration 20");
  EXPECT_EQ(loaded_line(20, "/ckpt"),
            "  successfully loaded checkpoint from /ckpt [ t 0, p 0 ] at iteration 20");
  EXPECT_EQ(nothing_to_load("/ckpt/latest.txt"),
            "WARNING: could not find the metadata file /ckpt/latest.txt \n"
            "    will not load any checkpoints and will start from random");
}

// The day, hour and minute depend on the zone.
TEST(LogLines, TimestampHasMicroseconds) {
  const Time time{std::chrono::microseconds(1'774'543'000'000'042)};
  const std::string text = timestamp(time);
  EXPECT_EQ(text.substr(0, 9), "2026-03-2");
  EXPECT_EQ(text.substr(16), ":40.000042");
  EXPECT_EQ(datetime_line("after training is done", time),
            "[after training is done] datetime: " + text + " ");
}

TEST(LogLines, WriteThatFailsThrows) { EXPECT_THROW(write_line(-1, "lost"), std::system_error); }

}  // namespace
}  // namespace tinygpt::log_lines_test
