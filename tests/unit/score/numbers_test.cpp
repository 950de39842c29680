#include "gate/score/numbers.h"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gate::score::numbers_test {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Numbers row_of(std::vector<double> values) {
  std::string shape = std::to_string(values.size());
  return {std::move(values), std::move(shape)};
}

Score score(std::string_view metric, std::vector<double> actual, std::vector<double> golden) {
  const auto result = score_numbers(metric, row_of(std::move(actual)), row_of(std::move(golden)));
  EXPECT_TRUE(result.has_value()) << metric << ": " << result.error().message;
  return result ? *result : Score{};
}

double value(std::string_view metric, std::vector<double> actual, std::vector<double> golden) {
  return score(metric, std::move(actual), std::move(golden)).value;
}

std::string error_of(std::string_view metric, const Numbers& actual, const Numbers& golden) {
  const auto result = score_numbers(metric, actual, golden);
  return result ? "no error" : result.error().message;
}

std::vector<std::string> metrics_of_numbers() {
  std::vector<std::string> names;
  for (const MetricRow& row : metrics())
    if (row.input == Input::numbers) names.emplace_back(row.name);
  return names;
}

double worst_of(std::string_view metric) {
  return find_metric(metric)->better == Better::lower ? infinity : -infinity;
}

TEST(ScoreNumbers, EveryMetricOfTheTableWhoseInputIsNumbersIsComputed) {
  const std::vector<std::string> names = metrics_of_numbers();
  EXPECT_GE(names.size(), 11U);
  for (const std::string& name : names) {
    const double same = value(name, {1, 2, 3}, {1, 2, 3});
    EXPECT_EQ(same, find_metric(name)->better == Better::lower ? 0 : 1) << name;
  }
}

TEST(ScoreNumbers, MeansWhatItsFormulaSays) {
  const std::vector<double> actual{10, 8.1, 6, 5.05};
  const std::vector<double> golden{10, 8, 6.1, 5};
  EXPECT_NEAR(value("max_abs_error", actual, golden), 0.1, 1e-12);
  EXPECT_NEAR(value("mean_abs_error", actual, golden), 0.0625, 1e-12);
  EXPECT_NEAR(value("rmse", actual, golden), 0.075, 1e-12);
  EXPECT_NEAR(value("max_relative_error", actual, golden), 0.1 / 6.1, 1e-12);
  EXPECT_NEAR(value("mean_relative_error", actual, golden), (0.0125 + 0.1 / 6.1 + 0.01) / 4, 1e-12);
  EXPECT_NEAR(value("accumulated_relative_error", actual, golden), 0.25 / 29.1, 1e-12);
  EXPECT_NEAR(value("relative_euclidean_distance", actual, golden), 0.15 / std::sqrt(226.21), 1e-12);
  EXPECT_NEAR(value("cosine", actual, golden), 0.9999523481230934, 1e-15);
  EXPECT_EQ(value("one_thousandth_ratio", actual, golden), 0.25);
  EXPECT_EQ(value("five_thousandths_ratio", {1, 1, 1, 1}, {1.0011, 1.006, 1.004, 0.9999}), 0.75);
  EXPECT_EQ(value("one_thousandth_ratio", {1, 1, 1, 1}, {1.0011, 1.006, 1.004, 0.9999}), 0.25);
}

TEST(ScoreNumbers, DivergenceNormalisesBothSides) {
  const double expected = 0.5 * std::log(0.5 / 0.25) + 0.5 * std::log(0.5 / 0.75);
  EXPECT_NEAR(value("kl_divergence", {1, 3}, {0.5, 0.5}), expected, 1e-15);
  EXPECT_NEAR(value("kl_divergence", {100, 300}, {7, 7}), expected, 1e-15);
  EXPECT_NEAR(value("kl_divergence", {0.5, 0.5}, {1, 3}), 0.25 * std::log(0.5) + 0.75 * std::log(1.5), 1e-15)
      << "of the golden from the actual side, not the other way round";
  EXPECT_NEAR(value("kl_divergence", {1, 1}, {1, 0}), std::log(2), 1e-15) << "a golden zero adds nothing";
  EXPECT_EQ(value("kl_divergence", {0, 1}, {1, 1}), infinity) << "an actual zero alone is endlessly far";
  EXPECT_EQ(value("kl_divergence", {0, 2}, {0, 1}), 0);
}

