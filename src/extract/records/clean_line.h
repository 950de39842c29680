// A line as formats read it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "extract/records/record.h"

namespace gate::extract {

// A line without escape sequences, and what its launcher put before it.
struct CleanLine {
  std::string_view text;
  Place place;
  std::string_view outer;
  std::string_view source;
  std::size_t payload = 0;
  std::size_t own = 0;         // records that begin later are not this line's
  bool cut_in_pieces = false;  // the line goes on in a further piece
  bool ended = true;           // false: the file ends within it, maybe within its last word
  std::optional<int> rank;     // of the file
};

}  // namespace gate::extract
