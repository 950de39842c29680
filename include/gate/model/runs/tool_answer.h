// What a program printed that was asked once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gate {

struct ToolAnswer {
  std::string output;            // standard output
  std::string errors;            // standard error
  std::optional<int> exit_code;  // none: it did not end by itself in time
  std::string failure;           // why there is no exit code; "" where there is one
  bool missing = false;          // there is no such program
};

// Start the program, words[0] being searched on PATH, and wait for its end, no longer than a limit.
using AskTool = std::function<ToolAnswer(const std::vector<std::string>& words)>;

}  // namespace gate
