#include "gate/schema/accuracy_result.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "schema/accuracy/lenient_json.h"
#include "validate.h"

namespace gate::schema::accuracy_result_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view seed = R"({
  "baseline_id": "baseline_123",
  "is_comparison_test": true,
  "test_type": "inference",
  "stage": "test",
  "output": "output.txt",
  "log": "execution.log",
  "passed": true,
  "comparison_details": {
    "metric": "BLEU",
    "metric_value": 0.85,
    "threshold": 0.80,
    "operator": ">="
  }
}
)";

AccuracyResult passed() {
  AccuracyResult result;
  result.baseline_id = "baseline_123";
  result.is_comparison = true;
  result.output = "output.txt";
  result.log = "execution.log";
  result.passed = true;
  result.details = AccuracyComparison{"bleu", 0.85, {80, -2}, Bound::Kind::at_least};
  return result;
}

AccuracyResult result_of(std::string_view text) {
  const Result<AccuracyResult> result = read_accuracy_result(text, "r.json");
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result.value_or(AccuracyResult{});
}

std::string error_of(std::string_view text) {
  const Result<AccuracyResult> result = read_accuracy_result(text, "r.json");
  return result ? "" : result.error().message;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

std::string with(std::string_view what, std::string_view by) { return replaced(std::string(seed), what, by); }

TEST(AccuracyResult, IsWrittenByteByByte) {
  EXPECT_EQ(write_accuracy_result(passed()), seed);
  EXPECT_EQ(accuracy_result_names[0], "test_result.json");
  EXPECT_EQ(accuracy_result_names[1], "test_results.json");
}

TEST(AccuracyResult, OfAFailedDownloadHasItsLogAlone) {
  AccuracyResult result;
  result.baseline_id = "b";
  result.is_comparison = true;
  result.test_type = ModelTestType::training;
  result.stage = AccuracyStage::download;
  result.log = "execution.log";
  EXPECT_EQ(write_accuracy_result(result), R"({
  "baseline_id": "b",
  "is_comparison_test": true,
  "test_type": "training",
  "stage": "download",
  "output": null,
  "log": "execution.log",
  "passed": null,
  "comparison_details": null
}
)");
}

TEST(AccuracyResult, OfABaselineRunHasNoDetails) {
  AccuracyResult result = passed();
  result.is_comparison = false;
  result.passed = std::nullopt;
  EXPECT_EQ(write_accuracy_result(result), R"({
  "baseline_id": "baseline_123",
  "is_comparison_test": false,
  "test_type": "inference",
  "stage": "test",
  "output": "output.txt",
  "log": "execution.log",
  "passed": null
}
)");
}

TEST(AccuracyResult, IsValidUnderItsSchema) {
  AccuracyResult result = passed();
  EXPECT_EQ(invalid(write_accuracy_result(result), "test_result.json"), "");
  result.details->value = std::nan("");
  EXPECT_EQ(invalid(write_accuracy_result(result), "test_result.json"), "");
  result.details.reset();
  EXPECT_EQ(invalid(write_accuracy_result(result), "test_result.json"), "");
  result.is_comparison = false;
  EXPECT_EQ(invalid(write_accuracy_result(result), "test_result.json"), "");
  EXPECT_EQ(invalid(write_accuracy_result({}), "test_result.json"), "");
  EXPECT_NE(invalid(with("\"stage\": \"test\"", "\"stage\": \"running\""), "test_result.json"), "");
  EXPECT_NE(invalid(with("true", "false"), "test_result.json"), "") << "details of what is no comparison";
  EXPECT_NE(invalid(with("0.80", "null"), "test_result.json"), "");
}

TEST(AccuracyResult, IsReadBack) {
  const AccuracyResult result = result_of(seed);
  EXPECT_EQ(result.baseline_id, "baseline_123");
  EXPECT_FALSE(result.is_number_id);
  EXPECT_TRUE(result.is_comparison);
  EXPECT_EQ(result.test_type, ModelTestType::inference);
  EXPECT_EQ(result.stage, AccuracyStage::test);
  EXPECT_EQ(result.output, "output.txt");
  EXPECT_EQ(result.log, "execution.log");
  EXPECT_EQ(result.passed, true);
  ASSERT_TRUE(result.details);
  EXPECT_EQ(result.details->metric, "bleu");
  EXPECT_EQ(result.details->value, 0.85);
  EXPECT_EQ(result.details->threshold.to_string(), "0.80");
  EXPECT_EQ(result.details->comparison, Bound::Kind::at_least);
}

