#include "gate/base/text.h"
#include "gate/config/names.h"

namespace gate::config {

namespace {

std::string unknown_placeholder(std::string_view key, const std::map<std::string, std::string>& values) {
  std::vector<std::string> known;
  for (const auto& [name, value] : values) known.push_back("{" + name + "}");
  const std::string written = "{" + std::string(key) + "}", hint = did_you_mean(written, known);
  return "unknown placeholder \"" + printable(written, 80) + "\"" +
         (hint.empty() ? "; known: " + join(known, ", ") : hint);
}

}  // namespace

Result<std::string> expand(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string out;
  for (std::size_t open; (open = text.find('{')) != std::string_view::npos;) {
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) return fail("a { of \"" + printable(text, 80) + "\" is not closed");
    const std::string_view key = text.substr(open + 1, close - open - 1);
    const auto value = values.find(std::string(key));
    if (value == values.end()) return fail(unknown_placeholder(key, values));
    out.append(text.substr(0, open)).append(value->second);
    text.remove_prefix(close + 1);
  }
  return out.append(text);
}

}  // namespace gate::config
