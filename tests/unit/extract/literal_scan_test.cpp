#include "extract/scan/literal_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace gate::extract::literal_scan_test {
namespace {

using ::testing::ElementsAre;

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool stands(const Literal& literal, std::string_view text) {
  const auto same = [&](char a, char b) { return literal.folded ? small(a) == b : a == b; };
  return std::search(text.begin(), text.end(), literal.text.begin(), literal.text.end(), same) != text.end();
}

ReaderMask find_readers(const std::vector<Literal>& literals, std::string_view text) {
  ReaderMask readers = 0;
  for (const Literal& literal : literals)
    if (stands(literal, text)) readers |= literal.readers;
  return readers;
}

// `begin-end after BEFORE newlines` of each line in which a literal stands, found one by one.
std::vector<std::string> plain_lines(const std::vector<Literal>& literals, std::string_view text) {
  std::vector<std::string> lines;
  std::int64_t before = 0;
  for (std::size_t begin = 0; begin < text.size(); ++before) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (find_readers(literals, text.substr(begin, end + 1 - begin)) != 0)
      lines.push_back(std::to_string(begin) + "-" + std::to_string(end) + " after " + std::to_string(before) +
                      " for " + std::to_string(find_readers(literals, text.substr(begin, end + 1 - begin))));
    begin = end + 1;
  }
  return lines;
}

std::vector<std::string> found_lines(const LiteralScan& scan, std::string_view text) {
  std::vector<std::string> lines;
  const auto take = [&](const FoundLine& line, const LiteralHits& wanted) {
    lines.push_back(std::to_string(line.begin) + "-" + std::to_string(line.end) + " after " +
                    std::to_string(line.before) + " for " + std::to_string(wanted.readers));
    LiteralHits alone;
    scan.find(text.substr(line.begin, line.end + 1 - line.begin), alone);
    EXPECT_TRUE(wanted.places == alone.places) << lines.back();
  };
  EXPECT_EQ(scan.find_lines(text, take), std::count(text.begin(), text.end(), '\n'));
  return lines;
}

TEST(LiteralScan, FindsTheLinesWithALiteralAndCountsTheOthers) {
  const LiteralScan scan({{"iteration", false, 1}, {"loss", true, 2}}, "");
  const std::string text = "nothing\nan iteration here\n\niterations 2 Loss\nlos\nLOSS";
  EXPECT_THAT(found_lines(scan, text),
              ElementsAre("8-25 after 1 for 1", "27-44 after 3 for 3", "49-53 after 5 for 2"));
  EXPECT_EQ(scan.readers_of("iteration"), 1U);
  EXPECT_EQ(scan.readers_of("lOsS of iteration"), 3U);
  EXPECT_EQ(scan.readers_of("Iteration"), 0U);
  EXPECT_EQ(scan.readers_of(""), 0U);
}

TEST(LiteralScan, FindsShortLiteralsAndSuchAsEndWithTheirLine) {
  const LiteralScan scan({{"{", false, 1}, {"it\n", false, 2}, {"ab", true, 4}}, "");
  EXPECT_THAT(found_lines(scan, "x\n{\nit is\nwas it\nxAb\na b\n"),
              ElementsAre("2-3 after 1 for 1", "10-16 after 3 for 2", "17-20 after 4 for 4"));
}

TEST(LiteralScan, FindsALiteralAtEachPlaceOfAText) {
  for (const SievePath path : sieve_paths()) {
    const LiteralScan scan({{"needle", false, 1}, {"x{", false, 2}}, "", path);
    for (std::size_t size = 6; size < 300; ++size)
      for (const std::size_t at : {std::size_t{0}, size / 2, size - 6}) {
        std::string text(size, ' ');
        text.replace(std::min(at, size - 6), 6, "needle");
        EXPECT_EQ(scan.readers_of(text), 1U) << to_string(path) << " " << size << " " << at;
      }
  }
}

