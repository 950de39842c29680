#include "schema/accuracy/lenient_json.h"

#include <algorithm>
#include <cstddef>

namespace gate::schema {

namespace {

// Return the offset behind the text in quotes that begins there.
std::size_t end_of_quotes(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

bool begins_comment(std::string_view text) { return text.starts_with('#') || text.starts_with("//"); }

}  // namespace

std::string strict_json(std::string_view text) {
  std::string strict(text);
  std::size_t comma = std::string::npos;  // one behind which nothing has come yet
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (begins_comment(text.substr(at))) {
      const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
      std::fill(strict.begin() + static_cast<std::ptrdiff_t>(at),
                strict.begin() + static_cast<std::ptrdiff_t>(end), ' ');
      at = end;
      continue;
    }
    if ((c == '}' || c == ']') && comma != std::string::npos) strict[comma] = ' ';
    if (c == ',')
      comma = at;
    else if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
      comma = std::string::npos;
    at = c == '"' ? end_of_quotes(text, at) : at + 1;
  }
  return strict;
}

}  // namespace gate::schema
