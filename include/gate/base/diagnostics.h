// Mistakes in files that people write, each at its place, all of them reported together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gate {

// A place in a text. Line and column count from 1; 0 means unknown.
struct Position {
  std::string file;
  int line = 0;
  int column = 0;
};

struct Diagnostic {
  Position at;
  std::string message;
};

using Diagnostics = std::vector<Diagnostic>;

// Return `file:line:column`, without the parts that are unknown.
std::string to_string(const Position& at);

// Return `file:line:column: message`, without the parts that are unknown.
std::string to_string(const Diagnostic& diagnostic);

// Return all diagnostics, one a line, in the order of file, line and column; or one behind the other.
std::string to_string(const Diagnostics& diagnostics, std::string_view separator = "\n");

}  // namespace gate
