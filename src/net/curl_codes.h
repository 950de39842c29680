// The codes that curl gives up with: libcurl returns them, the program exits with them.
#pragma once

#include <string>

#include "net/exchange.h"

namespace gate::net {

// Return how a try ended that curl gave up with the code; `detail` is more of the reason, or "".
Exchange failure_of(int code, const std::string& detail);

// Of the words that curl says of itself return its version and its TLS library:
// `libcurl/7.88.1 OpenSSL/3.0.19 zlib/1.2.13` -> `7.88.1, OpenSSL/3.0.19`; "" where it says nothing.
std::string version_in(std::string_view words);

}  // namespace gate::net
