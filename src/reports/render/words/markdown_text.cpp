#include "render/words/markdown_text.h"

#include <algorithm>

#include "gate/base/text.h"
#include "render/words/text_page.h"

namespace gate::render {

namespace {

// Shown by nobody. It parts what GitHub, or GitLab, would link once all else is rendered, where a backslash
// no longer helps: `@name`, `#12`, `GH-12`, `https://`, `www.`
constexpr std::string_view nothing = "<!-- -->";

bool stands_at(std::string_view text, std::size_t at, std::string_view word) {
  return at <= text.size() && to_lower(std::string(text.substr(at, word.size()))) == word;
}

bool is_letter_or_digit_at(std::string_view text, std::size_t at) {
  return at < text.size() && is_letter_or_digit(text[at]);
}

// Tell whether the character and what follows it refer to something.
bool refers(std::string_view text, std::size_t at) {
  if (text[at] == '@') return true;
  if (text[at] == ':') return stands_at(text, at, "://");
  if (text[at] == '-')
    return at >= 2 && stands_at(text, at - 2, "gh-") && is_letter_or_digit_at(text, at + 1);
  return std::string_view("#!%~&$^").find(text[at]) != std::string_view::npos &&
         is_letter_or_digit_at(text, at + 1);
}

bool obeyed(std::string_view text, std::size_t at) {
  constexpr std::string_view special = "\\`*{}[]#|~!$@";
  if (text[at] != '_') return special.find(text[at]) != std::string_view::npos;
  return at == 0 || at + 1 == text.size() || !is_letter_or_digit(text[at - 1]) ||
         !is_letter_or_digit(text[at + 1]);
}

std::string inert_char(std::string_view text, std::size_t at) {
  if (text[at] == '<') return "&lt;";
  if (text[at] == '>') return "&gt;";
  if (text[at] == '&') return "&amp;";
  return obeyed(text, at) ? std::string("\\") + text[at] : std::string(1, text[at]);
}

std::string parted_char(std::string_view text, std::size_t at) {
  const std::string before(at >= 3 && stands_at(text, at - 3, "www.") ? nothing : "");
  return before + inert_char(text, at) + std::string(refers(text, at) ? nothing : "");
}

}  // namespace

std::string markdown_escape(std::string_view text, MarkdownLinks links) {
  const std::string line = safe(text);
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i)
    out += links == MarkdownLinks::parted || line[i] == '@' ? parted_char(line, i) : inert_char(line, i);
  return out;
}

bool is_link(std::string_view address) {
  constexpr std::size_t longest = 500;
  const bool is_web = address.starts_with("https://") || address.starts_with("http://");
  return is_web && address.size() <= longest && is_plain(address) &&
         address.find_first_of(" <>|\"'`()[]\\*") == std::string_view::npos;
}

std::string markdown_link(std::string_view words, const std::string& address) {
  return is_link(address) ? "[" + markdown_escape(words) + "](" + address + ")" : "";
}

std::string markdown_row(const std::vector<std::string>& cells, MarkdownLinks links) {
  std::string out;
  for (const std::string& cell : cells) out += "| " + markdown_escape(cell, links) + " ";
  return out + "|\n";
}

std::string markdown_block(std::string_view lines) {
  std::size_t longest = 0, run = 0;
  for (const char c : lines) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  return fence + "text\n" + std::string(lines) + fence + "\n";
}

}  // namespace gate::render
