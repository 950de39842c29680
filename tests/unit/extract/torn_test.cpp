#include <gmock/gmock.h>

#include <map>

#include "reading.h"

namespace gate::extract::torn_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string step_line =
    "[default0]: [2025-02-03 09:00:01.5] iteration        7/      15 | throughput per GPU (TFLOP/s/GPU): "
    "50.5 | lm loss: "
    "1.250000E+00 | grad norm: 1.500 | number of skipped iterations:   0 | number of nan iterations:   0 |";
const std::string memory_line =
    "[default0]:[Rank 3] (after 1 iterations) memory (MB) | allocated: 100.25 | max allocated: 200.25 | "
    "reserved: 300.00 | "
    "max reserved: 400.00";

TEST(Torn, records_are_put_together) {
  const Extraction x = read_log(file_text(GATE_SOURCE_DIR "/tests/logs/megatron/torn.log"));
  EXPECT_EQ(words(x, "lm_loss"), "1=1.250000E+00 2=1.240000E+00");
  EXPECT_EQ(words(x, "throughput"), "1=50.0 2=50.1 3=50.2");
  EXPECT_EQ(words(x, "memory_reserved", 0), "1=300.00 2=300.00");
  EXPECT_EQ(words(x, "memory_max_reserved", 0), "1=400.00 2=400.00");
  EXPECT_THAT(problems(x, ProblemKind::torn), ElementsAre("1: one record over lines 1 and 2, put together",
                                                          "3: one record over lines 3 and 4, put together",
                                                          "6: one record over lines 6 and 8, put together"));
  EXPECT_THAT(problems(x, ProblemKind::cut_off), ElementsAre("9: record cut off at `lm loss: 1.2`"));
  EXPECT_THAT(problems(x, ProblemKind::left_out), IsEmpty());
}

// A value or a step of a pattern at the end of a file that ends without a newline.
TEST(Torn, what_a_pattern_reads_at_the_end_of_a_file_may_be_cut) {
  const std::string values = "reward 1.25 at 8\nreward 1.5 at 9\nreward 1.75 at 10\n";
  for (const auto& [log, read] :
       std::map<std::string, std::string>{{values + "reward 2.25 at 11", "8=1.25 9=1.5 10=1.75 11=2.25"},
                                          {values + "reward 2.25 at 1", "8=1.25 9=1.5 10=1.75"},
                                          {values + "reward 2.25 at 20", "8=1.25 9=1.5 10=1.75"},
                                          {values + "reward 2.25 at 1\n", "1=2.25"},
                                          {"reward 1.25 at 8", "no series"}}) {
    Options options;
    options.patterns = {{"reward", R"(reward (?P<value>\S+) at (?P<step>\d+))"}};
    EXPECT_EQ(words(read_log(log, std::move(options)), "reward"), read) << log;
  }
  const std::string bare = "reward 1.25\nreward 1.5\n";
  for (const auto& [log, read] :
       std::map<std::string, std::string>{{bare + "reward 1.75", "1=1.25 2=1.5 3=1.75"},
                                          {bare + "reward 1.7", "1=1.25 2=1.5"},
                                          {bare + "reward 1", "1=1.25 2=1.5"},
                                          {"reward 1.25", "no series"},
                                          {"reward 1.25\n", "1=1.25"}}) {
    Options options;
    options.patterns = {{"quality", R"(reward (?P<value>\S+))"}};
    Metric metric = options.metrics.get("quality");
    metric.numbered = Numbering::report;
    options.metrics.put(metric);
    EXPECT_EQ(words(read_log(log, std::move(options)), "quality"), read) << log;
  }
}

TEST(Torn, the_record_at_the_end_is_told_however_many_are_torn) {
  std::string log;
  for (std::size_t i = 0; i < 1200; ++i) log += step_line.substr(12, 120) + "\n";
  const Extraction x = read_log(log + "[2025-02-03 09:00:02.5] iteration        8");
  ASSERT_EQ(x.torn_ends.size(), 1U);
  EXPECT_EQ(x.torn_ends[0].line, 1201U);
  EXPECT_TRUE(read_log(log + "bye\n").torn_ends.empty());
}

std::string torn_at(const std::string& line, std::size_t at) {
  return "0: " + line.substr(0, at) + "\n0: " + line.substr(at) + "\n0: done\n";
}

