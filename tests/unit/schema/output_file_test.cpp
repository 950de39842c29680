#include "gate/schema/output_file.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace gate::schema::output_file_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr double infinity = std::numeric_limits<double>::infinity();

// --- numbers -----------------------------------------------------------------------------------------------

Numbers numbers(std::string_view bytes, NumberFormat format, std::string_view key = "") {
  const auto read = read_numbers(bytes, format, key, "f");
  EXPECT_TRUE(read.has_value()) << bytes << "\n" << read.error().message;
  return read.value_or(Numbers{});
}

std::vector<double> values(std::string_view bytes, NumberFormat format, std::string_view key = "") {
  return numbers(bytes, format, key).values;
}

std::string error(std::string_view bytes, NumberFormat format, std::string_view key = "") {
  const auto read = read_numbers(bytes, format, key, "f");
  return read ? "no error" : read.error().message;
}

constexpr auto json = NumberFormat::json;
constexpr auto jsonl = NumberFormat::jsonl;
constexpr auto csv = NumberFormat::csv;
constexpr auto npy = NumberFormat::npy;

TEST(NumberFormat, IsWhatTheNameEndsIn) {
  EXPECT_EQ(number_format_of("out/loss.json"), json);
  EXPECT_EQ(number_format_of("loss.JSONL"), jsonl);
  EXPECT_EQ(number_format_of("a.b.csv"), csv);
  EXPECT_EQ(number_format_of("logits.npy"), npy);
  EXPECT_EQ(number_format_of("logits.npz"), std::nullopt);
  EXPECT_EQ(number_format_of("loss.json.gz"), std::nullopt);
  EXPECT_EQ(number_format_of("json"), std::nullopt);
  EXPECT_EQ(number_format_of(""), std::nullopt);
}

TEST(JsonNumbers, AreThoseOfTheListInItsOrder) {
  const Numbers read = numbers("[1, -2.5, 3e2,\n 0.1]", json);
  EXPECT_THAT(read.values, ElementsAre(1, -2.5, 300, 0.1));
  EXPECT_EQ(read.shape, "4");
  EXPECT_EQ(numbers("7", json).shape, "") << "one number has none";
  EXPECT_EQ(numbers("[]", json).shape, "0");
  EXPECT_THAT(values("\xEF\xBB\xBF[1]", json), ElementsAre(1));
  EXPECT_THAT(values("[18446744073709551615, 123456789012345678901234567890]", json),
              ElementsAre(18446744073709551616.0, 123456789012345678901234567890.0));
}

TEST(JsonNumbers, ListsInAListMakeAShape) {
  const Numbers read = numbers("[[1,2,3],[4,5,6]]", json);
  EXPECT_THAT(read.values, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(read.shape, "2x3");
  EXPECT_EQ(numbers("[[[1],[2]]]", json).shape, "1x2x1");
  EXPECT_EQ(numbers("[[],[]]", json).shape, "2x0");
  EXPECT_THAT(
      error("[[1,2],\n [3]]", json),
      AllOf(StartsWith("f:2:2: "), HasSubstr("numbers of shape 1 where"), HasSubstr("numbers of shape 2")));
  EXPECT_THAT(error("[1,[2]]", json), StartsWith("f:1:4: holds numbers of shape 1 where"));
  EXPECT_THAT(error("[[2],1]", json), HasSubstr("a single number where"));
}

TEST(JsonNumbers, WhatIsNotFiniteIsTakenInEverySpelling) {
  const auto read =
      values(R"([NaN, Infinity, -Infinity, "nan", "inf", "-Infinity", null, "NaN", "+INF"])", json);
  ASSERT_EQ(read.size(), 9U);
  for (const std::size_t at : {0U, 3U, 6U, 7U}) EXPECT_TRUE(std::isnan(read[at])) << at;
  EXPECT_EQ(read[1], infinity);
  EXPECT_EQ(read[2], -infinity);
  EXPECT_EQ(read[4], infinity);
  EXPECT_EQ(read[5], -infinity);
  EXPECT_EQ(read[8], infinity);
  EXPECT_TRUE(std::isnan(values("NaN", json).at(0)));
  EXPECT_EQ(values("{\"NaN\":Infinity}", json, "NaN").at(0), infinity);
  EXPECT_THAT(values(R"({"a NaN, Infinity": 1, "b\" NaN": NaN, "c": 3})", json, "c"), ElementsAre(3));
}

TEST(JsonNumbers, WhatOnlyLooksLikeNanIsNoJson) {
  EXPECT_THAT(error("[NaNa]", json), StartsWith("f:1:2: not JSON"));
  EXPECT_THAT(error("[1, -NaN]", json), StartsWith("f:1:6: not JSON"));
  EXPECT_THAT(error("{NaN: 1}", json), StartsWith("f:1:2: not JSON"));
  EXPECT_THAT(error("{\"a\":1, NaN : 1}", json), StartsWith("f:1:9: not JSON: a key without quotes"));
  EXPECT_THAT(error("[nan]", json), StartsWith("f:1:"));
}

TEST(JsonNumbers, AKeyIsAPathOfNamesAndIndices) {
  const std::string file = R"({"data": {"loss": [1, 2], "acc": [[3, 4], [5, 6]]}, "n": 9})";
  EXPECT_THAT(values(file, json, "data.loss"), ElementsAre(1, 2));
  EXPECT_EQ(numbers(file, json, "data.acc").shape, "2x2");
  EXPECT_THAT(values(file, json, "data.acc.1"), ElementsAre(5, 6));
  EXPECT_THAT(values(file, json, "data.acc.1.0"), ElementsAre(5));
  EXPECT_EQ(numbers(file, json, "data.acc.1.0").shape, "");
  EXPECT_THAT(values(file, json, "n"), ElementsAre(9));
}

TEST(JsonNumbers, OfAListOfObjectsANameIsTheMemberOfEach) {
  const std::string file = R"([{"step": 1, "loss": 2.5}, {"step": 2, "loss": 2.25}])";
  EXPECT_THAT(values(file, json, "loss"), ElementsAre(2.5, 2.25));
  EXPECT_EQ(numbers(file, json, "loss").shape, "2");
  EXPECT_THAT(values(file, json, "1.loss"), ElementsAre(2.25));
  EXPECT_EQ(numbers(R"([{"p": [1, 2]}, {"p": [3, 4]}])", json, "p").shape, "2x2");
  EXPECT_THAT(error(R"([{"loss": 1}, {"lose": 2}])", json, "loss"),
              AllOf(StartsWith("f:1:15: no member \"loss\""), HasSubstr("did you mean \"lose\"?")));
}

TEST(JsonNumbers, NamesWithDotsAreTakenWhole) {
  EXPECT_THAT(values(R"({"a": {"b": 1}, "a.b": 2})", json, "a.b"), ElementsAre(2)) << "the longest";
  EXPECT_THAT(values(R"({"a.b": {"c": 1}})", json, "a.b.c"), ElementsAre(1));
  EXPECT_THAT(values(R"({"train/loss": {"0": 1}})", json, "train/loss.0"), ElementsAre(1));
  EXPECT_THAT(values(R"({"\u0061\"": 5, "b": 6})", json, "a\""), ElementsAre(5)) << "what the key says";
}

