// The words of the program curl: a request, the head of its answer, and the codes that it exits with.
#pragma once

#include <map>
#include <string>

#include "gate/base/result.h"
#include "gate/base/time.h"
#include "net/exchange.h"

namespace gate::net {

// Return the config file that has curl send the request, whose body is its descriptor 3, and write the heads
// of answers to its descriptor 4 and the body to its standard output. Fails where a line could not be one.
Result<std::string> curl_config(const Request& request, Duration limit);

struct AnswerHead {
  int status = 0;          // 0 where there is no head
  Duration retry_after{};  // 0 where it asks nothing
  std::map<std::string, std::string> headers = {};
};

// Read the last of several heads: those before it are of a proxy, or say that there is more to come.
AnswerHead read_heads(std::string_view heads, Moment now);

// Of what curl complains of return what is wrong with the server's certificate, or "".
std::string certificate_problem(std::string_view complaints);

// Return how a try ended that curl gave up with the code; `detail` is more of the reason, or "".
Exchange failure_of(int code, const std::string& detail);

// Return how a try ended whose time was not up, of a request that may stall: curl's limit was that of a
// stall, after which another try may do.
Exchange if_stalled(Exchange done, const Request& request, bool is_time_up);

// Of the words that curl says of itself return its version and its TLS library:
// `libcurl/7.88.1 OpenSSL/3.0.19 zlib/1.2.13` -> `7.88.1, OpenSSL/3.0.19`; "" where it says nothing.
std::string version_in(std::string_view words);

}  // namespace gate::net
