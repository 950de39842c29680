// What a script computes by commands inside its words: `$(cd "$(dirname "$0")" && pwd)`, `` `pwd` ``.
//
// Their words are none of the command around them, and their blanks, quotes and brackets end nothing there.
// So each becomes one word, `$(cd...)`, before lines are cut. Flags in its text stay, on a first line that
// only looks at them: nobody knows which of them it prints.
#include <algorithm>
#include <array>

#include "config/scripts/script_words.h"
#include "gate/base/text.h"

namespace gate::config {

namespace {

constexpr std::size_t not_closed = std::string_view::npos;
constexpr int deepest_command = 64;

// Return where what opens at `at` ends, behind it: a bracket, quotes, backticks; not_closed where it does
// not.
std::size_t behind_opened(std::string_view text, std::size_t at, int depth = 0) {
  const char opened = text[at];
  const bool is_bracket = opened == '(';
  if (depth == deepest_command) return not_closed;
  for (std::size_t i = at + 1; i < text.size();) {
    const char c = text[i];
    const bool opens = is_bracket ? c == '(' || c == '"' || c == '\'' || c == '`'
                                  : opened == '"' && c == '(' && text[i - 1] == '$';
    if (c == (is_bracket ? ')' : opened)) return i + 1;
    if (opens)
      i = behind_opened(text, i, depth + 1);
    else if (is_bracket && c == '#' && (text[i - 1] == ' ' || text[i - 1] == '\n'))
      i = text.find('\n', i);
    else
      i += c == '\\' && opened != '\'' ? 2 : 1;
  }
  return not_closed;
}

bool is_plain_character(char c) {
  return is_letter_or_digit(c) || std::string_view("_-./=,:").find(c) != std::string_view::npos;
}

// `$(cd...)` of `cd "$(dirname "$0")"`, `$(pwd)` of `pwd`; arithmetic, `(1 + 1)`, as it is, without blanks.
std::string folded(std::string_view inner) {
  if (inner.starts_with('(')) {
    std::string sum(inner);
    std::erase_if(sum, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '"' || c == '\''; });
    return "$(" + sum + ")";
  }
  inner = trim(inner);
  const auto end = std::ranges::find_if_not(inner, is_plain_character);
  const std::string name(inner.begin(), end);
  return "$(" + name + (name.size() == inner.size() ? ")" : "...)");
}

// The flags of the text with their values, for a line.
std::string flags_within(std::string_view inner) {
  std::string flags;
  if (inner.find("--") == std::string_view::npos) return flags;
  for (const std::string_view word : split_words(inner))
    if (std::ranges::all_of(bare_word(word), is_plain_character)) flags += " " + std::string(bare_word(word));
  return flags;
}

}  // namespace

std::string with_folded_commands(std::string_view script) {
  std::string out, flags;
  for (std::size_t at = 0, end = 0; at < script.size(); at = end) {
    const std::string_view rest = script.substr(at);
    const bool is_first =
        at == 0 || script[at - 1] == ' ' || script[at - 1] == '\t' || script[at - 1] == '\n';
    const bool is_command = rest.starts_with("$(") || rest.starts_with('`');
    end = std::min(at + (rest[0] == '\\' ? 2 : 1), script.size());
    if (rest[0] == '#' && is_first) end = std::min(script.find('\n', at), script.size());
    if (is_command) {
      const std::size_t begin = at + (rest[0] == '`' ? 1 : 2);
      end = behind_opened(script, begin - 1);
      if (end == not_closed) return flags + out + std::string(rest);  // no script that a shell would run
      const std::string_view inner = script.substr(begin, end - 1 - begin);
      out += folded(inner);
      if (may_print_flags(folded(inner))) flags += flags_within(inner);
    } else {
      out += script.substr(at, end - at);
    }
  }
  return flags.empty() ? out : ":" + flags + "\n" + out;
}

bool may_print_flags(std::string_view word) {
  constexpr std::array<std::string_view, 24> others{
      "cd",    "pwd",  "dirname", "basename", "readlink", "realpath", "date",       "hostname",
      "nproc", "wc",   "whoami",  "id",       "uname",    "seq",      "mktemp",     "which",
      "expr",  "find", "ls",      "git",      "arch",     "npu-smi",  "nvidia-smi", "command"};
  if (!word.starts_with("$(") || word.starts_with("$((") || word.find(')') != word.size() - 1) return false;
  const std::string_view name = word.substr(2, word.find_first_of(".)") - 2);
  return std::ranges::find(others, name.substr(name.rfind('/') + 1)) == others.end();
}

}  // namespace gate::config
