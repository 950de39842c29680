// When lines were printed, as they say themselves, and those that are asked later.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "extract/attempts/assign.h"
#include "gate/extract/printed_time.h"

namespace gate::extract {

// How much of a line's beginning is looked at.
inline constexpr std::size_t longest_time_head = 96;

// The beginning of a line, kept until somebody asks when it was printed: most are never asked.
class TimeHead {
 public:
  TimeHead& operator=(std::string_view line) {
    size_ = static_cast<std::uint8_t>(line.copy(bytes_.data(), bytes_.size()));
    return *this;
  }
  std::string_view view() const { return {bytes_.data(), size_}; }

 private:
  std::array<char, longest_time_head> bytes_;
  std::uint8_t size_ = 0;
};

// Return the times of a first and a last line, where both print one and the last is not before the first.
std::optional<Extent> printed_extent(std::optional<std::int64_t> first, const TimeHead& last);

}  // namespace gate::extract