TEST(LiteralScan, FindsWhatASearchOfEachLineFinds) {
  std::mt19937 random(7);
  const auto pick = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  const auto word = [&](std::string_view letters, std::size_t size) {
    std::string text;
    while (text.size() < size) text += letters[pick(letters.size())];
    return text;
  };
  constexpr std::string_view letters = "abAB {\n\x80\xff";
  for (int round = 0; round < (SANITIZED ? 25 : 300); ++round) {
    std::vector<Literal> literals;
    for (std::size_t i = 0, count = 1 + pick(40); i < count; ++i) {
      const bool folded = pick(2) == 0;
      const std::string text = word(folded ? "ab {" : letters.substr(0, 7), 1 + pick(9));
      literals.push_back(
          {text.find('\n') < text.size() - 1 ? "b" : text, folded, ReaderMask{1} << pick(64), pick(2) == 0});
    }
    const std::string text = word(letters, pick(5000));
    for (const SievePath path : sieve_paths()) {
      const LiteralScan scan(literals, text.substr(0, pick(text.size() + 1)), path);
      ASSERT_EQ(found_lines(scan, text), plain_lines(literals, text))
          << to_string(path) << " in round " << round;
      ASSERT_EQ(scan.readers_of(text), find_readers(literals, text))
          << to_string(path) << " in round " << round;
    }
  }
}

TEST(LiteralScan, TellsWhereLiteralsStandWhosePlaceIsAskedFor) {
  const LiteralScan scan({{"loss=", true, 1, true}, {"step", false, 2}, {"a", false, 4, true}}, "");
  LiteralHits wanted;
  scan.find("a step, Loss=1 loss= lossa", wanted);
  EXPECT_EQ(wanted.readers, 7U);
  std::vector<std::size_t> losses, as;
  for (const LiteralPlace& place : wanted.places) (place.literal == 0 ? losses : as).push_back(place.at);
  EXPECT_THAT(losses, ElementsAre(8, 15));
  EXPECT_THAT(as, ElementsAre(0, 25));
}

ByteSet random_bytes(std::mt19937& random) {
  ByteSet bytes{};
  for (int i = 0; i < 40; ++i) add(bytes, static_cast<unsigned char>(random()));
  return bytes;
}

bool holds(const ByteSet& bytes, char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (bytes.at(byte >> 4U) >> (byte & 0xfU) & 1U) != 0;
}

TEST(Sieve, LetsThroughWhatThePathTellsOfTheBytes) {
  std::mt19937 random(11);
  std::string text;
  while (text.size() < 64 * chunk_size + window_size) text += static_cast<char>(random());
  std::array<std::array<ByteSet, window_size>, bucket_count> buckets;
  SieveTables tables;
  for (std::size_t bucket = 0; bucket < bucket_count; ++bucket)
    for (std::size_t place = 0; place < window_size; ++place)
      tables.allow(bucket, place, buckets.at(bucket).at(place) = random_bytes(random));
  for (const SievePath path : sieve_paths()) {
    const auto may_begin = [&](std::size_t at) {
      return std::any_of(buckets.begin(), buckets.end(), [&](const auto& bucket) {
        for (std::size_t place = 0; place < window_size; ++place)
          if (!holds(let_through(path, bucket.at(place)), text[at + place])) return false;
        return true;
      });
    };
    std::vector<ChunkMasks> chunks(64);
    sieve(tables, path, text.data(), chunks);
    std::size_t windows = 0, newlines = 0, counted_windows = 0, counted_newlines = 0;
    for (std::size_t at = 0; at < chunks.size() * chunk_size; ++at) {
      const ChunkMasks& chunk = chunks[at / chunk_size];
      const bool window = (chunk.windows >> at % chunk_size & 1U) != 0;
      const bool newline = (chunk.newlines >> at % chunk_size & 1U) != 0;
      ASSERT_EQ(window, may_begin(at)) << to_string(path) << " " << at;
      ASSERT_EQ(newline, text[at] == '\n') << to_string(path) << " " << at;
      windows += window ? 1 : 0;
      newlines += newline ? 1 : 0;
    }
    for (const ChunkMasks& chunk : chunks)
      counted_windows += chunk.window_count, counted_newlines += chunk.newline_count;
    EXPECT_GT(windows, 0U);
    EXPECT_EQ(counted_windows, windows) << to_string(path);
    EXPECT_EQ(counted_newlines, newlines) << to_string(path);
  }
}

}  // namespace
}  // namespace gate::extract::literal_scan_test
