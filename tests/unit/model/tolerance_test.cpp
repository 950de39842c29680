#include <gmock/gmock.h>

#include "gate/model/rules/grammar.h"

namespace gate::tolerance_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string canonical(std::string_view text) {
  const Result<Tolerance> parsed = parse_tolerance(text);
  return parsed ? to_string(*parsed) : "error: " + parsed.error().message;
}

std::string error(std::string_view text) {
  const Result<Tolerance> parsed = parse_tolerance(text);
  return parsed ? "" : parsed.error().message;
}

TEST(Tolerance, EverySpellingOfASign) {
  for (const char* text : {"±0.01", "+-0.01", "+/-0.01", "± 0.01", " +/- 0.01 ", "+−0.01", "±\u00A00.01"})
    EXPECT_EQ(canonical(text), "±0.01") << text;
  for (const char* text : {"-5%", "−5%", "- 5 %", "-5％", "－5%", "\t-5\u3000%"})
    EXPECT_EQ(canonical(text), "-5%") << text;
  for (const char* text : {"+10%", "＋10%", "+ 10 ％"}) EXPECT_EQ(canonical(text), "+10%") << text;
}

TEST(Tolerance, Constants) {
  EXPECT_EQ(canonical(">=0.75"), ">= 0.75");
  EXPECT_EQ(canonical("≥ 0.75"), ">= 0.75");
  EXPECT_EQ(canonical("≤5000"), "<= 5000");
  EXPECT_EQ(canonical("== 0"), "== 0");
  EXPECT_EQ(canonical(">= -0.5"), ">= -0.5");
  EXPECT_EQ(canonical(">0.75"), "> 0.75");
  EXPECT_EQ(canonical("< -0.5"), "< -0.5");
  EXPECT_EQ(canonical("!=0"), "!= 0");
  EXPECT_EQ(canonical("≠ 0"), "!= 0");
  EXPECT_EQ(canonical("Exact"), "exact");
}

TEST(Tolerance, EachSignComparesAsItSays) {
  struct {
    const char* sign;
    bool less, same, more;
  } constexpr rows[] = {{">=", false, true, true}, {">", false, false, true},  {"<=", true, true, false},
                        {"<", true, false, false}, {"==", false, true, false}, {"!=", true, false, true}};
  for (const auto& [sign, less, same, more] : rows) {
    const Bound::Kind kind = comparison_of(sign).value();
    EXPECT_EQ(comparison_sign(kind), sign);
    EXPECT_EQ(parse_tolerance(std::string(sign) + " 0.75").value().any_of[0][0],
              (Bound{kind, Bound::Side::both, {75, -2}}));
    EXPECT_EQ(compares({7499, -4}, kind, {75, -2}), less) << sign;
    EXPECT_EQ(compares({7500, -4}, kind, {75, -2}), same) << sign;
    EXPECT_EQ(compares({7501, -4}, kind, {75, -2}), more) << sign;
    EXPECT_FALSE(needs_baseline({{{Bound{kind, Bound::Side::both, {75, -2}}}}})) << sign;
  }
  EXPECT_EQ(comparison_of("="), std::nullopt);
  EXPECT_EQ(comparison_sign(Bound::Kind::relative), "");
  EXPECT_FALSE(compares({1, 0}, Bound::Kind::exact, {1, 0}));
}

TEST(Tolerance, AndBindsTighterThanOr) {
  const Tolerance tolerance = parse_tolerance("±0.01 or ±1% and ±0.5 or -2").value();
  ASSERT_EQ(tolerance.any_of.size(), 3U);
  EXPECT_EQ(tolerance.any_of[0].size(), 1U);
  EXPECT_EQ(tolerance.any_of[1].size(), 2U);
  EXPECT_EQ(to_string(tolerance), "±0.01 or ±1% and ±0.5 or -2");
}

TEST(Tolerance, APercentageIsAFraction) {
  const Bound bound = parse_tolerance("+2.5%").value().any_of[0][0];
  EXPECT_EQ(bound.kind, Bound::Kind::relative);
  EXPECT_EQ(bound.side, Bound::Side::upper);
  EXPECT_EQ(bound.amount, Decimal::parse("0.025"));
}

