#include "gate/base/columns.h"

#include <algorithm>
#include <array>
#include <limits>

#include "gate/base/text.h"
#include "gate/base/utf8.h"

namespace gate {

namespace {

// Unicode 15, East Asian Width W and F; unassigned gaps inside a block are counted with it.
constexpr std::array<CodePointRange, 82> wide{
    {{0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},
     {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},
     {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},
     {0x26CE, 0x26CE},   {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
     {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
     {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
     {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},
     {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97F},
     {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},
     {0xFFE0, 0xFFE6},   {0x16FE0, 0x16FE4}, {0x17000, 0x18CD5}, {0x1AFF0, 0x1B2FB}, {0x1F004, 0x1F004},
     {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335},
     {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0},
     {0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D},
     {0x1F54B, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F},
     {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D7}, {0x1F6DC, 0x1F6DF}, {0x1F6EB, 0x1F6EC},
     {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF},
     {0x1FA70, 0x1FAF8}, {0x20000, 0x3FFFD}}};

// Combining marks and joiners of the scripts that names are written in.
constexpr std::array<CodePointRange, 21> narrow{
    {{0x00AD, 0x00AD},  {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},
     {0x064B, 0x065F},  {0x06D6, 0x06DC}, {0x0900, 0x0902}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A},
     {0x0E47, 0x0E4E},  {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200D}, {0x20D0, 0x20FF},
     {0x302A, 0x302D},  {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF},
     {0xE0100, 0xE01EF}}};

int columns_of(char32_t c) { return is_in(narrow, c) ? 0 : is_in(wide, c) ? 2 : 1; }

constexpr std::u32string_view pauses = U"，。；：、！？", closing = U"）》」】", opening = U"（《「【";

bool has(std::u32string_view set, char32_t c) { return set.find(c) != set.npos; }

bool may_break(char32_t before, char32_t behind) {
  if (has(pauses, behind) || has(closing, behind) || has(opening, before)) return false;
  return has(pauses, before) || (is_in(wide, before) && is_in(wide, behind));
}

}  // namespace

std::string safe(std::string_view text) { return printable(text, std::numeric_limits<std::size_t>::max()); }

std::string safe_lines(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) (out += safe(line)) += '\n';
  out.pop_back();
  return out;
}

std::string inert(std::string_view text) {
  if (text.find("##") == text.npos && text.find("::") == text.npos) return std::string(text);
  std::string out;
  bool in_front = true;  // nothing but blanks so far in this line
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    const bool obeyed = rest.starts_with("##[") || rest.starts_with("##vso[");
    if (obeyed) out += '#', ++at;
    const bool command = in_front && rest.starts_with("::");
    out += obeyed ? "\\u0023" : command ? "\\u003a" : std::string(1, text[at]);
    in_front = text[at] == '\n' || text[at] == '\r' || (in_front && text[at] == ' ');
  }
  return out;
}

int columns(std::string_view text) {
  if (is_plain(text)) return static_cast<int>(text.size());
  int total = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = code_point_at(text, at);
    total += columns_of(next.value);
    at += next.length;
  }
  return total;
}

std::size_t unbroken_bytes(std::string_view text) {
  CodePoint last = code_point_at(text, 0);
  std::size_t at = last.length;
  while (at < text.size() && text[at] != ' ') {
    const CodePoint next = code_point_at(text, at);
    if (may_break(last.value, next.value)) break;
    at += next.length;
    last = next;
  }
  return std::min(at, text.size());
}

std::size_t fitting(std::string_view text, int width) {
  int used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = code_point_at(text, at);
    used += columns_of(next.value);
    if (used > width) return at;
    at += next.length;
  }
  return text.size();
}

}  // namespace gate
