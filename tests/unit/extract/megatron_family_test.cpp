// Longer logs of Megatron's relatives, read without naming the format.
#include <gmock/gmock.h>

#include "reading.h"

namespace gate::extract::megatron_family_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Extraction read_samples(const std::vector<std::string>& names) {
  Extractor extractor = make();
  for (const std::string& name : names) {
    extractor.begin_file(name);
    extractor.feed(file_text(GATE_SOURCE_DIR "/tests/logs/" + name));
  }
  return extractor.finish();
}

// `6 numbers, 1=... to 6=...`, or `no series`.
std::string ends(const Extraction& x, std::string_view metric, std::optional<int> rank = {}) {
  const Series* series = find_series(x.series, metric, rank);
  if (series == nullptr) return "no series";
  const SampleTape& samples = series->samples();
  return std::to_string(samples.size()) + " numbers, " + word(samples.front()) + " to " +
         word(samples.back());
}

std::string canonical(const Extraction& x, std::string_view metric, std::optional<int> rank = {}) {
  const Series* series = find_series(x.series, metric, rank);
  return series == nullptr ? "no series" : series->samples().front().value.number.to_string();
}

TEST(Families, megatron_deepspeed_with_equals_signs) {
  const Extraction x = read_samples({"megatron/equals.log"});
  EXPECT_THAT(x.formats, ElementsAre("megatron"));
  EXPECT_EQ(ends(x, "lm_loss"), "6 numbers, 1=11.750000 to 6=10.500000");
  EXPECT_EQ(ends(x, "grad_norm"), "6 numbers, 1=1.001 to 6=1.006");
  EXPECT_EQ(ends(x, "throughput"), "6 numbers, 1=49.01 to 6=49.06");
  EXPECT_EQ(ends(x, "tokens_per_second"), "6 numbers, 1=2731.000 to 6=2736.000");
  EXPECT_EQ(ends(x, "iteration_time"), "6 numbers, 1=1501.0 to 6=1506.0");
  EXPECT_EQ(ends(x, "validation_loss"), "1 numbers, 6=9.500000E+00 to 6=9.500000E+00");
  EXPECT_EQ(words(x, "memory_max_allocated", 0), "1=2000.5");
  EXPECT_THAT(problems(x, ProblemKind::left_out),
              ElementsAre("23: step 5: no lm loss printed, grad norm nan"));
  EXPECT_EQ(x.problems.size(), 2U);
}

TEST(Families, mindspeed_fsdp2_monitor) {
  const Extraction x = read_samples({"mindspeed-fsdp2/monitor.log"});
  EXPECT_THAT(x.formats, ElementsAre("mindspeed-fsdp2"));
  EXPECT_EQ(ends(x, "lm_loss"), "6 numbers, 1=1.937500E+00 to 6=1.625000E+00");
  EXPECT_EQ(ends(x, "tokens_per_second"), "6 numbers, 1=21001.00 to 6=21006.00");
  EXPECT_EQ(ends(x, "mfu"), "6 numbers, 1=31.01 to 6=31.06");
  EXPECT_EQ(ends(x, "memory_max_allocated"), "6 numbers, 1=19.01 to 6=19.06");
  EXPECT_EQ(canonical(x, "memory_max_allocated"), "19466.24");
  EXPECT_THAT(problems(x, ProblemKind::left_out),
              ElementsAre("13: step 2: no max_memory_allocated(GB) and max_memory_reserved(GB) printed",
                          "14: step 3: no lm loss printed"));
  EXPECT_EQ(x.problems.size(), 2U);
  EXPECT_EQ(x.total, 6);
}

TEST(Families, mindspeed_mm_pretraining) {
  const Extraction x = read_samples({"mindspeed-mm/pretrain.log"});
  EXPECT_THAT(x.formats, ElementsAre("mindspeed-mm"));
  EXPECT_EQ(ends(x, "lm_loss"), "6 numbers, 1=9.750000E+00 to 6=8.500000E+00");
  EXPECT_EQ(ends(x, "iteration_time"), "6 numbers, 1=1201.0 to 6=1206.0");
  EXPECT_EQ(words(x, "memory_allocated", 1), "1=1001.5");
  EXPECT_EQ(words(x, "validation_loss"), "6=8.250000E+00");
  EXPECT_THAT(problems(x, ProblemKind::left_out),
              ElementsAre("17: step 4: no loss printed, grad norm nan, number of skipped iterations 1"));
  EXPECT_THAT(problems(x, ProblemKind::merged), ElementsAre("13: 2 records on one line"));
  EXPECT_EQ(x.problems.size(), 4U);
}