// The sample of the hub's own description: comments, and a comma behind the last member.
TEST(AccuracyResult, AsPeopleWriteItIsRead) {
  const std::string sample = "# test_result.json sample\n  // comparison_datails only of a comparison\n" +
                             with("\">=\"", "\">=\", # why") + "// end";
  EXPECT_EQ(write_accuracy_result(result_of(sample)), seed);
  EXPECT_EQ(write_accuracy_result(result_of(with("}\n}", "},\n\r\t # x\n}"))), seed);
  EXPECT_EQ(write_accuracy_result(result_of("\xEF\xBB\xBF" + std::string(seed))), seed);
}

TEST(AccuracyResult, IsReadInOtherSpellings) {
  EXPECT_EQ(write_accuracy_result(result_of(with("comparison_details", "comparison_datails"))), seed);
  EXPECT_EQ(write_accuracy_result(result_of(with("BLEU", "bleu"))), seed);
  EXPECT_EQ(write_accuracy_result(result_of(with("\"inference\"", "\"Infer\""))), seed);
  EXPECT_EQ(write_accuracy_result(result_of(with("\"test\"", "\"inference\""))), seed);
  EXPECT_EQ(write_accuracy_result(result_of(with("\"test\"", "null"))), seed);
  EXPECT_EQ(write_accuracy_result(result_of(with("0.85", "\"0.85\""))), seed);
  EXPECT_EQ(write_accuracy_result(result_of(with("0.80", "\" 0.80 \""))), seed);
  EXPECT_EQ(write_accuracy_result(result_of(with("\"log\"", "\"further\": {\"a\": [1]}, \"log\""))), seed);
  EXPECT_THAT(
      error_of(with("\"comparison_details\"", "\"comparison_datails\": {}, \"comparison_details\"")),
      StartsWith("r.json:9:3: \"comparison_datails\" beside \"comparison_details\"; remove one of them"));
}

TEST(AccuracyResult, KeepsTheTypeOfItsBaselinesId) {
  const AccuracyResult result = result_of(with("\"baseline_123\"", "9007199254740993"));
  EXPECT_EQ(result.baseline_id, "9007199254740993");
  EXPECT_THAT(write_accuracy_result(result), HasSubstr("\"baseline_id\": 9007199254740993,"));
  EXPECT_THAT(write_accuracy_result(result_of(with("baseline_123", "7"))),
              HasSubstr("\"baseline_id\": \"7\","));
  EXPECT_EQ(result_of(with("\"baseline_123\"", "null")).baseline_id, "");
  EXPECT_THAT(error_of(with("\"baseline_123\"", "1.5")),
              "r.json:2:18: \"baseline_id\" is neither a text nor a whole number of 64 bits");
  EXPECT_THAT(error_of(with("\"baseline_123\"", "[]")), HasSubstr("must be a text, not a list"));
  AccuracyResult no_number = passed();
  no_number.is_number_id = true;
  EXPECT_EQ(write_accuracy_result(no_number), seed) << "what is no number is a text";
  no_number.baseline_id = "007";
  EXPECT_THAT(write_accuracy_result(no_number), HasSubstr("\"baseline_id\": \"007\","));
}

TEST(AccuracyResult, HasAllDigitsOfItsValue) {
  for (const double value :
       {0.1 + 0.2, 1.0 / 3, 5e-324, 1.7976931348623157e308, 0.0, 1.0, -0.25, 123456789.125}) {
    AccuracyResult result = passed();
    result.details->value = value;
    EXPECT_EQ(result_of(write_accuracy_result(result)).details->value, value);
  }
  AccuracyResult result = passed();
  result.details->value = 0.1 + 0.2;
  EXPECT_THAT(write_accuracy_result(result), HasSubstr("\"metric_value\": 0.30000000000000004,"));
}

TEST(AccuracyResult, HasNullForWhatIsNoNumber) {
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    AccuracyResult result = passed();
    result.details->value = value;
    EXPECT_THAT(write_accuracy_result(result), HasSubstr("\"metric_value\": null,"));
    EXPECT_EQ(result_of(write_accuracy_result(result)).details->value, std::nullopt);
  }
  EXPECT_EQ(result_of(with("0.85", "\"1e999\"")).details->value, std::nullopt);
  EXPECT_THAT(error_of(with("0.85", "1e999")), StartsWith("r.json:11:"));
  EXPECT_THAT(error_of(with("0.85", "NaN")), StartsWith("r.json:11:"));
  EXPECT_EQ(error_of(with("0.85", "\"nan\"")),
            "r.json:11:21: \"metric_value\" is no number of at most 37 digits: \"nan\"");
}

TEST(AccuracyResult, NullsAreNone) {
  const AccuracyResult result = result_of(
      R"({"baseline_id": null, "is_comparison_test": true, "test_type": "training", "stage": "download",
          "output": null, "log": null, "passed": null, "comparison_details": null})");
  EXPECT_FALSE(result.output || result.log || result.passed || result.details);
  EXPECT_EQ(result.stage, AccuracyStage::download);
  EXPECT_FALSE(result_of(with("true", "false")).details) << "of no comparison";
  EXPECT_EQ(result_of(with("\"passed\": true", "\"passed\": false")).passed, false);
}

