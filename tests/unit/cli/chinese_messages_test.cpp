#include <gtest/gtest.h>

#include "gate/extract/messages.h"

namespace gate::cli {
namespace {

bool holds_chinese(std::string_view text) {
  return text.find("\xE3\x80\x82") != text.npos ||
         text.find_first_of("\xE4\xE5\xE6\xE7\xE8\xE9") != text.npos;
}

TEST(ChineseMessages, EveryKnownMessageAndItsAdviceAreSaidInBothLanguages) {
  for (const extract::MessageRow& row : extract::messages())
    for (const TableText& text : {row.what, row.advice}) {
      EXPECT_FALSE(holds_chinese(text.english)) << row.name;
      EXPECT_TRUE(holds_chinese(text.chinese)) << row.name;
    }
}

}  // namespace
}  // namespace gate::cli
