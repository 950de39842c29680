// Which four bytes of each literal stand for it, and in which bucket of the sieve. See literal_scan.h.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extract/scan/literal_sieve.h"

namespace gate::extract {

// Who reads lines with a literal: one bit each.
using ReaderMask = std::uint64_t;

struct Literal {
  std::string text;     // not empty
  bool folded = false;  // ASCII letters in any case; the text has small ones
  ReaderMask readers = 0;
  bool placed = false;  // where it stands is asked for
};

// Where in a text a literal begins.
struct LiteralPlace {
  std::size_t literal = 0;  // its index
  std::size_t at = 0;

  auto operator<=>(const LiteralPlace&) const = default;
};

// Who reads a line, and where in it literals stand whose place is asked for.
struct LiteralHits {
  ReaderMask readers = 0;
  std::vector<LiteralPlace> places = {};  // by literal, and then rising
};

// A part of a literal, as long as a window or, of a shorter literal, all of it.
struct LiteralWindow {
  std::size_t literal = 0;  // its index
  std::size_t offset = 0;
  std::size_t size = 0;
};

// Return a window for each literal, in their order: such as are rare in the sample and serve many literals;
// their beginnings if there is no sample.
std::vector<LiteralWindow> choose_windows(std::span<const Literal> literals, std::string_view sample);

// Return the tables that let the windows through, and on that path as little else of what looks like the
// sample as is found by dealing the windows one by one into the bucket where they add least.
SieveTables deal_windows(std::span<const Literal> literals, std::span<const LiteralWindow> windows,
                         std::string_view sample, SievePath path);

}  // namespace gate::extract