// Wherever a launcher breaks the line, no value is ever wrong: it is the printed one, or there is none.
TEST(Torn, a_step_broken_anywhere_never_gives_a_wrong_value) {
  int whole = 0;
  for (std::size_t at = 0; at <= step_line.size(); ++at) {
    const Extraction x = read_log(torn_at(step_line, at));
    const std::string loss = words(x, "lm_loss");
    whole += loss == "7=1.250000E+00" ? 1 : 0;
    ASSERT_THAT(loss, testing::AnyOf("7=1.250000E+00", "no series")) << torn_at(step_line, at);
    ASSERT_THAT(words(x, "throughput"), testing::AnyOf("7=50.5", "no series")) << torn_at(step_line, at);
    ASSERT_THAT(problems(x, ProblemKind::left_out), IsEmpty()) << torn_at(step_line, at);
  }
  EXPECT_EQ(whole, static_cast<int>(step_line.size()) + 1);
}

constexpr std::size_t stride = SANITIZED ? 7 : 1;

const std::string equals_line =
    "[2025-06-21 10:50:42][INFO][training:1609] -  iteration=       7/      15 | consumed_samples=         "
    "768 "
    "| elapsed_time_per_iteration_ms=108893.2 | lm loss=1.250000 | number_of_nan_iterations=  0 | "
    "samples_per_second=7.053 | [LM]-TFLOPs=50.5 | [DS]-TFLOPs=73.32 |";
const std::string unbarred_line =
    "iteration        7/      15 | learning rate: 1.000000E-05 | loss: 1.250000E+00 | grad norm: "
    "5.012300E+00 | "
    "elapsed time per iteration: 9812.50";

TEST(Torn, other_shapes_of_steps_broken_anywhere_never_give_a_wrong_value) {
  for (const std::string& line : {equals_line, unbarred_line})
    for (std::size_t at = 0; at <= line.size(); at += stride) {
      const Extraction x = read_log(torn_at(line, at));
      ASSERT_THAT(words(x, "lm_loss"), testing::AnyOf("7=1.250000", "7=1.250000E+00", "no series"))
          << torn_at(line, at);
      ASSERT_THAT(words(x, "throughput"), testing::AnyOf("7=50.5", "no series")) << torn_at(line, at);
      ASSERT_THAT(words(x, "grad_norm"), testing::AnyOf("7=5.012300E+00", "no series")) << torn_at(line, at);
      ASSERT_THAT(problems(x, ProblemKind::left_out), IsEmpty()) << torn_at(line, at);
    }
}

const std::string monitor_line =
    "INFO [2026-06-22 19:28:40] >>  iteration        7/    2000 | consumed samples:          8 | lm loss: "
    "1.250000E+00 | grad norm: 8.515 | max_memory_allocated(GB): 19.07 | max_memory_reserved(GB): 20.87 |";

TEST(Torn, a_barred_record_of_a_table_broken_anywhere_never_gives_a_wrong_value) {
  Options options;
  options.formats = {"mindspeed-fsdp2"};
  for (std::size_t at = 0; at <= monitor_line.size(); at += stride) {
    const Extraction x = read_log(torn_at(monitor_line, at), options);
    ASSERT_THAT(words(x, "lm_loss"), testing::AnyOf("7=1.250000E+00", "no series"))
        << torn_at(monitor_line, at);
    ASSERT_THAT(words(x, "memory_max_allocated"), testing::AnyOf("1=19.07", "no series"))
        << torn_at(monitor_line, at);
    ASSERT_THAT(problems(x, ProblemKind::left_out), IsEmpty()) << torn_at(monitor_line, at);
  }
}

TEST(Torn, a_report_broken_anywhere_is_put_together) {
  for (std::size_t at = 0; at + 2 <= memory_line.size(); ++at) {
    const Extraction x = read_log(torn_at(memory_line, at));
    ASSERT_EQ(words(x, "memory_allocated", 3), "1=100.25") << torn_at(memory_line, at);
    ASSERT_EQ(words(x, "memory_max_allocated", 3), "1=200.25") << torn_at(memory_line, at);
    ASSERT_EQ(words(x, "memory_max_reserved", 3), "1=400.00") << torn_at(memory_line, at);
  }
}

