// SHA-256 (FIPS 180-4).
#pragma once

#include <string>
#include <string_view>

namespace gate {

std::string sha256_hex(std::string_view content);

}  // namespace gate
