#include <gmock/gmock.h>

#include <string>

#include "gate/score/text_score.h"
#include "score/code_points.h"
#include "score/unicode_tables.h"

namespace gate::score::tokenizer_test {
namespace {

struct Row {
  const char* line;
  const char *t13a, *zh, *intl;
};

constexpr Row rows[] = {
    {"a..5", "a . .5", "a . .5", "a . .5"},
    {"a.5", "a . 5", "a . 5", "a . 5"},
    {"5.a", "5 . a", "5 . a", "5 . a"},
    {"5.5", "5.5", "5.5", "5.5"},
    {"..a", ". . a", ". . a", ". . a"},
    {"a..", "a . .", "a . .", "a . ."},
    {"a...", "a . . .", "a . . .", "a . . ."},
    {"5..5", "5 . . 5", "5 . . 5", "5 . . 5"},
    {"5...5", "5 . . .5", "5 . . .5", "5 . . .5"},
    {".5", ". 5", ".5", ".5"},
    {"5.", "5 .", "5.", "5."},
    {".", ".", ".", "."},
    {"", "", "", ""},
    {"-5-", "-5 -", "-5 -", "-5-"},
    {"5-a", "5 - a", "5 - a", "5 - a"},
    {"5--a", "5 - -a", "5 - -a", "5 - - a"},
    {"it's $5.00-10, e.g. A&B", "it's $ 5.00 - 10 , e . g . A & B", "it's $ 5.00 - 10 , e . g . A & B",
     "it ' s $ 5.00-10 , e . g . A & B"},
    {"1,000.", "1,000 .", "1,000.", "1,000."},
    {"x.,y", "x . , y", "x . , y", "x . , y"},
    {"<skipped>a", "a", "< skipped > a", "< skipped > a"},
    {"a-\nb", "ab", "a- b", "a - b"},
    {"a\nb", "a b", "a b", "a b"},
    {"&quot;a&amp;b&lt;c&gt;", "\" a & b < c >", "& quot ; a & amp ; b & lt ; c & gt ;",
     "& quot ; a & amp ; b & lt ; c & gt ;"},
    {"&amp;quot;", "& quot ;", "& amp ; quot ;", "& amp ; quot ;"},
    {"&amp;amp;lt;", "& amp ; lt ;", "& amp ; amp ; lt ;", "& amp ; amp ; lt ;"},
    {" \u3000 a \u00A0b\x1C\x1F"
     "c\u200Bd\u2028",
     "a b c\u200Bd", "a b c \u200B d", "a b c\u200Bd"},
    {"中文,混排。A1", "中文 , 混排。A1", "中 文 , 混 排 。 A1", "中文 , 混排 。 A1"},
    {"“引号”—x", "“引号”—x", "“ 引 号 ” — x", "“ 引号 ” — x"},
    {"㈠①⼀", "㈠①⼀", "㈠ ① ⼀", "㈠① ⼀"},
    {"9\u9FBB\u9FBC", "9\u9FBB\u9FBC", "9 \u9FBB \u9FBC", "9\u9FBB\u9FBC"},
    {"𠀀好", "𠀀好", "𠀀 好", "𠀀好"},
    {"Ａ１", "Ａ１", "Ａ １", "Ａ１"},
    {"한국어", "한국어", "한국어", "한국어"},
    {"１．５", "１．５", "１ ． ５", "１．５"},
    {"a٣.٤b", "a٣ . ٤b", "a٣ . ٤b", "a٣.٤b"},
    {"€5.00+£3", "€5.00 + £3", "€ 5.00 + £3", "€ 5.00 + £ 3"},
    {"a·b", "a·b", "a·b", "a · b"},
    {"x²,y", "x² , y", "x² , y", "x² , y"},
    {"a‐b-c_d", "a‐b-c _ d", "a ‐ b-c _ d", "a ‐ b - c _ d"},
};

TEST(Tokenizer, gives_what_sacrebleu_gives) {
  for (const Row& row : rows) {
    EXPECT_EQ(tokenize(Tokenizer::t13a, row.line), row.t13a) << row.line;
    EXPECT_EQ(tokenize(Tokenizer::zh, row.line), row.zh) << row.line;
    EXPECT_EQ(tokenize(Tokenizer::intl, row.line), row.intl) << row.line;
  }
}

TEST(Tokenizer, splits_lines_that_are_longer_than_a_block) {
  const std::string word(63, 'x'), dots(130, '.');
  for (const Tokenizer tokenizer : {Tokenizer::t13a, Tokenizer::zh, Tokenizer::intl}) {
    EXPECT_EQ(tokenize(tokenizer, word + "." + word), word + " . " + word);
    EXPECT_EQ(tokenize(tokenizer, word + "好" + word + "," + word).size(),
              3 * 63 + 3 + 3U + (tokenizer == Tokenizer::zh ? 2 : 0));
    EXPECT_EQ(tokenize(tokenizer, dots).size(), 259U);
  }
}

TEST(Tokenizer, char_puts_a_blank_between_all_code_points_and_none_changes_nothing) {
  EXPECT_EQ(tokenize(Tokenizer::character, "a b𠀀"), "a   b 𠀀");
  EXPECT_EQ(tokenize(Tokenizer::none, " a  b "), " a  b ");
}

TEST(Tokenizer, takes_bytes_that_are_no_utf8_as_python_does) {
  const auto read = [](const char* bytes) { return tokenize(Tokenizer::none, bytes); };
  EXPECT_EQ(read("\xFF"), "\uFFFD");
  EXPECT_EQ(read("\xE4\xBD"), "\uFFFD");
  EXPECT_EQ(read("\xE4\xBD\xA0"), "你");
  EXPECT_EQ(read("\xF0\x9F\x98"), "\uFFFD");
  EXPECT_EQ(read("a\xED\xA0\x80"
                 "b"),
            "a\uFFFD\uFFFD\uFFFDb");
  EXPECT_EQ(read("\xC0\xAF"), "\uFFFD\uFFFD");
  EXPECT_EQ(read("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(read("\xE4\xBD"
                 "A"),
            "\uFFFD"
            "A");
  EXPECT_EQ(read("\uFFFD"), "\uFFFD");
}

TEST(Tokenizer, has_a_word) {
  for (const char* word : {"auto", "13a", "intl", "zh", "char", "none"})
    EXPECT_EQ(to_string(*parse_tokenizer(word)), word);
  for (const char* word : {"exp", "floor", "add-k", "none"})
    EXPECT_EQ(to_string(*parse_smoothing(word)), word);
  EXPECT_FALSE(parse_tokenizer("13A"));
  EXPECT_FALSE(parse_smoothing("add_k"));
}

TEST(Tokenizer, is_chosen_by_han) {
  EXPECT_TRUE(has_han("a 好"));
  EXPECT_TRUE(has_han("\U00020000"));
  EXPECT_TRUE(has_han("\xFF㐀"));
  EXPECT_FALSE(has_han("かな 한국 ，。 \xE5\xA5"));
  EXPECT_FALSE(has_han(""));
  EXPECT_EQ(choose_tokenizer(true), Tokenizer::zh);
  EXPECT_EQ(choose_tokenizer(false), Tokenizer::t13a);
}

// FNV-1a, of what is too much to be written down.
class Digest {
 public:
  void add(std::uint64_t value) { digest_ = (digest_ ^ value) * 0x100000001B3; }
  std::uint64_t value() const { return digest_; }