TEST(Torn, what_a_cut_log_lacks_is_not_left_out) {
  const std::string whole =
      " iteration 1/ 2 | lm loss: 2.5 | grad norm: 1.5 | number of nan iterations:   0 |\n";
  for (const char* cut :
       {" iteration 2/ 2 |", " iteration 2/ 2 | grad norm: 1.5 | ", " iteration 2/ 2 | lm loss: 2.5 |"}) {
    const Extraction x = read_log(whole + cut);
    EXPECT_THAT(problems(x, ProblemKind::left_out), testing::IsEmpty()) << cut;
    EXPECT_EQ(problems(x, ProblemKind::cut_off).size(), 1U) << cut;
  }
  const Extraction ended = read_log(whole + " iteration 2/ 2 | number of nan iterations:   0 |");
  EXPECT_THAT(problems(ended, ProblemKind::cut_off), testing::IsEmpty());
}

TEST(Torn, a_value_at_the_end_of_a_cut_log_is_not_taken) {
  const Extraction x = read_log(" iteration 1/ 2 | grad norm: 1.5 | lm loss: 1423");
  EXPECT_EQ(words(x, "lm_loss"), "no series");
  EXPECT_EQ(words(x, "grad_norm"), "1=1.5");
  EXPECT_THAT(problems(x, ProblemKind::cut_off), ElementsAre("1: record cut off at `lm loss: 1423`"));
  EXPECT_THAT(problems(x, ProblemKind::left_out), IsEmpty());
}

// A file may lack the newline of its last line, and no more. Its last word is whole if it ends as those
// before.
TEST(Torn, a_last_word_that_ends_as_those_before_is_whole) {
  const auto log = [](const std::string& last) {
    return "step:5 - train/loss:2.51 - perf/throughput:90.25\nstep:6 - train/loss:2.42 - "
           "perf/throughput:101.50\n"
           "step:7 - train/loss:2.31 - perf/throughput:" +
           last;
  };
  const Extraction whole = read_log(log("99.75"));
  EXPECT_EQ(words(whole, "tokens_per_second"), "5=90.25 6=101.50 7=99.75");
  EXPECT_THAT(problems(whole, ProblemKind::cut_off), IsEmpty());
  for (const std::string last : {"9", "99", "99.", "99.7", "99.750"}) {
    const Extraction cut = read_log(log(last));
    EXPECT_EQ(words(cut, "tokens_per_second"), "5=90.25 6=101.50") << last;
    EXPECT_EQ(words(cut, "lm_loss"), "5=2.51 6=2.42 7=2.31");
    EXPECT_THAT(problems(cut, ProblemKind::cut_off),
                ElementsAre(testing::EndsWith("train/loss:2.31 - perf/throughput:" + last + "`")));
  }
}

TEST(Torn, a_last_word_is_in_doubt_where_those_before_end_differently) {
  const std::string two = "step:5 - train/loss:2.4\nstep:6 - train/loss:2.42\n";
  for (const std::string last : {"2.3", "2.31", "2"})
    EXPECT_EQ(words(read_log(two + "step:7 - train/loss:" + last), "lm_loss"), "5=2.4 6=2.42") << last;
  EXPECT_EQ(words(read_log("step:5 - train/loss:2.4\nstep:6 - train/loss:2.3"), "lm_loss"), "5=2.4");
}

// One word before says enough where a unit ends it.
TEST(Torn, a_unit_ends_a_last_word) {
  const auto peaks = [](const std::string& last) {
    const std::string timer = "epoch=0/micro_step=4/global_step=";
    return words(read_log(timer + "10, RunningAvgSamplesPerSec=25.0, MaxMemAllocated=38.5GB\n" + timer +
                          "20, RunningAvgSamplesPerSec=25.0, MaxMemAllocated=" + last),
                 "memory_max_allocated");
  };
  EXPECT_EQ(peaks("39.25GB"), "1=38.5GB 2=39.25GB");
  EXPECT_EQ(peaks("39.25G"), "1=38.5GB");
  EXPECT_EQ(peaks("39.2"), "1=38.5GB");
}

TEST(Torn, a_report_cut_by_another_keeps_its_whole_fields) {
  const Extraction x = read_log(
      "[Rank 0] (after 1 iterations) memory (MB) | allocated: 1.5 | max allocated: 2.5 | reserved: 13[Rank "
      "1] (after 1 "
      "iterations) memory (MB) | allocated: 1.0 | max allocated: 2.0 | reserved: 3.0 | max reserved: 4.0\n");
  EXPECT_EQ(words(x, "memory_max_allocated", 0), "1=2.5");
  EXPECT_EQ(words(x, "memory_reserved", 0), "no series");
  EXPECT_EQ(words(x, "memory_max_reserved", 1), "1=4.0");
  EXPECT_THAT(problems(x, ProblemKind::cut_off), ElementsAre("1: record cut off at `reserved: 13`"));
}

