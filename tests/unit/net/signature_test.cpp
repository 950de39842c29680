#include "gate/net/signature.h"

#include <gtest/gtest.h>

namespace gate::net::signature_test {
namespace {

// RFC 4231, in base64.
TEST(Signature, IsThatOfTheStandard) {
  EXPECT_EQ(signature(std::string(20, '\x0b'), "Hi There"), "sDRMYdjbOFNcqK/OrwvxK4gdwgDJgz2nJuk3bC4yz/c=");
  EXPECT_EQ(signature("Jefe", "what do ya want for nothing?"),
            "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=");
  EXPECT_EQ(signature(std::string(20, '\xaa'), std::string(50, '\xdd')),
            "dz6pHjaADkaFTbjr0JGBpylZCYs++MEi2WNVFM7VZf4=");
  EXPECT_EQ(signature(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
            "YOQxWR7gtn8Niiaqy/W3f44LxiE3KMUUBUYEDw7jf1Q=");
}

TEST(Signature, OfNothing) { EXPECT_EQ(signature("", ""), "thNnmggU2ex3L5XXeMNfxf8Wl8STcVZTxscSFEKSxa0="); }

}  // namespace
}  // namespace gate::net::signature_test
