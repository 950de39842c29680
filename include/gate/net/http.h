// One request to a web address, by HTTP, and its answer. Errors name the host and nothing else of the
// address: its path and its query may be secrets.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/base/time.h"

namespace gate::net {

struct Response;

// A file that the body of an answer goes into, from that byte on; made where it is not there, and else a
// regular file of this user with no other name. An empty path is none. More bytes than `most` in it are an
// error. An answer whose head does not fit goes into the response in place of the file.
struct AnswerTarget {
  fs::Path file;
  std::uintmax_t from = 0;
  std::uintmax_t most = std::numeric_limits<std::uintmax_t>::max();
  std::function<bool(const Response& head)> fits = nullptr;  // asked several times; nullptr: each one does
};

struct Request {
  std::string url;                   // of http or https
  std::vector<std::string> headers;  // `Content-Type: application/json`
  std::string body;
  Duration timeout{};  // of all tries and the waits between them
  int retries = 0;     // tries after the first
  std::string method = "POST";
  std::size_t most = std::size_t{64} << 10;    // bytes that are kept of a body in memory
  Duration stall{};                            // a try without any progress for so long is cut; 0: none is
  AnswerTarget into = {};                      // where the body of a 206 goes, and of a 200 that begins at 0
  Duration patience = std::chrono::hours(24);  // an answer that asks to wait for longer is the last one
};

struct Response {
  int status = 0;                                   // of HTTP; any
  std::string body;                                 // its first bytes; "" where it went into a file
  std::map<std::string, std::string> headers = {};  // names in small letters; of two the later

  // Return the header's value, "" where there is none.
  std::string header(const std::string& name) const;
};

// Return the moment of a header's date, `Wed, 21 Oct 2026 07:28:00 GMT`, of the years 1970 to 2199, or
// nothing.
std::optional<Moment> parse_http_time(const std::string& text);

// Tells, several times a second, whether to give up.
using Stop = std::function<bool()>;

// Makes the request of a try: what goes on where an earlier try was cut is another one, and so is what is
// signed with the time. Limits and retries are those of the first; the address's host is always the same.
using NextRequest = std::function<Request()>;

// Send the request and return the answer. Tried again, after waits that double or as long as the answer asks
// to wait (Retry-After; longer than the request's patience is not waited): where there was no connection, or
// it was cut or stalled, and after 429 and 5xx; so a request may arrive twice. Redirects are not followed:
// 3xx is an answer. Certificates are verified, against CURL_CA_BUNDLE or SSL_CERT_FILE if one is set; proxies
// are those of the environment. What came of a file before a cut stays in it. Fails where no answer came, in
// time, or `stop` told to.
Result<Response> send(const NextRequest& next, const Stop& stop);

}  // namespace gate::net