TEST(Tolerance, ABareNumberIsAskedForItsSide) {
  EXPECT_EQ(
      error("0.01"),
      "tolerance \"0.01\": say which side: \"±0.01\" both, \"-0.01\" may be lower, \"+0.01\" may be higher");
  EXPECT_EQ(error("5 %"),
            "tolerance \"5 %\": say which side: \"±5%\" both, \"-5%\" may be lower, \"+5%\" may be higher");
  EXPECT_THAT(error("±1% or 2%"), HasSubstr("say which side: \"±2%\" both"));
}

TEST(Tolerance, ZeroIsAskedForItsMeaning) {
  for (const char* text : {"±0", "-0%", "+0.00", "±0e5", "±1% or -0"})
    EXPECT_THAT(error(text), HasSubstr("an amount of 0 leaves no room: \"exact\" is the same number as the "
                                       "baseline's, \"== 0\" the constant 0"))
        << text;
}

TEST(Tolerance, ExactStandsAlone) {
  EXPECT_EQ(error("exact or ±1%"),
            "tolerance \"exact or ±1%\": \"exact\" stands alone: either \"exact\", every value the same, or "
            "\"±1%\"");
  EXPECT_THAT(error("exact and exact"), HasSubstr("stands alone"));
}

TEST(Tolerance, ErrorsMarkThePlace) {
  EXPECT_THAT(error("±0.01 or"), HasSubstr("expected a bound at character 9, found nothing"));
  EXPECT_THAT(error("±0.01 ±1%"),
              HasSubstr("expected \"or\", \"and\" or the end at character 7, found \"±\""));
  EXPECT_THAT(error("± one"), HasSubstr("expected a number at character 3, found \"one\""));
  EXPECT_THAT(error("±1,5"), HasSubstr("at character 3, found \",\""));
  EXPECT_EQ(error(""),
            "tolerance \"\": empty; write \"±0.01\", \"±2%\", \"-5%\", \"+10%\", \"exact\", \">= 0.75\", "
            "\"< 5000\" or \"== 0\"");
  EXPECT_THAT(error("   "), HasSubstr("empty; write"));
}

TEST(Tolerance, TheBoundOfAMeanRelativeError) {
  for (const char* text : {"<= 2%", "≤2％", "<= +2 %"}) EXPECT_EQ(canonical(text), "<= 2%") << text;
  const Tolerance tolerance = parse_tolerance("<= 0.5%").value();
  EXPECT_EQ(tolerance.any_of[0][0], (Bound{Bound::Kind::error, Bound::Side::both, {5, -1}}));
  EXPECT_TRUE(needs_baseline(tolerance));
  EXPECT_TRUE(bounds_error(tolerance));
  EXPECT_FALSE(bounds_error(parse_tolerance("<= 2 or ±2%").value()));
  for (const char* metric : {"lm_loss", "throughput", "iteration_time"})
    EXPECT_TRUE(check_direction(tolerance, MetricTable().get(metric))) << metric;
}

TEST(Tolerance, MistakesOfOtherLanguages) {
  EXPECT_EQ(error("= 5"), "tolerance \"= 5\": \"=\" is not known; write \"== 5\"");
  EXPECT_THAT(error("="), HasSubstr("write \"== 0.75\""));
  for (const char* text : {"=> 5", "< > 5", "> = 5", ">", "!5", "! = 5"}) EXPECT_NE(error(text), "") << text;
  EXPECT_THAT(error("<= 5% or exact"),
              HasSubstr("\"<= 2%\", the bound of a mean relative error, stands alone"));
  EXPECT_THAT(error("<= 5% and <= 3%"), HasSubstr("stands alone"));
  EXPECT_THAT(error("<= 0%"), HasSubstr("never below 0, and 0 only where both are the same: \"exact\""));
  EXPECT_THAT(error("<= -1%"), HasSubstr("never below 0"));
  EXPECT_THAT(error("== 5%"), HasSubstr("\"<= 5%\" bounds a mean relative error"));
  EXPECT_THAT(error("< 5%"), HasSubstr("\"<= 5%\" bounds a mean relative error"));
  EXPECT_THAT(error(">= 5%"), HasSubstr("a constant has no percentage: \"±5%\", \"-5%\" and \"+5%\" are "
                                        "shares of the baseline"));
  EXPECT_THAT(error("±1.2.3"), HasSubstr("\"1.2.3\" is not a number"));
  EXPECT_THAT(error("±1e99"), HasSubstr("\"1e99\" is out of range"));
  EXPECT_THAT(error("--5%"), HasSubstr("expected a number"));
  EXPECT_THAT(error("±3x10"), HasSubstr("found \"x\""));
}

