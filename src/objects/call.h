// One request to a store, before it is signed.
#pragma once

#include <map>
#include <string>

#include "gate/objects/store.h"

namespace gate::objects {

// Gate's parts are never smaller.
inline constexpr std::uintmax_t usual_part = std::uintmax_t{16} << 20;

struct ObjectStore::Call {
  std::string method;
  std::string key;  // "" is the bucket
  Query query = {};
  std::map<std::string, std::string> headers = {};  // names in small letters
  std::string body = {};
  std::string body_md5 = {}, body_sha256 = {};        // as bytes, and in hexadecimal digits
  std::function<net::AnswerTarget()> into = nullptr;  // asked before each try; the range follows from it

  bool has_body() const { return method == "PUT" || method == "POST"; }
};

// Tell whether the ETag of the answer can be an MD5: the store does not encrypt with a key that is not its
// own.
bool is_etag_digest(const net::Response& answer);

}  // namespace gate::objects
