// The progress bar of a training: the steps of records that print none, and where the training was to end.
#include <gmock/gmock.h>

#include "extract/scan/progress_bar.h"
#include "reading.h"

namespace gate::extract::bar_steps_test {
namespace {

using testing::IsEmpty;

// Return a drawing of a bar that began `seconds` ago.
std::string bar(int step, int total, int seconds = 0) {
  char text[96];
  snprintf(text, sizeof text, "\r%3d%%|##   | %d/%d [%02d:%02d<01:00,  1.00s/it]", 100 * step / total, step,
           total, seconds / 60, seconds % 60);
  return text;
}

std::string dictionary(const std::string& loss, const std::string& epoch = "0.1") {
  return "\r            \r{'loss': " + loss + ", 'epoch': " + epoch + "}\n";
}

std::string losses(const std::string& log, Options options = {}) {
  return words(read_log(log, std::move(options)), "lm_loss");
}

std::string shown(const std::string& log) {
  const Extraction x = read_log(log);
  return x.bar ? std::to_string(x.bar->step) + "/" + std::to_string(x.bar->total) : "no bar";
}

TEST(ProgressBar, is_one_of_all_steps) {
  for (const std::string text :
       {" 14%|#9   | 370/1900 [13:50<30:11, 71.20s/it]", "0: [rank0]: 14%|| 370/1900 [1:13:50<?]",
        "[2026-06-02 07:00:01]  14%|| 370/1900 [1:13:50<?]",
        "Train:  14%|#   | 370/1900 [00:01<00:02, 2.0it/s]{'loss': 1}"}) {
    const std::optional<ShownStep> step = shown_step(text);
    ASSERT_TRUE(step) << text;
    EXPECT_EQ(step->step, 370);
    EXPECT_EQ(step->total, 1900);
  }
  EXPECT_EQ(shown_step(" 14%|#9   | 370/1900 [13:50<30:11, 71.20s/it]")->seconds, 830);
  EXPECT_EQ(shown_step(" 14%|#9   | 370/1900 [1:13:50<30:11, 71.20s/it]")->seconds, 4430);
}

TEST(ProgressBar, of_something_else_is_none) {
  for (const std::string text :
       {"Loading checkpoint shards:  75%|###  | 3/4 [00:03<00:01, 1.0s/it]", "Map: 100%|#| 5/5 [00:01<00:00]",
        "Epoch 3:  93%|###  | 18/20 [00:01<00:01, 1.0it/s]", "Val:  50%|#| 1/2 [00:00<00:00]",
        " 14%|#9   | 370/1900", " 14%|#9   | 370/? [00:01<?]", "model.bin: 14%|# | 1.2G/4.0G [00:01<00:02]",
        " 14%|#  | 20/10 [00:01<00:02]", "14%| 3 of 4 [00:01]", "37/190 [00:01<00:02]"})
    EXPECT_FALSE(shown_step(text)) << text;
}

TEST(BarSteps, are_those_of_the_bar_before) {
  std::string log;
  for (int step = 1; step <= 30; ++step)
    log += bar(step, 50, 60 * step) + (step % 10 == 0 ? dictionary(std::to_string(step)) : "");
  EXPECT_EQ(losses(log), "10=10 20=20 30=30");
  EXPECT_EQ(shown(log), "30/50");
  EXPECT_THAT(read_log(log).notes, IsEmpty());
  EXPECT_FALSE(read_log(log).total) << "what a bar announces is no promise";
}

// What tqdm draws within a tenth of a second is left out, and drawn again behind what was written.
TEST(BarSteps, are_those_of_the_drawing_behind_where_steps_are_fast) {
  EXPECT_EQ(losses(bar(0, 40) + bar(8, 40) + dictionary("1.5") + bar(10, 40) + bar(19, 40) +
                   dictionary("1.4") + bar(20, 40) + bar(29, 40) + dictionary("1.3") + bar(30, 40)),
            "10=1.5 20=1.4 30=1.3");
  EXPECT_EQ(losses(bar(0, 4) + dictionary("1.5") + bar(1, 4) + dictionary("1.4") + bar(2, 4) +
                   dictionary("1.3") + bar(3, 4)),
            "1=1.5 2=1.4 3=1.3");
}

TEST(BarSteps, are_those_of_the_drawing_before_where_none_was_left_out) {
  EXPECT_EQ(losses(bar(5, 30, 9) + dictionary("1.5") + bar(10, 30, 18) + dictionary("1.4") + bar(15, 30, 27) +
                   dictionary("1.3")),
            "5=1.5 10=1.4 15=1.3");
  EXPECT_EQ(losses(bar(1, 30, 9) + dictionary("1.5") + bar(2, 30, 18) + dictionary("1.4") + bar(3, 30, 27)),
            "1=1.5 2=1.4");
}

TEST(BarSteps, are_not_those_of_an_evaluation) {
  const std::string evaluation = bar(1, 3) + bar(2, 3) + bar(3, 3) + "\n{'eval_loss': 1.25, 'epoch': 0.1}\n";
  const std::string log = bar(0, 40) + bar(10, 40, 10) + dictionary("1.5") + evaluation + bar(20, 40, 20) +
                          dictionary("1.4") + bar(20, 40, 20) + evaluation + bar(30, 40, 30) +
                          dictionary("1.3") + evaluation;
  EXPECT_EQ(losses(log), "10=1.5 20=1.4 30=1.3");
  EXPECT_EQ(words(read_log(log), "validation_loss"), "10=1.25 20=1.25 30=1.25");
  EXPECT_EQ(shown(log), "30/40");
}

TEST(BarSteps, of_a_line_before_its_drawing_are_those_of_the_drawing) {
  std::string log;
  for (int step = 1; step <= 30; ++step)
    log += (step % 10 == 0 ? dictionary(std::to_string(step)) : "") + bar(step, 50, 2 * step);
  EXPECT_EQ(losses(log), "10=10 20=20 30=30");
}

TEST(BarSteps, of_a_line_that_was_written_twice_are_one) {
  for (const std::string& between : {std::string(), bar(20, 40, 40)}) {
    const std::string last = dictionary("1.25", "0.3");
    const std::string log = bar(10, 40, 20) + dictionary("1.5", "0.1") + bar(20, 40, 40) +
                            dictionary("1.375", "0.2") + between + dictionary("1.375", "0.2") +
                            bar(30, 40, 60) + last + last + bar(40, 40, 80) + dictionary("1.125", "0.4");
    EXPECT_EQ(losses(log), "10=1.5 20=1.375 30=1.25 40=1.125");
  }
  const std::string first = dictionary("1.5", "0.1");
  EXPECT_EQ(losses(bar(10, 40, 20) + first + first + bar(20, 40, 40) + dictionary("1.25", "0.2")),
            "10=1.5 20=1.25");
}

TEST(BarSteps, of_a_lost_line_stay_free) {
  std::string log;
  for (int step = 1; step <= 60; ++step)
    log += bar(step, 60, 2 * step) + (step % 10 == 0 && step != 30 ? dictionary(std::to_string(step)) : "");
  EXPECT_EQ(losses(log), "10=10 20=20 40=40 50=50 60=60");
}

// What a buffer held back comes in one piece, wherever the bar stands by then.
TEST(BarSteps, are_counted_where_lines_were_held_back) {
  const std::string log = bar(0, 40) + bar(17, 40, 17) + dictionary("1.5", "0.1") + dictionary("1.4", "0.2") +
                          bar(18, 40, 18) + bar(33, 40, 33) + dictionary("1.3", "0.3") +
                          dictionary("1.2", "0.4") + bar(34, 40, 34);
  EXPECT_EQ(losses(log), "1=1.5 2=1.4 3=1.3 4=1.2");
  EXPECT_EQ(shown(log), "34/40");
}

TEST(BarSteps, are_counted_without_a_bar_before_the_first_line) {
  EXPECT_EQ(losses(dictionary("1.5", "0.1") + bar(20, 40, 1) + dictionary("1.4", "0.2")), "1=1.5 2=1.4");
  EXPECT_EQ(losses("Map: 100%|#| 5/5 [00:01<00:00]\n" + dictionary("1.5", "0.1") + dictionary("1.4", "0.2")),
            "1=1.5 2=1.4");
}

TEST(BarSteps, are_counted_where_that_is_asked_for) {
  Options options;
  options.steps_of = StepsOf::count;
  EXPECT_EQ(losses(bar(10, 40, 10) + dictionary("1.5", "0.1") + bar(20, 40, 20) + dictionary("1.4", "0.2"),
                   options),
            "1=1.5 2=1.4");
}

TEST(BarSteps, of_a_run_that_began_again_begin_again) {
  const std::string log = bar(10, 40, 10) + dictionary("1.5", "0.1") + bar(20, 40, 20) +
                          dictionary("1.4", "0.2") + bar(0, 40) + bar(10, 40, 10) + dictionary("1.6", "0.1") +
                          bar(20, 40, 20) + dictionary("1.7", "0.2") + bar(21, 40, 21);
  const Extraction x = read_log(log);
  EXPECT_EQ(x.attempts.size(), 2U);
  EXPECT_EQ(words(x, "lm_loss"), "10=1.6 20=1.7");
}

TEST(BarSteps, are_the_same_wherever_the_log_is_cut) {
  const std::string log = bar(0, 40) + bar(10, 40, 10) + dictionary("1.5") + bar(10, 40, 10) +
                          bar(20, 40, 20) + dictionary("1.4") + bar(21, 40, 21) +
                          "\nTraceback (most recent call last):\n";
  const std::string whole = dump(read_log(log));
  for (std::size_t cut = 0; cut <= log.size(); cut += SANITIZED ? 31 : 5) {
    Extractor extractor = make();
    extractor.begin_file("train.log");
    extractor.feed(std::string_view(log).substr(0, cut));
    extractor.feed(std::string_view(log).substr(cut));
    ASSERT_EQ(dump(extractor.finish()), whole) << cut;
  }
}

TEST(BarSteps, an_epoch_of_lightning_ends_where_its_bar_does) {
  const std::string log = "Epoch 3:  50%|#####     | 10/20 [00:01<00:01,  0.90it/s, train_loss=2.500]\n";
  EXPECT_EQ(losses(log), "70=2.500");
  EXPECT_EQ(shown(log), "70/80");
}

}  // namespace
}  // namespace gate::extract::bar_steps_test
