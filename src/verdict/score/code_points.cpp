#include "score/code_points.h"

#include <algorithm>
#include <cstring>

#include "score/unicode_tables.h"

namespace gate::score {

namespace {

unsigned char byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// The bytes that may stand second, after this first one.
bool may_be_second(unsigned char first, unsigned char second) {
  switch (first) {
    case 0xE0:
      return second >= 0xA0 && second <= 0xBF;
    case 0xED:
      return second >= 0x80 && second <= 0x9F;
    case 0xF0:
      return second >= 0x90 && second <= 0xBF;
    case 0xF4:
      return second >= 0x80 && second <= 0x8F;
    default:
      return is_continuation(second);
  }
}

std::size_t wanted_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

bool is_ascii(std::string_view text) {
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    if ((word & 0x8080808080808080) != 0) return false;
  }
  for (; at < text.size(); ++at)
    if (byte_at(text, at) >= 0x80) return false;
  return true;
}

bool is_bad(std::string_view text, const CodePoint& code_point, std::size_t at) {
  return code_point.value == replacement && text.substr(at, code_point.length) != "\xEF\xBF\xBD";
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

CodePoint code_point_at(std::string_view text, std::size_t at) {
  const unsigned char first = byte_at(text, at);
  if (first < 0x80) return {first, 1};
  const std::size_t wanted = wanted_length(first);
  if (wanted == 0) return {replacement, 1};
  if (at + 1 >= text.size() || !may_be_second(first, byte_at(text, at + 1))) return {replacement, 1};
  char32_t value = first & (0x7FU >> wanted);
  value = value << 6 | (byte_at(text, at + 1) & 0x3FU);
  for (std::size_t i = 2; i < wanted; ++i) {
    if (at + i >= text.size() || !is_continuation(byte_at(text, at + i))) return {replacement, i};
    value = value << 6 | (byte_at(text, at + i) & 0x3FU);
  }
  return {value, wanted};
}

std::string_view replace_invalid(std::string_view text, std::string& buffer) {
  if (is_ascii(text)) return text;
  std::size_t at = 0;
  while (at < text.size()) {
    const CodePoint next = code_point_at(text, at);
    if (is_bad(text, next, at)) break;
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

void append_code_point(std::string& out, char32_t code_point) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((code_point >> shift) & 0x3F)); };
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    out += static_cast<char>(0xC0 | (code_point >> 6));
    tail(0);
  } else if (code_point < 0x10000) {
    out += static_cast<char>(0xE0 | (code_point >> 12));
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0 | (code_point >> 18));
    tail(12), tail(6), tail(0);
  }
}

std::int64_t count_code_points(std::string_view text) {
  if (is_ascii(text)) return static_cast<std::int64_t>(text.size());
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
  while (at > 0 && is_continuation(byte_at(text, at))) --at;
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