TEST(JsonNumbers, ASingleNameNeedNotBeTold) {
  EXPECT_THAT(values(R"({"loss": [1, 2]})", json), ElementsAre(1, 2));
  EXPECT_THAT(values(R"({"data": {"loss": [1, 2]}})", json), ElementsAre(1, 2));
  EXPECT_THAT(values(R"({"data": {"loss": [1, 2]}})", json, "data"), ElementsAre(1, 2));
  EXPECT_THAT(values(R"([{"loss": 1}, {"loss": 2}])", json), ElementsAre(1, 2));
  EXPECT_THAT(error(R"({"loss": [1], "acc": [2]})", json),
              "f:1:1: has several names: choose one with a key: loss, acc");
  EXPECT_THAT(error(R"([{"loss": 1}, {"acc": 2}])", json), StartsWith("f:1:15: has several names"));
  EXPECT_THAT(error(R"([{"d": {"loss": 1}}, {"d": {"acc": 2}}])", json),
              StartsWith("f:1:28: has several names"));
  EXPECT_THAT(error("{}", json), HasSubstr("an object without members"));
}

TEST(JsonNumbers, AKeyThatLeadsNowhereIsRefused) {
  EXPECT_EQ(error(R"({"loss": [1]})", json, "los"),
            "f:1:1: no member \"los\"; did you mean \"loss\"?; it has loss");
  EXPECT_THAT(error("[1, 2]", json, "loss"), StartsWith("f:1:2: a number, which has no member \"loss\""));
  EXPECT_THAT(error("[1, 2]", json, "2"), StartsWith("f:1:1: a list of 2 items, which has none of index 2"));
  EXPECT_THAT(error("[1, 2]", json, "99999999999999999999"), HasSubstr("has no member"));
  EXPECT_THAT(error(R"({"a": 1})", json, "a.b"), HasSubstr("a number, which has no member \"b\""));
  std::string many = "{\"b\": 1";
  for (int number = 1; number < 1500; ++number) many += ", \"b" + std::to_string(number) + "\": 1";
  EXPECT_THAT(error(many + "}", json, "xyz"),
              HasSubstr("; it has b, b1, b2, b3, b4, b5, b6, b7 and 1492 more"));
  EXPECT_THAT(error("null", json, "a"), HasSubstr("null, which has no member \"a\""));
}

TEST(JsonNumbers, AWordIsNoNumber) {
  EXPECT_EQ(error(R"([1, "1,000"])", json), "f:1:5: \"1,000\" is no number");
  EXPECT_EQ(error(R"([1, "2"])", json), "f:1:5: a number in quotes; write it without them");
  EXPECT_THAT(error(R"([1, true])", json), StartsWith("f:1:5: true or false where a number should be"));
  EXPECT_THAT(error(R"([""])", json), HasSubstr("nothing where a number should be"));
  EXPECT_THAT(error("[1e999]", json), AllOf(StartsWith("f:1:"), HasSubstr("1e999")))
      << "no infinity in silence";
}

