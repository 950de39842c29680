#include "extract/events/wandb_file.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "extract/events/crc.h"
#include "gate/base/text.h"
#include "wandb_writer.h"

namespace gate::extract::wandb_file_test {
namespace {

using namespace wandb;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// What a file gave: `tag@step=word` of each value, and the problems.
struct Read {
  std::vector<std::string> values;
  std::vector<std::string> problems;
  std::string run;
  std::int64_t others = 0;
};

Read read(std::string_view file, std::size_t piece = std::string::npos) {
  Read result;
  WandbFile wandb({[&](const Scalar& s) {
                     result.values.push_back(std::string(s.tag) + "@" + std::to_string(s.step) + "=" +
                                             std::string(s.word));
                   },
                   [&](ProblemKind kind, std::uint32_t, const Sentence& text) {
                     result.problems.push_back(std::string(to_string(kind)) + ": " + text.english());
                   }});
  for (std::size_t at = 0; at < file.size(); at += std::min(piece, file.size()))
    wandb.feed(file.substr(at, piece));
  wandb.finish();
  result.run = wandb.run();
  result.others = wandb.other_values();
  return result;
}

std::string three_steps() {
  return file_of(
      {run("abc"), loss(1, "2.5"), loss(2, "2.25"), bytes(13, bytes(3, "step 9 loss: 9")), loss(3, "2")});
}

TEST(Crc32, is_the_published_one) {
  EXPECT_EQ(crc32("123456789"), 0xCBF43926U);
  Crc32 crc;
  crc.add("1234");
  crc.add("56789");
  EXPECT_EQ(crc.value(), 0xCBF43926U);
}

TEST(WandbFile, is_told_by_its_first_bytes) {
  EXPECT_TRUE(looks_like_wandb(beginning));
  EXPECT_TRUE(looks_like_wandb(":W&B\xE1\xBE\x01"));
  EXPECT_TRUE(looks_like_wandb(std::string(":X&B\xE1\xBE\0", 7)));
  EXPECT_FALSE(looks_like_wandb(""));
  EXPECT_FALSE(looks_like_wandb("wandb: View run"));
  EXPECT_FALSE(looks_like_wandb("1234\xE1\xBE\x80"));
}

TEST(WandbFile, gives_the_values_of_its_history_by_their_steps) {
  const Read all = read(three_steps());
  EXPECT_THAT(all.values, ElementsAre("train/loss@1=2.5", "train/loss@2=2.25", "train/loss@3=2"));
  EXPECT_THAT(all.problems, IsEmpty());
  EXPECT_EQ(all.run, "abc");
  for (const std::size_t piece : {1, 2, 7, 64}) EXPECT_EQ(read(three_steps(), piece).values, all.values);
}

TEST(WandbFile, cut_at_any_byte_gives_no_more_than_its_whole_records) {
  const std::string file = three_steps();
  const std::vector<std::string> all = read(file).values;
  std::size_t whole = 0;  // cuts between two records, which nothing tells
  for (std::size_t size = 1; size < file.size(); ++size) {
    const Read cut = read(file.substr(0, size));
    EXPECT_TRUE(std::equal(cut.values.begin(), cut.values.end(), all.begin())) << size;
    EXPECT_LT(cut.values.size(), all.size()) << size;
    if (cut.problems.empty()) {
      ++whole;
      continue;
    }
    EXPECT_THAT(cut.problems, ElementsAre(testing::StartsWith("torn: record "))) << size;
  }
  EXPECT_EQ(whole, 5U);
}

TEST(WandbFile, with_any_byte_flipped_says_so_and_makes_no_value_of_it) {
  const std::string file = three_steps();
  const std::vector<std::string> all = read(file).values;
  for (std::size_t at = 0; at < file.size(); ++at) {
    std::string flipped = file;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x04);
    const Read result = read(flipped);
    EXPECT_THAT(result.problems, SizeIs(testing::Ge(1))) << at;
    EXPECT_TRUE(std::includes(all.begin(), all.end(), result.values.begin(), result.values.end())) << at;
  }
}

TEST(WandbFile, goes_on_in_the_block_behind_a_damaged_one) {
  std::string file =
      file_of({run("abc"), loss(1, "3"), bytes(13, std::string(2 * block, 'x')), loss(2, "2")});
  file[40] ^= 1;
  const Read result = read(file);
  EXPECT_THAT(result.values, ElementsAre("train/loss@2=2"));
  EXPECT_THAT(result.problems,
              ElementsAre("unreadable: record 2 at byte 24: the CRC of its data is wrong: the file is "
                          "damaged here, and the rest of its block, from byte 24 on, is left out"));
}

TEST(WandbFile, reads_records_larger_than_a_block_and_passes_over_padding) {
  for (std::size_t size = block - 80; size < block + 10; ++size) {
    const Read result =
        read(file_of({logged(1, item("text", std::string(size, '1'))), loss(2, "0.5")}), 4096);
    EXPECT_THAT(result.values, testing::Contains("train/loss@2=0.5")) << size;
    EXPECT_THAT(result.problems, IsEmpty()) << size;
  }
}

TEST(WandbFile, leaves_out_a_record_without_beginning_or_end) {
  EXPECT_THAT(
      read(beginning + chunk(4, "x") + chunk(1, loss(1, "1"))).problems,
      ElementsAre("unreadable: record 1 at byte 7: its beginning is missing: the record is left out"));
  const Read lost = read(beginning + chunk(2, loss(1, "1")) + chunk(1, loss(2, "2")));
  EXPECT_THAT(lost.problems,
              ElementsAre("unreadable: record 1 at byte 7: its end is missing: the record is left out"));
  EXPECT_THAT(lost.values, ElementsAre("train/loss@2=2"));
}

TEST(WandbFile, says_where_zeros_or_impossible_lengths_stand) {
  EXPECT_THAT(read(beginning + std::string(100, '\0')).problems,
              ElementsAre(HasSubstr("no part of a record begins")));
  const std::string long_one = little_endian_bytes(0, 4) + "\xff\xff\x01";
  EXPECT_THAT(read(beginning + long_one).problems, ElementsAre(HasSubstr("no part of a record begins here")));
  EXPECT_THAT(read(beginning + chunk(5, "x")).problems,
              ElementsAre(HasSubstr("no part of a record begins here")));
}

TEST(WandbFile, leaves_out_a_record_of_more_than_it_holds) {
  std::string file = beginning + chunk(2, std::string(block - 2 * edge, '\0'));
  const std::string middle = chunk(3, std::string(block - edge, '\0'));
  while (file.size() < WandbFile::largest_record + 3 * block) file += middle;
  file += chunk(4, "end");
  add(file, loss(1, "1"));
  const Read result = read(file);
  EXPECT_THAT(result.problems,
              ElementsAre(HasSubstr("are more than gate reads at once: the record is left out")));
  EXPECT_THAT(result.values, ElementsAre("train/loss@1=1"));
}

TEST(WandbFile, of_another_version_is_not_read) {
  std::string file = three_steps();
  file[6] = 1;
  EXPECT_THAT(read(file).values, IsEmpty());
  EXPECT_THAT(read(file).problems,
              ElementsAre(HasSubstr("a file of W&B of version 1, and gate reads version 0")));
  file[4] = 1;
  EXPECT_THAT(read(file).problems, ElementsAre(HasSubstr("damaged at its beginning")));
}

TEST(WandbFile, says_which_record_is_none) {
  EXPECT_THAT(read(file_of({"\xff", bytes(2, "\x0a\xff"), bytes(2, bytes(1, "\xff"))})).problems,
              testing::Each(HasSubstr("its data is no record of W&B: it is left out")));
  EXPECT_THAT(read(beginning).problems, IsEmpty());
}

std::vector<std::string> values_of(std::string_view items) {
  return read(file_of({logged(1, items)})).values;
}

TEST(WandbRun, reads_numbers_and_what_is_not_finite) {
  EXPECT_THAT(
      values_of(item("a", "-1e-05") + item("b", "NaN") + item("c", "-Infinity") + item("d", "\"Infinity\"")),
      ElementsAre("a@1=-1e-05", "b@1=NaN", "c@1=-Infinity", "d@1=Infinity"));
  const Read others = read(file_of({logged(1, item("a", "\"0.5\"") + item("b", "true") + item("c", "null") +
                                                  item("d", "[1]") + item("e", "") + item("_wandb", "1"))}));
  EXPECT_THAT(others.values, IsEmpty());
  EXPECT_EQ(others.others, 5);
}

TEST(WandbRun, joins_nested_names_and_knows_tags_that_they_make) {
  EXPECT_THAT(values_of(nested("a", "b", "1") + item("c", R"({"d": 2, "e": {"f": NaN}})") +
                        nested("train", "loss", "3") + bytes(1, bytes(1, "old") + bytes(16, "4"))),
              ElementsAre("train/loss@1=3", "a.b@1=1", "c.d@1=2", "c.e.f@1=NaN", "old@1=4"));
  const Read media =
      read(file_of({logged(1, nested("img", "_type", "\"image-file\"") + nested("img", "width", "8") +
                                  item("h", R"({"_type": "histogram", "bins": [1]})"))}));
  EXPECT_THAT(media.values, IsEmpty());
  EXPECT_EQ(media.others, 2);
}

// W&B writes the values of a record in no order.
TEST(WandbRun, gives_values_in_one_order) {
  const std::string a = item("zeta", "1"), b = item("loss", "2"), c = item("train/loss", "3");
  EXPECT_EQ(values_of(a + b + c), values_of(c + a + b));
  EXPECT_THAT(values_of(a + b + c), ElementsAre("train/loss@1=3", "loss@1=2", "zeta@1=1"));
}

TEST(WandbRun, numbers_values_by_the_step_that_they_are_drawn_over) {
  const std::string at_20 = item("train/global_step", "20") + item("train/loss", "2");
  const Read by_step = read(file_of({drawn_over("*", "train/global_step"),
                                     logged(0, item("train/global_step", "10.0") + item("train/loss", "3")),
                                     logged(1, at_20), logged(2, item("eval/loss", "1"))}));
  EXPECT_THAT(by_step.values, ElementsAre("train/loss@10=3", "train/loss@20=2", "eval/loss@20=1"));
  const Read by_epoch =
      read(file_of({drawn_over("train/loss", "train/epoch"), logged(7, item("train/loss", "3"))}));
  EXPECT_THAT(by_epoch.values, ElementsAre("train/loss@7=3"));
  const Read own =
      read(file_of({drawn_over("*", "train/global_step"), drawn_over("train/loss", ""), logged(1, at_20)}));
  EXPECT_THAT(own.values, ElementsAre("train/loss@1=2"));
  const Read part =
      read(file_of({drawn_over("*", "global_step"), logged(1, item("global_step", "1.5") + item("a", "2"))}));
  EXPECT_THAT(part.problems,
              ElementsAre("malformed: record 2 at byte 32: a and what else has no step is left out"));
}

TEST(WandbRun, leaves_out_values_without_a_step_and_records_of_too_many) {
  EXPECT_THAT(read(file_of({history(item("a", "1"))})).problems,
              ElementsAre(HasSubstr("a and what else has no step")));
  EXPECT_THAT(read(file_of({history(item("a", "1") + bytes(2, number(1, 4)))})).values, ElementsAre("a@4=1"));
  std::string many;
  for (int i = 0; i < 10'001; ++i) many += item(std::to_string(i), "1");
  const Read result = read(file_of({logged(1, many), loss(2, "1")}));
  EXPECT_THAT(result.values, ElementsAre("train/loss@2=1"));
  EXPECT_THAT(result.problems, ElementsAre(HasSubstr("it holds more than 10000 values: it is left out")));
}

// An object in which each name stands below a long one is not multiplied out.
TEST(WandbRun, looks_into_small_objects_only) {
  std::string parts;
  for (int i = 0; i < 2000; ++i) parts += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\": 1";
  const Read result =
      read(file_of({logged(1, item("a", "{\"" + std::string(20'000, 'n') + "\": {" + parts + "}}"))}));
  EXPECT_THAT(result.values, IsEmpty());
  EXPECT_EQ(result.others, 1);
}

}  // namespace
}  // namespace gate::extract::wandb_file_test
