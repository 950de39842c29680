#include "score/code_points.h"

#include <cstring>

#include "score/unicode_tables.h"

namespace gate::score {

namespace {

bool is_all_ascii(std::string_view text) {
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    if ((word & 0x8080808080808080) != 0) return false;
  }
  for (; at < text.size(); ++at)
    if (!is_ascii(text[at])) return false;
  return true;
}

// Tell whether a capital sigma there stands behind a cased letter and before none.
bool is_final_sigma(std::string_view text, std::size_t at, std::size_t length) {
  std::size_t before = at;
  while (true) {
    if (before == 0) return false;
    before = last_start(text.substr(0, before));
    const char32_t value = code_point_at(text, before).value;
    if (is_case_ignorable(value)) continue;
    if (!is_cased(value)) return false;
    break;
  }
  for (std::size_t after = at + length; after < text.size();) {
    const CodePoint next = code_point_at(text, after);
    if (!is_case_ignorable(next.value)) return !is_cased(next.value);
    after += next.length;
  }
  return true;
}

}  // namespace

std::string_view replace_invalid(std::string_view text, std::string& buffer) {
  if (is_all_ascii(text)) return text;
  std::size_t at = 0;
  while (at < text.size()) {
    const CodePoint next = code_point_at(text, at);
    if (next.is_bad) break;
    at += next.length;
  }
  if (at == text.size()) return text;
  buffer.assign(text.substr(0, at));
  while (at < text.size()) {
    const CodePoint next = code_point_at(text, at);
    append_code_point(buffer, next.value);
    at += next.length;
  }
  return buffer;
}

std::int64_t count_code_points(std::string_view text) {
  if (is_all_ascii(text)) return static_cast<std::int64_t>(text.size());
  std::int64_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += code_point_at(text, at).length) ++count;
  return count;
}

void decode(std::string_view text, std::vector<char32_t>& out) {
  out.clear();
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = code_point_at(text, at);
    out.push_back(next.value);
    at += next.length;
  }
}

bool is_blank(char32_t code_point) {
  if (code_point < 0x80)
    return (code_point >= 0x09 && code_point <= 0x0D) || (code_point >= 0x1C && code_point <= 0x20);
  return code_point == 0x85 || code_point == 0xA0 || code_point == 0x1680 ||
         (code_point >= 0x2000 && code_point <= 0x200A) || code_point == 0x2028 || code_point == 0x2029 ||
         code_point == 0x202F || code_point == 0x205F || code_point == 0x3000;
}

std::size_t blank_length(std::string_view text, std::size_t at) {
  const CodePoint here = code_point_at(text, at);
  return is_blank(here.value) ? here.length : 0;
}

std::size_t last_start(std::string_view text) {
  std::size_t at = text.size() - 1;
  while (at > 0 && is_continuation(text[at])) --at;
  return at;
}

std::string_view strip_end(std::string_view text) {
  while (!text.empty()) {
    const std::size_t at = last_start(text);
    if (blank_length(text, at) == 0) break;
    text = text.substr(0, at);
  }
  return text;
}

std::string_view strip_both(std::string_view text) {
  text = strip_end(text);
  while (!text.empty()) {
    const std::size_t length = blank_length(text, 0);
    if (length == 0) break;
    text.remove_prefix(length);
  }
  return text;
}

void append_lower_case(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = code_point_at(text, at);
    if (next.value < 0x80)
      out += static_cast<char>(next.value >= 'A' && next.value <= 'Z' ? next.value + 32 : next.value);
    else if (next.value == 0x130)
      out += "i\xCC\x87";
    else if (next.value == 0x3A3)
      append_code_point(out, is_final_sigma(text, at, next.length) ? 0x3C2 : 0x3C3);
    else
      append_code_point(out, lower_case(next.value));
    at += next.length;
  }
}

std::int64_t common_start(std::string_view a, std::string_view b) {
  std::int64_t count = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size(); ++count) {
    const CodePoint of_a = code_point_at(a, i), of_b = code_point_at(b, j);
    if (of_a.value != of_b.value) break;
    i += of_a.length;
    j += of_b.length;
  }
  return count;
}

}  // namespace gate::score