TEST(Tolerance, HostileTextIsQuotedHarmlessly) {
  EXPECT_THAT(error("\x1b[31m\xff"), HasSubstr("\\x1b"));
  EXPECT_LT(error(std::string(100000, '9')).size(), 500U);
  std::string many = "±1";
  for (int i = 0; i < 100000; ++i) many += " or ±1";
  EXPECT_THAT(error(many), HasSubstr("...\": longer than 1000 bytes"));
}

TEST(Tolerance, CanonicalTextReadsBack) {
  for (const char* text : {"±0.01", "±2%", "-0.5%", "+10%", "exact", ">= 0.75", "<= -5e3", "== 0", "±1e-30%",
                           "±0.01 or ±1%", "±0.01 and ±1% or >= 3"}) {
    const Tolerance once = parse_tolerance(text).value();
    EXPECT_EQ(parse_tolerance(to_string(once)).value(), once) << text;
  }
}

TEST(Window, EveryForm) {
  for (const char* text :
       {"all", "first 15", "last 10", "6..15", "after 5", "step 3", "0..9", "after 0", "step 0"})
    EXPECT_EQ(to_string(parse_window(text).value()), text);
  EXPECT_EQ(to_string(parse_window("  First   15 ").value()), "first 15");
  EXPECT_EQ(to_string(parse_window("6 .. 15").value()), "6..15");
}

TEST(Window, Mistakes) {
  const auto message = [](const char* text) { return parse_window(text).error().message; };
  EXPECT_THAT(message("fist 15"), HasSubstr("did you mean \"first\"?"));
  EXPECT_EQ(
      message("first"),
      "window \"first\": write \"all\", \"first 15\", \"last 10\", \"6..15\", \"after 5\" or \"step 1\"");
  EXPECT_EQ(message("first 0"), "window \"first 0\": \"first\" needs a number from 1");
  EXPECT_THAT(message("first x"), HasSubstr("\"x\" is not a whole number"));
  EXPECT_EQ(message("15..6"), "window \"15..6\": it ends before it begins; \"6..15\"?");
  EXPECT_EQ(message("-3..6"), "window \"-3..6\": a range is two whole numbers, \"6..15\"");
  EXPECT_THAT(message("1..2..3"), HasSubstr("two whole numbers"));
  EXPECT_THAT(message("first 99999999999999999999"), HasSubstr("not a whole number"));
  EXPECT_THAT(message(""), HasSubstr("empty"));
  EXPECT_THAT(message("all 3"), HasSubstr("write \"all\""));
}

TEST(Reduce, NamesAndSuggestions) {
  for (const char* name : {"each", "mean", "median", "min", "max", "last", "p90", "harmonic_mean",
                           "trimmed_mean", "mean_relative_error"})
    EXPECT_EQ(to_string(parse_reduce(name).value()), name);
  EXPECT_EQ(parse_reduce("avg").error().message, "unknown reduce \"avg\"; did you mean \"mean\"?");
  EXPECT_EQ(parse_reduce("meen").error().message, "unknown reduce \"meen\"; did you mean \"mean\"?");
  EXPECT_THAT(parse_reduce("qqqqqq").error().message, HasSubstr("\"qqqqqq\"; one of each, mean, median"));
  EXPECT_EQ(parse_rank_mode("max").value(), RankMode::max);
  EXPECT_EQ(parse_rank_mode("all").error().message, "unknown rank mode \"all\"; did you mean \"each\"?");
}

