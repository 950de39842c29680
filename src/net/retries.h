// Another try, where one could help and there is time.
#pragma once

#include <functional>

#include "net/exchange.h"

namespace gate::net {

using TryOnce = std::function<Exchange(Duration limit)>;

// Try until there is an answer that another try would not change; at most `retries` times more, and within
// the request's limit. Errors are as those of post, without the host.
Result<Response> with_retries(const Request& request, const Stop& stop, const TryOnce& once);

}  // namespace gate::net
