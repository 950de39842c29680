#include "gate/schema/performance_file.h"

#include <gmock/gmock.h>

#include "validate.h"

namespace gate::schema::performance_file_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* schema_file = "gate.references.1.json";

PerformanceRow row_named(const std::string& name) {
  PerformanceRow row;
  row.name = name;
  return row;
}

PerformanceTable full() {
  PerformanceRow row = row_named("LLaMA2 7B 4K Mcore 1x8");
  row.shape = {"LLaMA2", "7B", "4K", "Mcore", "1x8", "BF16"};
  row.unit = "tokens/p/s";
  row.measured = Decimal::parse("4672.50");
  row.reference = Decimal::parse("3850");
  row.contributor = "昇腾";
  row.label = "Pass";
  row.hardware = "Atlas \"900\"\\";
  row.link = "https://models.example/7B";
  row.source = "README.md:111";
  row.figures = {{"e2e_time", "s", {2763, 0}}, {"final_accuracy", "", {808, -3}}};
  return {{row, row_named("b"), row_named("a")}};
}

std::string error_of(std::string_view text) {
  const auto table = read_performance(text, "r.json");
  return table ? "" : table.error().message;
}

std::string of_rows(const std::string& rows) {
  return R"({"schema": "gate.references/1", "rows": [)" + rows + "]}";
}

TEST(PerformanceFile, WhatIsWrittenIsReadBack) {
  const std::string text = write_performance(full());
  const auto again = read_performance(text, "r.json");
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->rows.size(), 3U);
  EXPECT_EQ(again->rows[0].shape, full().rows[0].shape);
  EXPECT_EQ(again->rows[0].measured->to_string(), "4672.50") << "with its digits";
  EXPECT_EQ(again->rows[0].hardware, "Atlas \"900\"\\");
  EXPECT_EQ(again->rows[0].figures_line(), "e2e_time 2763 s, final_accuracy 0.808");
  EXPECT_FALSE(again->rows[1].measured);
  EXPECT_EQ(write_performance(*again), text);
}

TEST(PerformanceFile, NumbersKeepTheirDigits) {
  for (const char* word : {"1E-9", "1E15", "0.000000001", "1000000000000000", "5E3",
                           "1.2345678901234567890123", "0.1", "100", "100.0"}) {
    PerformanceTable table{{row_named("a")}};
    table.rows[0].measured = Decimal::parse(word);
    const auto again = read_performance(write_performance(table), "r.json");
    ASSERT_TRUE(again) << word << ": " << again.error().message;
    EXPECT_EQ(again->rows[0].measured->to_string(), table.rows[0].measured->to_string());
  }
}

TEST(PerformanceFile, IsValidUnderItsSchema) {
  EXPECT_EQ(invalid(write_performance(full()), schema_file), "");
  EXPECT_EQ(invalid(write_performance({}), schema_file), "");
  EXPECT_NE(invalid(of_rows(R"({"model": "a"})"), schema_file), "");
  EXPECT_NE(invalid(of_rows(R"({"name": "a", "measured": 0})"), schema_file), "");
  EXPECT_NE(invalid(of_rows(R"({"name": "a", "speed": 1})"), schema_file), "");
}

TEST(PerformanceFile, AFigureHasItsValue) {
  EXPECT_EQ(error_of(of_rows(R"({"name": "a", "figures": [{"metric": "mfu", "value": 3}]})")), "");
  EXPECT_EQ(error_of(of_rows(R"({"name": "a", "figures": [{"metric": "mfu"}]})")),
            "r.json: figure mfu of \"a\" has no value");
}

TEST(PerformanceFile, ARowNeedsItsName) {
  EXPECT_EQ(error_of(of_rows(R"({"model": "a"})")), "r.json:1:42: \"name\" is missing here");
  EXPECT_EQ(error_of(of_rows(R"({"name": ""})")), "r.json:1:51: \"name\" must not be empty");
  EXPECT_EQ(error_of(of_rows(R"({"name": 3})")), "r.json:1:51: \"name\" must be a text, not a number");
}

TEST(PerformanceFile, ANameStandsOnce) {
  EXPECT_EQ(error_of(of_rows(R"({"name": "a"}, {"name": "b"}, {"name": "a"})")),
            "r.json:1:81: name \"a\" a second time: row 1 has it; rename or remove one of them");
}

TEST(PerformanceFile, ANumberIsAboveNothing) {
  for (const char* word :
       {"0", "-1", "-0.0", "1E-10", "1.1E15", "1E300", "0.00000000000000000000000000000000000000001"})
    EXPECT_THAT(error_of(of_rows(R"({"name": "a", "measured": )" + std::string(word) + "}")),
                StartsWith("r.json:1:68: \"measured\" must be a number above 0 (1E-9 to 1E15), not "))
        << word;
  EXPECT_EQ(error_of(of_rows(R"({"name": "a", "reference": "3850"})")),
            "r.json:1:69: \"reference\" must be a number, not a text");
}

TEST(PerformanceFile, AllMistakesAreToldTogether) {
  const std::string error = error_of(
      R"({"schema": "gate.references/2", "row": 1, "rows": [{"name": "a", "mesured": 1}, 3, {"link": 1}]})");
  EXPECT_THAT(
      error,
      HasSubstr("r.json:1:12: unknown schema \"gate.references/2\"; this gate reads gate.references/1"));
  EXPECT_THAT(error, HasSubstr("r.json:1:33: unknown key \"row\"; did you mean \"rows\"?"));
  EXPECT_THAT(error, HasSubstr("unknown key \"mesured\"; did you mean \"measured\"?"));
  EXPECT_THAT(error, HasSubstr("this must be an object, not a number"));
  EXPECT_THAT(error, HasSubstr("\"link\" must be a text, not a number"));
}

TEST(PerformanceFile, WhatIsNoSuchFileIsAnError) {
  EXPECT_THAT(error_of(""), HasSubstr("is empty"));
  EXPECT_THAT(error_of("[]"), HasSubstr("r.json:1:1: this must be an object, not a list"));
  EXPECT_EQ(error_of(R"({"schema": "gate.references/1"})"), "r.json:1:1: \"rows\" is missing here");
  EXPECT_EQ(error_of(R"({"rows": []})"), "r.json:1:1: \"schema\" is missing here");
  EXPECT_THAT(error_of(of_rows("").substr(0, 30)), HasSubstr("the file is cut off"));
  EXPECT_THAT(error_of(of_rows(R"({"name": "a", "name": "b"})")), HasSubstr("a second time"));
}

TEST(PerformanceFile, HoldsAsManyRowsAsMayBe) {
  if (SANITIZED) GTEST_SKIP() << "takes long; the release tests it";
  PerformanceTable table{std::vector<PerformanceRow>(most_performance_rows + 1)};
  for (std::size_t i = 0; i < table.rows.size(); ++i) table.rows[i].name = std::to_string(i);
  EXPECT_EQ(error_of(write_performance(table)), "r.json:3:11: more than 100000 rows");
}

}  // namespace
}  // namespace gate::schema::performance_file_test
