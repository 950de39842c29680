// One request and its answer.
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

// Try once, no longer than the limit.
Exchange exchange(const Request& request, Duration limit, const Stop& stop);

}  // namespace gate::net
