#include "extract/patterns/user_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gate::extract::required_literals_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST(RequiredLiterals, AreWhatEveryMatchHolds) {
  EXPECT_THAT(required_literals(R"(lm loss: (?P<value>\S+))"), ElementsAre("lm loss: "));
  EXPECT_THAT(required_literals(R"((?i)Reward=(?P<value>\S+))"), ElementsAre("reward="));
  EXPECT_THAT(required_literals(R"((?:train|eval)_loss (\S+))"),
              UnorderedElementsAre("train_loss ", "eval_loss "));
}

TEST(RequiredLiterals, AreTheLongOnesWhereThereAreSeveral) {
  EXPECT_THAT(required_literals(R"(step (\d+).*?validation loss (\S+))"), ElementsAre("validation loss "));
}

TEST(RequiredLiterals, AreNoneWhereAMatchMayHoldNone) {
  EXPECT_THAT(required_literals(R"(\d+)"), IsEmpty());
  EXPECT_THAT(required_literals(R"((loss)?(\d+))"), IsEmpty());
  EXPECT_THAT(required_literals(R"(loss|\d+)"), IsEmpty());
  EXPECT_THAT(required_literals("x"), IsEmpty());
  EXPECT_THAT(required_literals("a|b"), IsEmpty());
}

// Bytes above ASCII have no small letters here: what is left of the literal must do.
TEST(RequiredLiterals, AreAscii) {
  EXPECT_THAT(required_literals("\xe6\x8d\x9f\xe5\xa4\xb1 loss=(\\S+)"), ElementsAre(" loss="));
  EXPECT_THAT(required_literals("\xe6\x8d\x9f(\\S+)"), IsEmpty());
}

}  // namespace
}  // namespace gate::extract::required_literals_test
