#include "gate/base/columns.h"

#include <gtest/gtest.h>

namespace gate::columns_test {
namespace {

TEST(Inert, CommandsOfCiSystemsAreShown) {
  EXPECT_EQ(inert("::stop-commands::x"), "\\u003a:stop-commands::x");
  EXPECT_EQ(inert("a\n  ::error::b\r::c::"), "a\n  \\u003a:error::b\r\\u003a:c::");
  EXPECT_EQ(inert("a ##[add-mask]b ##vso[task.complete]"),
            "a #\\u0023[add-mask]b #\\u0023vso[task.complete]");
  EXPECT_EQ(inert("###[x]##[y]"), "##\\u0023[x]#\\u0023[y]");
}

TEST(Inert, WhatNobodyObeysStays) {
  for (const char* text : {"", "a::b", "std::vector ::", "## [x]", "#[x]", "{\n  \"a\": \"::b\"\n}"})
    EXPECT_EQ(inert(text), text);
}

TEST(Inert, OnceIsEnough) {
  const std::string once = inert("::a ##[b]\n::c");
  EXPECT_EQ(inert(once), once);
}

}  // namespace
}  // namespace gate::columns_test