TEST(JsonNumbers, WhatIsNoJsonIsRefusedAtItsPlace) {
  EXPECT_THAT(error("", json), StartsWith("f: is empty"));
  EXPECT_THAT(error(" \n", json), StartsWith("f: holds nothing but blanks"));
  EXPECT_THAT(error("[1, 2", json), HasSubstr("the file is cut off"));
  EXPECT_THAT(error("[1,\n 2 3]", json), StartsWith("f:2:4: not JSON"));
  EXPECT_THAT(error("[1] [2]", json), StartsWith("f:1:5: not JSON"));
  EXPECT_THAT(error("[01]", json), StartsWith("f:1:3: not JSON"));
  EXPECT_THAT(error("{\"a\": 1, \"b\": 2, \"\\u0061\": 3}", json, "a"),
              "f:1:18: key \"a\" a second time; remove one of them");
  EXPECT_THAT(error(std::string(100'000, '['), json), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(error(std::string(64, '[') + std::string(64, ']'), json), "no error");
}

TEST(JsonLineNumbers, AreThoseOfAllLines) {
  EXPECT_THAT(values("1\n2.5\n-3\n", jsonl), ElementsAre(1, 2.5, -3));
  EXPECT_EQ(numbers("1\n2.5\n-3", jsonl).shape, "3");
  EXPECT_THAT(values("{\"step\":1,\"loss\":2}\r\n{\"loss\":3}\r\n\n \n", jsonl, "loss"), ElementsAre(2, 3));
  EXPECT_EQ(numbers("[1,2]\n[3,4]\n[5,6]\n", jsonl).shape, "3x2");
  EXPECT_THAT(values("{\"loss\": 1}\n{\"loss\": 2}\n", jsonl), ElementsAre(1, 2));
  EXPECT_THAT(values("{\"a\":{\"b\":[7,8]}}\n", jsonl, "a.b.1"), ElementsAre(8));
  EXPECT_EQ(values("1\nInfinity\n", jsonl).at(1), infinity);
}

TEST(JsonLineNumbers, AreOfTheStepsThatAllLinesName) {
  EXPECT_THAT(numbers("{\"step\":11,\"loss\":2}\n{\"loss\":3,\"step\":12.0}\n", jsonl, "loss").steps,
              ElementsAre(11, 12));
  for (const char* name :
       {"iteration", "Iteration", "iter", "global_step", "Step", "global step", "train/iters"})
    EXPECT_THAT(numbers("[{\"" + std::string(name) + "\":11,\"loss\":2},{\"" + name + "\":12,\"loss\":3}]",
                        json, "loss")
                    .steps,
                ElementsAre(11, 12))
        << name;
  EXPECT_THAT(
      numbers(R"({"steps": 2, "log": [{"iter": 5, "loss": 2}, {"iter": 6, "loss": 3}]})", json, "log.loss")
          .steps,
      ElementsAre(5, 6));
  EXPECT_THAT(numbers(R"({"iteration": [5, 6], "loss": [2, 3]})", json, "loss").steps, ElementsAre(5, 6));
  EXPECT_THAT(numbers(R"({"iteration": [5], "loss": [2, 3]})", json, "loss").steps, IsEmpty());
  EXPECT_THAT(numbers("{\"step\":11,\"loss\":2}\n{\"loss\":3}\n", jsonl, "loss").steps, IsEmpty());
  EXPECT_THAT(numbers("{\"step\":1.5,\"loss\":2}\n", jsonl, "loss").steps, IsEmpty());
  EXPECT_THAT(numbers("{\"step\":1,\"loss\":2}\n", jsonl, "step").steps, IsEmpty())
      << "it is what is compared";
  EXPECT_THAT(numbers("1\n2\n", jsonl).steps, IsEmpty());
}

TEST(JsonLineNumbers, ErrorsTellTheLine) {
  EXPECT_THAT(error("1\n2\nx\n", jsonl), StartsWith("f:3:1: not JSON"));
  EXPECT_THAT(error("1\n\n2\n", jsonl), StartsWith("f:2:1: a blank line before the end"));
  EXPECT_THAT(error("1\n[2]\n", jsonl), AllOf(StartsWith("f:2:1: "), HasSubstr("another shape")));
  EXPECT_THAT(error("[1]\n[2,3]\n", jsonl), HasSubstr("\"2\" instead of \"1\""));
  EXPECT_THAT(error("{\"a\":1}\n{\"b\":2}\n", jsonl), StartsWith("f:2:1: has several names"));
  EXPECT_THAT(error("{\"a\":1}\n{\"b\":2}\n", jsonl, "a"), StartsWith("f:2:1: no member \"a\""));
  EXPECT_THAT(error("{\"a\":1}\n{\"a\":\n1}\n", jsonl, "a"), StartsWith("f:2:"))
      << "no object goes over its line";
  EXPECT_THAT(error("1 2\n", jsonl), StartsWith("f:1:3: not JSON"));
  EXPECT_THAT(error("{\"a\":\"NaN\n{\"a\":NaN}", jsonl, "a"), StartsWith("f:1:"));
  EXPECT_THAT(error("\n", jsonl), StartsWith("f: holds nothing but blanks"));
}

TEST(CsvNumbers, AreThoseOfTheColumn) {
  const std::string file = "step,loss,note\n1,2.5,a\n2,2.25,\"b, c\"\n";
  EXPECT_THAT(values(file, csv, "loss"), ElementsAre(2.5, 2.25));
  EXPECT_EQ(numbers(file, csv, "loss").shape, "2");
  EXPECT_THAT(numbers("step,loss\n11,2.5\n12,2.25\n", csv, "loss").steps, ElementsAre(11, 12));
  EXPECT_THAT(numbers("Iteration,loss\n11,2.5\n12,2.25\n", csv, "loss").steps, ElementsAre(11, 12));
  EXPECT_THAT(numbers("a,loss\n11,2.5\n12,2.25\n", csv, "loss").steps, IsEmpty());
  EXPECT_THAT(values("loss\n1\n2\n", csv), ElementsAre(1, 2)) << "a single column need not be told";
  EXPECT_THAT(values("1\n2\n", csv), ElementsAre(1, 2)) << "no header";
  EXPECT_EQ(numbers("1,2,3\n4,5,6", csv).shape, "2x3");
  EXPECT_THAT(values("1,2,3\n4,5,6", csv), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(values("loss\n", csv), IsEmpty());
  EXPECT_EQ(numbers("loss\n", csv).shape, "0");
}

TEST(CsvNumbers, TakesWhatToolsWrite) {
  EXPECT_THAT(values("\xEF\xBB\xBF\"loss\"\r\n\"1\"\r\n2\r\n\r\n", csv, "loss"), ElementsAre(1, 2));
  EXPECT_THAT(values("step, loss\n 1 ,\t2.5 \n", csv, "loss"), ElementsAre(2.5)) << "blanks do not count";
  EXPECT_THAT(values("a,\"b \"\"x\"\", y\"\n1,2\n", csv, "b \"x\", y"), ElementsAre(2));
  EXPECT_THAT(values("a,\"b\nc\"\n1,2\n", csv, "b\nc"), ElementsAre(2));
  EXPECT_THAT(values("+1\n.5\n1e3\n007\n-0.0\n", csv), ElementsAre(1, 0.5, 1000, 7, 0));
  const auto odd = values("v\nNaN\ninf\n-Infinity\n", csv);
  ASSERT_EQ(odd.size(), 3U);
  EXPECT_TRUE(std::isnan(odd[0]));
  EXPECT_EQ(odd[1], infinity);
  EXPECT_EQ(odd[2], -infinity);
  EXPECT_THAT(values("1e-400\n4.9e-324\n", csv), ElementsAre(0, 4.9e-324));
}

TEST(CsvNumbers, AWordIsNoNumber) {
  EXPECT_EQ(error("loss\n1\n1x\n", csv), "f:3:1: \"1x\" is no number");
  EXPECT_EQ(error("a,b\n1,\"1,000\"\n", csv, "b"), "f:2:3: \"1,000\" is no number");
  EXPECT_THAT(error("a,b\n1,\n", csv, "b"),
              AllOf(StartsWith("f:2:3: "), HasSubstr("write nan where there is none")));
  EXPECT_THAT(error("a,b\n1;2,3\n", csv, "a"), HasSubstr("columns stand between commas"));
  for (const char* word : {"0x10", "1_000", "1e", "--1", "nan(1)", "infinit", "1 2", "1.2.3", "١"})
    EXPECT_THAT(error("v\n" + std::string(word) + "\n", csv), HasSubstr("is no number")) << word;
  EXPECT_THAT(error("v\n1e999\n", csv), HasSubstr("beyond the range of a double"))
      << "no infinity in silence";
  EXPECT_THAT(error("1\nx\n", csv), StartsWith("f:2:1: "));
  EXPECT_THAT(error("1,x\n", csv), StartsWith("f:1:3: ")) << "half a header is none";
  EXPECT_THAT(error("v\n1\n\n2\n", csv), StartsWith("f:3:1: nothing where a number"));
}

TEST(CsvNumbers, AColumnHasToBeThereOnce) {
  EXPECT_EQ(error("step,loss\n1,2\n", csv), "f:1:1: has several columns: choose one with a key: step, loss");
  EXPECT_EQ(error("step,loss\n1,2\n", csv, "lost"),
            "f:1:1: no column \"lost\"; did you mean \"loss\"?; it has step, loss");
  EXPECT_THAT(error("loss,loss\n1,2\n", csv, "loss"), StartsWith("f:1:6: a second column \"loss\""));
  EXPECT_THAT(error("1,2\n", csv, "loss"), HasSubstr("its first line holds numbers"));
}

TEST(CsvNumbers, WhatIsNoCsvIsRefusedAtItsPlace) {
  EXPECT_EQ(error("a,b\n1,2\n3\n", csv, "a"), "f:3:1: 1 cell in a line, and 2 in the first one");
  EXPECT_THAT(error("a\n1,2\n", csv, "a"), StartsWith("f:2:1: 2 cells in a line"));
  EXPECT_THAT(error("a,b\n1,\"2\n", csv, "a"), StartsWith("f:2:3: quotes that are opened"));
  EXPECT_THAT(error("a,b\n1,\"2\"3\n", csv, "a"), StartsWith("f:2:6: text behind the quotes"));
  EXPECT_THAT(error("a,b\n1,2\"3\"\n", csv, "a"), StartsWith("f:2:4: a quote within a cell"));
  EXPECT_THAT(error("", csv), StartsWith("f: is empty"));
}

// --- .npy --------------------------------------------------------------------------------------------------

std::string npy_file(const std::string& header, const std::string& data, int version = 1) {
  const std::string padded = header + "\n";
  std::string length{static_cast<char>(padded.size()), '\0'};
  if (version > 1) length += std::string(2, '\0');
  return "\x93NUMPY" + std::string{static_cast<char>(version), '\0'} + length + padded + data;
}

std::string npy_header(const std::string& type, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
}

std::string npy_of(const std::string& type, const std::string& shape, const std::string& data) {
  return npy_file(npy_header(type, shape), data);
}

std::string bytes(std::initializer_list<int> all) {
  std::string text;
  for (const int one : all) text += static_cast<char>(one);
  return text;
}

TEST(NpyNumbers, EveryTypeIsReadInBothOrders) {
  EXPECT_THAT(
      values(npy_of("<f8", "(2,)", bytes({0, 0, 0, 0, 0, 0, 0xF8, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0xC0})), npy),
      ElementsAre(1.5, -2));
  EXPECT_THAT(values(npy_of(">f8", "(1,)", bytes({0x3F, 0xF8, 0, 0, 0, 0, 0, 0})), npy), ElementsAre(1.5));
  EXPECT_THAT(values(npy_of("<f4", "(1,)", bytes({0, 0, 0xC0, 0x3F})), npy), ElementsAre(1.5));
  EXPECT_THAT(values(npy_of(">f4", "(1,)", bytes({0xBF, 0xC0, 0, 0})), npy), ElementsAre(-1.5));
  EXPECT_THAT(values(npy_of("<i8", "(1,)", bytes({0xFE, 255, 255, 255, 255, 255, 255, 255})), npy),
              ElementsAre(-2));
  EXPECT_THAT(values(npy_of("<u8", "(1,)", bytes({0, 0, 0, 0, 0, 0, 0, 0x80})), npy),
              ElementsAre(9223372036854775808.0));
  EXPECT_THAT(values(npy_of(">i4", "(1,)", bytes({255, 255, 255, 0xFE})), npy), ElementsAre(-2));
  EXPECT_THAT(values(npy_of("<u4", "(1,)", bytes({0xFE, 255, 255, 255})), npy), ElementsAre(4294967294.0));
  EXPECT_THAT(values(npy_of("<i2", "(1,)", bytes({0xFE, 255})), npy), ElementsAre(-2));
  EXPECT_THAT(values(npy_of(">u2", "(1,)", bytes({1, 2})), npy), ElementsAre(258));
  EXPECT_THAT(values(npy_of("|i1", "(2,)", bytes({0x80, 1})), npy), ElementsAre(-128, 1));
  EXPECT_THAT(values(npy_of("|u1", "(1,)", bytes({0x80})), npy), ElementsAre(128));
  EXPECT_THAT(values(npy_of("|b1", "(2,)", bytes({1, 0})), npy), ElementsAre(1, 0));
}

TEST(NpyNumbers, HalfNumbersAreExact) {
  const auto half = [](int high, int low) {
    return values(npy_of(">f2", "(1,)", bytes({high, low})), npy).at(0);
  };
  EXPECT_EQ(half(0x3C, 0x00), 1);
  EXPECT_EQ(half(0xC0, 0x00), -2);
  EXPECT_EQ(half(0x7B, 0xFF), 65504);
  EXPECT_EQ(half(0x04, 0x00), 0x1p-14);
  EXPECT_EQ(half(0x03, 0xFF), 1023 * 0x1p-24) << "below the normal ones";
  EXPECT_EQ(half(0x00, 0x01), 0x1p-24);
  EXPECT_EQ(half(0x80, 0x00), 0);
  EXPECT_TRUE(std::signbit(half(0x80, 0x00)));
  EXPECT_EQ(half(0x7C, 0x00), infinity);
  EXPECT_EQ(half(0xFC, 0x00), -infinity);
  EXPECT_TRUE(std::isnan(half(0x7C, 0x01)));
  EXPECT_EQ(half(0x35, 0x55), 0.333251953125);
}

TEST(NpyNumbers, TheShapeIsThatOfTheHeader) {
  EXPECT_EQ(numbers(npy_of("|u1", "(2, 3)", "abcdef"), npy).shape, "2x3");
  EXPECT_EQ(numbers(npy_of("|u1", "(6,)", "abcdef"), npy).shape, "6");
  EXPECT_EQ(numbers(npy_of("|u1", "()", "a"), npy).shape, "");
  EXPECT_EQ(numbers(npy_of("|u1", "(0, 99)", ""), npy).shape, "0x99");
  EXPECT_THAT(values(npy_file("{\"shape\":(1,),'fortran_order':False,'descr':'|u1'}", "a", 2), npy),
              ElementsAre(97));
  EXPECT_THAT(values(npy_file(npy_header("|u1", "(1,)") + "      ", "a", 3), npy), ElementsAre(97));
}

TEST(NpyNumbers, WhatItCannotReadIsToldWithWhatToDo) {
  EXPECT_THAT(error(npy_of("|O", "(1,)", "\x80\x04."), npy),
              AllOf(StartsWith("f: holds pickled objects"), HasSubstr("array.astype")));
  EXPECT_THAT(error(npy_file("{'descr': '<f8', 'fortran_order': True, 'shape': (1, 1), }", "12345678"), npy),
              AllOf(HasSubstr("Fortran order"), HasSubstr("numpy.ascontiguousarray(array)")));
  EXPECT_THAT(error(npy_of("<c16", "(0,)", ""), npy), HasSubstr("numbers of type \"<c16\""));
  EXPECT_THAT(error(npy_of("<V2", "(0,)", ""), npy), HasSubstr("numbers of type \"<V2\""));
  EXPECT_THAT(error(npy_of("|f4", "(0,)", ""), npy), HasSubstr("numbers of type"));
  EXPECT_THAT(error(npy_of("", "(0,)", ""), npy), HasSubstr("numbers of type \"\""));
  EXPECT_THAT(
      error(npy_file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "1234"), npy),
      HasSubstr("records of several fields"));
  EXPECT_THAT(error(npy_of("|u1", "(1,)", "a"), npy, "loss"), HasSubstr("no key \"loss\" is needed"));
}

TEST(NpyNumbers, ADamagedFileIsRefused) {
  EXPECT_THAT(
      error(npy_of("<f4", "(3,)", "12345678"), npy),
      "f: 12 bytes of numbers by its header, and 8 are there; the file is cut off: fetch or write it again");
  EXPECT_THAT(error(npy_of("<f4", "(1,)", "12345678"), npy), HasSubstr("4 bytes behind its numbers"));
  EXPECT_THAT(error("", npy), HasSubstr("no .npy file"));
  EXPECT_THAT(error("[1, 2]", npy), HasSubstr("no .npy file"));
  const std::string whole = npy_of("|u1", "(2,)", "ab");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(error(whole.substr(0, size), npy), "no error") << size;
  EXPECT_THAT(error(npy_file(npy_header("|u1", "(1,)"), "a", 4), npy), HasSubstr("version 4 of .npy"));
  EXPECT_THAT(error(npy_file(npy_header("|u1", "(1,)"), "a", 0), npy), HasSubstr("version 0 of .npy"));
}

TEST(NpyNumbers, AHeaderIsReadStrictly) {
  for (const char* shape : {"(1)", "1", "[1]", "(1,", "(-1,)", "(1,,)", "(1 2)", "(x,)", "(1.0,)", "(0x1,)",
                            "(,)", "(99999999999999999999,)", "(1,), 'shape': (1,)"})
    EXPECT_THAT(error(npy_of("|u1", shape, "a"), npy), HasSubstr("no header of an .npy file")) << shape;
  for (const char* header :
       {"", "{}", "{'descr': '|u1'}", "{'descr': '|u1', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), 'x': 1}",
        "{'descr': '|u1' 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': 'a\\'', 'fortran_order': False, 'shape': (1,)}"})
    EXPECT_THAT(error(npy_file(header, "a"), npy), HasSubstr("no header of an .npy file")) << header;
}

TEST(NpyNumbers, AHugeShapeTakesNoMemory) {
  EXPECT_THAT(error(npy_of("<f8", "(4294967296, 4294967296)", ""), npy),
              HasSubstr("more than 200000000 numbers"));
  EXPECT_THAT(error(npy_of("<f8", "(100000000,)", ""), npy), HasSubstr("and 0 are there"));
  EXPECT_EQ(error(npy_of("<f8", "(9223372036854775807, 0)", ""), npy), "no error");
}

// --- results of evaluation tools
// -----------------------------------------------------------------------------

EvalResults results(std::string_view text) {
  const auto read = read_eval_results(text, "r");
  EXPECT_TRUE(read.has_value()) << read.error().message;
  return read.value_or(EvalResults{});
}

std::string results_error(std::string_view text) {
  const auto read = read_eval_results(text, "r");
  return read ? "no error" : read.error().message;
}

// Return `task metric value error better` of every score.
std::vector<std::string> shown(const EvalResults& results) {
  std::vector<std::string> lines;
  for (const EvalScore& score : results.scores)
    lines.push_back(score.task + " " + score.metric + " " + std::to_string(score.value) + " " +
                    (score.standard_error ? std::to_string(*score.standard_error) : "-") + " " +
                    std::string(to_string(score.better)));
  return lines;
}

// Return `task (version) shots samples` of every task.
std::vector<std::string> shown_tasks(const EvalResults& results) {
  const auto word = [](const std::optional<std::int64_t>& number) {
    return number ? std::to_string(*number) : std::string("-");
  };
  std::vector<std::string> lines;
  for (const EvalTask& task : results.tasks)
    lines.push_back(task.task + " (" + task.version + ") " + word(task.shots) + " " + word(task.samples));
  return lines;
}

constexpr std::string_view harness = R"({
  "results": {
    "arc_easy": {"alias": "arc_easy", "acc,none": 0.61, "acc_stderr,none": 0.01,
                 "acc_norm,none": 0.55, "acc_norm_stderr,none": "N/A"},
    "gsm8k": {"alias": " - gsm8k", "name": "gsm8k", "sample_len": 1319,
              "exact_match,strict-match": 0.5, "exact_match_stderr,strict-match": 0.0138,
              "exact_match,flexible-extract": 0.52, "exact_match_stderr,flexible-extract": NaN},
    "wikitext": {"alias": "wikitext", "word_perplexity,none": 10.05, "word_perplexity_stderr,none": "N/A",
                 "bits_per_byte,none": 0.62, "bits_per_byte_stderr,none": "N/A"},
    "saved": {"alias": "saved", "bypass,none": 999, "bypass_stderr,none": "N/A"}
  },
  "groups": {"mmlu": {"acc,none": 0.45, "acc_stderr,none": 0.004, "alias": "mmlu",
                      "sample_count": {"acc,none": 14042}},
             "gsm8k": {"exact_match,strict-match": 0.5}},
  "group_subtasks": {"mmlu": ["mmlu_stem"]},
  "configs": {"arc_easy": {"task": "arc_easy", "num_fewshot": 3}, "gsm8k": {"num_fewshot": 8},
              "wikitext": {"num_fewshot": null}},
  "versions": {"arc_easy": 1.0, "gsm8k": 3, "wikitext": "Yaml", "mmlu": 2},
  "n-shot": {"arc_easy": 0, "wikitext": " "},
  "higher_is_better": {"arc_easy": {"acc": true, "acc_norm": null}, "gsm8k": {"exact_match": true},
                       "wikitext": {"word_perplexity": false}},
  "n-samples": {"arc_easy": {"original": 2376, "effective": 100}, "wikitext": 62},
  "config": {"model": "hf", "limit": 100.0}, "date": 1732603200.5, "total_evaluation_time_seconds": "12.3"
})";

TEST(HarnessResults, AGroupOfTasksWithoutASampleHasNone) {
  const auto samples_of_group = [](const std::string& group, const std::string& samples) {
    return results(R"({"results": {"a": {"acc,none": 0}, "b": {"acc,none": 0}, "g": {"acc,none": 0)" + group +
                   R"(}}, "group_subtasks": {"g": ["a", "h"], "h": ["b"], "l": ["l"]}, "n-samples": )" +
                   samples + "}")
        .tasks[2]
        .samples;
  };
  EXPECT_EQ(samples_of_group("", R"({"a": 0, "b": {"effective": 0}})"), 0);
  EXPECT_EQ(samples_of_group("", R"({"a": 0, "b": 1})"), std::nullopt);
  EXPECT_EQ(samples_of_group("", R"({"a": 0})"), std::nullopt);
  EXPECT_EQ(samples_of_group(R"(, "sample_count": {"acc,none": 0})", "{}"), 0);
  EXPECT_EQ(samples_of_group(R"(, "sample_count": {"acc,none": 7})", R"({"a": 0, "b": 0})"), std::nullopt);
}

TEST(HarnessResults, AreThoseOfAllTasks) {
  const EvalResults read = results(harness);
  EXPECT_EQ(read.tool, "lm-evaluation-harness");
  EXPECT_THAT(shown(read),
              ElementsAre("arc_easy acc 0.610000 0.010000 higher", "arc_easy acc_norm 0.550000 - higher",
                          "gsm8k exact_match/strict-match 0.500000 0.013800 higher",
                          "gsm8k exact_match/flexible-extract 0.520000 - higher",
                          "wikitext word_perplexity 10.050000 - lower",
                          "wikitext bits_per_byte 0.620000 - lower", "mmlu acc 0.450000 0.004000 higher"));
}

TEST(HarnessResults, HowATaskWasDoneIsTold) {
  EXPECT_THAT(shown_tasks(results(harness)),
              ElementsAre("arc_easy (1) 0 100", "gsm8k (3) 8 1319", "wikitext (Yaml) - 62", "saved () - -",
                          "mmlu (2) - -"));
}

TEST(HarnessResults, OfVersionThreeAreReadToo) {
  const EvalResults read = results(R"({"results": {
      "hellaswag": {"acc": 0.4, "acc_stderr": 0.005, "acc_norm": 0.5, "acc_norm_stderr": 0.006},
      "lambada": {"ppl": 5.5, "ppl_stderr": 0.1, "acc": 0.6}},
    "versions": {"hellaswag": 0, "lambada": 1},
    "config": {"model": "hf-causal", "num_fewshot": 10, "limit": null}})");
  EXPECT_THAT(
      shown(read),
      ElementsAre("hellaswag acc 0.400000 0.005000 higher", "hellaswag acc_norm 0.500000 0.006000 higher",
                  "lambada ppl 5.500000 0.100000 lower", "lambada acc 0.600000 - higher"));
  EXPECT_THAT(shown_tasks(read), ElementsAre("hellaswag (0) 10 -", "lambada (1) 10 -"));
}

