#include <gmock/gmock.h>

#include "sample_reports.h"

namespace gate::render::table_test {
namespace {

TEST(Table, ColumnsAreAsWideAsTheirWidestCell) {
  EXPECT_EQ(table({{"case", "needs", "baseline"}, {"tinygpt/dp2", "-", "general"}, {"训练", "8", ""}},
                  sample::columns_80()),
            "case         needs  baseline\n"
            "tinygpt/dp2  -      general\n"
            "训练         8\n");
}

TEST(Table, LastColumnIsWrappedWhereTheWidthDemandsIt) {
  const std::string reason = "a reason that is so long that it does not fit into forty columns";
  EXPECT_EQ(table({{"case", reason}, {"x", "y"}}, {Color::no, 40, false, false}),
            "case  a reason that is so long that it\n"
            "      does not fit into forty columns\n"
            "x     y\n");
}

TEST(Table, TooManyColumnsStayWhole) {
  const std::string wide(30, 'w');
  EXPECT_EQ(table({{wide, wide, "last words"}}, {Color::no, 60, false, false}),
            wide + "  " + wide + "  last words\n");
}

TEST(Table, ShortRowsAndNoRowsAreFine) {
  EXPECT_EQ(table({{"a", "b"}, {}, {"c"}}, sample::columns_80()), "a  b\n\nc\n");
  EXPECT_EQ(table({}, sample::columns_80()), "");
}

TEST(Table, CellsAreShownNotObeyed) {
  EXPECT_EQ(table({{"a\x1b[2J\n"}}, sample::columns_80()), "a\\x1b[2J\\x0a\n");
}

}  // namespace
}  // namespace gate::render::table_test
