// Any bytes as a word: no crash, and where they are a plain number, the value that the C library reads.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include <re2/re2.h>

#include "extract/scan/number_word.h"
#include "targets.h"

namespace {

using gate::Decimal;
using gate::Value;

// What a plain number is, said a second time: in words of RE2, and only as far as a double is exact enough.
bool is_plain_number(const std::string& word) {
  static const RE2 plain(R"([+-]?(?:\d{1,30}\.?|\d{0,15}\.\d{1,15})(?:[eE][+-]?\d{1,2})?)", RE2::Latin1);
  return RE2::FullMatch(word, plain);
}

// A number whose end was torn off, or that is two. The second point of `2.31.` ends a sentence.
bool is_torn(const std::string& word) {
  static const RE2 torn(R"([+-]?[\d.]+[eE][+-]?|\d*\.\.|\d*\.\d*\.[\d.]+|[+-]?\d+,\d{1,2})", RE2::Latin1);
  return RE2::FullMatch(word, torn);
}

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

void fail_word(const std::string& word, const char* what) {
  std::fprintf(stderr, "`%s` %s\n", word.c_str(), what);
  std::abort();
}

void check(const std::string& word, const std::optional<Value>& value) {
  if (is_plain_number(word) && !value) fail_word(word, "is a number, and was not read");
  if (is_plain_number(word) && !is_near(value->number.to_double(), std::strtod(word.c_str(), nullptr)))
    fail_word(word, "was read as another number");
  if (is_torn(word) && value) fail_word(word, "is torn, and was read");
}

// A blank or a NUL between two parts makes two words of them.
void check_parted(const std::string& word) {
  for (const char gap : {' ', '\0'})
    for (std::size_t at = 1; at < word.size(); ++at) {
      const std::string parted = word.substr(0, at) + gap + word.substr(at);
      if (is_plain_number(word) && gate::extract::parse_word(parted))
        fail_word(parted, "is two words, and was read");
    }
}

void check_turned(const std::string& word, const Value& value) {
  constexpr Decimal thousand{1000, 0};
  const std::optional<Value> product = gate::extract::scale(value, thousand);
  const std::optional<Value> quotient = gate::extract::reciprocal_of(value, thousand);
  if (!value.is_finite() && (product != value || quotient != value))
    fail_word(word, "is not finite, and did not stay");
  const double number = value.number.to_double();
  if (product && value.is_finite() && std::isfinite(number) && std::isfinite(number * 1000) &&
      std::abs(number) > 1e-290 && !is_near(product->number.to_double(), number * 1000))
    fail_word(word, "times 1000 is another number");
}

}  // namespace

int number_word_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string word(reinterpret_cast<const char*>(data), size);
  const std::optional<Value> value = gate::extract::parse_word(word);
  if (size == 0 && value) fail_word(word, "is no word, and was read");
  if (word.find('\0') != std::string::npos && value) fail_word(word, "holds a NUL, and was read");
  check(word, value);
  if (size <= 64) check_parted(word);
  if (value) check_turned(word, *value);
  return 0;
}
