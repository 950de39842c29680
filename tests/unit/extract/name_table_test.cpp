#include "extract/records/fields.h"

#include <gtest/gtest.h>

#include <array>

namespace gate::extract::name_table_test {
namespace {

constexpr std::array rows{FieldRow{"loss", "lm_loss"}, FieldRow{"lr", "learning_rate"},
                          FieldRow{"loss", "validation_loss"}, FieldRow{"step", the_step}};
constexpr std::array<std::string_view, 3> needs{"step", "epoch", "step"};
constexpr std::array<std::string_view, 2> one_of{"lr", "mode"};

const NameTable& table() {
  static const NameTable names(rows, needs, one_of);
  return names;
}

TEST(NameTable, finds_the_first_row_of_a_name) {
  EXPECT_EQ(table().find("loss")->row, &rows[0]);
  EXPECT_EQ(table().find("lr")->row, &rows[1]);
  EXPECT_EQ(table().find("step")->row, &rows[3]);
}

TEST(NameTable, knows_names_that_are_only_asked_for) {
  EXPECT_EQ(table().find("epoch")->row, nullptr);
  EXPECT_EQ(table().find("mode")->row, nullptr);
  EXPECT_TRUE(table().find("mode")->one);
  EXPECT_TRUE(table().find("lr")->one);
  EXPECT_FALSE(table().find("loss")->one);
}

TEST(NameTable, has_a_bit_for_each_name_that_is_needed) {
  EXPECT_EQ(table().needs(), 3U);
  EXPECT_EQ(table().find("step")->need | table().find("epoch")->need, 3U);
  EXPECT_NE(table().find("step")->need, table().find("epoch")->need);
  EXPECT_EQ(table().find("loss")->need, 0U);
}

TEST(NameTable, finds_no_other_names) {
  for (const char* name : {"", "l", "los", "Loss", "loss ", "lrs", "a name that is longer than all"})
    EXPECT_EQ(table().find(name), nullptr) << name;
  EXPECT_EQ(NameTable({}).find(""), nullptr);
  EXPECT_EQ(NameTable({}).find("loss"), nullptr);
}

}  // namespace
}  // namespace gate::extract::name_table_test
