#include "extract/records/turn_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <string_view>
#include <tuple>

namespace gate::extract::turn_table_test {
namespace {

using Key = std::tuple<int, std::string>;
using KeyView = std::tuple<int, std::string_view>;

// In turns, and out of them: each key has one value for good.
TEST(TurnTable, HoldsWhatAMapHolds) {
  std::mt19937 random(1);
  TurnTable<Key, int> table;
  std::map<Key, int> map;
  for (int round = 0; round < 5000; ++round) {
    const bool in_turn = random() % 4 > 0;
    const int number = in_turn ? round % 7 : static_cast<int>(random() % 40);
    const std::string name(static_cast<std::size_t>(number % 3), 'x');
    ASSERT_EQ(table[KeyView(number, name)], (map[Key(number, name)])) << round;
    table[KeyView(number, name)] = map[Key(number, name)] = round;
  }
  int entries = 0;
  table.for_each([&](const Key& key, int value) {
    EXPECT_EQ(map.at(key), value);
    ++entries;
  });
  EXPECT_EQ(entries, static_cast<int>(map.size()));
}

// The entries of a copy are its own.
TEST(TurnTable, IsCopiedWhole) {
  TurnTable<Key, int> table;
  table[KeyView(1, "a")] = 1;
  TurnTable<Key, int> copy = table;
  copy[KeyView(1, "a")] = 2;
  copy[KeyView(2, "b")] = 3;
  EXPECT_EQ(table[KeyView(1, "a")], 1);
  EXPECT_EQ(copy[KeyView(1, "a")], 2);
  EXPECT_EQ(table[KeyView(2, "b")], 0);
}

}  // namespace
}  // namespace gate::extract::turn_table_test
