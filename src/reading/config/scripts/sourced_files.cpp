#include "gate/config/sourced_files.h"

#include <algorithm>

#include "config/scripts/script_words.h"
#include "gate/base/text.h"

namespace gate::config {

namespace {

// Return what is written of a path, whatever it begins with; "" where nothing is.
std::string written_part(std::string path) {
  std::erase_if(path, [](char c) { return c == '"' || c == '\''; });
  std::size_t begin = path.find_last_of("$)}`");
  if (begin == std::string::npos) return path;
  const bool is_name = path[begin++] == '$';
  while (is_name && begin < path.size() && (std::isalnum(path[begin]) != 0 || path[begin] == '_')) ++begin;
  return path.substr(std::min(path.find_first_not_of('/', begin), path.size()));
}

// Tell whether a command within the path goes on in the next word.
bool is_cut(const std::string& path) {
  return std::ranges::count(path, '(') > std::ranges::count(path, ')') ||
         std::ranges::count(path, '`') % 2 != 0;
}

// What the line reads in and does nothing else; nothing where it is another line, or where a variable leads.
std::optional<std::string> text_read_in(std::string_view line, const ReadSourced& read) {
  const std::size_t begin = line.find_first_not_of(" \t\r\v\f");
  if (begin == std::string_view::npos || (line[begin] != 's' && line[begin] != '.')) return std::nullopt;
  line = trim(line);
  if (!line.starts_with("source ") && !line.starts_with(". ")) return std::nullopt;
  const std::vector<std::string> words = words_of_line(with_folded_commands(line));
  if (words.size() != 2 || line.find_first_of(";&|") != std::string_view::npos) return std::nullopt;
  std::string path = words[1];
  std::erase_if(path, [](char c) { return c == '"' || c == '\''; });
  constexpr std::string_view beside = "$(dirname...)/";
  const bool is_beside = path.starts_with(beside);
  if (is_beside) path.erase(0, beside.size());
  if (path.find_first_of("$`~*?[\\") != std::string::npos || path.starts_with('/')) return std::nullopt;
  return read(path, is_beside);
}

}  // namespace

std::string with_sourced_files(std::string_view script, const ReadSourced& read) {
  std::string all;
  all.reserve(script.size() + 256);  // and what its reader puts behind it
  std::size_t taken = 0;             // of the script
  for (std::size_t begin = 0, end = 0; begin < script.size(); begin = end + 1) {
    end = std::min(script.find('\n', begin), script.size());
    const auto text = text_read_in(script.substr(begin, end - begin), read);
    if (!text) continue;
    all.append(script, taken, begin - taken).append(*text);
    taken = end;
  }
  return all.append(script, taken).append("\n");
}

std::vector<std::string> sourced_files(std::string_view script) {
  std::vector<std::string> files;
  for (const std::string_view line : split(script, '\n')) {
    const std::vector<std::string> words = words_of_line(line);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] != "." && words[i] != "source") continue;
      std::string path = words[++i];  // up to the end of a command within it, which has blanks
      while (is_cut(path) && i + 1 < words.size()) path += " " + words[++i];
      if (std::string file = written_part(std::move(path)); !file.empty()) files.push_back(std::move(file));
    }
  }
  return files;
}

}  // namespace gate::config