TEST(HarnessResults, WhichSideIsBetterIsToldOrKnown) {
  const auto better = [](const std::string& metric, const std::string& told) {
    const EvalResults read =
        results(R"({"results": {"t": {")" + metric + R"(,none": 1}}, "higher_is_better": )" + told + "}");
    return read.scores.at(0).better;
  };
  EXPECT_EQ(better("acc", "{}"), Better::higher);
  for (const char* metric :
       {"perplexity", "byte_perplexity", "bits_per_byte", "ter", "wer", "brier_score", "mse", "mae"})
    EXPECT_EQ(better(metric, "{}"), Better::lower) << metric;
  for (const char* metric : {"f1", "counter", "bleu", "answer", "chrf"})
    EXPECT_EQ(better(metric, "{}"), Better::higher) << metric;
  EXPECT_EQ(better("perplexity", R"({"t": {"perplexity": true}})"), Better::higher) << "what is told counts";
  EXPECT_EQ(better("acc", R"({"t": {"acc": false}})"), Better::lower);
  EXPECT_EQ(better("perplexity", R"({"t": {"perplexity": null}})"), Better::lower);
  EXPECT_EQ(better("acc", R"({"t": false})"), Better::lower);
}

TEST(HarnessResults, AScoreThatIsNoNumberIsRefusedAtItsPlace) {
  EXPECT_EQ(results_error("{\"results\": {\"t\":\n {\"acc,none\": NaN}}}"),
            "r:2:15: the score acc of t is no finite number");
  EXPECT_THAT(results_error(R"({"results": {"t": {"acc,none": "N/A"}}})"), HasSubstr("is no finite number"));
  EXPECT_THAT(results_error(R"({"results": {"t": {"acc,none": null}}})"), HasSubstr("is no finite number"));
  EXPECT_THAT(results_error(R"({"results": {"t": {"acc,none": true}}})"), HasSubstr("is no finite number"));
  EXPECT_THAT(results_error(R"({"results": {"t": {"acc,none": 1e999}}})"), StartsWith("r:1:"));
  EXPECT_THAT(results_error(R"({"results": {"t": {"a/b,none": 1, "a,b": 1}}})"),
              HasSubstr("the score a/b of t a second time"));
  EXPECT_THAT(results_error(R"({"results": {"t": {"acc,none": "a"}, "u": {"acc,none": "b"}}})"),
              AllOf(HasSubstr("acc of t"), HasSubstr("acc of u")))
      << "all of them";
}

