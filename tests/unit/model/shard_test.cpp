#include "gate/model/runs/shard.h"

#include <gtest/gtest.h>

namespace gate::shard_test {
namespace {

TEST(Shard, IsReadAsItIsWritten) {
  for (const std::string word : {"1/1", "2/4", "10000/10000"}) {
    const auto shard = parse_shard(word);
    ASSERT_TRUE(shard) << word;
    EXPECT_EQ(to_string(*shard), word);
  }
  EXPECT_EQ(parse_shard("2/4"), (Shard{2, 4}));
}

TEST(Shard, NothingElseIsOne) {
  for (const std::string word :
       {"", "/", "2", "2/", "/4", "0/4", "5/4", "-1/4", "+1/4", "01/4", "1/04", " 1/4", "1/4 ", "1/4/4",
        "1/10001", "a/b", "1.0/2", "99999999999999999999/2"})
    EXPECT_EQ(parse_shard(word), std::nullopt) << word;
}

}  // namespace
}  // namespace gate::shard_test
