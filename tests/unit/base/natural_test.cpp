#include "gate/base/natural.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace gate::natural_test {
namespace {

TEST(Natural, NumbersCountAsNumbers) {
  const std::vector<std::string> sorted{"",
                                        "a",
                                        "a/2",
                                        "a/10/x",
                                        "worker",
                                        "worker_002",
                                        "worker_02",
                                        "worker_2",
                                        "worker_2a",
                                        "worker_10",
                                        "worker_10a",
                                        "worker_100",
                                        "worker_99999999999999999998",
                                        "worker_99999999999999999999",
                                        "x"};
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (std::size_t j = 0; j < sorted.size(); ++j)
      EXPECT_EQ(natural_less(sorted[i], sorted[j]), i < j) << sorted[i] << " " << sorted[j];
}

TEST(Natural, ZerosAreANumber) {
  EXPECT_TRUE(natural_less("rank0", "rank1"));
  EXPECT_TRUE(natural_less("rank0.log", "rank00.log") != natural_less("rank00.log", "rank0.log"));
}

}  // namespace
}  // namespace gate::natural_test