TEST(Torn, halves_of_different_launchers_are_not_put_together) {
  const std::string half = memory_line.substr(0, memory_line.size() - 20);
  const Extraction x = read_log("0: " + half + "\n1: " + memory_line.substr(half.size()) + "\n");
  EXPECT_EQ(words(x, "memory_max_reserved", 3), "no series");
}

TEST(Torn, the_other_half_may_carry_the_next_record) {
  const Extraction x =
      read_log("0: " + step_line.substr(0, 110) + "\n0: " + step_line.substr(110) + memory_line + "\n");
  EXPECT_EQ(words(x, "lm_loss"), "7=1.250000E+00");
  EXPECT_EQ(words(x, "memory_max_reserved", 3), "1=400.00");
  EXPECT_THAT(problems(x, ProblemKind::merged), ElementsAre("2: 2 records on one line"));
}

TEST(Torn, text_behind_a_whole_record_is_no_tear) {
  const Extraction x =
      read_log(" iteration 1/ 2 | lm loss: 1.5 | number of nan iterations:   0 | grad norm is large!\n");
  EXPECT_EQ(words(x, "lm_loss"), "1=1.5");
  EXPECT_THAT(x.problems, IsEmpty());
}

TEST(Torn, noise_between_the_halves_is_not_taken_for_one) {
  const std::size_t at = step_line.find("1.250000E+00") + 4;
  for (const char* noise :
       {"noise", "noise |", "|", " | noise | more: 1 |", " | more: 1 |", "5 | noise: 1"}) {
    const Extraction x =
        read_log("0: " + step_line.substr(0, at) + "\n0: " + noise + "\n0: " + step_line.substr(at) + "\n");
    EXPECT_EQ(words(x, "lm_loss"), "7=1.250000E+00") << noise;
    EXPECT_EQ(words(x, "grad_norm"), "7=1.500") << noise;
  }
}

TEST(Torn, a_name_that_makes_no_field_is_not_put_together) {
  const Extraction x = read_log(
      "0:  iteration 1/ 2 | lm loss: 1.5 | grad\n0: | noise |\n0:  norm: 2.5 | number of nan iterations: 0 "
      "|\n");
  EXPECT_EQ(words(x, "grad_norm"), "1=2.5");
}

TEST(Torn, a_field_behind_the_usual_last_one_may_be_cut_too) {
  const Extraction x = read_log(" iteration 1/ 2 | lm loss: 1.5 | number of nan iterations: 0 | TFLOPs: 9");
  EXPECT_EQ(words(x, "throughput"), "no series");
  EXPECT_THAT(problems(x, ProblemKind::cut_off), ElementsAre("1: record cut off at `TFLOPs: 9`"));
}

TEST(Torn, the_other_half_may_stand_behind_a_progress_bar) {
  const std::size_t at = memory_line.find("max reserved") + 5;
  const Extraction x =
      read_log("0: " + memory_line.substr(0, at) + "\n0: 10%\r" + memory_line.substr(at) + "\n");
  EXPECT_EQ(words(x, "memory_max_reserved", 3), "1=400.00");
}

TEST(Torn, a_cut_step_is_not_told_as_left_out) {
  Extractor extractor = make();
  extractor.on_sample([](const LiveSample& live) { EXPECT_NE(live.sample.value.kind, ValueKind::left_out); });
  extractor.feed(
      " iteration 1/ 2 | grad norm: 1.5 | lm loss: 14\n iteration 2/ 2 | lm loss: 1.5 | grad norm: 1.5 |\n");
  EXPECT_EQ(words(extractor.finish(), "lm_loss"), "2=1.5");
}

TEST(Torn, a_line_of_few_fields_is_whole_all_the_same) {
  EXPECT_EQ(words(read_log(" iteration 1/ 2 | grad norm: 1.5 |\nnoise\n"), "lm_loss"), "1=left_out");
}

TEST(Torn, no_half_is_waited_for_without_end) {
  std::string log = "0: " + memory_line.substr(0, 100) + "\n";
  for (int i = 0; i < 50; ++i) log += "0: noise\n";
  Extractor extractor = make();
  extractor.feed(log);
  extractor.feed("0: " + memory_line.substr(100) + "\n");
  EXPECT_EQ(words(extractor.finish(), "memory_max_reserved", 3), "no series");
}

}  // namespace
}  // namespace gate::extract::torn_test
