// A scanner finds what the regular expression of its style finds, in any text.
#include "extract/records/fields.h"

#include <gmock/gmock.h>

#include <array>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "extract/scan/re2_pattern.h"

namespace gate::extract::field_scanner_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// Where each name and word begins and ends, so that empty words are compared by place as well.
using Spans = std::vector<std::array<std::ptrdiff_t, 4>>;

std::array<std::ptrdiff_t, 4> span_of(std::string_view text, std::string_view name, std::string_view word) {
  const auto begin = name.data() - text.data();
  const auto word_begin = word.data() - text.data();
  return {begin, begin + std::ssize(name), word_begin, word_begin + std::ssize(word)};
}

Spans scanned(FieldStyle style, std::string_view text) {
  Spans spans;
  FieldScanner scanner(style, text);
  while (const auto field = scanner.next()) spans.push_back(span_of(text, field->name, field->word));
  return spans;
}

Spans matched(const RE2& pattern, std::string_view text) {
  Spans spans;
  re2::StringPiece rest = piece(text), name, word;
  while (RE2::FindAndConsume(&rest, pattern, &name, &word))
    spans.push_back(span_of(text, view(name), view(word)));
  return spans;
}

struct Styled {
  FieldStyle style = FieldStyle::colon;
  const char* pattern = "";
};

constexpr std::array styles{
    Styled{FieldStyle::colon, R"(([A-Za-z_]\w*(?: [\w()/%.-]+)*) ?: *(\S*))"},
    Styled{FieldStyle::comma, R"(([A-Za-z_][\w()/%.-]*): *([^,\s]*))"},
    Styled{FieldStyle::equals, R"(([A-Za-z_][\w()/%.-]*) ?= ?([^,\s|]*))"},
    Styled{FieldStyle::colon_or_equals, R"(((?:\[\w+\]-)?[A-Za-z_]\w*(?: [\w()/%.-]+)*) ?[:=] *(\S*))"},
    Styled{FieldStyle::unit_colon, R"(([A-Za-z_][\w()/%.-]*(?: [\w()/%.-]+)*): *([^\s|]*))"},
};

// What stands in lines is likelier than the rest, so that names and words come about.
std::string random_text(std::mt19937& random) {
  static const std::string likely = "aabZ_ 1 1::==|,[]-";
  static const std::string rare("/().%\n\t\v\f\r\0\x80\xe9\xff@;{'", 18);
  std::string text(random() % 40, ' ');
  for (char& c : text) {
    const std::string& letters = random() % 8 == 0 ? rare : likely;
    c = letters[random() % letters.size()];
  }
  return text;
}

TEST(FieldScanner, finds_what_its_expression_finds_in_any_text) {
  constexpr std::size_t texts = SANITIZED ? 20'000 : 100'000;
  for (const Styled& styled : styles) {
    const RE2 pattern(styled.pattern, pattern_options());
    std::mt19937 random(1);
    std::size_t found = 0;
    for (std::size_t i = 0; i < texts; ++i) {
      const std::string text = random_text(random);
      const Spans spans = matched(pattern, text);
      found += spans.size();
      ASSERT_EQ(scanned(styled.style, text), spans) << styled.pattern << '\n' << testing::PrintToString(text);
    }
    EXPECT_GT(found, texts / 5) << styled.pattern;
  }
}

std::vector<std::pair<std::string, std::string>> fields(FieldStyle style, std::string_view text) {
  std::vector<std::pair<std::string, std::string>> fields;
  FieldScanner scanner(style, text);
  while (const auto field = scanner.next()) fields.emplace_back(field->name, field->word);
  return fields;
}

TEST(FieldScanner, reads_names_of_several_words) {
  EXPECT_THAT(fields(FieldStyle::colon, "lm loss: 2.5 | 1196.22 /s learning rate: 1.9E-09"),
              ElementsAre(Pair("lm loss", "2.5"), Pair("s learning rate", "1.9E-09")));
  EXPECT_THAT(fields(FieldStyle::colon, "elapsed  time (ms) : 5 6"), ElementsAre(Pair("time (ms)", "5")));
}

TEST(FieldScanner, reads_names_of_one_word) {
  EXPECT_THAT(fields(FieldStyle::comma, "loss: 2.5, a/b: 1 c : 2, d:"),
              ElementsAre(Pair("loss", "2.5"), Pair("a/b", "1"), Pair("d", "")));
  EXPECT_THAT(fields(FieldStyle::equals, "loss=2.5|a/b = 1,c =2 d=  3"),
              ElementsAre(Pair("loss", "2.5"), Pair("a/b", "1"), Pair("c", "2"), Pair("d", "")));
}

TEST(FieldScanner, reads_names_behind_brackets) {
  EXPECT_THAT(fields(FieldStyle::colon_or_equals, "[LM]-TFLOPs=2.5 [LM] x=1 [a b]-c: 2"),
              ElementsAre(Pair("[LM]-TFLOPs", "2.5"), Pair("x", "1"), Pair("c", "2")));
}

TEST(FieldScanner, finds_nothing_in_a_text_without_marks) {
  EXPECT_THAT(fields(FieldStyle::colon, ""), IsEmpty());
  EXPECT_THAT(fields(FieldStyle::colon_or_equals, "[a]-"), IsEmpty());
  EXPECT_THAT(fields(FieldStyle::colon_or_equals, "[a"), IsEmpty());
  EXPECT_THAT(fields(FieldStyle::equals, "a b c "), IsEmpty());
}

}  // namespace
}  // namespace gate::extract::field_scanner_test
