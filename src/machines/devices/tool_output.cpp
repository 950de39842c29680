#include "devices/tools.h"

#include <charconv>
#include <cmath>

#include "gate/base/text.h"

namespace gate::devices {

namespace {

// Return the first line that says anything.
std::string first_words(const ToolAnswer& answer) {
  for (const std::string* text : {&answer.errors, &answer.output})
    for (const std::string_view line : split(*text, '\n'))
      if (!trim(line).empty()) return ": " + printable(trim(line), 200);
  return "";
}

}  // namespace

Result<std::string> output_of(const AskTool& ask, const std::vector<std::string>& words) {
  ToolAnswer answer = ask(words);
  if (!answer.exit_code) return fail(words.front() + ": " + answer.failure);
  if (*answer.exit_code != 0)
    return fail(words.front() + " ended with " + std::to_string(*answer.exit_code) + first_words(answer));
  return std::move(answer.output);
}

std::string word_of(const Row& row, const std::string& column) { return value_under(row, column); }

std::optional<double> quantity(std::string_view word) {
  word = trim(word);
  double number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const std::string_view rest(end, word.data() + word.size());
  const bool plain = rest.empty() || rest.front() == ' ' || rest.front() == '%';
  if (error != std::errc{} || !plain || !std::isfinite(number) || number < 0) return std::nullopt;
  return number;
}

}  // namespace gate::devices
