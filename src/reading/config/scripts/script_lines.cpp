#include "config/scripts/script_words.h"

#include <algorithm>
#include <string>

#include "gate/base/text.h"

namespace gate::config {

namespace {

// How deep in choices and loops a line is.
struct Depth {
  int choices = 0, loops = 0;

  void enter(std::string_view word) {
    if (word == "if" || word == "case") ++choices;
    if (word == "do") ++loops;
    if (word == "fi" || word == "esac") choices = std::max(0, choices - 1);
    if (word == "done") loops = std::max(0, loops - 1);
  }
};

// Return the word that ends a here document which begins in the line; "" where none does.
std::string end_of_document(std::string_view line) {
  const std::size_t at = line.find("<<");
  if (at == std::string_view::npos || line.substr(at).starts_with("<<<")) return "";
  std::string_view word = line.substr(at + 2);
  if (word.starts_with('-')) word.remove_prefix(1);
  word = trim(word);
  word = word.substr(0, word.find_first_of(" \t;|&>"));
  std::string end(word);
  std::erase_if(end, [](char c) { return c == '"' || c == '\'' || c == '\\'; });
  return end;
}

}  // namespace

std::vector<ScriptLine> lines_of_script(std::string_view script) {
  std::vector<ScriptLine> lines;
  Depth depth;
  std::string document;
  for (const std::string_view text : split(script, '\n')) {
    ScriptLine line{text};
    const std::vector<std::string> words = words_of_line(text);
    line.sure_words = words_of_line(text.substr(0, std::min(text.find("&&"), text.find("||")))).size();
    line.is_text = !document.empty();
    if (line.is_text) {
      if (trim(text) == document) document.clear();
    } else {
      const Depth before = depth;
      Depth most = depth;
      for (const std::string& word : words) {
        depth.enter(word);
        most = {std::max(most.choices, depth.choices), std::max(most.loops, depth.loops)};
      }
      line.is_choice = before.choices > 0 || most.choices > 0;
      line.is_repeated = before.loops > 0 || most.loops > 0;
      document = end_of_document(text);
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace gate::config
