// One request and its answer, and the two ways to get it.
#pragma once

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

// A way to send: what can_send() and sender() say of it, and one try, no longer than the limit. The address
// is one that has a host_of().
struct Transport {
  Status (*can_send)();
  Result<std::string> (*sender)();
  Exchange (*exchange)(const Request& request, Duration limit, const Stop& stop);
};

// Tell whether the request has a body, be it an empty one.
inline bool has_body(const Request& request) { return request.method == "POST" || request.method == "PUT"; }

inline Exchange too_long() {
  return {Exchange::End::hopeless, {}, {}, "the answer is longer than what was asked for"};
}

inline std::int64_t whole_seconds(Duration duration) {
  return std::chrono::ceil<std::chrono::seconds>(duration).count();
}

extern const Transport curl_library;  // libcurl
extern const Transport curl_program;  // the program curl

inline constexpr std::size_t most_of_the_heads = std::size_t{1} << 20;
inline constexpr std::chrono::seconds longest_retry_after = std::chrono::hours(24);

}  // namespace gate::net
