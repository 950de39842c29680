#include "render/words/text_page.h"

#include <algorithm>
#include <array>
#include <vector>

#include "gate/base/text.h"
#include "render/words/columns.h"

namespace gate::render {

namespace {

constexpr int least_width = 40;
constexpr int no_limit = 1'000'000;
constexpr std::array<std::string_view, 4> codes{"", "\x1b[1;31m", "\x1b[32m", "\x1b[33m"};

// The command as pieces that begin with ` --`, or with its beginning. What is quoted, as '...', "..." or
// $'...', stays in one piece.
std::vector<std::string> parts_of_command(const std::string& text) {
  std::vector<std::string> parts{""};
  char quote = 0;
  bool escapes = true;  // a backslash takes the next character with it
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote == 0 && text.compare(i, 3, " --") == 0) parts.emplace_back();
    parts.back() += text[i];
    if (escapes && text[i] == '\\' && i + 1 < text.size()) {
      parts.back() += text[++i];
    } else if (quote == 0 && (text[i] == '\'' || text[i] == '"')) {
      quote = text[i];
      escapes = quote == '"' || (i > 0 && text[i - 1] == '$');
    } else if (text[i] == quote) {
      quote = 0;
      escapes = true;
    }
  }
  return parts;
}

}  // namespace

int usable_width(const Style& style) {
  return style.width <= 0 ? no_limit : std::max(style.width, least_width);
}

TextPage::TextPage(const Style& style)
    : color_(style.color),
      width_(usable_width(style)),
      folder_(style.folder.empty() ? "" : style.folder + "/") {}

void TextPage::wrapped(std::string_view text, int hang) {
  for (const std::string& line : wrap(shown(text), width_, hang)) text_ += inert(line) + "\n";
}

void TextPage::titled(TextColor hue, std::string_view word, std::string_view rest, int hang) {
  const std::string gap = rest.empty() ? "" : " ";
  bool first = true;
  for (const std::string& line : wrap(shown(std::string(word) + gap + std::string(rest)), width_, hang)) {
    text_ += (first ? painted(hue, word, inert(line)) : inert(line)) + "\n";
    first = false;
  }
}

void TextPage::one_line(TextColor hue, std::string_view word, std::string_view middle,
                        std::string_view tail) {
  const std::string end = tail.empty() ? "" : "  " + safe(tail);
  const std::string start = std::string(word) + " " + shown(middle);
  text_ += painted(hue, word, inert(cut(start, width_ - columns(end)) + end)) + "\n";
}

void TextPage::kept(std::string_view text) { text_ += inert(shown(text)) + "\n"; }

void TextPage::command(std::string_view word, std::string_view text) {
  std::string line(word);
  const bool is_path = text.starts_with(folder_);
  for (const std::string& part : parts_of_command(is_path ? shown(text) : safe(text))) {
    const bool fits = columns(line) + columns(part) + 2 <= width_ || trim(line) == trim(word);
    if (!fits) text_ += inert(line) + " \\\n";
    line = fits ? line + part : std::string(word.size() + 2, ' ') + std::string(trim(part));
  }
  text_ += inert(line) + "\n";
}

// Paths are told from the folder where they stand as words of their own.
std::string TextPage::shown(std::string_view text) const {
  std::string all = safe(text);
  if (folder_.empty()) return all;
  for (std::size_t at = 0; (at = all.find(folder_, at)) != std::string::npos;)
    at == 0 || all[at - 1] == ' ' ? void(all.erase(at, folder_.size())) : void(++at);
  return all;
}

std::string TextPage::painted(TextColor hue, std::string_view word, const std::string& line) const {
  if (color_ == Color::no || hue == TextColor::plain || !line.starts_with(word)) return line;
  return std::string(codes.at(static_cast<std::size_t>(hue))) + std::string(word) + "\x1b[0m" +
         line.substr(word.size());
}

}  // namespace gate::render
