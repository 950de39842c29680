// Whole logs of each framework, found out from their content.
#include <gmock/gmock.h>

#include "reading.h"

namespace gate::extract::families_test {
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
                    problem.text.english());
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
  EXPECT_THAT(all_problems(x),
              ElementsAre("merged 14: 2 records on one line", "merged 16: 2 records on one line",
                          "cut_off 16: record cut off at `loss:  7.25000  grad_norm:  0.8500`"));
  EXPECT_THAT(
      summary(x),
      ElementsAre(
          "lm_loss 5 samples, 1=8.25000 to 5=7.25000 (7.25000)",
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

// Return what the metric is at step 2.
std::string at_second(const Extraction& x, std::string_view metric) {
  const Series* series = find_series(x.series, metric, std::nullopt);
  const std::optional<Sample> sample = series == nullptr ? std::nullopt : series->find(2);
  return !sample ? "missing" : sample->value.is_finite() ? sample->text : "none";
}

TEST(Families, torchtitan_words_for_no_number_of_one_rank) {
  const auto loss = [](const std::string& a, const std::string& b) {
    std::string log;
    for (const char* step : {"1", "2", "3"})
      for (const auto& [rank, word] : {std::pair{"[rank0]", a}, std::pair{"[rank1]", b}})
        log += std::string(rank) + ":[titan] 2026-05-03 01:27:01,600 - root - INFO - step:  " + step +
               "  loss:  " + (*step == '2' ? word : "7.5") +
               "  grad_norm:  0.8  memory:  9.46GiB(11.83%)  tps: 7,100  tflops: 41.5  mfu: 18.1%\n";
    return at_second(read_log(log), "lm_loss");
  };
  for (const char* word :
       {"nan", "[nan]", "[inf]", "[]", "[None]", "[nan, nan]", "[1", "++1.0", "+-1", "True"}) {
    EXPECT_EQ(loss(word, "7.5"), "none") << word;
    EXPECT_EQ(loss("7.5", word), "none") << word;
    EXPECT_EQ(loss(word, word), "none") << word;
  }
  EXPECT_EQ(loss("[7.5]", "7.5"), "[7.5]");
  EXPECT_EQ(loss("[rank1]:[titan] 2026-05-03 - Saving", "7.5"), "7.5");  // another's line within this one
}

// Where the name that is meant says that there is none, what goes for it elsewhere is none either.
TEST(Families, mindspeed_rl_words_for_no_number) {
  const auto read = [](const std::string& reward, const std::string& behind = " | grad_norm : 0.5000 |") {
    std::string log;
    for (const char* step : {"1", "2", "3"})
      log += std::string("[2025-05-06 07:04:11] iteration: ") + step + " / 3 | actor/pg_loss : 0.0200 | " +
             "grpo/score/mean : 0.3000 | grpo/rewards/mean : " + (*step == '2' ? reward : "0.3500") + behind +
             "\n";
    return at_second(read_log(log), "reward");
  };
  for (const char* word : {"nan", "None", "tensor(nan)", "[]", "***", "++1.0", "-", "True", ""}) {
    EXPECT_EQ(read(word), "none") << word;
    EXPECT_EQ(read(word, " "), *word == 0 ? "0.3000" : "none") << word;
  }
  EXPECT_EQ(read("None", ""), "none");
  EXPECT_EQ(read("0.2", ""), "0.3000");  // cut off
}

TEST(Families, mindformers_empty_list_of_one_rank) {
  const auto loss = [](const std::string& a, const std::string& b) {
    std::string log;
    for (const char* step : {"1", "2", "3"})
      for (const auto& [rank, word] : {std::pair{"[default0]", a}, std::pair{"[default1]", b}})
        log += std::string(rank) + ": - INFO - { Epoch:[  1/  1], step:[    " + step +
               "/    3], loss: " + (*step == '2' ? word : "10.5") +
               ", per_step_time: 1752ms, lr: 1e-05, overflow cond: False, " +
               "loss_scale: 1.0, global_norm: [1.5], train_throughput_per_npu: 4.5T\n";
    return at_second(read_log(log), "lm_loss");
  };
  EXPECT_EQ(loss("[10.5]", "10.5"), "10.5");
  for (const char* word : {"[]", "[nan]", "False"}) {
    EXPECT_EQ(loss(word, "10.5"), "none") << word;
    EXPECT_EQ(loss("10.5", word), "none") << word;
  }
}

TEST(Families, answers_are_numbers_of_no_loss_time_memory_or_speed) {
  Options options;
  for (const auto& [name, kind] :
       {std::pair{"reached", MetricKind::accuracy}, std::pair{"seen", MetricKind::other},
        std::pair{"took", MetricKind::speed}}) {
    options.metrics.put({.name = name, .kind = kind});
    options.patterns.push_back({name, std::string(name) + R"(=(?P<value>\S+) at (?P<step>\d+))"});
  }
  const Extraction x = read_log(
      "{\"step\": 1, \"loss\": 2.5, \"step_time_ms\": 5, \"peak_memory_gb\": 1, \"tokens_per_second\": 9, "
      "\"reward\": 1}\n"
      "{\"step\": 2, \"loss\": true, \"step_time_ms\": true, \"peak_memory_gb\": false, "
      "\"tokens_per_second\": "
      "true, \"reward\": \"True\"}\n"
      "reached=True at 2\nseen=True at 2\ntook=True at 2\n",
      options);
  for (const char* metric :
       {"lm_loss", "iteration_time", "memory_max_allocated", "tokens_per_second", "reward"})
    EXPECT_EQ(at_second(x, metric), "none") << metric;
  EXPECT_EQ(at_second(x, "reached"), "True");
  EXPECT_EQ(at_second(x, "seen"), "True");
  EXPECT_EQ(at_second(x, "took"), "missing");
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
                  "raw_train_time 1 samples, 1=1501.713 to 1=1501.713 (1501.713)",
                  "init_time 1 samples, 1=148.937 to 1=148.937 (148.937)",
                  "learning_rate 5 samples, 1=0.000175 to 5=0.000175 (0.000175)"));
}