TEST(AccuracyResult, EachOperatorIsReadBack) {
  for (const char* sign : {">=", ">", "<=", "<", "==", "!="}) {
    const std::string text = with("\">=\"", '"' + std::string(sign) + '"');
    EXPECT_EQ(comparison_sign(result_of(text).details->comparison), sign);
    EXPECT_EQ(write_accuracy_result(result_of(text)), text);
  }
}

TEST(AccuracyResult, EachMetricIsReadBack) {
  for (const AccuracyMetric& metric : accuracy_metrics()) {
    AccuracyResult result = passed();
    result.details->metric = metric.name;
    const std::string text = write_accuracy_result(result);
    EXPECT_THAT(text, HasSubstr('"' + std::string(metric.wire_name) + '"'));
    EXPECT_EQ(result_of(text).details->metric, metric.name);
  }
  EXPECT_EQ(result_of(with("BLEU", "Perplexity")).details->metric, "Perplexity");
}

TEST(AccuracyResult, MistakesAreAllToldAtTheirPlaces) {
  EXPECT_EQ(error_of(R"(# of all kinds
{"is_comparison_test": "yes", "test_type": "both", "stage": "running",
 "output": 1, "passed": "true"})"),
            "r.json:2:24: \"is_comparison_test\" must be true or false, not a text\n"
            "r.json:2:44: unknown test_type \"both\"\n"
            "r.json:2:61: unknown stage \"running\"\n"
            "r.json:3:12: \"output\" must be a text, not a number\n"
            "r.json:3:25: \"passed\" must be true or false, not a text");
  EXPECT_EQ(error_of("{}"),
            "r.json:1:1: \"is_comparison_test\" is missing here\nr.json:1:1: \"test_type\" is missing here");
  EXPECT_EQ(error_of(with(R"("metric": "BLEU",
    "metric_value": 0.85,
    "threshold": 0.80,
    "operator": ">=")",
                          "")),
            "r.json:9:25: \"metric\" is missing here\nr.json:9:25: \"threshold\" is missing here\n"
            "r.json:9:25: \"operator\" is missing here");
  EXPECT_EQ(error_of(with("\">=\"", "\"=>\"")),
            "r.json:13:17: unknown operator \"=>\"; one of >=, >, <=, <, ==, !=");
  EXPECT_THAT(error_of(with("0.80", "{}")),
              HasSubstr("r.json:12:18: \"threshold\" must be a text, not an object"));
}

TEST(AccuracyResult, OfAnyBytesIsAnErrorWithAPlace) {
  for (const std::string& text :
       {std::string(), std::string(" \n"), std::string("# nothing"), std::string("[]"), std::string("7"),
        std::string("{\"a\": \"#"), std::string("{\"a\":1 \"b\":2}"), std::string("{\"a\":1,,}"),
        std::string("\0", 1), std::string("{\"\xff\":1}"), std::string(100000, '['), std::string(100000, ','),
        std::string(100000, '#'), std::string("{\"a\":1,\"a\":2}"), std::string("/ /"),
        std::string("{\"output\": \"a\nb\"}")})
    EXPECT_THAT(error_of(text), StartsWith("r.json:")) << text.substr(0, 40);
}

TEST(AccuracyResult, OfHostileTextIsStrictJson) {
  AccuracyResult result = passed();
  result.output = std::string("a\"\\\n\0\xff//#,}", 12);
  result.baseline_id = "},]";
  result.details->metric = "\x1b[31m";
  const std::string text = write_accuracy_result(result);
  EXPECT_EQ(invalid(text, "test_result.json"), "");
  EXPECT_EQ(write_accuracy_result(result_of(text)), text);
}

TEST(LenientJson, BlanksCommentsAndLastCommas) {
  struct {
    const char *text, *strict;
  } constexpr rows[] = {
      {"", ""},
      {"# a\n{}", "   \n{}"},
      {"{} // a\r\n", "{}     \r\n"},
      {"[1,]", "[1 ]"},
      {"[1, # a\n ]", "[1     \n ]"},
      {"{\"a\": 1 , }", "{\"a\": 1   }"},
      {"[1,,]", "[1, ]"},
      {"[1,2]", "[1,2]"},
      {"[\"#//,]\",]", "[\"#//,]\" ]"},
      {"[\"\\\"#\", 1]", "[\"\\\"#\", 1]"},
      {"[\"\\\\\"#\n]", "[\"\\\\\" \n]"},
      {"\"#", "\"#"},
      {"\"\\", "\"\\"},
      {"/ a", "/ a"},
      {"/", "/"},
  };
  for (const auto& [text, strict] : rows) EXPECT_EQ(strict_json(text), strict);
}

}  // namespace
}  // namespace gate::schema::accuracy_result_test