TEST(ScoreNumbers, WhatIsNoDistributionHasNoDivergence) {
  EXPECT_THAT(error_of("kl_divergence", row_of({1, -1}), row_of({1, 1})), HasSubstr("actual number 2 is -1"));
  EXPECT_THAT(error_of("kl_divergence", row_of({1, 1}), row_of({-1, 1})), HasSubstr("golden number 1 is -1"));
  EXPECT_THAT(error_of("kl_divergence", row_of({1, 1}), row_of({1, nan})),
              HasSubstr("golden number 2 is nan"));
  EXPECT_THAT(error_of("kl_divergence", row_of({0, 0}), row_of({1, 1})),
              HasSubstr("all actual numbers are zero"));
  EXPECT_THAT(error_of("kl_divergence", row_of({1, 1}), row_of({0, 0})),
              HasSubstr("all golden numbers are zero"));
  EXPECT_EQ(value("kl_divergence", {-infinity, 1}, {1, 1}), infinity);
}

TEST(ScoreNumbers, TheAngleOfZeroIsSaid) {
  EXPECT_EQ(value("cosine", {0, 0}, {0, 0}), 1);
  EXPECT_EQ(value("cosine", {0, 0}, {1, 0}), 0);
  EXPECT_EQ(value("cosine", {1, 0}, {0, 0}), 0);
  EXPECT_EQ(value("cosine", {1, 0}, {0, 1}), 0);
  EXPECT_EQ(value("cosine", {-1, -2}, {1, 2}), -1);
  EXPECT_EQ(value("cosine", {2, 4, 6}, {1, 2, 3}), 1) << "its blind spot";
}

TEST(ScoreNumbers, AGoldenZeroSaysNothingOfRelativeErrors) {
  const std::vector<double> actual{0, 1e-9, 2};
  const std::vector<double> golden{0, 0, 2};
  const Score most = score("max_relative_error", actual, golden);
  EXPECT_EQ(most.value, 0);
  EXPECT_EQ(most.signature, "n:3|zero_golden:2");
  EXPECT_EQ(value("mean_relative_error", actual, golden), 0);
  EXPECT_EQ(value("mean_relative_error", {0, 3}, {0, 2}), 0.5) << "the mean is of those that have one";
  EXPECT_DOUBLE_EQ(value("accumulated_relative_error", actual, golden), 5e-10);
  EXPECT_DOUBLE_EQ(value("relative_euclidean_distance", actual, golden), 5e-10);
  EXPECT_DOUBLE_EQ(value("one_thousandth_ratio", actual, golden), 1.0 / 3);
  EXPECT_EQ(score("max_abs_error", actual, golden).signature, "n:3");
}

TEST(ScoreNumbers, GoldenZerosAloneAreNeverGreenByAccident) {
  for (const std::string_view metric : {"max_relative_error", "mean_relative_error",
                                        "accumulated_relative_error", "relative_euclidean_distance"}) {
    EXPECT_EQ(value(metric, {0, 1e-300}, {0, 0}), infinity) << metric;
    EXPECT_EQ(value(metric, {0, 0}, {0, 0}), 0) << metric;
  }
  EXPECT_EQ(value("one_thousandth_ratio", {0, 1}, {0, 0}), 0);
}

TEST(ScoreNumbers, WhatIsNotFiniteIsTheWorstWhateverTheOtherSideHas) {
  for (const std::string& metric : metrics_of_numbers()) {
    for (const double actual : {nan, infinity, -infinity})
      for (const double golden : {2.0, nan, infinity, -infinity}) {
        if (metric == "kl_divergence" && golden != 2) continue;  // takes no golden side like these
        const Score bad = score(metric, {1, actual, 3}, {1, golden, 3});
        EXPECT_EQ(bad.value, worst_of(metric)) << metric << " " << actual << " " << golden;
        EXPECT_EQ(bad.differing, 1);
        EXPECT_EQ(bad.worst->number, 2);
        EXPECT_THAT(bad.signature, HasSubstr("non_finite:1"));
      }
    if (metric == "kl_divergence") continue;
    EXPECT_EQ(value(metric, {1, 2}, {1, nan}), worst_of(metric)) << metric;
    EXPECT_EQ(value(metric, {nan, infinity}, {nan, infinity}), worst_of(metric)) << metric;
  }
  EXPECT_EQ(score("max_relative_error", {nan, 1}, {nan, 0}).signature, "n:2|zero_golden:1|non_finite:1");
}

