#include "extract/scan/line_splitter.h"

#include <gmock/gmock.h>

namespace gate::extract::line_splitter_test {
namespace {

using testing::ElementsAre;

// Return `number:text` of each part; `+` before what continues a line.
std::vector<std::string> split(const std::vector<std::string>& chunks, std::size_t limit = 100,
                               std::size_t overlap = 10) {
  std::vector<std::string> parts;
  LineSplitter splitter(
      [&](const LogLine& line) {
        parts.push_back(std::to_string(line.number) + (line.part == PartOrder::first ? ":" : "+") +
                        std::string(line.text));
      },
      limit, overlap);
  for (const std::string& chunk : chunks) splitter.feed(chunk);
  splitter.finish();
  return parts;
}

TEST(LineSplitter, takes_lf_and_cr_lf) {
  EXPECT_THAT(split({"one\ntwo\r\n\nfour\n"}), ElementsAre("1:one", "2:two", "4:four"));
}

TEST(LineSplitter, takes_a_last_line_without_newline) {
  EXPECT_THAT(split({"one\ntwo"}), ElementsAre("1:one", "2:two"));
}

TEST(LineSplitter, parts_a_line_at_carriage_returns) {
  EXPECT_THAT(split({"\r10%\r20%\rrecord\r\nnext"}), ElementsAre("1:10%", "1+20%", "1+record", "2:next"));
}

TEST(LineSplitter, is_the_same_however_the_bytes_come) {
  const std::string log = "a\r\nbb\rccc\n\n\rdddddddddddddddddddddddddddddd\nlast";
  const std::vector<std::string> whole = split({log}, 12, 4);
  for (std::size_t i = 0; i <= log.size(); ++i)
    for (std::size_t k = i; k <= log.size(); ++k)
      ASSERT_EQ(split({log.substr(0, i), log.substr(i, k - i), log.substr(k)}, 12, 4), whole)
          << i << " " << k;
}

TEST(LineSplitter, reads_a_long_line_in_overlapping_pieces) {
  EXPECT_THAT(split({"abcdefghijklm\nx"}, 6, 2), ElementsAre("1:abcdef", "1+efghij", "1+ijklm", "2:x"));
}

TEST(LineSplitter, owns_each_byte_of_a_long_line_once) {
  std::string owned;
  LineSplitter splitter([&](const LogLine& line) { owned += line.text.substr(0, line.own); }, 7, 3);
  const std::string log = "abcdefghijklmnopqrstuvwxyz";
  for (const char c : log) splitter.feed({&c, 1});
  splitter.finish();
  EXPECT_EQ(owned, log);
}

TEST(LineSplitter, tells_a_last_line_that_has_no_end) {
  std::vector<std::pair<std::uint32_t, bool>> lines;
  LineSplitter splitter([&](const LogLine& line) { lines.emplace_back(line.number, line.ended); });
  splitter.feed("a\nb");
  splitter.finish();
  EXPECT_THAT(lines, ElementsAre(testing::Pair(1, true), testing::Pair(2, false)));
  EXPECT_EQ(splitter.lines(), 2);
}

}  // namespace
}  // namespace gate::extract::line_splitter_test
