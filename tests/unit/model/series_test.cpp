#include "gate/model/numbers/series.h"

#include <gmock/gmock.h>

namespace gate::series_test {
namespace {

using ::testing::ElementsAre;

Sample sample(std::int64_t number, const char* word) {
  return {number, parse_value(word).value(), word, 0, 0};
}

TEST(Value, NumbersAndWhatIsPrintedInTheirPlace) {
  for (const char* word : {"1.5", "1.7e308", "-1e308", "0e999", "1e-999"})
    EXPECT_TRUE(parse_value(word)->is_finite()) << word;
  for (const char* word : {"nan", "NaN", "-nan", "+NAN"})
    EXPECT_EQ(parse_value(word)->kind, ValueKind::nan) << word;
  for (const char* word : {"inf", "+Inf", "Infinity", "INF", "9e999", "1.8e308", "+1e309"})
    EXPECT_EQ(parse_value(word)->kind, ValueKind::positive_infinity) << word;
  for (const char* word : {"-inf", "-Infinity", "-9e999"})
    EXPECT_EQ(parse_value(word)->kind, ValueKind::negative_infinity) << word;
  for (const char* word : {"", "none", "1.25E", "infinite", "nan0", "--inf", "-"})
    EXPECT_FALSE(parse_value(word)) << word;
}

TEST(Value, EqualMeansPrintedAlike) {
  EXPECT_EQ(*parse_value("nan"), *parse_value("NaN"));
  EXPECT_EQ(*parse_value("1.50"), *parse_value("1.5"));
  EXPECT_FALSE(*parse_value("inf") == *parse_value("-inf"));
  EXPECT_FALSE(*parse_value("0") == Value{});
}

TEST(Series, OnlyRises) {
  Series series("lm_loss", std::nullopt, "", Numbering::step);
  EXPECT_TRUE(series.append(sample(1, "1.0")));
  EXPECT_FALSE(series.append(sample(1, "2.0")));
  EXPECT_FALSE(series.append(sample(0, "2.0")));
  EXPECT_TRUE(series.append(sample(5, "nan")));
  EXPECT_EQ(series.size(), 2U);
  EXPECT_EQ(series.samples()[0].text, "1.0");
}

TEST(Series, FindsByNumber) {
  Series series("lm_loss", std::nullopt, "", Numbering::step);
  for (const std::int64_t n : {10, 20, 30}) series.append(sample(n, "1"));
  EXPECT_EQ(series.find(20)->number, 20);
  EXPECT_FALSE(series.find(15));
  EXPECT_FALSE(series.find(31));
  EXPECT_FALSE(Series().find(1));
}

TEST(Series, ConflictsAreASortedSet) {
  Series series("lm_loss", std::nullopt, "", Numbering::step);
  for (const std::int64_t n : {9, 3, 9, 5}) series.mark_conflict(n);
  EXPECT_THAT(series.conflicts(), ElementsAre(3, 5, 9));
}

TEST(Series, IsFoundByMetricAndRank) {
  const std::vector<Series> all{{"lm_loss", std::nullopt, "", Numbering::step},
                                {"memory_allocated", 3, "MiB", Numbering::report}};
  EXPECT_EQ(find_series(all, "memory_allocated", 3), &all[1]);
  EXPECT_EQ(find_series(all, "memory_allocated", 0), nullptr);
  EXPECT_EQ(find_series(all, "memory_allocated", std::nullopt), nullptr);
  EXPECT_EQ(label(all[0]), "lm_loss");
  EXPECT_EQ(label(all[1]), "memory_allocated rank 3");
}

TEST(Series, IsOfTheOnlyRankWhereOneIsNotKnown) {
  std::vector<Series> all{{"throughput", 0, "", Numbering::step}, {"mfu", std::nullopt, "", Numbering::step}};
  EXPECT_EQ(find_counterpart(all, "throughput", std::nullopt), &all[0]);
  EXPECT_EQ(find_counterpart(all, "mfu", 7), &all[1]);
  all.emplace_back("throughput", 1, "", Numbering::step);
  EXPECT_EQ(find_counterpart(all, "throughput", std::nullopt), nullptr);
  EXPECT_EQ(find_counterpart(all, "throughput", 1), &all[2]);
}

}  // namespace
}  // namespace gate::series_test
