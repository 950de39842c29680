#include "extract/events/event_file.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <vector>

#include "event_writer.h"
#include "extract/events/wire.h"
#include "gate/base/little_endian.h"
#include "gate/base/text.h"
#include "reading.h"

namespace gate::extract::event_file_test {
namespace {

using namespace events;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// What a file gave: `tag@step=word` of each scalar, and the problems.
struct Read {
  std::vector<std::string> scalars;
  std::vector<std::string> problems;
  std::int64_t other_values = 0;
  std::int64_t records = 0;
};

Read read(std::string_view file, std::size_t piece = std::string::npos) {
  Read result;
  EventFile events({[&](const Scalar& s) {
                      result.scalars.push_back(std::string(s.tag) + "@" + std::to_string(s.step) + "=" +
                                               std::string(s.word));
                    },
                    [&](ProblemKind kind, std::uint32_t, const Sentence& text) {
                      result.problems.push_back(std::string(to_string(kind)) + ": " + text.english());
                    }});
  for (std::size_t at = 0; at < file.size(); at += std::min(piece, file.size()))
    events.feed(file.substr(at, piece));
  events.finish();
  result.other_values = events.other_values();
  result.records = events.records();
  return result;
}

std::string word_of_tensor(std::string_view message) {
  const Read result = read(record(event(1, tensor("t", message))));
  if (!result.problems.empty()) return result.problems[0];
  return result.scalars.empty() ? "other" : result.scalars[0].substr(4);
}

TEST(Crc32c, is_the_published_one) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  Crc32c crc;
  EXPECT_EQ(crc.value(), 0U);
  crc.add("1234");
  crc.add("56789");
  EXPECT_EQ(crc.value(), 0xE3069283U);
  EXPECT_EQ(little_endian(masked_sum("123456789")), crc.masked());
  EXPECT_EQ(masked_crc(std::string(32, '\0')), ((0x8A9136AAU >> 15) | (0x8A9136AAU << 17)) + 0xA282EAD8U);
}

TEST(EventFiles, are_known_by_their_first_twelve_bytes) {
  const std::string file = small_file();
  EXPECT_TRUE(looks_like_events(file));
  EXPECT_TRUE(looks_like_events(file.substr(0, 12)));
  EXPECT_FALSE(looks_like_events(file.substr(0, 11)));
  EXPECT_FALSE(looks_like_events(file.substr(1)));
  EXPECT_FALSE(looks_like_events(std::string(12, '\0')));
  EXPECT_FALSE(looks_like_events(" iteration 1/ 3 | lm loss: 1.0 |"));
}

TEST(EventFiles, are_not_known_by_eleven_bytes_that_lack_a_zero) {
  std::uint64_t length = 0;
  while (head(length).back() != '\0') ++length;
  EXPECT_TRUE(looks_like_events(head(length)));
  EXPECT_FALSE(looks_like_events(head(length).substr(0, 11)));
}

TEST(EventFiles, give_the_scalars_of_torch_and_of_tensorflow) {
  const Read result = read(small_file());
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_THAT(result.scalars,
              ElementsAre("lm loss@1=10.166667", "lm loss vs samples@8=10.166667", "grad-norm@1=0.14285715",
                          "a tag of one's own@1=1", "lm loss@2=9.833333", "lm loss vs samples@16=9.833333",
                          "grad-norm@2=0.2857143", "a tag of one's own@2=2", "lm loss@3=9.5",
                          "lm loss vs samples@24=9.5", "grad-norm@3=0.42857143", "a tag of one's own@3=3",
                          "lm loss validation@3=2.5"));
  EXPECT_EQ(result.other_values, 1);
  EXPECT_EQ(result.records, 12);
}

TEST(EventFiles, say_where_and_when_a_scalar_was_written) {
  std::vector<Scalar> scalars;
  EventFile events({[&](const Scalar& scalar) { scalars.push_back(scalar); },
                    [](ProblemKind, std::uint32_t, const Sentence&) { FAIL(); }});
  events.feed(version_record() + scalar_record(7, "loss", 1));
  ASSERT_THAT(scalars, SizeIs(1));
  EXPECT_EQ(scalars[0].record, 2U);
  EXPECT_EQ(scalars[0].offset, version_record().size());
  EXPECT_EQ(scalars[0].wall_time, 1'700'000'007.25);
}

TEST(EventFiles, have_steps_of_any_sign_and_zero_where_none_is_written) {
  const auto largest = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(
      read(scalar_record(0, "a", 1) + scalar_record(-1, "a", 1) + scalar_record(largest, "a", 1)).scalars,
      ElementsAre("a@0=1", "a@-1=1", "a@9223372036854775807=1"));
}

TEST(EventFiles, print_numbers_that_read_back_as_the_same) {
  const auto printed = [](float value) { return read(scalar_record(1, "a", value)).scalars.at(0).substr(4); };
  EXPECT_EQ(printed(0.1F), "0.1");
  EXPECT_EQ(printed(-0.0F), "-0");
  EXPECT_EQ(printed(1e-5F), "1e-05");
  EXPECT_EQ(printed(0.0003F), "0.0003");
  EXPECT_EQ(printed(100'000), "100000");
  EXPECT_EQ(printed(19'016'060'928.0F), "19016060928");
  EXPECT_EQ(printed(3.4028235e38F), "3.4028235e+38");
  EXPECT_EQ(printed(1e-45F), "1e-45");
  EXPECT_EQ(printed(std::numeric_limits<float>::quiet_NaN()), "nan");
  EXPECT_EQ(printed(std::numeric_limits<float>::infinity()), "inf");
  EXPECT_EQ(printed(-std::numeric_limits<float>::infinity()), "-inf");
  EXPECT_EQ(parse_value(printed(0.3F))->number.to_double(), 0.3);
}

TEST(EventFiles, read_tensors_of_one_number_of_any_type) {
  const std::string minus_two = varint(static_cast<std::uint64_t>(-2));
  EXPECT_EQ(word_of_tensor(number(1, 1) + float32(5, 0.5F)), "0.5");
  EXPECT_EQ(word_of_tensor(number(1, 1) + bytes(5, little_endian_bytes(0x3F000000, 4))), "0.5");
  EXPECT_EQ(word_of_tensor(number(1, 2) + float64(6, 0.1)), "0.1");
  EXPECT_EQ(word_of_tensor(number(1, 2) + bytes(4, little_endian_bytes(0x3FF0000000000001, 8))),
            "1.0000000000000002");
  EXPECT_EQ(word_of_tensor(number(1, 3) + bytes(7, minus_two)), "-2");
  EXPECT_EQ(word_of_tensor(number(1, 3) + bytes(4, little_endian_bytes(0xFFFFFFFE, 4))), "-2");
  EXPECT_EQ(word_of_tensor(number(1, 6) + bytes(4, "\xFE")), "-2");
  EXPECT_EQ(word_of_tensor(number(1, 4) + bytes(4, "\xFE")), "254");
  EXPECT_EQ(word_of_tensor(number(1, 9) + bytes(10, minus_two)), "-2");
  EXPECT_EQ(word_of_tensor(number(1, 23) + number(17, ~0ULL)), "18446744073709551615");
  EXPECT_EQ(word_of_tensor(number(1, 14) + number(13, 0x3FC0)), "1.5");
  EXPECT_EQ(word_of_tensor(number(1, 19) + number(13, 0x3E00)), "1.5");
  EXPECT_EQ(word_of_tensor(number(1, 19) + number(13, 0x0001)), "5.9604645e-08");
  EXPECT_EQ(word_of_tensor(number(1, 19) + number(13, 0xFC00)), "-inf");
  EXPECT_EQ(word_of_tensor(number(1, 1) + bytes(2, bytes(2, number(1, 1))) + float32(5, 2)), "2");
}

TEST(EventFiles, count_what_is_no_scalar) {
  const std::string two = bytes(2, bytes(2, number(1, 2)));
  EXPECT_EQ(word_of_tensor(number(1, 1) + float32(5, 1) + float32(5, 2)), "other");
  EXPECT_EQ(word_of_tensor(number(1, 1) + bytes(4, std::string(8, 'x'))), "other");
  EXPECT_EQ(word_of_tensor(number(1, 1) + two + float32(5, 1)), "other");
  EXPECT_EQ(word_of_tensor(number(1, 1) + bytes(2, number(3, 1)) + float32(5, 1)), "other");
  EXPECT_EQ(word_of_tensor(number(1, 7) + bytes(8, "text")), "other");
  EXPECT_EQ(word_of_tensor(number(1, 1)), "other");
  EXPECT_EQ(word_of_tensor(""), "other");
  const std::string one = number(1, 1) + float32(5, 1);
  EXPECT_EQ(read(record(event(1, tensor("t", one, "pr_curves")))).other_values, 1);
  EXPECT_THAT(read(record(event(1, tensor("t", one, "")))).scalars, ElementsAre("t@1=1"));
}

TEST(EventFiles, say_which_record_is_no_event) {
  const std::string version = version_record();
  const std::string place = "malformed: record 2 at byte " + std::to_string(version.size());
  const std::string scalar = simple("a", 1);
  for (const std::string& data :
       {bytes(5, bytes(1, "\x0A\x05tag")), std::string("\x00\x01", 2), std::string("\x0B\x01"),
        std::string("\x09"), std::string("\x10") + std::string(10, '\xFF'),
        std::string("\x10") + std::string(9, '\xFF') + "\x02", event(1, scalar) + "\x0A\x7F",
        event(1, scalar + bytes(1, bytes(8, "\x08"))), event(1, scalar + bytes(1, bytes(9, "\x08"))),
        event(1, scalar + bytes(1, bytes(9, bytes(1, "\x08")))),
        event(1, scalar + tensor("t", bytes(2, "\x08"))),
        event(1, scalar + tensor("t", bytes(2, bytes(2, "\x08")))),
        event(1, scalar + tensor("t", number(1, 1) + bytes(5, "abc"))),
        event(1, scalar + tensor("t", number(1, 1) + bytes(4, "abcde"))),
        event(1, scalar + tensor("t", number(1, 3) + bytes(7, "\xFF")))}) {
    const Read result = read(version + record(data) + scalar_record(1, "b", 2));
    EXPECT_THAT(result.problems, ElementsAre(place + ": its data is no event: the record is left out"))
        << printable(data);
    EXPECT_THAT(result.scalars, ElementsAre("b@1=2")) << printable(data);
  }
}

TEST(EventFiles, pass_over_fields_that_they_do_not_know) {
  const std::string value = bytes(1, "a") + number(77, 1) + float64(78, 1) + float32(2, 3) + number(1, 5);
  EXPECT_THAT(read(record(bytes(99, "x") + number(5, 1) + event(4, bytes(1, value) + float32(3, 1)))).scalars,
              ElementsAre("a@4=3"));
}

TEST(EventFiles, name_the_step_even_where_it_stands_behind_the_values) {
  EXPECT_THAT(read(record(bytes(5, simple("a", 1)) + number(2, 9))).scalars, ElementsAre("a@9=1"));
}

TEST(EventFiles, give_what_was_whole_where_they_are_cut_off) {
  const std::string file = small_file();
  const std::vector<std::string> all = read(file).scalars;
  std::vector<std::size_t> ends{0};
  for (std::size_t at = 0; at < file.size(); ends.push_back(at))
    at += 16 + little_endian(std::string_view(file).substr(at, 8));
  for (std::size_t size = 0; size <= file.size(); ++size) {
    const Read result = read(std::string_view(file).substr(0, size));
    const auto next = std::upper_bound(ends.begin(), ends.end(), size);
    const std::size_t begin = *std::prev(next);
    ASSERT_LE(result.scalars.size(), all.size());
    EXPECT_TRUE(std::equal(result.scalars.begin(), result.scalars.end(), all.begin())) << size;
    EXPECT_EQ(result.records, next - ends.begin() - 1) << size;
    if (begin == size) {
      EXPECT_THAT(result.problems, IsEmpty()) << size;
      continue;
    }
    EXPECT_THAT(result.problems, ElementsAre("torn: record " + std::to_string(next - ends.begin()) +
                                             " at byte " + std::to_string(begin) + ": cut off after " +
                                             count_of(static_cast<std::int64_t>(size - begin), "byte") +
                                             ": the file ends here"));
  }
}

TEST(EventFiles, are_read_the_same_in_pieces) {
  std::string file = small_file();
  file[file.size() / 2] ^= 1;
  file += "cut";
  const Read whole = read(file);
  for (std::size_t piece = 1; piece < 40; ++piece) {
    EXPECT_EQ(read(file, piece).scalars, whole.scalars) << piece;
    EXPECT_EQ(read(file, piece).problems, whole.problems) << piece;
  }
}

// Every bit in turn: something is said, and no scalar appears that was not written.
TEST(EventFiles, report_every_flipped_bit_and_never_make_up_a_value) {
  const std::string file = small_file();
  const std::vector<std::string> all = read(file).scalars;
  for (std::size_t at = 0; at < file.size() * 8; ++at) {
    std::string damaged = file;
    damaged[at / 8] = static_cast<char>(damaged[at / 8] ^ (1 << (at % 8)));
    const Read result = read(damaged);
    ASSERT_THAT(result.problems, SizeIs(1)) << at;
    ASSERT_THAT(result.problems[0], testing::HasSubstr("the CRC of its ")) << at;
    auto from = all.begin();
    for (const std::string& scalar : result.scalars) {
      from = std::find(from, all.end(), scalar);
      ASSERT_NE(from, all.end()) << at << ' ' << scalar;
      ++from;
    }
  }
}

TEST(EventFiles, are_read_on_behind_damaged_data_and_not_behind_a_damaged_length) {
  std::string file = version_record() + scalar_record(1, "a", 1) + scalar_record(2, "a", 2);
  const std::size_t at = version_record().size();
  const std::string place = "unreadable: record 2 at byte " + std::to_string(at) + ": ";
  std::string damaged = file;
  damaged[at + 20] ^= 0x40;
  EXPECT_THAT(read(damaged).scalars, ElementsAre("a@2=2"));
  EXPECT_THAT(read(damaged).problems,
              ElementsAre(place + "the CRC of its data is wrong: the record is damaged, and left out"));
  damaged = file;
  damaged[at] ^= 1;
  EXPECT_THAT(read(damaged).scalars, IsEmpty());
  EXPECT_THAT(read(damaged).problems,
              ElementsAre(place + "the CRC of its length is wrong: the file is damaged "
                                  "here, and what follows cannot be found"));
}

TEST(EventFiles, leave_out_a_record_that_is_too_large_and_go_on) {
  const std::string large(EventFile::largest_record + 1, '\0');
  const std::string sum =
      little_endian_bytes(0xA2F8635D, 4);  // its masked CRC, which takes seconds to work out
  const Read result = read(head(large.size()) + large + sum + scalar_record(1, "a", 1));
  EXPECT_THAT(result.scalars, ElementsAre("a@1=1"));
  EXPECT_THAT(
      result.problems,
      ElementsAre("unreadable: record 1 at byte 0: its 67108865 bytes are more than gate reads at once: the "
                  "record is left out"));
}

TEST(EventFiles, believe_no_length_before_its_bytes_have_come) {
  EXPECT_THAT(read(head(~0ULL) + "abc").problems,
              ElementsAre("torn: record 1 at byte 0: cut off after 15 bytes: the file ends here"));
}

TEST(EventFiles, may_be_empty_and_hold_empty_records) {
  EXPECT_THAT(read("").problems, IsEmpty());
  const Read result = read(record("") + record("") + scalar_record(1, "", 1));
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_THAT(result.scalars, ElementsAre("@1=1"));
}

class RealEvents : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no event files of real runs in " << folder;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      files_.push_back(file_text(entry.path().string()));
    std::ranges::sort(files_, {}, &std::string::size);
  }
  inline static const std::string folder = GATE_SOURCE_DIR "/../shared/data/tfevents/";
  std::vector<std::string> files_;
};

TEST_F(RealEvents, are_read_whole_with_both_sums_verified) {
  ASSERT_THAT(files_, SizeIs(3));
  const Read lines = read(files_[0]);
  EXPECT_THAT(lines.problems, IsEmpty());
  ASSERT_THAT(lines.scalars, SizeIs(24));
  EXPECT_EQ(lines.records, 25);
  EXPECT_EQ(lines.scalars.front(), "linear_1@0=0");
  EXPECT_EQ(lines.scalars.back(), "linear_2@13=13");
  for (const std::size_t i : {1, 2}) {
    const Read curve = read(files_[i]);
    EXPECT_THAT(curve.problems, IsEmpty());
    EXPECT_THAT(curve.scalars, SizeIs(100));
    EXPECT_EQ(curve.scalars[1], "run_14h@1=0.19866933");
  }
}

TEST_F(RealEvents, lose_no_whole_record_where_they_are_cut_off_or_damaged) {
  const std::vector<std::string> all = read(files_[0]).scalars;
  for (std::size_t at = 0; at < files_[0].size(); ++at) {
    const Read cut = read(std::string_view(files_[0]).substr(0, at));
    EXPECT_TRUE(std::equal(cut.scalars.begin(), cut.scalars.end(), all.begin())) << at;
    std::string damaged = files_[0];
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    EXPECT_THAT(read(damaged).problems, SizeIs(1)) << at;
    EXPECT_LT(read(damaged).scalars.size(), all.size() + (at < 40 ? 1 : 0)) << at;
  }
}

}  // namespace
}  // namespace gate::extract::event_file_test
