// A message to a web address, by HTTP. Errors name the host and nothing else of the address: its path and its
// query may be secrets.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gate/base/result.h"
#include "gate/net/http.h"

namespace gate::net {

// Fail where this host has no program curl in PATH.
Status can_send();

// Return what messages are sent with: `/usr/bin/curl 7.88.1, OpenSSL/3.0.19`. Fails as can_send does.
Result<std::string> sender();

// Send the one request: see send().
Result<Response> post(const Request& request, const Stop& stop);

// Return the address's host; "" where it is no address of http or https.
std::string host_of(const std::string& url);

// Return the text as a part of an address: `%2F` for each byte but letters, digits, `-._~` and those kept.
std::string encoded(std::string_view text, std::string_view kept = "");

// Return the address with the names and values behind its query, encoded. Fails as host_of is "".
Result<std::string> with_query(const std::string& url,
                               const std::vector<std::pair<std::string, std::string>>& values);

}  // namespace gate::net
