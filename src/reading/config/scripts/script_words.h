// The text of a shell script as words, and as lines with what is known of whether they run: read, and never
// run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gate::config {

// Return the words of a line of the script, without comments; `;` and `&` end one.
std::vector<std::string> words_of_line(std::string_view line);

// Return the text without the quotes around it, if it has such.
std::string_view without_quotes(std::string_view value);

struct ScriptLine {
  std::string_view text;
  bool is_text = false;        // of a here document
  bool is_choice = false;      // inside `if` or `case`: it may run or not
  bool is_repeated = false;    // inside a loop
  std::size_t sure_words = 0;  // words (words_of_line) before the first `&&` or `||`; all where there is none
};

// Return the lines of a script of the shell's. Functions are taken to be called.
std::vector<ScriptLine> lines_of_script(std::string_view script);

}  // namespace gate::config
