// A message to a web address, by HTTP. Errors name the host and nothing else of the address: its path and its
// query may be secrets.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gate/base/result.h"
#include "gate/base/time.h"

namespace gate::net {

struct Request {
  std::string url;                   // of http or https
  std::vector<std::string> headers;  // `Content-Type: application/json`
  std::string body;
  Duration timeout{};  // of all tries and the waits between them
  int retries = 0;     // tries after the first
};

struct Response {
  int status = 0;    // of HTTP; any
  std::string body;  // its first 64 KiB
};

// Tells, several times a second, whether to give up.
using Stop = std::function<bool()>;

// Fail where this host lacks what messages are sent with, naming it: libcurl, or in a build without it the
// program curl.
Status can_send();

// Return what messages are sent with: `libcurl 7.88.1, OpenSSL/3.0.19`. Fails as can_send does.
Result<std::string> sender();

// Post the body and return the answer. Tried again, after waits that double or as long as the answer asks to
// wait (Retry-After): where there was no connection or it was cut, and after 429 and 5xx; so a message may
// arrive twice. Redirects are not followed: 3xx is an answer. Certificates are verified, against
// CURL_CA_BUNDLE or SSL_CERT_FILE if one is set; proxies are those of the environment. Fails where no
// answer came, in time, or `stop` told to.
Result<Response> post(const Request& request, const Stop& stop);

// Return the address's host; "" where it is no address of http or https.
std::string host_of(const std::string& url);

// Return the address with the names and values behind its query, encoded. Fails as host_of is "".
Result<std::string> with_query(const std::string& url,
                               const std::vector<std::pair<std::string, std::string>>& values);

}  // namespace gate::net