TEST(HarnessResults, WhatIsNoneOfThemIsRefused) {
  EXPECT_THAT(results_error("{}"), StartsWith("r: no results of lm-evaluation-harness"));
  EXPECT_THAT(results_error(R"({"results": {}})"), HasSubstr("results of no task"));
  EXPECT_THAT(results_error(R"({"results": [1]})"), StartsWith("r:1:13: "));
  EXPECT_THAT(results_error(R"({"results": {"t": 0.5}})"), StartsWith("r:1:19: "));
  EXPECT_THAT(results_error(R"({"results": {"t": {"acc,none": 1}, "t": {}}})"), HasSubstr("a second time"));
  EXPECT_THAT(results_error("{\"results\": "), HasSubstr("cut off"));
  EXPECT_THAT(results_error("[]"), StartsWith("r: holds no results"));
  EXPECT_THAT(results_error("task,acc\na,1\n"), StartsWith("r: holds no results"));
  EXPECT_THAT(results_error(""), StartsWith("r: is empty"));
}

constexpr std::string_view summary =
    "dataset,version,metric,mode,internlm-chat-7b\n"
    "--------- Exam ---------,-,-,-,-\n"
    "ceval,db9ce2,accuracy,gen,31.58\n"
    "mmlu,-,naive_average,ppl,50.10\n"
    "wikitext,1c2571,perplexity,ll,9.75\n"
    "gsm8k,-,-,-,-\n"
    "xsum,31397e,rouge1,gen,20.00\n"
    "xsum,31397e,rougeL,gen,18.50\n";

