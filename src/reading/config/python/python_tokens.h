// The words of a Python file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gate/config/policy.h"

namespace gate::config {

struct PythonToken {
  enum class Kind : std::uint8_t {
    name,
    number,
    text,
    bytes,
    untold_text,  // f"", or an escape that this does not read
    sign,         // one character of punctuation
    end,          // of a statement: a line's end outside of brackets, or `;`
  };
  Kind kind = Kind::end;
  std::string text;  // of a text what it says, else as written
  int line = 1, column = 1;
  bool is_indented = false;  // the first of its line, behind blanks

  bool is_sign(char c) const { return kind == Kind::sign && text[0] == c; }
  bool is_text() const { return kind == Kind::text || kind == Kind::bytes || kind == Kind::untold_text; }
};

// Return the words, the last of which is an end. Fails as read_python does.
Parsed<std::vector<PythonToken>> python_tokens(std::string_view text, const std::string& file);

}  // namespace gate::config
