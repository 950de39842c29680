// The lines of a script with what is known of whether they run, as far as its text tells it.
#pragma once

#include <string_view>
#include <vector>

namespace gate::config {

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
