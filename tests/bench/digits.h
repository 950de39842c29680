#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bench {

// Write `value` in decimal into the `width` bytes from `at` on, zeros in front; digits beyond are dropped.
inline void put_digits(char* at, std::uint64_t value, int width) {
  for (; width-- > 0; value /= 10) at[width] = static_cast<char>('0' + value % 10);
}

// A number as printed, at most 32 bytes.
class Word {
 public:
  Word() = default;

  // `whole`, padded with blanks to `width`.
  explicit Word(std::uint64_t whole, std::size_t width = 0) {
    char digits[20];
    const char* end = std::to_chars(digits, digits + sizeof digits, whole).ptr;
    while (size_ + static_cast<std::size_t>(end - digits) < width) bytes_[size_++] = ' ';
    append({digits, static_cast<std::size_t>(end - digits)});
  }

  // `whole`.`fraction` with so many decimals, and the suffix.
  Word(std::uint64_t whole, std::uint64_t fraction, int decimals, std::string_view suffix) : Word(whole) {
    bytes_[size_++] = '.';
    put_digits(bytes_ + size_, fraction, decimals);
    size_ += static_cast<std::size_t>(decimals);
    append(suffix);
  }

  std::string_view text() const { return {bytes_, size_}; }

 private:
  void append(std::string_view more) {
    more.copy(bytes_ + size_, more.size());
    size_ += more.size();
  }

  char bytes_[32] = {};
  std::size_t size_ = 0;
};

}  // namespace bench
