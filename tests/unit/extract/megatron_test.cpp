#include <gmock/gmock.h>

#include "reading.h"

namespace gate::extract::megatron_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Extraction read_sample(const std::string& name) {
  return read_log(file_text(GATE_SOURCE_DIR "/tests/logs/megatron/" + name));
}

TEST(Megatron, reads_lines_with_timestamps_and_merged_reports) {
  const Extraction x = read_sample("timestamps.log");
  EXPECT_THAT(x.formats, ElementsAre("megatron"));
  EXPECT_EQ(words(x, "lm_loss"), "1=1.050000E+01 2=1.048000E+01 3=1.021000E+01 4=9.970000E+00");
  EXPECT_EQ(words(x, "throughput"), "1=80.2 2=160.1 3=160.3 4=160.5");
  EXPECT_EQ(words(x, "iteration_time"), "1=812.5 2=410.0 3=409.5 4=409.0");
  EXPECT_EQ(words(x, "memory_max_allocated", 0), "1=2048.25");
  EXPECT_EQ(words(x, "memory_allocated", 1), "1=1000.0");
  EXPECT_EQ(words(x, "memory_max_reserved", 0), "1=2100.0");
  EXPECT_THAT(problems(x, ProblemKind::merged), ElementsAre("6: 2 records on one line"));
  EXPECT_EQ(x.total, 4);
  EXPECT_THAT(x.notes, IsEmpty());
}

TEST(Megatron, takes_no_validation_line_for_a_step) {
  const Extraction x = read_sample("interval.log");
  EXPECT_EQ(words(x, "lm_loss"), "100=9.674668E+00 200=8.500000E+00 300=7.250000E+00");
  EXPECT_EQ(words(x, "validation_loss"), "200=6.329505E+00");
  EXPECT_EQ(words(x, "memory_max_allocated", 3), "1=5373.49560546875");
  EXPECT_EQ(words(x, "throughput"), "no series");
  EXPECT_THAT(problems(x, ProblemKind::skipped), ElementsAre("3: step 100: number of skipped iterations 15"));
}

TEST(Megatron, takes_no_evaluation_with_a_total_for_a_step) {
  const Extraction x = read_log(
      " iteration 1/ 5 | lm loss: 2.5 |\n validation loss at iteration 1/ 5 | lm loss value: 9.0 |\n"
      " test loss at iteration 1/ 5 | lm loss value: 9.5 |\n");
  EXPECT_EQ(words(x, "lm_loss"), "1=2.5");
}

TEST(Megatron, tells_evaluations_after_the_last_step_from_those_between) {
  const Extraction x = read_log(
      " iteration 5/ 5 | lm loss: 2.5 |\n validation loss at iteration 5 | lm loss value: 9.0 |\n"
      " validation loss at iteration 5 on 160-sample draw from validation set | lm loss value: 9.5 |\n"
      " validation loss at iteration 5 on test set | lm loss value: 9.75 |\n");
  EXPECT_EQ(words(x, "validation_loss"), "5=9.0");
  EXPECT_EQ(words(x, "final_validation_loss"), "5=9.5");
  EXPECT_EQ(words(x, "test_loss"), "5=9.75");
  EXPECT_THAT(x.problems, IsEmpty());
}

TEST(Megatron, says_which_steps_left_their_loss_out) {
  const Extraction x = read_sample("left_out.log");
  EXPECT_EQ(words(x, "lm_loss"), "1=left_out 2=left_out 3=1.040111E+01 4=1.040111E+01");
  EXPECT_EQ(words(x, "grad_norm"), "1=nan 2=0.000 3=0.000 4=0.000");
  EXPECT_THAT(problems(x, ProblemKind::left_out),
              ElementsAre("1: step 1: no lm loss printed, grad norm nan", "3: step 2: no lm loss printed"));
  EXPECT_THAT(problems(x, ProblemKind::not_finite), ElementsAre("1: step 1: grad norm nan"));
}

TEST(Megatron, says_what_skipped_steps_left_out) {
  const Extraction x = read_sample("skipped.log");
  EXPECT_EQ(words(x, "lm_loss"), "10=left_out 20=1.105000E+01 30=1.094000E+01");
  EXPECT_EQ(words(x, "grad_norm"), "10=left_out 20=23.668 30=21.500");
  EXPECT_THAT(problems(x, ProblemKind::left_out),
              ElementsAre("3: step 10: no lm loss and grad norm printed, number of skipped iterations 10"));
  EXPECT_THAT(problems(x, ProblemKind::skipped), ElementsAre("3: step 10: number of skipped iterations 10",
                                                             "4: step 20: number of skipped iterations 5"));
}

