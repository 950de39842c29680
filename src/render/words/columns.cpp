#include "render/words/columns.h"

#include <algorithm>
#include <utility>

namespace gate::render {

std::string cut(std::string_view text, int width) {
  if (columns(text) <= width) return std::string(text);
  return std::string(text.substr(0, fitting(text, std::max(0, width - 3)))) + "...";
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

std::string pad(std::string_view text, int width) {
  return std::string(text) + std::string(static_cast<std::size_t>(std::max(0, width - columns(text))), ' ');
}

std::vector<std::string> wrap(std::string_view text, int width, int hang) {
  std::vector<std::string> lines;
  std::string line;
  const std::string indent(static_cast<std::size_t>(hang), ' ');
  while (!text.empty()) {
    const std::size_t gap = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find(' ', gap), text.size());
    const bool holds_words = line.find_first_not_of(' ') != std::string::npos;
    if (holds_words && columns(line) + columns(text.substr(0, end)) > width) {
      lines.push_back(std::exchange(line, indent));
      text.remove_prefix(gap);
      continue;
    }
    line += text.substr(0, end);
    text.remove_prefix(end);
    for (std::size_t fit; (fit = fitting(line, width)) < line.size();) {
      lines.push_back(line.substr(0, fit));
      line = indent + line.substr(fit);
    }
  }
  lines.push_back(line);
  return lines;
}

}  // namespace gate::render
