#include "cli/empty_words.h"

#include <string_view>

#include "gate/base/text.h"

namespace gate::cli {

namespace {

bool is_empty(std::string_view word) { return word.find_first_not_of(" \t\r\n,") == std::string_view::npos; }

}  // namespace

Status check_no_empty(const std::vector<std::string>& words) {
  constexpr const char* what_to_do = " (an unset variable?); give it a value, or leave it out";
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t equals = words[i].starts_with("--") ? words[i].find('=') : std::string::npos;
    if (equals != std::string::npos && is_empty(std::string_view(words[i]).substr(equals + 1)))
      return fail(printable(words[i].substr(0, equals)) + ": its value is empty" + what_to_do);
    if (is_empty(words[i]))
      return fail((i == 0 ? "the first word" : "the word after " + printable(words[i - 1])) + " is empty" +
                  what_to_do);
  }
  return {};
}

}  // namespace gate::cli
