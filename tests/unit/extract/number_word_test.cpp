#include "extract/scan/number_word.h"

#include <gtest/gtest.h>

#include <string>

namespace gate::extract::number_word_test {
namespace {

std::string read(std::string_view word) {
  const std::optional<Value> value = parse_word(word);
  if (!value) return "no number";
  if (value->kind == ValueKind::nan) return "nan";
  return value->is_finite() ? value->number.to_string() : "infinite";
}

TEST(NumberWords, are_read_whole) {
  EXPECT_EQ(read("-1.2e-05"), "-0.000012");
  EXPECT_EQ(read("nan"), "nan");
  EXPECT_EQ(read("-inf"), "infinite");
  EXPECT_EQ(read("1,234.5"), "1234.5");
  EXPECT_EQ(read("-1,234,567.50"), "-1234567.50");
  EXPECT_EQ(read("'1.922'"), "1.922");
  EXPECT_EQ(read("67.4M"), "67400000");
  EXPECT_EQ(read("9.46GiB(64.99%)"), "9687.04");
  EXPECT_EQ(read("512KiB"), "0.5000000000");
  EXPECT_EQ(read("64.99%"), "64.99");
}

TEST(NumberWords, of_memory_are_in_mebibytes) {
  for (const char* letters : {"KiB", "MiB", "GiB", "TiB", "MB", "GB"}) EXPECT_EQ(unit_read(letters), "MiB");
  for (const char* letters : {"%", "ms", "K", "T", "TB", "W", "tok/s", ""})
    EXPECT_EQ(unit_read(letters), letters);
}

TEST(NumberWords, a_single_comma_is_read_where_thousands_are_expected) {
  for (const char* word : {"7,282", "50,000", "-7,282", "7,282K"}) EXPECT_EQ(read(word), "no number") << word;
  EXPECT_EQ(parse_word("7,282", Thousands::expected)->number.to_string(), "7282");
  EXPECT_TRUE(has_two_readings("50,000"));
  for (const char* word : {"50,00", "50.000", "1,234,567", "1,234.5", "7282"})
    EXPECT_FALSE(has_two_readings(word));
}

TEST(NumberWords, may_be_answers_and_words_that_tqdm_filled) {
  EXPECT_EQ(read("true"), "1");
  EXPECT_EQ(read("False"), "0");
  EXPECT_EQ(read("\"success\""), "1");
  EXPECT_EQ(read("\"aborted\""), "0");
  EXPECT_EQ(read("nan.0"), "nan");
  EXPECT_EQ(read("-inf."), "infinite");
  for (const char* word : {"yes", "truth", "nan.1", "nan.00", "success.0"})
    EXPECT_EQ(read(word), "no number") << word;
}

TEST(NumberWords, are_no_answers_where_these_are_none) {
  for (const char* word : {"True", "false", "'True'", "tensor(True)", "[False]", "success"}) {
    EXPECT_TRUE(parse_word(word)) << word;
    EXPECT_FALSE(parse_number(word)) << word;
  }
  EXPECT_EQ(parse_number("'2.5'")->number.to_string(), "2.5");
}

TEST(NumberWords, may_stand_before_the_marks_of_a_sentence) {
  EXPECT_EQ(read("2.31."), "2.31");
  for (const char* word : {"Infinity.", "Infinity,", "inf)", "+inf;", "1.#INF", "1.#INF.", "\"inf\""})
    EXPECT_EQ(read(word), "infinite") << word;
  for (const char* word : {"nan.", "NaN,", "-nan(ind)", "1.#QNAN", "-1.#IND", "nan%", "nan]"})
    EXPECT_EQ(read(word), "nan") << word;
  for (const char* word : {"2.31,", "2.31)", "2.31..", "1.2.3."}) EXPECT_EQ(read(word), "no number") << word;
}

TEST(NumberWords, of_tensors_of_c_and_of_wide_digits) {
  EXPECT_EQ(read("tensor(2.31)"), read("2.31"));
  EXPECT_EQ(read("tensor(2.31, device='npu:0')"), read("2.31"));
  EXPECT_EQ(read("tensor(nan)"), "nan");
  EXPECT_EQ(read("-0x1.4p+1"), read("-2.5"));
  EXPECT_EQ(read("２．５"), read("2.5"));
  for (const char* word : {"2.5\xef\xbc", "\xef\xbc", "２\xef\xbc",
                           "2\xef\xbc"
                           "5"})
    EXPECT_EQ(read(word), "no number") << word;
  for (const char* word : {"tensor(", "tensor()", "tensor(a)", "tensor([2, 3])", "tensor(-77,283)", "0x1.4p",
                           "0xp1", "２．５．１"})
    EXPECT_EQ(read(word), "no number") << word;
}

TEST(NumberWords, that_a_number_begins_may_be_cut_off) {
  for (const char* word : {"1", "-1.2.3", "+.5x", "1e", "'1.5", "'-1.5"})
    EXPECT_TRUE(begins_number(word)) << word;
  for (const char* word : {"", "-", "e5", "nan", "[1", "--%", ".", "++1.0", "+-1", "--1", "-+.5"})
    EXPECT_FALSE(begins_number(word)) << word;
}

TEST(NumberWords, say_that_there_is_no_value) {
  for (const char* word : {"None", "null", "N/A", "nil", "--%", "None.", "'None'"})
    EXPECT_TRUE(says_nothing(word)) << word;
  for (const char* word : {"", "none", "nan", "0", "None,1", "."}) EXPECT_FALSE(says_nothing(word)) << word;
}

TEST(NumberWords, are_refused_where_any_of_them_is_no_number) {
  for (const char* word :
       {"",      "1.2.3",  "1.25E",   "1,5",      "1,23,456", "12,3456",   ",123",        "1,234,", "1..",
        "M",     "GiB",    "1.5X",    "'1.5",     "1 2",      "--1",       "nanM",        "(3)",    "0x10",
        "1_000", "1.2.3K", "[1,234]", "1.5()9()", "1.5(2 3)", "1.5(2)(3)", "np.a b(1.5)", "np.)"})
    EXPECT_EQ(read(word), "no number") << word;
  EXPECT_EQ(read(std::string(100, '1')), "no number");
  EXPECT_EQ(read(std::string_view("1.5(\0)", 6)), "no number");
}

TEST(NumberWords, are_scaled_exactly) {
  EXPECT_EQ(scale({ValueKind::finite, *Decimal::parse("6.512")}, {1, 3})->number, *Decimal::parse("6512"));
  EXPECT_EQ(scale({ValueKind::nan, {}}, {1, 3})->kind, ValueKind::nan);
  EXPECT_FALSE(scale({ValueKind::finite, *Decimal::parse(std::string(37, '9'))}, *Decimal::parse("1234")));
}

}  // namespace
}  // namespace gate::extract::number_word_test
