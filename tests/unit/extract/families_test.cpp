// Whole logs of each framework, found out from their content.
#include <gmock/gmock.h>

#include "reading.h"

namespace gate::extract {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Extraction read_family(const std::string& name, Options options = {}) {
  return read_log(file_text(GATE_SOURCE_DIR "/tests/logs/" + name), std::move(options));
}

// `lm_loss 6 samples, 1=8.25 to 6=7.00 (7.00)`: how many, the first and the last word, the last value in the
// metric's unit.
std::vector<std::string> summary(const Extraction& extraction) {
  std::vector<std::string> lines;
  for (const Series& series : extraction.series)
    lines.push_back(label(series) + " " + std::to_string(series.size()) + " samples, " +
                    word(series.samples().front()) + " to " + word(series.samples().back()) + " (" +
                    series.samples().back().value.number.to_string() + ")");
  return lines;
}

std::vector<std::string> all_problems(const Extraction& extraction) {
  std::vector<std::string> lines;
  for (const Problem& problem : extraction.problems)
    lines.push_back(std::string(to_string(problem.kind)) + " " + std::to_string(problem.line) + ": " +
                    problem.text);
  return lines;
}

TEST(Families, torchtitan_two_ranks_with_colours) {
  const Extraction x = read_family("torchtitan/two_ranks.log");
  EXPECT_THAT(x.formats, ElementsAre("torchtitan"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_THAT(
      summary(x),
      ElementsAre(
          "lm_loss 6 samples, 1=8.25000 to 6=7.00000 (7.00000)",
          "validation_loss 1 samples, 3=7.9000 to 3=7.9000 (7.9000)",
          "grad_norm 6 samples, 1=0.8100 to 6=0.8600 (0.8600)",
          "throughput rank 0 6 samples, 1=41.50 to 6=46.50 (46.50)",
          "throughput rank 1 6 samples, 1=41.50 to 6=46.50 (46.50)",
          "tokens_per_second rank 0 6 samples, 1=7,100 to 6=7,600 (7600)",
          "tokens_per_second rank 1 6 samples, 1=7,101 to 6=7,601 (7601)",
          "mfu rank 0 6 samples, 1=18.10% to 6=23.10% (23.10)",
          "mfu rank 1 6 samples, 1=18.10% to 6=23.10% (23.10)",
          "memory_max_reserved rank 0 6 samples, 1=9.46GiB(11.83%) to 6=9.46GiB(11.83%) (9687.04)",
          "memory_max_reserved rank 1 6 samples, 1=10.46GiB(13.08%) to 6=10.46GiB(13.08%) (10711.04)"));
}

TEST(Families, torchtitan_pipeline_stages_and_lines_that_run_into_each_other) {
  const Extraction x = read_family("torchtitan/stages.log");
  EXPECT_THAT(x.formats, ElementsAre("torchtitan"));
  EXPECT_THAT(all_problems(x), ElementsAre("conflict 9: step 1: lm_loss printed as -1.00000 and as 8.25000; "
                                           "metrics.lm_loss.pick says which is meant",
                                           "conflict 11: step 2: lm_loss printed as -1.00000 and as 8.00000; "
                                           "metrics.lm_loss.pick says which is meant",
                                           "conflict 13: step 3: lm_loss printed as -1.00000 and as 7.75000; "
                                           "metrics.lm_loss.pick says which is meant",
                                           "merged 14: 2 records on one line",
                                           "conflict 14: step 4: lm_loss printed as -1.00000 and as 7.50000; "
                                           "metrics.lm_loss.pick says which is meant",
                                           "merged 16: 2 records on one line",
                                           "torn 16: record cut off at `loss:  7.25000  grad_norm:  0.8500`",
                                           "conflict 16: step 5: lm_loss printed as -1.00000 and as 7.25000; "
                                           "metrics.lm_loss.pick says which is meant"));
  EXPECT_THAT(
      summary(x),
      ElementsAre(
          "lm_loss 5 samples, 1=-1.00000 to 5=-1.00000 (-1.00000)",
          "grad_norm 5 samples, 1=0.8100 to 5=0.8500 (0.8500)",
          "throughput rank 0 5 samples, 1=40.50 to 5=40.50 (40.50)",
          "throughput rank 1 4 samples, 1=40.50 to 4=40.50 (40.50)",
          "tokens_per_second rank 0 5 samples, 1=7,001 to 5=7,005 (7005)",
          "tokens_per_second rank 1 4 samples, 1=7,002 to 4=7,005 (7005)",
          "mfu rank 0 5 samples, 1=17.10% to 5=17.10% (17.10)",
          "mfu rank 1 4 samples, 1=17.10% to 4=17.10% (17.10)",
          "memory_max_reserved rank 0 5 samples, 1=9.46GiB(11.83%) to 5=9.46GiB(11.83%) (9687.04)",
          "memory_max_reserved rank 1 4 samples, 1=10.46GiB(13.08%) to 4=10.46GiB(13.08%) (10711.04)"));
}

TEST(Families, torchtitan_before_2025) {
  const Extraction x = read_family("torchtitan/older.log");
  EXPECT_THAT(x.formats, ElementsAre("torchtitan"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_THAT(
      summary(x),
      ElementsAre(
          "lm_loss 3 samples, 1=10.8000 to 20=8.9000 (8.9000)",
          "tokens_per_second rank 0 3 samples, 1=1,001 to 20=1,020 (1020)",
          "mfu rank 0 3 samples, 1=30.50% to 20=30.50% (30.50)",
          "memory_max_reserved rank 0 3 samples, 1=12.34GiB(13.02%) to 3=12.34GiB(13.02%) (12636.16)"));
}

TEST(Families, torchtitan_without_mfu) {
  const Extraction x = read_family("torchtitan/no_mfu.log");
  EXPECT_THAT(x.formats, ElementsAre("torchtitan"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_THAT(
      summary(x),
      ElementsAre("lm_loss 3 samples, 1=10.80000 to 3=10.60000 (10.60000)",
                  "grad_norm 3 samples, 1=1.5000 to 3=1.5000 (1.5000)",
                  "throughput 3 samples, 1=1,234.50 to 3=1,234.50 (1234.50)",
                  "tokens_per_second 3 samples, 1=1,001 to 3=1,003 (1003)",
                  "memory_max_reserved 3 samples, 1=12.34GiB(13.02%) to 3=12.34GiB(13.02%) (12636.16)"));
}

TEST(Families, nemo_2_lines) {
  const Extraction x = read_family("nemo/lines.log");
  EXPECT_THAT(x.formats, ElementsAre("nemo"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_THAT(
      summary(x),
      ElementsAre(
          "lm_loss 6 samples, 0=12.81 to 5=10.31 (10.31)",
          "iteration_time 6 samples, 0=30.1 to 5=2.693 (2693.000)",
          "memory_allocated 6 samples, 1=34466545664 to 6=34466545664 (32869.85937500000000000000)",
          "memory_max_allocated 6 samples, 1=72972500992 to 6=72977743872 (69597.00000000000000000000)",
          "learning_rate 6 samples, 0=4.5e-07 to 5=2.7e-06 (0.0000027)",
          "global_batch_size 6 samples, 0=256 to 5=256 (256)",
          "consumed_samples 5 samples, 1=512 to 5=1536 (1536)"));
}

TEST(Families, nemo_1_bar) {
  const Extraction x = read_family("nemo/bar.log");
  EXPECT_THAT(x.formats, ElementsAre("nemo"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_THAT(summary(x), ElementsAre("lm_loss 6 samples, 0=11.500 to 5=10.250 (10.250)",
                                      "iteration_time 6 samples, 0=1.250 to 5=2.500 (2500.000)",
                                      "consumed_samples 6 samples, 0=8.0 to 5=48.0 (48.0)"));
}

TEST(Families, nanotron) {
  const Extraction x = read_family("nanotron/plain.log");
  EXPECT_THAT(x.formats, ElementsAre("nanotron"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_THAT(
      summary(x),
      ElementsAre("lm_loss 6 samples, 1=11 to 6=10 (10)", "grad_norm 6 samples, 1=2.86 to 6=2.36 (2.36)",
                  "throughput 6 samples, 1=198 to 6=198 (198)",
                  "tokens_per_second 6 samples, 1=41.9K to 6=46.9K (46900)",
                  "iteration_time 6 samples, 1=4.71K to 6=406 (406)",
                  "memory_allocated 6 samples, 1=67.4M to 6=67.4M (64.277648925781250)",
                  "memory_max_reserved 6 samples, 1=1.52G to 6=1.52G (1449.5849609375000)",
                  "learning_rate 6 samples, 1=0.00015 to 6=0.00015 (0.00015)",
                  "global_batch_size 6 samples, 1=256 to 6=256 (256)",
                  "consumed_tokens 6 samples, 1=1.05M to 6=6.3M (6300000)"));
}

TEST(Families, internlm_commas) {
  const Extraction x = read_family("internlm/commas.log");
  EXPECT_THAT(x.formats, ElementsAre("internlm"));
  EXPECT_THAT(all_problems(x), ElementsAre("skipped 6: step 3: inf_nan_skip_batches 1"));
  EXPECT_THAT(
      summary(x),
      ElementsAre("lm_loss 5 samples, 0=11.634403228759766 to 4=10.634403228759766 (10.634403228759766)",
                  "grad_norm 5 samples, 0=63.6 to 4=59.6 (59.6)",
                  "throughput 5 samples, 0=63.27 to 4=183.27 (183.27)",
                  "tokens_per_second 5 samples, 0=1424.64 to 4=1428.64 (1428.64)",
                  "learning_rate 5 samples, 0=4e-07 to 4=1.2e-06 (0.0000012)",
                  "loss_scale 5 samples, 0=65536.0 to 4=65536.0 (65536.0)",
                  "consumed_tokens 5 samples, 0=131072 to 4=655360 (655360)",
                  "skipped_iterations 5 samples, 0=0 to 4=0 (0)"));
}

TEST(Families, internlm_blanks) {
  const Extraction x = read_family("internlm/blanks.log");
  EXPECT_THAT(x.formats, ElementsAre("internlm"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_THAT(summary(x), ElementsAre("lm_loss 5 samples, 0=11.5 to 4=10.5 (10.5)",
                                      "validation_loss 1 samples, 4=10.4 to 4=10.4 (10.4)",
                                      "grad_norm 5 samples, 0=23.25 to 4=19.25 (19.25)",
                                      "throughput 5 samples, 0=180.5 to 4=184.5 (184.5)",
                                      "tokens_per_second 5 samples, 0=2500.5 to 4=2504.5 (2504.5)",
                                      "learning_rate 5 samples, 0=1e-05 to 4=1e-05 (0.00001)",
                                      "loss_scale 5 samples, 0=65536.0 to 4=65536.0 (65536.0)",
                                      "consumed_tokens 5 samples, 0=65536 to 4=327680 (327680)",
                                      "skipped_iterations 5 samples, 0=0 to 4=0 (0)"));
}

TEST(Families, paddlenlp) {
  const Extraction x = read_family("paddlenlp/plain.log");
  EXPECT_THAT(x.formats, ElementsAre("paddlenlp"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_THAT(
      summary(x),
      ElementsAre(
          "lm_loss 6 samples, 1=11.8135252 to 6=10.5635252 (10.5635252)",
          "validation_loss 1 samples, 3=11.25 to 3=11.25 (11.25)",
          "throughput 6 samples, 1=2.77 to 6=2.77 (2.77)",
          "tokens_per_second 6 samples, 1=890.0448 to 6=895.0448 (895.0448)",
          "samples_per_second 6 samples, 1=0.9682 to 6=1.4682 (1.4682)",
          "iteration_time 6 samples, 1=0.8 to 6=0.8 (1250.00000000000)",
          "memory_allocated 6 samples, 1=7.549170255661011 to 6=7.549170255661011 (7730.350341796875264)",
          "memory_max_allocated 6 samples, 1=7.549170255661011 to 6=7.549170255661011 (7730.350341796875264)",
          "memory_reserved 6 samples, 1=7.753237724304199 to 6=7.753237724304199 (7939.315429687499776)",
          "memory_max_reserved 6 samples, 1=7.753237724304199 to 6=7.753237724304199 (7939.315429687499776)",
          "learning_rate 6 samples, 1=2e-06 to 6=1.2e-05 (0.000012)"));
}

TEST(Families, olmo) {
  const Extraction x = read_family("olmo/olmo.log");
  EXPECT_THAT(x.formats, ElementsAre("olmo"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_THAT(summary(x),
              ElementsAre("lm_loss 5 samples, 1=11.00 to 5=10.00 (10.00)",
                          "tokens_per_second 4 samples, 2=45,540 to 5=45,543 (45543)",
                          "memory_max_allocated 2 samples, 1=42,133 to 2=42,133 (40181.15997314453125)",
                          "consumed_tokens 5 samples, 1=4,194,304 to 5=20,971,520 (20971520)"));
}

TEST(Families, olmo_core) {
  const Extraction x = read_family("olmo/core.log");
  EXPECT_THAT(x.formats, ElementsAre("olmo"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_THAT(summary(x), ElementsAre("lm_loss 5 samples, 10=10.66 to 50=9.66 (9.66)",
                                      "grad_norm 5 samples, 10=0.5100 to 50=0.5500 (0.5500)",
                                      "tokens_per_second 5 samples, 10=12,346 to 50=12,350 (12350)",
                                      "mfu 5 samples, 10=41.21 to 50=41.25 (41.25)",
                                      "learning_rate 5 samples, 10=0.0002 to 50=0.0002 (0.0002)",
                                      "consumed_tokens 5 samples, 10=1,048,576 to 50=5,242,880 (5242880)"));
}

TEST(Families, lightning_bars) {
  const Extraction x = read_family("lightning/bars.log");
  EXPECT_THAT(x.formats, ElementsAre("lightning"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_THAT(summary(x), ElementsAre("lm_loss 8 samples, 1=3.750 to 8=2.000 (2.000)",
                                      "validation_loss 2 samples, 4=2.00000 to 8=2.10000 (2.10000)"));
}

TEST(Families, nanogpt) {
  const Extraction x = read_family("nanogpt/plain.log");
  EXPECT_THAT(x.formats, ElementsAre("nanogpt"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_THAT(summary(x), ElementsAre("lm_loss 6 samples, 0=4.2874 to 50=2.7874 (2.7874)",
                                      "validation_loss 2 samples, 0=4.2823 to 50=2.4500 (2.4500)",
                                      "mfu 6 samples, 0=-100.00% to 50=12.30% (12.30)",
                                      "iteration_time 6 samples, 0=25.34ms to 50=75.34ms (75.34)"));
}

TEST(Families, llm_c_cuda) {
  const Extraction x = read_family("llm.c/cuda.log");
  EXPECT_THAT(x.formats, ElementsAre("llm.c"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_THAT(summary(x), ElementsAre("lm_loss 7 samples, 1=10.759690 to 7=9.259690 (9.259690)",
                                      "validation_loss 2 samples, 0=11.009000 to 7=9.250000 (9.250000)",
                                      "grad_norm 7 samples, 1=14.3586 to 7=8.3586 (8.3586)",
                                      "tokens_per_second 7 samples, 1=171196 to 7=171202 (171202)",
                                      "mfu 7 samples, 1=56.9% to 7=56.9% (56.9)",
                                      "iteration_time 7 samples, 1=3061.93 to 7=3055.93 (3055.93)",
                                      "learning_rate 7 samples, 1=8.57e-07 to 7=6.00e-06 (0.00000600)"));
}

TEST(Families, flagperf) {
  const Extraction x = read_family("flagperf/rank0.out.log");
  EXPECT_THAT(x.formats, ElementsAre("flagperf"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_THAT(
      summary(x),
      ElementsAre("lm_loss 5 samples, 1=9.25 to 5=8.25 (8.25)", "converged 1 samples, 1=true to 1=true (1)",
                  "final_loss 1 samples, 1=3.066718101501465 to 1=3.066718101501465 (3.066718101501465)",
                  "final_accuracy 1 samples, 1=0.920166015625 to 1=0.920166015625 (0.920166015625)",
                  "samples_per_second 5 samples, 1=821.5 to 5=825.5 (825.5)",
                  "training_samples_per_second 1 samples, 1=579.0933420700227 to 1=579.0933420700227 "
                  "(579.0933420700227)",
                  "e2e_time 1 samples, 1=1661.6114165782928 to 1=1661.6114165782928 (1661.6114165782928)",
                  "learning_rate 5 samples, 1=0.000175 to 5=0.000175 (0.000175)"));
}

TEST(Families, mllog) {
  const Extraction x = read_family("mllog/lora.log");
  EXPECT_THAT(x.formats, ElementsAre("mllog"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_THAT(summary(x), ElementsAre("lm_loss 6 samples, 80=4.25 to 480=3.0 (3.0)",
                                      "eval_accuracy 2 samples, 240=0.97 to 480=0.94 (0.94)",
                                      "converged 1 samples, 1=\"success\" to 1=\"success\" (1)",
                                      "samples_per_second 6 samples, 80=3.5 to 480=8.5 (8.5)",
                                      "learning_rate 6 samples, 80=0.0004 to 480=0.0004 (0.0004)"));
}

TEST(Families, torchtitan_takes_the_last_stage_where_it_is_told_to) {
  Options options;
  Metric loss = options.metrics.get("lm_loss");
  loss.pick = Pick::max;
  options.metrics.put(loss);
  const Extraction x = read_family("torchtitan/stages.log", options);
  EXPECT_EQ(words(x, "lm_loss"), "1=8.25000 2=8.00000 3=7.75000 4=7.50000 5=7.25000");
  EXPECT_THAT(problems(x, ProblemKind::conflict), IsEmpty());
}

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
  const auto samples = series->samples();
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
              ElementsAre("1: step 1 of its epoch cannot be numbered through",
                          "2: step 1 of its epoch cannot be numbered through"));
  EXPECT_THAT(x.series, IsEmpty());
}

TEST(Families, mindspeed_rl_is_no_line_with_names_of_another_kind) {
  const Extraction x =
      read_log("[INFO|DP=0|PP=0|TP=0]: iteration: 1 / 15 | consumed_tokens: 512 | lm_loss: 5.32 |\n");
  EXPECT_THAT(x.formats, testing::Not(testing::Contains("mindspeed-rl")));
}

}  // namespace
}  // namespace gate::extract
