#include "gate/base/diagnostics.h"

#include <algorithm>
#include <tuple>

namespace gate {

std::string to_string(const Position& at) {
  std::string out = at.file;
  if (at.line > 0) out += ":" + std::to_string(at.line);
  if (at.line > 0 && at.column > 0) out += ":" + std::to_string(at.column);
  return out;
}

std::string to_string(const Diagnostic& diagnostic) {
  const std::string out = to_string(diagnostic.at);
  return out.empty() ? diagnostic.message : out + ": " + diagnostic.message;
}

std::string to_string(const Diagnostics& diagnostics, std::string_view separator) {
  Diagnostics sorted = diagnostics;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.at.file, a.at.line, a.at.column) < std::tie(b.at.file, b.at.line, b.at.column);
  });
  std::string out;
  for (const Diagnostic& diagnostic : sorted)
    out.append(out.empty() ? "" : separator).append(to_string(diagnostic));
  return out;
}

}  // namespace gate
