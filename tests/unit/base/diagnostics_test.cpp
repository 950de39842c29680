#include "gate/base/diagnostics.h"

#include <gtest/gtest.h>

namespace gate::diagnostics_test {
namespace {

TEST(Diagnostics, NameThePlaceAsFarAsItIsKnown) {
  EXPECT_EQ(to_string(Diagnostic{{"gate.toml", 14, 13}, "unknown reduce"}),
            "gate.toml:14:13: unknown reduce");
  EXPECT_EQ(to_string(Diagnostic{{"gate.toml", 14, 0}, "x"}), "gate.toml:14: x");
  EXPECT_EQ(to_string(Diagnostic{{"--set", 0, 0}, "x"}), "--set: x");
  EXPECT_EQ(to_string(Diagnostic{{}, "x"}), "x");
}

TEST(Diagnostics, ComeInTheOrderOfTheirPlaces) {
  EXPECT_EQ(to_string(Diagnostics{{{"b", 1, 1}, "3"}, {{"a", 2, 9}, "2"}, {{"a", 2, 1}, "1"}}),
            "a:2:1: 1\na:2:9: 2\nb:1:1: 3");
}

}  // namespace
}  // namespace gate::diagnostics_test
