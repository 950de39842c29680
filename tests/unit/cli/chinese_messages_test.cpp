#include <gtest/gtest.h>

#include "gate/extract/messages.h"
#include "gate/words/chinese.h"

namespace gate::cli {
namespace {

TEST(ChineseMessages, EveryKnownMessageAndItsAdviceAreToldWhole) {
  for (const extract::MessageRow& row : extract::messages())
    for (const std::string& english : {std::string(row.what), std::string(row.advice),
                                       "exited 1: " + std::string(row.what) + " (log.txt:3)",
                                       "exited 1: " + std::string(row.what) + ": no baseline (log.txt:3)"}) {
      std::vector<std::string> unknown;
      EXPECT_NE(words::in_chinese(english, unknown), english);
      EXPECT_TRUE(unknown.empty()) << english << ": " << unknown.front();
    }
}

}  // namespace
}  // namespace gate::cli
