#include "render/words/markdown_text.h"

#include <algorithm>

#include "gate/base/text.h"
#include "render/words/text_page.h"

namespace gate::render {

namespace {

bool obeyed(std::string_view text, std::size_t at) {
  constexpr std::string_view special = "\\`*{}[]#|~!$";
  if (text[at] != '_') return special.find(text[at]) != std::string_view::npos;
  return at == 0 || at + 1 == text.size() || !is_letter_or_digit(text[at - 1]) ||
         !is_letter_or_digit(text[at + 1]);
}

std::string shown_char(std::string_view text, std::size_t at) {
  if (text[at] == '<') return "&lt;";
  if (text[at] == '>') return "&gt;";
  if (text[at] == '&') return "&amp;";
  if (text[at] == '@') return "@<!-- -->";
  return obeyed(text, at) ? std::string("\\") + text[at] : std::string(1, text[at]);
}

}  // namespace

std::string markdown_escape(std::string_view text) {
  const std::string line = safe(text);
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) out += shown_char(line, i);
  return out;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string out;
  for (const std::string& cell : cells) out += "| " + markdown_escape(cell) + " ";
  return out + "|\n";
}

std::string markdown_block(std::string_view lines) {
  std::size_t longest = 0, run = 0;
  for (const char c : lines) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  return fence + "text\n" + std::string(lines) + fence + "\n";
}

}  // namespace gate::render
