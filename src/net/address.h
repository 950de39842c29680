// What an address of the web is.
#pragma once

#include <string>

#include "gate/base/result.h"

namespace gate::net {

// Return the address's host. Fails where it is no address of http or https.
Result<std::string> checked_host(const std::string& url);

}  // namespace gate::net
