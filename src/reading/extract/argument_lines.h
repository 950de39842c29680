// Arguments that trainings print before they train, one a line or several: `seq_length ........ 4096`,
// `using world size: 8, data-parallel size: 2`.
#pragma once

#include <algorithm>
#include <string_view>

#include "gate/base/text.h"

namespace gate::extract {

// Hand over the word behind each place where the literal, the name and the first of what stands between the
// two, begins a word of the line; "" where there is none.
template <typename OnWord>
void find_argument(std::string_view line, std::string_view literal, const OnWord& on_word) {
  constexpr std::size_t longest = 80;
  for (std::size_t at = 0; (at = line.find(literal, at)) != std::string_view::npos; at += literal.size()) {
    if (at > 0 && (is_letter_or_digit(line[at - 1]) || line[at - 1] == '_' || line[at - 1] == '-')) continue;
    std::string_view rest = line.substr(at + literal.size());
    rest.remove_prefix(std::min(rest.find_first_not_of('.'), rest.size()));
    const auto words = split_words(rest.substr(0, std::min(rest.size(), longest)));
    on_word(words.empty() ? std::string_view() : words.front());
  }
}

}  // namespace gate::extract