TEST(Megatron, reads_through_launcher_prefixes) {
  const Extraction x = read_sample("srun.log");
  EXPECT_EQ(words(x, "lm_loss"), "1=1.048000E+01 2=1.047000E+01 3=1.046000E+01");
  EXPECT_EQ(words(x, "memory_max_allocated", 0), "1=29966.87 2=39890.01");
  EXPECT_EQ(x.attempts[0].source, "0: [default0]");
  EXPECT_THAT(x.problems, IsEmpty());
}

TEST(Megatron, reads_through_host_prefixes) {
  const Extraction x = read_sample("hosts.log");
  EXPECT_EQ(words(x, "lm_loss"), "1=1.260000E+01 2=1.250000E+01");
  EXPECT_EQ(words(x, "throughput"), "1=95.0 2=95.5");
  EXPECT_EQ(words(x, "samples_per_second"), "1=12.5 2=12.6");
  EXPECT_EQ(words(x, "memory_allocated", 2), "1=976.0");
  EXPECT_EQ(x.attempts[0].source, "192.168.7.2");
}

TEST(Megatron, reads_behind_progress_bars_and_colours) {
  const Extraction x = read_sample("progress.log");
  EXPECT_EQ(words(x, "lm_loss"), "1=2.500000E+00 2=2.400000E+00");
  EXPECT_EQ(words(x, "memory_max_allocated", 0), "1=20.0");
  EXPECT_EQ(x.series[0].samples()[0].line, 1);
  EXPECT_EQ(x.lines, 3);
}

TEST(Megatron, knows_fields_by_their_names) {
  const Extraction x = read_log(
      "iteration 1/10000 | elapsed time per iteration (s): 6.6037 | chip_throughput: 1196.22 /s  learning "
      "rate: 1.875E-09 "
      "| loss: 1.016570E+01 | params norm: 12.5 | unknown thing: 7 |\n");
  EXPECT_EQ(words(x, "lm_loss"), "1=1.016570E+01");
  EXPECT_EQ(words(x, "learning_rate"), "1=1.875E-09");
  EXPECT_EQ(words(x, "params_norm"), "1=12.5");
  EXPECT_EQ(find_series(x.series, "iteration_time", {})->samples()[0].value.number,
            *Decimal::parse("6603.7"));
  EXPECT_EQ(words(x, "tokens_per_second"), "1=1196.22");
  EXPECT_EQ(x.series.size(), 5U);
}

TEST(Megatron, prefers_the_lm_loss_to_another_loss) {
  EXPECT_EQ(words(read_log("iteration 1/ 2 | loss: 9.5 | lm loss: 2.5 |\n"), "lm_loss"), "1=2.5");
  EXPECT_EQ(words(read_log("iteration 1/ 2 | lm loss: 2.5 | loss: 9.5 |\n"), "lm_loss"), "1=2.5");
}

TEST(Megatron, counts_words_that_are_no_numbers) {
  const Extraction x = read_log(
      "\n iteration 1/ 2 | lm loss: 1.2.3 | grad norm: 2.0 |\n iteration 2/ 2 | lm loss:  | grad norm: 2.0 "
      "|\n");
  EXPECT_THAT(problems(x, ProblemKind::malformed), ElementsAre("2: step 1: lm loss `1.2.3` is no number"));
  EXPECT_THAT(problems(x, ProblemKind::left_out), ElementsAre("3: step 2: no lm loss printed"));
  EXPECT_EQ(words(x, "lm_loss"), "2=left_out");
}

// Return what lm_loss is at step 2 where two ranks print these words for it.
std::string at_second(const std::string& a, const std::string& b) {
  std::string log;
  for (int step = 1; step <= 3; ++step)
    for (const auto& [rank, word] : {std::pair{"[default0]:", a}, std::pair{"[default1]:", b}})
      log += rank + std::string(" iteration ") + std::to_string(step) +
             "/ 3 | lm loss: " + (step == 2 ? word : "2.5") + " | grad norm: 2.0 |\n";
  const Extraction x = read_log(log);
  const Series* loss = find_series(x.series, "lm_loss", std::nullopt);
  const std::optional<Sample> sample = loss == nullptr ? std::nullopt : loss->find(2);
  return !sample ? "missing" : sample->value.is_finite() ? "finite" : "none";
}