TEST(OpenCompassResults, AreThoseOfAllDatasets) {
  const EvalResults read = results(summary);
  EXPECT_EQ(read.tool, "opencompass");
  EXPECT_THAT(shown(read),
              ElementsAre("ceval accuracy 31.580000 - higher", "mmlu naive_average 50.100000 - higher",
                          "wikitext perplexity 9.750000 - lower", "xsum rouge1 20.000000 - higher",
                          "xsum rougeL 18.500000 - higher"));
}

TEST(OpenCompassResults, AnotherModeIsAnotherVersionAndADatasetThatDidNotRunIsTold) {
  EXPECT_THAT(shown_tasks(results(summary)),
              ElementsAre("ceval (db9ce2 gen) - -", "mmlu (ppl) - -", "wikitext (1c2571 ll) - -",
                          "gsm8k () - -", "xsum (31397e gen) - -"));
}

TEST(OpenCompassResults, TakesTheColumnOfSamples) {
  const EvalResults read = results(
      "\xEF\xBB\xBF"
      "dataset,version,metric,mode,total_count,vllm\r\ngsm8k,1,accuracy,gen,8,82.00\r\n");
  EXPECT_THAT(shown(read), ElementsAre("gsm8k accuracy 82.000000 - higher"));
  EXPECT_THAT(shown_tasks(read), ElementsAre("gsm8k (1 gen) - 8"));
}

