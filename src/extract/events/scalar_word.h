// Binary numbers as words.
#pragma once

#include <cstdint>
#include <string>

namespace gate::extract {

// Return the shortest decimal that is read back as the same number: plain (`0.25`, `16777216`) from 0.0001 up
// to 1e16, where whole numbers have all their digits, else scientific (`1e-05`). `nan`, `inf`, `-inf`.
std::string float_word(float value);
std::string double_word(double value);

// Return the number whose IEEE half or bfloat16 bits these are; a float holds each of them exactly.
float half_of(std::uint16_t bits);
float bfloat16_of(std::uint16_t bits);

}  // namespace gate::extract
