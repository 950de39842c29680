// What proves that a message comes from somebody who knows a secret.
#pragma once

#include <string>
#include <string_view>

namespace gate::net {

// Return the HMAC with SHA-256 (RFC 2104) of the message under the key, 32 bytes, in base64.
std::string signature(std::string_view key, std::string_view message);

}  // namespace gate::net
