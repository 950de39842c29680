#include "config/scripts/script_words.h"

#include <algorithm>
#include <array>
#include <cstdint>
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
  if (line.substr(0, at).find("((") != std::string_view::npos) return "";  // of arithmetic
  std::string_view word = line.substr(at + 2);
  if (word.starts_with('-')) word.remove_prefix(1);
  word = trim(word);
  word = word.substr(0, word.find_first_of(" \t;|&>"));
  std::string end(word);
  std::erase_if(end, [](char c) { return c == '"' || c == '\'' || c == '\\'; });
  return end;
}

// Finds the words where a command may begin, such as `if`, line after line: not those in quotes, which may go
// on over several lines, nor those behind other words.
class CommandNames {
 public:
  std::vector<std::string> of(std::string_view line) {
    std::vector<std::string> names;
    std::string word;
    bool is_first = quote_ == '\0';
    for (std::size_t i = 0; i <= line.size(); ++i) {
      const char c = i < line.size() ? line[i] : '\n';
      const bool was_quoted = quote_ != '\0';
      if (c == '\\' && quote_ != '\'')
        ++i;
      else if (was_quoted)
        quote_ = c == quote_ ? '\0' : quote_;
      else if (c == '"' || c == '\'')
        quote_ = c;
      else if (c == '#' && word.empty() && (i == 0 || line[i - 1] != '$'))
        break;
      if (const bool ends = !was_quoted && std::string_view(" \t\r\n;&|()").find(c) != std::string_view::npos;
          !ends) {
        word += c;
        continue;
      }
      if (is_first && !word.empty()) names.push_back(word);
      if (!word.empty()) is_first = goes_before_command(word);
      if (c != ' ' && c != '\t') is_first = true;
      word.clear();
    }
    return names;
  }

  bool is_quoted() const { return quote_ != '\0'; }

 private:
  static bool goes_before_command(std::string_view word) {
    constexpr std::array<std::string_view, 10> before{"if",    "then", "elif", "else", "while",
                                                      "until", "do",   "!",    "{",    "time"};
    return std::ranges::find(before, word) != before.end();
  }

  char quote_ = '\0';
};

struct CutLines {
  std::vector<ScriptLine> lines;
  bool has_closed_quotes = true;
};

// With `Quotes::left` every word of a line may begin a command.
enum class Quotes : std::uint8_t { minded, left };

CutLines cut_lines(std::string_view script, Quotes quotes) {
  CutLines cut;
  Depth depth;
  std::string document;
  CommandNames names;
  for (const std::string_view text : split(script, '\n')) {
    ScriptLine line{text};
    line.sure_words = words_of_line(text.substr(0, std::min(text.find("&&"), text.find("||")))).size();
    line.is_text = !document.empty();
    if (line.is_text) {
      if (trim(text) == document) document.clear();
    } else {
      const Depth before = depth;
      Depth most = depth;
      for (const std::string& word : quotes == Quotes::minded ? names.of(text) : words_of_line(text)) {
        depth.enter(word);
        most = {std::max(most.choices, depth.choices), std::max(most.loops, depth.loops)};
      }
      line.is_choice = before.choices > 0 || most.choices > 0;
      line.is_repeated = before.loops > 0 || most.loops > 0;
      document = end_of_document(text);
    }
    cut.lines.push_back(line);
  }
  cut.has_closed_quotes = !names.is_quoted();
  return cut;
}

}  // namespace

std::vector<ScriptLine> lines_of_script(std::string_view script) {
  CutLines cut = cut_lines(script, Quotes::minded);
  return cut.has_closed_quotes ? std::move(cut.lines) : cut_lines(script, Quotes::left).lines;
}

}  // namespace gate::config
