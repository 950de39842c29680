#include "render/page.h"

#include <algorithm>
#include <array>

#include "render/columns.h"

namespace gate::render {

namespace {

constexpr int least_width = 40;
constexpr int no_limit = 1'000'000;
constexpr std::array<std::string_view, 4> codes{"", "\x1b[1;31m", "\x1b[32m", "\x1b[33m"};

}  // namespace

int usable_width(const Style& style) {
  return style.width <= 0 ? no_limit : std::max(style.width, least_width);
}

Page::Page(const Style& style) : color_(style.color), width_(usable_width(style)) {}

void Page::wrapped(std::string_view text, int hang) {
  for (const std::string& line : wrap(safe(text), width_, hang)) text_ += inert(line) + "\n";
}

void Page::titled(Hue hue, std::string_view word, std::string_view rest, int hang) {
  const std::string gap = rest.empty() ? "" : " ";
  bool first = true;
  for (const std::string& line : wrap(safe(std::string(word) + gap + std::string(rest)), width_, hang)) {
    text_ += (first ? painted(hue, word, inert(line)) : inert(line)) + "\n";
    first = false;
  }
}

void Page::one_line(Hue hue, std::string_view word, std::string_view middle, std::string_view tail) {
  const std::string end = tail.empty() ? "" : "  " + safe(tail);
  const std::string start = std::string(word) + " " + safe(middle);
  text_ += painted(hue, word, inert(cut(start, width_ - columns(end)) + end)) + "\n";
}

void Page::kept(std::string_view text) { text_ += inert(safe(text)) + "\n"; }

std::string Page::painted(Hue hue, std::string_view word, const std::string& line) const {
  if (color_ == Color::no || hue == Hue::plain || !line.starts_with(word)) return line;
  return std::string(codes.at(static_cast<std::size_t>(hue))) + std::string(word) + "\x1b[0m" +
         line.substr(word.size());
}

}  // namespace gate::render