std::string direction(std::string_view tolerance, const char* metric) {
  const Status status = check_direction(parse_tolerance(tolerance).value(), MetricTable().get(metric));
  return status ? "" : status.error().message;
}

TEST(Direction, OnlyTheGoodSideIsAnError) {
  EXPECT_EQ(
      direction("+5%", "throughput"),
      "tolerance \"+5%\": of throughput higher is better, and nothing stops it from falling; did you mean "
      "\"-5%\"?");
  EXPECT_EQ(
      direction("-5%", "iteration_time"),
      "tolerance \"-5%\": of iteration_time lower is better, and nothing stops it from rising; did you mean "
      "\"+5%\"?");
  EXPECT_THAT(direction("<= 5000", "throughput"), HasSubstr("did you mean \">= 5000\"?"));
  EXPECT_THAT(direction("-5% or +5%", "throughput"), HasSubstr("falling"));
  EXPECT_EQ(direction("-5%", "throughput"), "");
  EXPECT_EQ(direction("±5%", "throughput"), "");
  EXPECT_EQ(direction("+10%", "memory_allocated"), "");
  EXPECT_EQ(direction("exact", "memory_allocated"), "");
  EXPECT_EQ(direction("-5% and +20%", "throughput"), "");
  EXPECT_EQ(direction("-5% or -3", "throughput"), "");
  for (const char* text : {"-100% and +5%", "±100%", "±250%", ">= 0 and +5%", "-5% or ±100%"})
    EXPECT_THAT(direction(text, "throughput"), HasSubstr("nothing stops it from falling")) << text;
  for (const char* text : {"-99%", "> 0", ">= 1", "-100% and >= 1", "exact"})
    EXPECT_EQ(direction(text, "throughput"), "") << text;
  EXPECT_EQ(direction("±100%", "memory_allocated"), "");
}

TEST(Direction, ABoundWithoutItsEdgeCountsAsOneWithIt) {
  const MetricTable metrics;
  const Metric higher = metrics.get("throughput"), lower = metrics.get("iteration_time"),
               neither = metrics.get("grad_norm");
  const auto complaint = [](std::string_view text, const Metric& metric) {
    const Status status = check_direction(parse_tolerance(text).value(), metric);
    return status ? "" : status.error().message;
  };
  EXPECT_EQ(complaint("> 5", higher), "");
  EXPECT_EQ(complaint("< 5", lower), "");
  for (const char* text : {"> 5", "< 5", "!= 5"}) EXPECT_EQ(complaint(text, neither), "") << text;
  EXPECT_THAT(complaint("< 5", higher), HasSubstr("did you mean \"> 5\"?"));
  EXPECT_THAT(complaint("> 5", lower), HasSubstr("did you mean \"< 5\"?"));
  EXPECT_THAT(complaint("> 0", lower), HasSubstr("; write the most that it may be, such as \"<= 3600\""));
  EXPECT_THAT(complaint(">= -1", lower), Not(HasSubstr("did you mean")));
  EXPECT_EQ(complaint("> 0", higher), "");
  EXPECT_THAT(complaint("!= 5", higher), HasSubstr("nothing stops it from falling"));
  EXPECT_THAT(complaint("!= 5", lower), HasSubstr("nothing stops it from rising"));
  EXPECT_EQ(complaint("!= 5 and > 4", higher), "");
}

