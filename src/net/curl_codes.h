// The codes that curl gives up with: libcurl returns them, the program exits with them.
#pragma once

#include <string>

#include "net/exchange.h"

namespace gate::net {

// Return how a try ended that curl gave up with the code; `detail` is more of the reason, or "".
Exchange failure_of(int code, const std::string& detail);

// Return how a try ended whose time was not up, of a request that may stall: curl's limit was that of a
// stall, after which another try may do.
Exchange if_stalled(Exchange done, const Request& request, bool is_time_up);

// Of the words that curl says of itself return its version and its TLS library:
// `libcurl/7.88.1 OpenSSL/3.0.19 zlib/1.2.13` -> `7.88.1, OpenSSL/3.0.19`; "" where it says nothing.
std::string version_in(std::string_view words);

}  // namespace gate::net
