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

// `--flag` of `"(--flag`, as it stands in an array or a quoted text.
std::string_view bare_word(std::string_view word);

// Return the script with each command inside its words as one word, `$(cd...)` of `$(cd "$(dirname "$0")")`
// and of backticks; arithmetic without blanks, `$((N*2))`. Flags of commands that may print such stand on a
// line of
// `:` before it. From a bracket on that nothing closes it stays as it is.
std::string with_folded_commands(std::string_view script);

// Tell whether the word is such a command and may stand for flags: what names a folder, a date or a count
// does not, `$(dirname...)`; nor does what has more behind it, `$(cat...)/train.py`.
bool may_print_flags(std::string_view word);

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