 private:
  std::uint64_t digest_ = 0xCBF29CE484222325;
};

std::uint64_t digest_of(bool (*is_it)(char32_t)) {
  Digest digest;
  for (char32_t c = 0; c < 0x110000; ++c)
    if (is_it(c)) digest.add(c);
  return digest.value();
}

TEST(UnicodeTables, are_those_of_unicode) {
  EXPECT_EQ(digest_of(is_punctuation), 0xAD5E9A1F35347C86U);
  EXPECT_EQ(digest_of(is_symbol), 0xE6D5D67A2C15C1E5U);
  EXPECT_EQ(digest_of(is_number), 0xCEFE8C12E06F18ECU);
}

std::string lower_of(std::string_view text) {
  std::string lower;
  append_lower_case(lower, text);
  return lower;
}

TEST(LowerCase, of_every_code_point_is_that_of_python) {
  Digest digest;
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    append_code_point(text, c);
    for (const char byte : lower_of(text)) digest.add(static_cast<unsigned char>(byte));
  }
  EXPECT_EQ(digest.value(), 0xC319D02E8283B91EU);
}

TEST(LowerCase, of_a_sigma_depends_on_what_is_around_it) {
  EXPECT_EQ(lower_of("ΑΣ"), "ας");
  EXPECT_EQ(lower_of("ΑΣ."), "ας.");
  EXPECT_EQ(lower_of("Α.Σ"), "α.ς");
  EXPECT_EQ(lower_of("ΑΣΑ"), "ασα");
  EXPECT_EQ(lower_of("Σ"), "σ");
  EXPECT_EQ(lower_of("ΑΣ\u0301Β"), "ασ\u0301β");
  EXPECT_EQ(lower_of("ΑΣ\u0301"), "ας\u0301");
  EXPECT_EQ(lower_of("aΣ ΣΑ"), "aς σα");
  EXPECT_EQ(lower_of("\u0130I\u212A"), "i\u0307ik");
}

TEST(Blanks, are_those_of_python) {
  std::vector<unsigned> blanks;
  for (char32_t c = 0; c < 0x110000; ++c)
    if (is_blank(c)) blanks.push_back(c);
  EXPECT_THAT(blanks,
              testing::ElementsAre(0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x1F, 0x20, 0x85, 0xA0,
                                   0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007,
                                   0x2008, 0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000));
}

}  // namespace
}  // namespace gate::score::tokenizer_test
