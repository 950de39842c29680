// One request and its answer, by the program curl.
#pragma once

#include <functional>
#include <string>

#include "gate/net/post.h"

namespace gate::net {

// How a try ended.
struct Exchange {
  enum class End : std::uint8_t {
    answered,
    cut,       // no connection, or it broke off: another try may do
    too_late,  // the limit was reached
    hopeless   // every other try would end the same
  };
  End end = End::hopeless;
  Response response;       // of an answer
  Duration retry_after{};  // that the answer asks to wait; 0 where it asks nothing
  std::string why;         // where there is none
};

// Make one try, no longer than the limit. The address is one that has a host_of().
Exchange exchange(const Request& request, Duration limit, const Stop& stop);

// Tell whether the request has a body, be it an empty one.
inline bool has_body(const Request& request) { return request.method == "POST" || request.method == "PUT"; }

inline constexpr std::size_t most_of_the_heads = std::size_t{1} << 20;
inline constexpr std::chrono::seconds longest_retry_after = std::chrono::hours(24);

using TryOnce = std::function<Exchange(Duration limit)>;

// Try once more, where that could help and there is time: until there is an answer that another try would not
// change; at most `retries` times more, and within the request's limit. Errors are as those of post, without
// the host.
Result<Response> with_retries(const Request& request, const Stop& stop, const TryOnce& once);

}  // namespace gate::net
