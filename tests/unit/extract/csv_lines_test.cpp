// metrics.csv of PyTorch Lightning.
#include <gmock/gmock.h>

#include "reading.h"

namespace gate::extract::csv_lines_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view head =
    "epoch,epoch_time,lr-AdamW/pg1,lr-AdamW/pg2,step,train_loss_epoch,train_loss_step,"
    "val_loss\n";
constexpr std::string_view rows =
    "0,,,,4,,2.5000,\n"
    "0,,1e-05,2e-05,9,,,\n"
    "0,,,,9,,2.2500,\n"
    "0,,,,9,,,2.1250\n"
    "0,30.5,,,9,2.3750,,\n"
    "1,,,,14,,nan,\n";

std::string log() { return std::string(head) + std::string(rows); }

TEST(CsvLines, NameTheirColumnsInTheHead) {
  const Extraction x = read_log(log());
  EXPECT_THAT(x.formats, ElementsAre("lightning"));
  EXPECT_EQ(words(x, "lm_loss"), "4=2.5000 9=2.2500 14=nan");
  EXPECT_EQ(words(x, "validation_loss"), "9=2.1250");
  EXPECT_EQ(words(x, "learning_rate"), "9=1e-05");
  EXPECT_EQ(words(x, "lr_adamw_pg2"), "9=2e-05");
  EXPECT_EQ(words(x, "train_loss_epoch"), "9=2.3750");
  EXPECT_EQ(words(x, "epoch_time"), "9=30.5");
  EXPECT_EQ(words(x, "epoch"), "no series");
  EXPECT_THAT(problems(x, ProblemKind::left_out), IsEmpty());
  EXPECT_THAT(problems(x, ProblemKind::not_finite), ElementsAre("7: step 14: train_loss_step nan"));
}

TEST(CsvLines, AreTheSameHoweverTheyAreFed) {
  const std::string whole = dump(read_log(log()));
  for (std::size_t cut = 0; cut <= log().size(); ++cut) {
    Extractor extractor = make();
    extractor.begin_file("train.log");
    extractor.feed(log().substr(0, cut));
    extractor.feed(log().substr(cut));
    ASSERT_EQ(dump(extractor.finish()), whole) << cut;
  }
}

TEST(CsvLines, EndWithTheirFile) {
  const std::string text = log();
  for (std::size_t size = head.size(); size < text.size(); ++size) {
    const Extraction x = read_log(text.substr(0, size));
    for (const Series& series : x.series)
      for (const Sample& sample : series.samples())
        ASSERT_NE(text.find(',' + sample.text + (text.find(sample.text + '\n') == text.npos ? "," : "\n")),
                  text.npos)
            << size << ' ' << sample.text;
  }
}

TEST(CsvLines, AreNoneWithoutAHead) {
  EXPECT_THAT(read_log(rows).series, IsEmpty());
  EXPECT_THAT(read_log("step,loss\n1,2.5\n").series, IsEmpty());
  EXPECT_THAT(read_log("1,2,step\n1,2,3\n").series, IsEmpty());
  EXPECT_THAT(read_log("epoch, the first,step\n0,1,2\n").series, IsEmpty());
}

TEST(CsvLines, HaveAsManyCellsAsTheHead) {
  const Extraction x = read_log("epoch,step,train_loss\n0,1,2.5\n0,2\n0,3,2.25,7\n0,4,2.0\n");
  EXPECT_EQ(words(x, "lm_loss"), "1=2.5 4=2.0");
  EXPECT_THAT(problems(x, ProblemKind::malformed),
              ElementsAre("3: a row of 2 cells, where the head names 3",
                          "4: a row of 4 cells, where the head names 3"));
}

TEST(CsvLines, TakeNoColumnForAMetricWithAUnit) {
  const Extraction x = read_log("epoch,step,throughput,train_loss\n0,1,5,2.5\n");
  EXPECT_EQ(words(x, "throughput"), "no series");
  EXPECT_EQ(words(x, "lm_loss"), "1=2.5");
}

TEST(CsvLines, OfOneMetricTheFirstNameCounts) {
  const Extraction x = read_log("epoch,loss,step,train_loss_epoch,train_loss_step\n0,9,1,8,2.5\n");
  EXPECT_EQ(words(x, "lm_loss"), "1=2.5");
  EXPECT_EQ(words(x, "loss"), "1=9");
}

TEST(CsvLines, BeginAgainWhereTheStepFalls) {
  const Extraction x =
      read_log("epoch,step,train_loss\n0,1,2.5\n0,2,2.25\nepoch,step,train_loss\n0,1,3.5\n0,2,3.25\n");
  EXPECT_EQ(words(x, "lm_loss"), "1=3.5 2=3.25");
  EXPECT_EQ(x.attempts.size(), 2U);
}

}  // namespace
}  // namespace gate::extract::csv_lines_test
