// The certificates that servers are verified against.
#pragma once

#include <string>

namespace gate::net {

// Return the file that CURL_CA_BUNDLE or SSL_CERT_FILE names; "" where neither does, and curl has its own.
std::string own_certificates();

}  // namespace gate::net