TEST(Megatron, a_word_that_is_no_number_counts_whatever_another_rank_prints) {
  for (const char* word : {"nan",
                           "NaN",
                           "-inf",
                           "tensor(nan)",
                           "tensor(nan, device='npu:0')",
                           "np.float32(nan)",
                           "***",
                           "None",
                           "null",
                           "N/A",
                           "n/a",
                           "nil",
                           "",
                           "-",
                           "---",
                           "?",
                           "<nan>",
                           "[nan]",
                           "undefined",
                           "overflow",
                           "abc",
                           "#DIV/0!",
                           "1.#QNAN",
                           "e5",
                           "++1.0",
                           "+-1",
                           "True",
                           "False",
                           "tensor(True)",
                           "--%"})
    for (const bool is_first : {true, false})
      EXPECT_EQ(is_first ? at_second(word, "2.5") : at_second("2.5", word), "none") << word << is_first;
  for (const char* word : {"2.5", "tensor(2.5)", "tensor(2.5000, device='npu:0')", "np.float32(2.5)",
                           "0x1.4p+1", "２.５", "[2.5]", "'2.5'", "25e-1"})
    EXPECT_EQ(at_second(word, "2.5"), "finite") << word;
  for (const char* word : {"2.5.1", "2.", "25|"})
    EXPECT_EQ(at_second(word, "2.5"), "finite") << word << " may be cut off, or written into";
}

TEST(Megatron, a_word_that_is_no_number_counts_in_an_evaluation_too) {
  for (const char* word : {"nan", "tensor(nan)", "***", "undefined", "-"})
    for (const bool is_first : {true, false}) {
      const std::string bad =
          std::string(" validation loss at iteration 1 | lm loss value: ") + word + " |\n";
      const std::string good = " validation loss at iteration 1 | lm loss value: 9.0 |\n";
      const Extraction x =
          read_log(" iteration 1/ 1 | lm loss: 2.5 |\n" + (is_first ? bad + good : good + bad));
      EXPECT_NE(words(x, "validation_loss"), "1=9.0") << word << is_first;
    }
}

// The same word at most steps is no word of a step: so a baseline that holds it hides no number.
TEST(Megatron, a_word_for_no_value_at_most_steps_of_a_rank_is_none) {
  std::string log;
  for (int step = 1; step <= 6; ++step)
    for (const char* rank : {"[default0]:", "[default1]:"})
      log += rank + std::string(" iteration ") + std::to_string(step) +
             "/ 6 | lm loss: " + (step > 1 && std::string(rank) == "[default1]:" ? "None" : "2.5") +
             " | grad norm: 2.0 |\n";
  EXPECT_EQ(words(read_log(log), "lm_loss"), "1=2.5 2=2.5 3=2.5 4=2.5 5=2.5 6=2.5");
}

// A rank that has none says so at each step, or before its first number.
TEST(Megatron, a_word_for_no_value_of_a_rank_without_numbers_is_none) {
  const Extraction x = read_log(
      "[default0]: iteration 1/ 2 | lm loss: None | grad norm: 2.0 |\n"
      "[default1]: iteration 1/ 2 | lm loss: 2.5 | grad norm: 2.0 |\n"
      "[default0]: iteration 2/ 2 | lm loss: None | grad norm: 2.0 |\n"
      "[default1]: iteration 2/ 2 | lm loss: 2.4 | grad norm: 2.0 |\n");
  EXPECT_EQ(words(x, "lm_loss"), "1=2.5 2=2.4");
}

TEST(Megatron, counts_numbers_that_are_too_large) {
  const Extraction x = read_log(
      " iteration 99999999999999999999/ 5 | lm loss: 1.0 |\n[Rank 99999999999] (after 1 iterations) memory "
      "(MB) | "
      "allocated: 1.0 | max allocated: 1.0 | reserved: 1.0 | max reserved: 1.0\n");
  EXPECT_THAT(
      problems(x, ProblemKind::malformed),
      ElementsAre("1: the number 99999999999999999999 is too large", "2: the rank 99999999999 is too large"));
  EXPECT_THAT(x.series, IsEmpty());
}

TEST(Megatron, does_not_take_reports_for_steps) {
  const Extraction x = read_log(
      "[Rank 1] (after 7 iterations) memory (MB) | allocated: 1.5 | max allocated: 2.5 | reserved: 3.0 | max "
      "reserved: 4.0\n");
  EXPECT_EQ(words(x, "memory_allocated", 1), "1=1.5");
  EXPECT_EQ(x.total, std::nullopt);
}

}  // namespace
}  // namespace gate::extract::megatron_test
