#include "extract/events/event_reader.h"

#include <gmock/gmock.h>

#include <set>
#include <vector>

#include "event_writer.h"
#include "extract/events/event_tags.h"
#include "extract/records/readings.h"
#include "gate/model/numbers/metric.h"

namespace gate::extract::event_reader_test {
namespace {

using namespace events;
using testing::ElementsAre;
using testing::IsEmpty;

// What the engine would get: `lm_loss 3=9.5 [value in the metric's unit]` of each record.
struct Taken {
  std::vector<std::string> records;
  std::vector<std::string> problems;
  std::vector<std::string> notes;
  std::int64_t matches = 0;
};

Taken take(const std::vector<std::string>& files) {
  Taken taken;
  const MetricTable metrics;
  ProblemLog problems;
  EventTally tally;
  Extraction extraction;
  for (std::uint32_t file = 0; file < files.size(); ++file) {
    EventReader reader(
        {&tracker_kinds().front(), "", file}, metrics, problems, tally,
        [&](const Record& record, LinePlace place) {
          EXPECT_EQ(record.role, Role::follower);
          Readings readings;
          read_words(record, {record.number.value_or(0), record.rank, place}, metrics, problems, readings);
          const FieldReading& reading = readings.values.at(0);
          taken.records.push_back(std::string(reading.row->metric) + " " + std::to_string(*record.number) +
                                  "=" + std::string(reading.sample.text) + " [" +
                                  reading.sample.value.number.to_string() + "] " +
                                  std::to_string(place.file) + ":" + std::to_string(place.line));
        });
    reader.feed(files[file]);
    reader.finish();
    taken.matches += reader.matches();
    extraction.files.push_back("f" + std::to_string(file));
  }
  problems.move_into(extraction);
  for (const Problem& problem : extraction.problems)
    taken.problems.push_back(problem.file + ":" + std::to_string(problem.line) + ": " +
                             problem.text.english());
  taken.notes = texts_of(tally.notes(), &Sentence::english);
  return taken;
}

TEST(EventReader, hands_over_a_follower_for_each_scalar_that_means_a_metric) {
  const Taken taken = take({small_file()});
  EXPECT_THAT(taken.records,
              ElementsAre("lm_loss 1=10.166667 [10.166667] 0:2", "grad_norm 1=0.14285715 [0.14285715] 0:4",
                          "a_tag_of_one_s_own 1=1 [1] 0:4", "lm_loss 2=9.833333 [9.833333] 0:5",
                          "grad_norm 2=0.2857143 [0.2857143] 0:7", "a_tag_of_one_s_own 2=2 [2] 0:7",
                          "lm_loss 3=9.5 [9.5] 0:8", "grad_norm 3=0.42857143 [0.42857143] 0:10",
                          "a_tag_of_one_s_own 3=3 [3] 0:10", "validation_loss 3=2.5 [2.5] 0:12"));
  EXPECT_EQ(taken.matches, 10);
  EXPECT_THAT(taken.problems, IsEmpty());
}

TEST(EventReader, says_once_for_all_files_what_it_leaves_out) {
  EXPECT_THAT(take({small_file(), small_file()}).notes,
              ElementsAre("6 scalars left out, numbered by samples or tokens instead of steps: "
                          "`lm loss vs samples`",
                          "2 values left out, no scalars: histograms, images, texts"));
  EXPECT_THAT(take({scalar_record(1, "loss", 1)}).notes, IsEmpty());
}

TEST(EventReader, leaves_out_what_is_numbered_by_samples_or_tokens) {
  const Taken taken = take({scalar_record(64, "Train/Samples/train_loss", 1) +
                            scalar_record(64, "iteration-time/iteration-time vs tokens", 1) +
                            scalar_record(64, "lm loss vs samples", 1)});
  EXPECT_THAT(taken.records, IsEmpty());
  EXPECT_THAT(taken.notes,
              ElementsAre("3 scalars left out, numbered by samples or tokens instead of "
                          "steps: `Train/Samples/train_loss`, `iteration-time/iteration-time vs tokens`, "
                          "`lm loss vs samples`"));
}

TEST(EventTags, tell_what_is_numbered_by_samples_or_tokens) {
  for (const char* tag :
       {"lm loss vs samples", "lm-loss-training/lm loss vs tokens", "steps-vs-samples/y=steps,x=samples",
        "train/loss_vs_tokens", "loss_by_tokens", "Loss/by Samples", "loss vs. consumed tokens",
        "loss versus num_samples/train", "loss_vs_tokens/train", "Train/Samples/lr", "Train/Tokens/loss",
        "Train/Eigenvalues/ModelBlockParam_0"})
    EXPECT_TRUE(is_numbered_otherwise(tag)) << tag;
  for (const char* tag : {"loss", "tokens", "train/tokens_per_second", "tokens/consumed", "loss_per_token",
                          "loss_normalized_by_tokens", "loss averaged by samples", "by_tokenizer/loss",
                          "samples vs steps", "grad_norm by layer", "tokens by"})
    EXPECT_FALSE(is_numbered_otherwise(tag)) << tag;
}

TEST(EventReader, names_a_few_of_many_tags_and_shows_them_printable) {
  std::string file;
  for (int i = 10; i < 30; ++i)
    file += scalar_record(1, "\x1b[31m\xff" + std::to_string(i) + " vs samples", 1);
  const std::string note = take({file}).notes.at(0);
  EXPECT_THAT(note, testing::StartsWith("20 scalars"));
  EXPECT_THAT(note, testing::HasSubstr("`\\x1b[31m\\xff10 vs samples`"));
  EXPECT_THAT(note, testing::EndsWith("and 12 more"));
}

TEST(EventReader, makes_a_metric_of_a_tag_that_means_none) {
  const Taken taken =
      take({scalar_record(1, "\x1b[31m acc/top-1 (%)", 1) + scalar_record(1, "?[31m acc/top-1 (%)", 2)});
  EXPECT_THAT(taken.records, ElementsAre("__31m_acc/top-1_(%) 1=1 [1] 0:1"));
  EXPECT_THAT(taken.notes, ElementsAre(testing::HasSubstr("an earlier tag means the same metric")));
}

TEST(EventReader, reads_a_thousand_tags_of_a_file) {
  std::string file;
  for (int i = 0; i < 1001; ++i) file += scalar_record(1, "t" + std::to_string(i), 1);
  const Taken taken = take({file});
  EXPECT_EQ(taken.records.size(), 1000U);
  EXPECT_THAT(taken.notes, ElementsAre("1 scalar left out, behind the first 1000 tags: `t1000`"));
}

TEST(EventReader, brings_values_into_the_unit_of_their_metric) {
  EXPECT_THAT(
      take({scalar_record(2, "iteration-time", 0.25F) + scalar_record(2, "mem-allocated-bytes", 3 << 20) +
            scalar_record(2, "memory/max_reserved(GiB)", 1.5F)})
          .records,
      ElementsAre("iteration_time 2=0.25 [250] 0:1",
                  "memory_allocated by step 2=3145728 [3.00000000000000000000] 0:2",
                  "memory_max_reserved by step 2=1.5 [1536.0] 0:3"));
}

TEST(EventReader, reads_one_tag_of_a_metric_and_says_which_others_it_left_out) {
  const Taken taken = take(
      {scalar_record(1, "train/loss", 2) + scalar_record(1, "loss", 3) + scalar_record(2, "train/loss", 4),
       scalar_record(1, "loss", 5)});
  EXPECT_THAT(taken.records,
              ElementsAre("lm_loss 1=2 [2] 0:1", "lm_loss 2=4 [4] 0:3", "lm_loss 1=5 [5] 1:1"));
  EXPECT_THAT(taken.notes, ElementsAre("1 scalar left out, an earlier tag means the same "
                                       "metric: `loss`"));
}

TEST(EventReader, puts_problems_into_the_log_with_file_and_record) {
  std::string damaged = version_record() + scalar_record(1, "loss", 2);
  damaged[version_record().size() + 20] ^= 1;
  const Taken taken =
      take({damaged, scalar_record(-4, "loss", 1) +
                         scalar_record(1, "loss", std::numeric_limits<float>::quiet_NaN()) + "x"});
  EXPECT_THAT(
      taken.problems,
      ElementsAre(
          "f0:2: record 2 at byte 40: the CRC of its data is wrong: the record is damaged, and left out",
          "f1:1: record 1: loss has step -4 and is left out", "f1:2: step 1: loss nan",
          "f1:3: record 3 at byte 93: cut off after 1 byte: the file ends here"));
  EXPECT_EQ(taken.matches, 1);
}

TEST(EventTags, mean_metrics_that_exist_and_are_there_once) {
  const MetricTable metrics;
  std::set<std::string_view> seen;
  for (const FieldRow& row : event_tags()) {
    EXPECT_NE(metrics.find(row.metric), nullptr) << row.printed;
    EXPECT_TRUE(seen.insert(row.printed).second) << row.printed;
    EXPECT_FALSE(is_numbered_otherwise(row.printed)) << row.printed;
    EXPECT_EQ(find_event_tag(row.printed), &row);
  }
  EXPECT_EQ(find_event_tag("loss "), nullptr);
}

// A factor stands where the tag names a unit that is not the metric's.
TEST(EventTags, have_the_factor_of_their_unit) {
  const MetricTable metrics;
  for (const FieldRow& row : event_tags()) {
    const Metric metric = metrics.get(row.metric);
    if (metric.kind == MetricKind::memory) {
      EXPECT_FALSE(row.factor == (Decimal{1, 0})) << row.printed;
    }
    if (metric.name == "iteration_time") {
      EXPECT_EQ(row.printed.ends_with("_ms"), row.factor == (Decimal{1, 0})) << row.printed;
    }
  }
}

}  // namespace
}  // namespace gate::extract::event_reader_test
