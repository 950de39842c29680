// Plain texts in lines.
#pragma once

#include <cstddef>
#include <string_view>

namespace gate::extract {

inline constexpr std::size_t npos = std::string_view::npos;

// Return where the needle, which is not empty, stands in the text at `from` or behind it, or npos, as
// string_view::find does; it takes the same time whatever letters the text is made of.
std::size_t find_text(std::string_view text, std::string_view needle, std::size_t from = 0);

}  // namespace gate::extract
