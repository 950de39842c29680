#include "cli/roff.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate::cli {

namespace {

struct EscapeRow {
  char character;
  std::string_view escape;
};

// Characters that roff would obey, or print as another one that nobody can copy into a shell.
constexpr std::array<EscapeRow, 8> escapes{{{'\\', "\\e"},
                                            {'-', "\\-"},
                                            {'\'', "\\(aq"},
                                            {'"', "\\(dq"},
                                            {'`', "\\(ga"},
                                            {'^', "\\(ha"},
                                            {'~', "\\(ti"},
                                            {'\n', " "}}};

// Return how many bytes of UTF-8 belong to the character that begins with this one.
std::size_t length_of_utf8(unsigned char first) { return first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2; }

// Return the code point of the one character.
unsigned code_point(std::string_view utf8) {
  unsigned code = static_cast<unsigned char>(utf8[0]) & (0xFFU >> (utf8.size() + 1));
  for (const char byte : utf8.substr(1)) code = code << 6U | (static_cast<unsigned char>(byte) & 0x3FU);
  return code;
}

std::string escaped(char character) {
  const auto row = std::ranges::find(escapes, character, &EscapeRow::character);
  return row == escapes.end() ? std::string(1, character) : std::string(row->escape);
}

}  // namespace

std::string plain(std::string_view text) {
  std::string out = text.starts_with('.') ? "\\&" : "";
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t length = first < 0x80 ? 1 : std::min(length_of_utf8(first), text.size());
    out += length == 1 ? escaped(text[0]) : fmt::format("\\[u{:04X}]", code_point(text.substr(0, length)));
    text.remove_prefix(length);
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }

std::string italic(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

Roff::Roff(std::string_view name, int section) {
  std::string head(name);
  std::ranges::transform(head, head.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  text_ = fmt::format(".TH \"{}\" {} \"\" \"gate {}\" \"gate manual\"\n", plain(head), section, GATE_VERSION);
}

void Roff::section(std::string_view head) { text_ += fmt::format(".SH {}\n", plain(head)); }

void Roff::paragraph(std::string_view text) { text_ += fmt::format(".PP\n{}\n", plain(text)); }

void Roff::line(std::string_view markup) { text_ += fmt::format("{}\n", markup); }

void Roff::entry(std::string_view label, std::string_view text) {
  text_ += fmt::format(".TP\n{}\n{}\n", label, plain(text));
}

}  // namespace gate::cli