TEST(Families, flagperf_events_are_torn) {
  const Extraction x = read_log(
      "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.6, \"epoch\": 1, \"global_st\n"
      "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.5, \"epoch\": 1, \"global_steps\": 2}}\n");
  EXPECT_THAT(x.formats, ElementsAre("flagperf"));
  EXPECT_EQ(words(x, "lm_loss"), "2=2.5");
}

TEST(Families, nemo_1_bar_that_rounds_its_step) {
  const Extraction x = read_log(
      "Epoch 0: :  13%|#  | 1235/9000 [00:10<00:20, v_num=1, reduced_train_loss=9.5, global_step=1.23e+3]\n");
  EXPECT_THAT(all_problems(x), ElementsAre("malformed 1: the step 1.23e+3 is no whole number"));
  EXPECT_EQ(words(x, "lm_loss"), "no series");
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

// A line of torchtitan, where a stage without a loss prints -1.
std::string stage_line(int rank, int step, const std::string& loss) {
  return "[rank" + std::to_string(rank) +
         "]:[titan] 2026-05-03 01:27:01,600 - root - INFO - step:  " + std::to_string(step) +
         "  loss: " + loss + "  memory:  9.46GiB(11.83%)  tps: 7,001  tflops: 40.50  mfu: 17.10%\n";
}

TEST(Families, torchtitan_takes_the_loss_of_the_stage_that_has_one) {
  const std::string stages = stage_line(0, 1, "-1.0000") + stage_line(3, 1, "8.5") + stage_line(7, 2, "8.0") +
                             stage_line(3, 2, "-1.00000") + stage_line(0, 2, "-1.0000");
  const Extraction x = read_log(stages + stage_line(7, 3, "nan") + stage_line(0, 3, "-1.0000"));
  EXPECT_EQ(words(x, "lm_loss"), "1=8.5 2=8.0 3=nan");
  EXPECT_THAT(problems(x, ProblemKind::conflict), IsEmpty());
  EXPECT_THAT(problems(x, ProblemKind::left_out), IsEmpty());
  EXPECT_TRUE(x.filled.empty());
}

TEST(Families, torchtitan_without_the_stage_that_has_a_loss_has_none) {
  const Extraction x = read_log(stage_line(0, 1, "-1.0000") + stage_line(0, 2, "-1.0000"));
  EXPECT_EQ(words(x, "lm_loss"), "no series");
  EXPECT_THAT(problems(x, ProblemKind::left_out), IsEmpty());
  ASSERT_EQ(x.filled.size(), 1U);
  EXPECT_EQ(x.filled[0].metric, "lm_loss");
  EXPECT_THAT(x.notes, ElementsAre(x.filled[0].text));
}

TEST(Families, a_loss_of_minus_one_is_one_elsewhere) {
  const Extraction x = read_log("iter 0: loss -1.0000, time 512.34ms\niter 1: loss -1.0, time 512.34ms\n");
  EXPECT_EQ(words(x, "lm_loss"), "0=-1.0000 1=-1.0");
}

std::string accuracies(std::initializer_list<const char*> epochs) {
  std::string log;
  int line = 0;
  for (const char* epoch : epochs) {
    ++line;
    log += ":::MLLOG {\"time_ms\": " + std::to_string(line) + ", \"key\": \"eval_accuracy\", \"value\": 0." +
           std::to_string(line + 10) + ", \"metadata\": {\"epoch_num\": " + epoch + "}}\n";
  }
  return log;
}

TEST(Families, mllog_counts_epochs_that_do_not_rise_or_are_fractions) {
  const auto steps_of = [](const std::string& log) { return words(read_log(log), "eval_accuracy"); };
  EXPECT_EQ(steps_of(accuracies({"4", "8", "12"})), "4=0.11 8=0.12 12=0.13");
  EXPECT_EQ(steps_of(accuracies({"0", "1", "1", "1", "9"})), "0=0.11 1=0.12 2=0.13 3=0.14 4=0.15");
  EXPECT_EQ(steps_of(accuracies({"1.0", "2.0", "2.5", "3"})), "1=0.11 2=0.12 3=0.13 4=0.14");
  EXPECT_EQ(steps_of(accuracies({"0.05", "0.1", "1"})), "1=0.11 2=0.12 3=0.13");
}

TEST(Families, mllog_counts_again_where_a_run_begins) {
  const std::string start = ":::MLLOG {\"key\": \"run_start\", \"value\": null, \"metadata\": {}}\n";
  const std::string once = start + accuracies({"1", "1", "1"});
  EXPECT_EQ(words(read_log(once + start + accuracies({"1", "1"})), "eval_accuracy"), "1=0.11 2=0.12");
  EXPECT_EQ(words(read_log(accuracies({"1.5", "1.7", "1.9"}) + accuracies({"1.5", "1.7"})), "eval_accuracy"),
            "1=0.11 2=0.12");
}

// Its source code, which stands in front of the lines of its log file, is none of them.
TEST(Families, modded_nanogpt_with_its_source) {
  const Extraction x = read_family("modded-nanogpt/run.log");
  EXPECT_THAT(x.formats, ElementsAre("modded-nanogpt"));
  EXPECT_THAT(all_problems(x), IsEmpty());
  EXPECT_EQ(x.total, 6);
  EXPECT_THAT(summary(x), ElementsAre("lm_loss 6 samples, 1=10.9120 to 6=9.0300 (9.0300)",
                                      "validation_loss 3 samples, 0=10.9258 to 6=9.0150 (9.0150)",
                                      "memory_max_allocated 1 samples, 1=29857 to 1=29857 (29857)"));
}

}  // namespace
}  // namespace gate::extract::families_test
