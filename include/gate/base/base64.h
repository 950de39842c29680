// Bytes as letters.
#pragma once

#include <string>
#include <string_view>

namespace gate {

// Return the bytes in base64 (RFC 4648, 4), padded, without line ends.
std::string base64(std::string_view bytes);

}  // namespace gate
