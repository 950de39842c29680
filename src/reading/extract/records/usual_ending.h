// How the words of one kind end: by it a word at the end of a file is told from one that was cut off.
#pragma once

#include <cstdint>
#include <string_view>

#include "gate/base/sentence.h"

namespace gate::extract {

class UsualEnding {
 public:
  // Note a whole word; of many the first ones.
  void note(std::string_view word);

  // Tell whether the word ends as all that were noted: with their unit, or with as many digits as two of them
  // at least.
  bool is_of(std::string_view word) const;

  // Tell whether the word ends with as many digits as the longest of two at least that were noted.
  bool has_most_digits(std::string_view word) const;

 private:
  std::uint64_t ending_ = 0;
  std::size_t words_ = 0;
  bool differ_ = false;
  std::size_t digits_ = 0;  // the most at an end
};

// Return that a record is cut off behind the text.
Sentence cut_off_words(std::string_view text);

}  // namespace gate::extract
