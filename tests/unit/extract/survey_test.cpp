#include "gate/extract/survey.h"

#include <gtest/gtest.h>

#include "extract/survey/tried_pattern.h"
#include "gate/base/text.h"

namespace gate::extract::survey_test {
namespace {

// Lines like the text, a line for each k from 1 to `count`: `@` is k, `#` is k + 100, `^` is the epoch and
// `~` the step in it, from 1, of epochs of three steps.
std::string lines_of(std::string_view text, int count = 6) {
  std::string log;
  for (int k = 1; k <= count; ++k) {
    std::string line(text);
    const auto put = [&](std::string_view mark, int number) {
      for (std::size_t at = line.find(mark); at != std::string::npos; at = line.find(mark))
        line.replace(at, mark.size(), std::to_string(number));
    };
    put("@", k);
    put("#", k + 100);
    put("^", (k - 1) / 3 + 1);
    put("~", (k - 1) % 3 + 1);
    log += line + "\n";
  }
  return log;
}

// What the metric reads of the log: its name, the first and the last step (`r` if lines are counted, `-` if
// they belong to the step of another line) and the last word.
std::string read_by(const SurveyedMetric& metric, const std::string& log) {
  if (!metric.key.empty()) return metric.guess.metric.name + " key " + metric.key;
  TriedPattern tried(metric.pattern);
  std::string first, last, word, rank;
  for (const std::string_view line : split(log, '\n'))
    for (const std::string_view drawing : split(line, '\r'))
      if (const auto found = tried.find(drawing)) {
        last = found->step                                         ? std::to_string(*found->step)
               : metric.guess.metric.numbered == Numbering::report ? "r"
                                                                   : "-";
        if (first.empty()) first = last;
        rank = found->rank ? " rank " + std::to_string(*found->rank) : "";
        word = found->word;
      }
  return metric.guess.metric.name + " " + first + (first == last ? "" : "-" + last) + rank + " " + word;
}

std::string surveyed(const std::string& log) {
  std::string out;
  for (const SurveyedLines& lines : survey_log(log).lines)
    for (const SurveyedMetric& metric : lines.metrics)
      out += (out.empty() ? "" : "; ") + read_by(metric, log);
  return out.empty() ? "nothing" : out;
}

std::string left_out(const std::string& log) {
  std::string out;
  for (const SurveyedLines& lines : survey_log(log).lines)
    for (const auto& [printed, why] : lines.left_out)
      out += (out.empty() ? "" : "; ") + printed + ": " + why.english();
  return out;
}

struct SurveyRow {
  const char* line;
  const char* read;
};

class SurveyedLog : public testing::TestWithParam<SurveyRow> {};

TEST_P(SurveyedLog, IsReadByItsLines) {
  EXPECT_EQ(surveyed(lines_of(GetParam().line)), GetParam().read) << GetParam().line;
}

INSTANTIATE_TEST_SUITE_P(
    Steps, SurveyedLog,
    testing::Values(SurveyRow{"step @: loss=2.# acc=0.#", "lm_loss 1-6 2.106; acc 1-6 0.106"},
                    SurveyRow{"Epoch:[1/1](@/99), Reward: 5.#", "reward 1-6 5.106"},
                    SurveyRow{"Batch 0/@ loss 2.#", "lm_loss 1-6 2.106"},
                    SurveyRow{" @: 2.#, 2.# avg loss, 0.# rate", "avg_loss 1-6 2.106; rate 1-6 0.106"},
                    SurveyRow{"Epoch ^ [~/3] loss 2.#", "lm_loss 1-6 2.106"},
                    SurveyRow{"Train: ^ [ ~/3 (5%)]  Loss: 2.# (2.#)", "lm_loss 1-6 2.106"},
                    SurveyRow{"epoch ^ iter ~ loss 2.#", "lm_loss 1000001-2000003 2.106"},
                    SurveyRow{"Epoch @/15 loss 2.#", "lm_loss 1-6 2.106"},
                    SurveyRow{"loss 2.# 10:00:0@", "lm_loss r 2.106"},
                    SurveyRow{"第@步 损失：2.#，学习率：1.#e-04",
                              "lm_loss 1-6 2.106; learning_rate 1-6 1.106e-04"}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, SurveyedLog,
    testing::Values(SurveyRow{"it @ L=3.# m=23.1G", "lm_loss 1-6 3.106"},
                    SurveyRow{"Iteration @] Throughput is 256.# records/second. Loss is 2.#.",
                              "throughput 1-6 256.106; lm_loss 1-6 2.106."},
                    SurveyRow{"step @ | loss 2.# | 1234.# tok/s | 312.# ms",
                              "lm_loss 1-6 2.106; tok_per_second 1-6 1234.106; time 1-6 312.106"},
                    SurveyRow{"iter @ loss 2.#, 8.# ms/it", "lm_loss 1-6 2.106; ms_it 1-6 8.106"},
                    SurveyRow{"step @ loss(2.#) 31,# tok/s", "lm_loss 1-6 2.106; tok_per_second 1-6 31,106"},
                    SurveyRow{"step @ loss 2.# 31.#K tok/s", "lm_loss 1-6 2.106; tok_per_second 1-6 31.106K"},
                    SurveyRow{"[rank0]: globalStep=@ loss: 2.#", "lm_loss 1-6 2.106"},
                    SurveyRow{"step @ loss 2.# lr 1e-4 seed 42", "lm_loss 1-6 2.106; learning_rate 1-6 1e-4"},
                    SurveyRow{"2026-01-02 10:11:12 [@/10] loss 2.# (2.4) top-5 0.#",
                              "lm_loss 1-6 2.106; top_5 1-6 0.106"},
                    SurveyRow{"step @ mem 1.#GiB loss 2.#", "mem 1-6 1.106GiB; lm_loss 1-6 2.106"}));

INSTANTIATE_TEST_SUITE_P(
    Ranks, SurveyedLog,
    testing::Values(SurveyRow{"rank0: step @ loss 4.#\nrank1: step @ loss 5.#", "lm_loss 1-6 rank 1 5.106"},
                    SurveyRow{"[0] step @ loss 4.#\n[1] step @ loss 5.#", "lm_loss 1-6 rank 1 5.106"},
                    SurveyRow{"step @ gpu 4^ loss 4.#", "gpu 1-6 42; lm_loss 1-6 4.106"}));

INSTANTIATE_TEST_SUITE_P(
    SeveralLines, SurveyedLog,
    testing::Values(
        SurveyRow{"step @ loss 2.#\neval step @ loss 3.#", "lm_loss 1-6 2.106; validation_loss 1-6 3.106"},
        SurveyRow{"Epoch: @/6\nTrain Loss: 2.# - Train Perplexity: 9.#\nValid Loss: 3.#",
                  "epoch 1-6 6; lm_loss - 2.106; train_perplexity - 9.106; validation_loss - 3.106"},
        SurveyRow{"step @ loss 2.#\nlr 0.#", "lm_loss 1-6 2.106; learning_rate - 0.106"},
        SurveyRow{"----\n|  iterations  | @ |\n|  fps  | 14# |", "step 1-6 6; fps - 14106"},
        SurveyRow{"loss 2.#\nlr 0.#", "lm_loss r 2.106; learning_rate r 0.106"},
        SurveyRow{"10:00:0@ train.py:88 - INFO - step @ loss 2.#\n10:00:0@ train.py:99 - INFO - val step @ "
                  "loss 3.#",
                  "lm_loss 1-6 2.106; validation_loss 1-6 3.106"},
        SurveyRow{"host-3: step @ loss=2.#\nhost-3: 验证 step @ loss=3.#",
                  "lm_loss 1-6 2.106; validation_loss 1-6 3.106"},
        SurveyRow{"step @ loss 2.#\nstep @ final loss 3.#", "lm_loss 1-6 2.106; final_loss 1-6 3.106"},
        SurveyRow{
            "Epoch @/6\ntrain Loss: 2.# Acc: 0.#\nval Loss: 3.# Acc: 0.#",
            "epoch 1-6 6; lm_loss - 2.106; acc - 0.106; validation_loss - 3.106; eval_accuracy - 0.106"}));

TEST(Survey, ReadsColumnsByTheirHead) {
  EXPECT_EQ(surveyed("epoch,step,loss,val_loss\n" + lines_of("^,@,2.#,")), "lm_loss 1-6 2.106");
  EXPECT_EQ(surveyed("step\tloss\tsec\n" + lines_of("@\t2.#\t0.#")), "lm_loss 1-6 2.106; sec 1-6 0.106");
  EXPECT_EQ(surveyed("| step | loss |\n" + lines_of("| @ | 2.# |")), "lm_loss 1-6 2.106");
  EXPECT_EQ(surveyed("E    #    LOSS TOK2VEC  SCORE\n" + lines_of("0  @00  2.#  0.#")),
            "loss_tok2vec 100-600 2.106; score 100-600 0.106");
  EXPECT_EQ(surveyed("Epoch GPU_mem box_loss cls_loss Size\n" +
                     lines_of("@/6  2.43G  1.#  2.#  640: 100%|##| 5/5 [1.5it/s]")),
            "gpu_mem 1-6 2.43G; box_loss 1-6 1.106; cls_loss 1-6 2.106");
}

TEST(Survey, ReadsJsonByItsKeys) {
  EXPECT_EQ(surveyed(lines_of(R"({"update": @, "train": {"nll": 2.#}, "note": "x"})")),
            "train_nll key train.nll");
  EXPECT_EQ(survey_log(lines_of(R"({"update": @, "train": {"nll": 2.#}})")).json_step, "update");
  EXPECT_EQ(survey_log(lines_of(R"({"split": "a", "step": @, "loss": 2.#})") +
                       lines_of(R"({"split": "b", "step": @, "loss": 3.#})"))
                .json_step,
            "")
      << "a text tells which of two is meant: they are lines of two shapes";
  EXPECT_EQ(surveyed(lines_of(R"({"a": NaN, "n": @})")), "nothing");
  EXPECT_EQ(surveyed("{\n{]\n{\"a\"\n"), "nothing");
}

TEST(Survey, TakesNoEpochForARestart) {
  const std::string once = lines_of("epoch ^/2, step ~/3 loss 2.#");
  EXPECT_EQ(surveyed(once), "lm_loss 1-6 2.106");
  EXPECT_EQ(surveyed(once + once), "lm_loss 1-6 2.106");
  EXPECT_EQ(surveyed(lines_of("step ~/3 loss 2.#")), "lm_loss r 2.106") << "nothing says which epoch it is";
}

TEST(Survey, TakesTheLastDrawingOfABar) {
  std::string log;
  for (int k = 1; k <= 6; ++k)
    log += "\r " + std::to_string(k) + "/6 loss=2.4" + "\r " + std::to_string(k) + "/6 loss=2.5";
  const LogSurvey survey = survey_log(log);
  ASSERT_EQ(survey.lines.size(), 1);
  EXPECT_EQ(survey.lines[0].metrics.at(0).guess.metric.pick, Pick::last);
  const LogSurvey lines = survey_log(lines_of("step @ loss 2.#"));
  EXPECT_EQ(lines.lines[0].metrics.at(0).guess.metric.pick, Pick::none);
}

TEST(Survey, HasTheUnitOfTheValueThatIsRead) {
  const auto unit_of = [](const std::string& number) {
    return survey_log(lines_of("step @ mem=" + number)).lines.at(0).metrics.at(0).guess.metric.unit;
  };
  EXPECT_EQ(unit_of("23.1GiB"), "MiB");
  EXPECT_EQ(unit_of("1,024.5GB"), "MiB");
  EXPECT_EQ(unit_of("23.1 GiB"), "GiB");
  EXPECT_EQ(unit_of("23.1TB"), "TB");
}

TEST(Survey, SaysWhatIsNoMetric) {
  EXPECT_EQ(left_out(lines_of("[a/b:44:f] step @ loss 2.# workers 8")),
            "workers: it is the same in all lines");
  EXPECT_EQ(left_out(lines_of("step @ loss 2.# train_time #00ms")), "train_time: a clock since the start");
  std::string coarse;
  for (const int left : {9, 8, 8, 6, 7, 5, 5, 4, 3, 2, 2, 1, 0})
    coarse +=
        "step " + std::to_string(coarse.size()) + " loss 2.5 epoch_time " + std::to_string(left) + ".0min\n";
  EXPECT_EQ(left_out(coarse), "epoch_time: a time that is left") << "it stands still at times";
  std::string warm;
  for (const int time : {9, 5, 2, 1, 1, 1, 1, 1})
    warm += "step " + std::to_string(warm.size()) + " loss 2.5 step_time " + std::to_string(time) + ".0s\n";
  EXPECT_EQ(left_out(warm), "") << "the first steps take longer";
  EXPECT_EQ(left_out(lines_of("step @ loss 2.# eta 10#")), "eta: it tells how far the run is");
}

TEST(Survey, SaysNothingOfWords) {
  EXPECT_EQ(surveyed("hello\nworld\n"), "nothing");
  EXPECT_EQ(surveyed(""), "nothing");
  EXPECT_EQ(surveyed("\r\r\n\x1b[31m\n"), "nothing");
}

}  // namespace
}  // namespace gate::extract::survey_test
