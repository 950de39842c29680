// What a specimen of a format is: lines with what must be read from them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gate::extract {

// A sample that a specimen must give. `rank` -1: printed without a rank. `word` "": the value is left out.
struct ExpectedSample {
  std::string_view metric;
  int rank = -1;
  std::int64_t number = 0;
  std::string_view word;
};

// A short log in the shape that a framework prints, and all samples in it.
struct Specimen {
  std::string_view shape;
  std::string_view log;
  std::vector<ExpectedSample> samples;
};

}  // namespace gate::extract
