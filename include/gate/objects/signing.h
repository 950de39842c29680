// What proves to an object store that a request comes from somebody who knows a secret key: AWS Signature
// Version 4, and the signature of OBS. Pure: the time is told.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gate/base/time.h"

namespace gate::objects {

struct Credentials {
  std::string access_key, secret_key;
  std::string token = {};   // of a session; "" is none
  std::string source = {};  // where they are from, for messages: `the environment`, a file's name
};

using Query = std::vector<std::pair<std::string, std::string>>;

// What is signed of a request.
struct SignedParts {
  std::string method;
  std::string path;                            // encoded, from the first slash on
  Query query;                                 // not encoded
  std::map<std::string, std::string> headers;  // names in small letters, `host` among them
};

// Return the query as it is signed and sent: encoded, sorted by names, each with `=`.
std::string encoded_query(const Query& query);

// Return `20150830T123600Z`, and `Mon, 15 Aug 2022 16:50:12 GMT`.
std::string basic_time(Moment moment);
std::string http_time(Moment moment);

// What SigV4 is made with beside the request: its parts are all headers; `time` is a basic_time().
struct Sigv4Scope {
  std::string region, service, time;
};

// Return the canonical request, whose last line is the SHA-256 of the body, and the header Authorization.
std::string sigv4_canonical_request(const SignedParts& parts, std::string_view body_sha256);
std::string sigv4_authorization(const SignedParts& parts, std::string_view body_sha256,
                                const Credentials& credentials, const Sigv4Scope& scope);

// Return what OBS has signed: method, headers content-md5, content-type and date, all of x-obs-, and the
// resource (`/BUCKET/KEY`, encoded) with those names of the query that are subresources.
std::string obs_string_to_sign(const SignedParts& parts, std::string_view resource);

// Return the header Authorization: `OBS AK:SIGNATURE`.
std::string obs_authorization(std::string_view string_to_sign, const Credentials& credentials);

}  // namespace gate::objects
