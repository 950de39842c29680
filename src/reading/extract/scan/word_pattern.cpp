#include "extract/scan/word_pattern.h"

#include <algorithm>

#include "extract/scan/re2_pattern.h"
#include "gate/base/utf8.h"

namespace gate::extract {

std::optional<WordPattern> WordPattern::parse(const std::string& pattern) {
  static const RE2 shape(R"(([^\\.\[\]()*+?{}|^$\x80-\xff]+)\((?:\?P<\w+>)?)"
                         R"((\\[dDsSwW]|\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\\\]])*\])([*+])\))",
                         pattern_options());
  WordPattern word;
  std::string bytes, repeat;
  if (!RE2::FullMatch(pattern, shape, &word.literal_, &bytes, &repeat)) return std::nullopt;
  const RE2 one_byte(bytes, pattern_options());
  for (std::size_t byte = 0; byte < word.holds_.size(); ++byte) {
    const char c = static_cast<char>(byte);
    word.holds_.at(byte) = RE2::FullMatch({&c, 1}, one_byte);
  }
  word.least_ = repeat == "+" ? 1 : 0;
  return word;
}

std::string leading_literal(std::string_view pattern) {
  if (pattern.find('|') != std::string_view::npos || pattern.find("(?") != pattern.find("(?P<")) return "";
  const auto end = std::ranges::find_if(pattern, [](char c) {
    return std::string_view("\\.[]()*+?{}|^$").find(c) != std::string_view::npos || !is_ascii(c);
  });
  std::string literal(pattern.begin(), end);
  const std::string_view rest(end, pattern.end());
  if (rest.find_first_of("*?{") == 0 && !literal.empty()) literal.pop_back();
  return literal;
}

}  // namespace gate::extract
