// The English side of a row, held against a phrase.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace gate::words {

constexpr std::size_t most_holes = 10;

// What the holes of a row are filled with, by their numbers less one.
struct Filling {
  std::array<std::string_view, most_holes> holes;
  std::array<char, most_holes> kinds{};  // w, n, f, m, p, r, s, t, k, or 0: as it stands
};

// Return what fills the holes where the phrase is one of the pattern's, each as short as it can be.
std::optional<Filling> matched(std::string_view pattern, std::string_view phrase);

// Return how many bytes of the pattern are its own words.
std::size_t own_bytes(std::string_view pattern);

// Return the longest of its own words that stand together.
std::string_view longest_words(std::string_view pattern);

// Tell whether the text is made of numbers as ranges_text() writes them.
bool are_numbers(std::string_view text);

}  // namespace gate::words