TEST(OpenCompassResults, SeveralModelsAreRefused) {
  EXPECT_EQ(results_error("dataset,version,metric,mode,a,b\nx,1,acc,gen,1,2\n"),
            "r:1:29: scores of 2 models, and a case has one: a, b; write a summary for each");
  EXPECT_THAT(results_error("dataset,version,metric,mode\nx,1,acc,gen\n"), HasSubstr("no column of a model"));
}

TEST(OpenCompassResults, WhatIsNoScoreIsRefusedAtItsPlace) {
  const std::string head = "dataset,version,metric,mode,m\n";
  EXPECT_EQ(results_error(head + "x,1,acc,gen,n/a\n"),
            "r:2:13: the score acc of x is no finite number: \"n/a\"");
  EXPECT_THAT(results_error(head + "x,1,acc,gen,nan\n"), HasSubstr("no finite number"));
  EXPECT_THAT(results_error(head + "x,1,acc,gen,\n"), HasSubstr("no finite number"));
  EXPECT_THAT(results_error(head + "x,1,acc,gen,1\nx,1,acc,gen,1\n"),
              StartsWith("r:3:13: the score acc of x a second"));
  EXPECT_THAT(results_error(head + "x,1,acc,gen,1\nx,2,f1,gen,1\n"), StartsWith("r:3:3: version 2 gen of x"));
  EXPECT_THAT(results_error(head + ",1,acc,gen,1\n"), StartsWith("r:2:1: a row without a dataset"));
  EXPECT_THAT(results_error(head + "x,1,-,gen,1\n"), HasSubstr("without its metric"));
  EXPECT_THAT(results_error(head + "x,1,acc,1\n"), HasSubstr("4 cells in a line, and 5 in the first one"));
  EXPECT_THAT(results_error(head), HasSubstr("without a dataset"));
}

}  // namespace
}  // namespace gate::schema::output_file_test
