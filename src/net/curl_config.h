// A request in the words of the program curl, and its answer's head in those of HTTP.
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

}  // namespace gate::net
