#include "gate/base/block_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "../temporary.h"

namespace gate::block_reader_test {
namespace {

std::string text_of(std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 7 % 251);
  return text;
}

// Read with what prepare() found in each block, its sum, checked in take().
std::string read_ahead(const fs::Path& path, std::uintmax_t from, std::size_t threads) {
  std::vector<std::int64_t> sums(block_slots(threads));
  const auto sum = [](std::string_view block) {
    return std::accumulate(block.begin(), block.end(), std::int64_t{0});
  };
  std::string text;
  const BlockHands hands{[&](std::size_t slot, std::string_view block) { sums.at(slot) = sum(block); },
                         [&](std::size_t slot, std::string_view block) {
                           EXPECT_EQ(sums.at(slot), sum(block));
                           text += block;
                         }};
  const Status read = read_blocks_ahead(path, from, threads, hands);
  EXPECT_TRUE(read) << read.error().message;
  return text;
}

using BlockReader = Temporary;

TEST_F(BlockReader, GivesAFileInOrderWithAnyNumberOfThreads) {
  const fs::Path path = root / "log";
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, block_size - 1, block_size, 9 * block_size, 40 * block_size + 5}) {
    const std::string text = text_of(size);
    ASSERT_TRUE(fs::write_file(path, text));
    for (const std::size_t threads : {1U, 2U, 3U, 8U})
      EXPECT_TRUE(read_ahead(path, 0, threads) == text) << size << " bytes, " << threads << " threads";
    const std::size_t from = std::min(size, block_size / 2);
    EXPECT_TRUE(read_ahead(path, from, 2) == text.substr(from)) << size;
  }
}

TEST_F(BlockReader, SaysWhyAFileCannotBeRead) {
  const BlockHands hands{[](std::size_t, std::string_view) {}, [](std::size_t, std::string_view) {}};
  const Status absent = read_blocks_ahead(root / "absent", 0, 2, hands);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().message, (root / "absent").string() + ": cannot read: No such file or directory");
  EXPECT_FALSE(read_blocks_ahead(root, 0, 2, hands));
}

}  // namespace
}  // namespace gate::block_reader_test