TEST(Direction, OneSideOfAMetricWithoutABetterSideIsAnError) {
  EXPECT_EQ(
      direction("+5%", "lm_loss"),
      "tolerance \"+5%\": lm_loss has no better side, and only one is bounded; did you mean \"±5%\"? (or say "
      "better = \"higher\" or \"lower\" in [metrics.lm_loss])");
  EXPECT_THAT(direction("-0.01", "grad_norm"), HasSubstr("no better side"));
  EXPECT_THAT(direction("±0.01 or >= 0", "lm_loss"), HasSubstr("did you mean \"±0.01 and >= 0\"?"));
  EXPECT_THAT(direction("-5% or >= 100", "lm_loss"), HasSubstr("did you mean \"±5% and >= 100\"?"));
  EXPECT_EQ(direction("±0.01 or ±1%", "lm_loss"), "");
  EXPECT_EQ(direction("-1% and +2%", "lm_loss"), "");
  EXPECT_EQ(direction("<= 12", "lm_loss"), "") << "a constant says its direction itself";
  EXPECT_EQ(direction("== 0", "nan_iterations"), "");
}

TEST(CanFail, WhatEachValuePassesIsAnError) {
  const auto fault = [](std::string_view tolerance, const char* metric) {
    const Status status =
        check_can_fail(parse_tolerance(tolerance).value(), metric, number_range(MetricTable().get(metric)));
    return status ? "" : status.error().message;
  };
  EXPECT_EQ(fault("-100%", "throughput"),
            "tolerance \"-100%\" cannot fail: each value of throughput is within it");
  for (const char* text : {"-150%", ">= 0", "> -1", ">= -3 and -100%", "-5% or >= 0"})
    EXPECT_THAT(fault(text, "tokens_per_second"), HasSubstr("cannot fail")) << text;
  for (const char* text : {"-99%", "> 0", ">= 1", "-100% and +5%", "-100% and >= 1", "±100%", "exact"})
    EXPECT_EQ(fault(text, "throughput"), "") << text;
  for (const char* text : {"+100%", "+10%", "<= 0"}) EXPECT_EQ(fault(text, "memory_allocated"), "") << text;
  for (const char* text : {">= 0", "-100% and +100%"}) EXPECT_EQ(fault(text, "lm_loss"), "") << text;
  EXPECT_EQ(fault("<= 2.4 or >= 2.4", "lm_loss"),
            "tolerance \"<= 2.4 or >= 2.4\" cannot fail: each number is <= 2.4 or >= 2.4");
  for (const char* text : {"< 2.4 or >= 2.4", ">= 1 or <= 3", "±0.01 or < 3 or > 2"})
    EXPECT_THAT(fault(text, "lm_loss"), HasSubstr("cannot fail")) << text;
  for (const char* text : {"±1", "-1", ">= 0", "±100 or -2", "<= 1 and >= 0"})
    EXPECT_THAT(fault(text, "converged"), HasSubstr("cannot fail")) << text;
  for (const char* text : {">= 0.5", "== 1", "-0.5", "±0.99"})
    EXPECT_EQ(fault(text, "converged"), "") << text;
  for (const char* text : {"< 2.4 or > 2.4", "<= 1 or >= 3", "<= 3 and >= 1"})
    EXPECT_EQ(fault(text, "lm_loss"), "") << text;
}

std::string beside(std::string_view tolerance, std::string_view value) {
  const std::optional<Tolerance> constants =
      beside_constant(parse_tolerance(tolerance).value(), Decimal::parse(value).value());
  return constants ? to_string(*constants) : "none";
}

TEST(Tolerance, BesideAConstantIsMadeOfConstants) {
  EXPECT_EQ(beside("-5%", "3850"), ">= 3657.5");
  EXPECT_EQ(beside("+10%", "3850"), "<= 4235");
  EXPECT_EQ(beside("±1%", "-200"), ">= -202 and <= -198");
  EXPECT_EQ(beside("±0.01", "2.5"), ">= 2.49 and <= 2.51");
  EXPECT_EQ(beside("exact", "7"), "== 7");
  EXPECT_EQ(beside(">= 0.75", "7"), ">= 0.75");
  EXPECT_EQ(beside("-5% or >= 3000", "3850"), ">= 3657.5 or >= 3000");
  EXPECT_EQ(beside("<= 2%", "7"), "none");
  EXPECT_FALSE(needs_baseline(*beside_constant(*parse_tolerance("-5%"), {100, 0})));
}

}  // namespace
}  // namespace gate::tolerance_test
