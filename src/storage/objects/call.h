// One request to a store, before it is signed, and what stores answer, in XML.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

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

inline constexpr std::size_t most_of_an_answer = std::size_t{8} << 20;

struct ErrorAnswer {
  std::string code, message;  // "" where the answer tells none
};

// Return what an answer tells of an error, as it stands there; of any other text nothing.
ErrorAnswer read_error(std::string_view xml);

struct ListAnswer {
  std::vector<Object> objects;
  std::string next;  // what the next request goes on with; "" where this is the last
};

// Return the objects of a list. Fails where the text is none, names an object without a key, or says that
// there is more and not where. `by_token`: as version 2 of S3 lists.
Result<ListAnswer> read_list(std::string_view xml, bool by_token);

// Return the text of the element below the root, of the root that has that name; fails where there is none.
Result<std::string> read_member(std::string_view xml, const char* root, const char* member);

// Return the body that ends an upload whose parts have these ETags.
std::string complete_upload(const std::vector<std::string>& etags);

// Return the ETag without its quotes.
std::string without_quotes(std::string_view etag);

}  // namespace gate::objects