TEST(ScoreNumbers, HugeNumbersNeverOverflowToAGoodValue) {
  EXPECT_EQ(value("max_abs_error", {1.5e308}, {-1.5e308}), infinity);
  EXPECT_EQ(score("max_abs_error", {1.5e308}, {-1.5e308}).worst->value, std::nullopt);
  EXPECT_EQ(value("mean_abs_error", {1.5e308, 1}, {-1.5e308, 1}), 1.5e308);
  EXPECT_EQ(value("rmse", {1e300, 1e300}, {0, 0}), 1e300);
  EXPECT_EQ(value("cosine", {1e300, 0}, {0, 1e300}), 0);
  EXPECT_EQ(value("cosine", {1e300, 1e300}, {1e300, 1e300}), 1);
  EXPECT_EQ(value("cosine", {1e-300, 0}, {0, 1e-300}), 0) << "squares of tiny numbers are no zeros";
  EXPECT_EQ(value("cosine", {1e-300, 1e-300}, {-1e-300, -1e-300}), -1);
  EXPECT_EQ(value("relative_euclidean_distance", {2e300, 2e300}, {1e300, 1e300}), 1);
  EXPECT_EQ(value("accumulated_relative_error", {1.7e308, 1.7e308}, {1e308, 1e308}), 0.7);
  EXPECT_EQ(value("max_relative_error", {1e300}, {5e-324}), infinity);
  EXPECT_EQ(value("mean_relative_error", {1e300, 1}, {5e-324, 1}), infinity);
  EXPECT_EQ(value("kl_divergence", {1e308, 1e308}, {1e308, 1e308}), 0);
}

TEST(ScoreNumbers, SumsOfManyKeepTheirDigits) {
  const std::size_t count = 1'000'000;
  const std::vector<double> tenths(count, 0.1), zeros(count, 0);
  EXPECT_NEAR(value("mean_abs_error", tenths, zeros), 0.1, 1e-13);
  EXPECT_NEAR(value("rmse", tenths, zeros), 0.1, 1e-13);
  std::vector<double> golden(count, 1e-10), actual(count, 2e-10);
  golden[0] = actual[0] = 1e6;
  EXPECT_NEAR(value("accumulated_relative_error", actual, golden), 9.99999e-5 / 1000000.0000999999, 1e-22)
      << "a huge number does not swallow the small ones";
}

TEST(ScoreNumbers, FirstAndWorstDifferenceAreTold) {
  const Score most = score("max_abs_error", {1, 2.5, 30.1, 4}, {1, 2, 30, 3});
  EXPECT_EQ(most.differing, 3);
  ASSERT_TRUE(most.first && most.worst);
  EXPECT_EQ(most.first->number, 2);
  EXPECT_EQ(most.first->actual, "2.5");
  EXPECT_EQ(most.first->golden, "2");
  EXPECT_EQ(most.first->value, 0.5);
  EXPECT_EQ(most.first->offset, 0);
  EXPECT_EQ(most.worst->number, 4);
  EXPECT_EQ(most.worst->value, 1);
  EXPECT_EQ(score("rmse", {0.1}, {0.2}).worst->actual, "0.1") << "as short as it can be";
}

