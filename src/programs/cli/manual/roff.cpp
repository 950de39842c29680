#include "cli/manual/roff.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gate/base/utf8.h"

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

std::string escaped(char character) {
  const auto row = std::ranges::find(escapes, character, &EscapeRow::character);
  return row == escapes.end() ? std::string(1, character) : std::string(row->escape);
}

}  // namespace

std::string plain(std::string_view text) {
  std::string out = text.starts_with('.') ? "\\&" : "";
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = code_point_at(text, at);
    out += next.length == 1 ? escaped(text[at]) : fmt::format("\\[u{:04X}]", std::uint32_t{next.value});
    at += next.length;
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
