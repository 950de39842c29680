// Bytes as letters.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gate {

// Return the bytes in base64 (RFC 4648, 4), padded, without line ends.
std::string base64(std::string_view bytes);

// Return the bytes of such a text, blanks and line ends in it passed over; nothing for another text.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace gate