TEST(ScoreNumbers, TheWorstIsWhatTheMetricLooksAt) {
  const std::vector<double> actual{100.5, 0.02, 0.5};
  const std::vector<double> golden{100, 0.01, 0};
  EXPECT_EQ(score("max_abs_error", actual, golden).worst->number, 1);
  const Score relative = score("max_relative_error", actual, golden);
  EXPECT_EQ(relative.worst->number, 2);
  EXPECT_THAT(relative.worst->value.value_or(nan), DoubleNear(1, 1e-15));
  EXPECT_EQ(score("one_thousandth_ratio", actual, golden).worst->number, 2);
  EXPECT_EQ(score("one_thousandth_ratio", actual, golden).worst->value, 0);
  EXPECT_EQ(score("cosine", actual, golden).worst->value, std::nullopt);
  const Score zero = score("max_relative_error", {1, 7}, {1, 0});
  EXPECT_EQ(zero.worst->number, 2) << "no relative error, and all that differs";
  EXPECT_EQ(zero.worst->value, std::nullopt);
  const Score bad = score("rmse", {1e9, nan, -infinity}, {0, 1, 1});
  EXPECT_EQ(bad.worst->number, 2) << "the first of those that are not finite";
  EXPECT_EQ(bad.worst->actual, "nan");
  EXPECT_EQ(bad.worst->value, std::nullopt);
}

TEST(ScoreNumbers, TheSameHasNoDifference) {
  const Score same = score("cosine", {1, 0.0}, {1, -0.0});
  EXPECT_EQ(same.compared, 2);
  EXPECT_EQ(same.differing, 0);
  EXPECT_FALSE(same.first);
  EXPECT_FALSE(same.worst);
}

TEST(ScoreNumbers, SidesThatDoNotFitAreRefused) {
  EXPECT_EQ(error_of("rmse", row_of({1}), row_of({1, 2})), "1 number instead of 2");
  EXPECT_EQ(error_of("rmse", {{1, 2, 3, 4}, "2x2"}, {{1, 2, 3, 4}, "4"}),
            "numbers of shape 2x2 instead of 4");
  EXPECT_EQ(error_of("rmse", {{1, 2}, ""}, {{1, 2}, "2"}), "no error") << "a shape that is not told is any";
  EXPECT_EQ(error_of("rmse", {{1, 2}, "2", {1, 3}}, {{1, 2}, "2", {1, 2}}), "step 3 instead of 2 in row 2");
  EXPECT_EQ(error_of("rmse", {{1, 2}, "2", {1, 2}}, {{1, 2}, "2", {1, 2}}), "no error");
  EXPECT_EQ(error_of("rmse", {{1, 2}, "2"}, {{1, 2}, "2", {1, 2}}), "no error") << "steps that are not told";
  const Numbers told{{1, 2}, "2", {1, 2}, true}, untold{{1, 2}, "2", {}, true};
  EXPECT_EQ(score_numbers("rmse", told, told)->signature, "n:2");
  EXPECT_EQ(score_numbers("rmse", told, untold)->signature, "n:2|by:place");
  EXPECT_EQ(score_numbers("rmse", untold, untold)->signature, "n:2|by:place");
  EXPECT_THAT(error_of("rmse", {}, {}), HasSubstr("neither side holds a number"));
  EXPECT_THAT(error_of("rsme", row_of({1}), row_of({1})), HasSubstr("\"rsme\" is no metric of numbers"));
  EXPECT_THAT(error_of("bleu", row_of({1}), row_of({1})), HasSubstr("\"bleu\" is no metric of numbers"));
}

// What a metric is called there, and here.
constexpr std::pair<const char*, const char*> vector_names[] = {
    {"max_abs_err", "max_abs_error"},
    {"mean_abs_err", "mean_abs_error"},
    {"rmse", "rmse"},
    {"max_rel_err", "max_relative_error"},
    {"mean_rel_err", "mean_relative_error"},
    {"accumulated_rel_err", "accumulated_relative_error"},
    {"rel_euclid", "relative_euclidean_distance"},
    {"cosine", "cosine"},
    {"one_thousandth_ratio", "one_thousandth_ratio"},
    {"five_thousandths_ratio", "five_thousandths_ratio"},
};

TEST(ScoreNumbers, AgreesWithComputedVectors) {
  const std::filesystem::path file = GATE_SOURCE_DIR "/../shared/data/numeric_vectors.json";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file.filename();
  const auto vectors = nlohmann::json::parse(std::ifstream(file))["vectors"];
  EXPECT_GE(vectors.size(), 7U);
  for (const auto& vector : vectors)
    for (const auto& [theirs, ours] : vector_names)
      EXPECT_NEAR(value(ours, vector["actual"], vector["golden"]), vector[theirs].get<double>(), 1e-12)
          << vector["id"] << " " << ours;
}

}  // namespace
}  // namespace gate::score::numbers_test