TEST(Families, what_contains_megatron_begins_with_what_megatron_read) {
  const auto line = [](int step, const std::string& loss) {
    return " iteration " + std::to_string(step) + "/ 4 | " + loss + " 1.2" + std::to_string(step) +
           "E+00 | grad norm: 1.0 |\n";
  };
  const Extraction x =
      read_log(line(1, "lm loss:") + line(2, "lm loss:") + line(3, "loss:") + line(4, "loss:"));
  EXPECT_THAT(x.formats, ElementsAre("mindspeed-mm"));
  EXPECT_EQ(ends(x, "lm_loss"), "4 numbers, 1=1.21E+00 to 4=1.24E+00");
  EXPECT_EQ(ends(x, "grad_norm"), "4 numbers, 1=1.0 to 4=1.0");
}

TEST(Families, mindspeed_mm_generator_and_discriminator_leave_nothing_out) {
  const Extraction x = read_log(
      " iteration 1/ 4 | generator     loss: 1.5 | loss scale: 1.0 |\n"
      " iteration 2/ 4 | discriminator loss: 0.7 | loss scale: 1.0 |\n"
      " iteration 3/ 4 | generator     loss: 1.4 | loss scale: 1.0 |\n"
      " iteration 4/ 4 | discriminator loss: 0.6 | loss scale: 1.0 |\n");
  EXPECT_THAT(x.formats, ElementsAre("mindspeed-mm"));
  EXPECT_EQ(words(x, "lm_loss"), "1=1.5 3=1.4");
  EXPECT_EQ(words(x, "discriminator_loss"), "2=0.7 4=0.6");
  EXPECT_EQ(words(x, "loss_scale"), "1=1.0 2=1.0 3=1.0 4=1.0");
  EXPECT_EQ(x.attempts.size(), 1U);
  EXPECT_THAT(x.problems, IsEmpty());
}

TEST(Families, mindspeed_rl_grpo) {
  const Extraction x = read_samples({"mindspeed-rl/grpo.log"});
  EXPECT_THAT(x.formats, ElementsAre("mindspeed-rl"));
  EXPECT_EQ(ends(x, "policy_loss"), "6 numbers, 1=-0.0100 to 6=0.0400");
  EXPECT_EQ(ends(x, "kl"), "6 numbers, 1=0.0001 to 6=0.0006");
  EXPECT_EQ(ends(x, "reward"), "6 numbers, 1=0.2750 to 6=0.4000");
  EXPECT_EQ(ends(x, "tokens_per_second"), "6 numbers, 1=220.2500 to 6=221.5000");
  EXPECT_EQ(canonical(x, "iteration_time"), "60250.0000");
  EXPECT_EQ(x.total, 6);
  EXPECT_THAT(x.problems, IsEmpty());
}

TEST(Families, mindformers_files_of_two_ranks) {
  const Extraction x = read_samples({"mindformers/worker_0.log", "mindformers/worker_1.log"});
  EXPECT_THAT(x.formats, ElementsAre("mindformers"));
  EXPECT_EQ(ends(x, "lm_loss"), "8 numbers, 1=10.875 to 8=10.000");
  EXPECT_EQ(ends(x, "throughput", 1), "8 numbers, 1=171.125T to 8=172.000T");
  EXPECT_EQ(canonical(x, "throughput", 1), "171.125");
  EXPECT_EQ(ends(x, "samples_per_second", 0), "8 numbers, 1=0.58000 to 8=0.65000");
  EXPECT_EQ(ends(x, "iteration_time", 0), "8 numbers, 1=103328ms to 8=1758ms");
  EXPECT_EQ(ends(x, "grad_norm"), "7 numbers, 1=43.750000 to 8=42.000000");
  EXPECT_EQ(x.attempts.size(), 1U);
  EXPECT_EQ(x.total, 8);
  EXPECT_THAT(problems(x, ProblemKind::malformed),
              ElementsAre("6: step 2 rank 0: global_norm `1 508834` is no number",
                          "6: step 2 rank 1: global_norm `1 508834` is no number"));
}

TEST(Families, mindformers_steps_that_cannot_be_numbered_through) {
  const Extraction x = read_log(
      "INFO - { Epoch:[  0/  2], step:[    1/   19], loss: 10.5, per_step_time: 5ms\n"
      "INFO - { Epoch:[9223372036854775807/ 2], step:[  1/9223372036854775807], loss: 10.5\n");
  EXPECT_THAT(problems(x, ProblemKind::malformed),
              ElementsAre("1: epoch 0, where epochs count from 1",
                          "2: step 1 of an epoch cannot be numbered through"));
  EXPECT_THAT(x.series, IsEmpty());
}

}  // namespace
}  // namespace gate::extract::megatron_family_test
