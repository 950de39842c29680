#include "gate/base/base64.h"

#include <gtest/gtest.h>

namespace gate::base64_test {
namespace {

// The vectors of RFC 4648, 10.
TEST(Base64, IsPaddedToFours) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64({"\xFF\x00\xFE", 3}), "/wD+");
}

}  // namespace
}  // namespace gate::base64_test
