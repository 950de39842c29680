// In place of all other files of this room, in a build without libcurl.
#include "gate/net/post.h"
#include "gate/net/signature.h"

namespace gate::net {

bool can_send() { return false; }

std::string host_of(const std::string&) { return ""; }

Result<std::string> with_query(const std::string& url,
                               const std::vector<std::pair<std::string, std::string>>&) {
  return url;
}

Result<Response> post(const Request&, const Stop&) { return fail("this build of gate cannot send"); }

std::string signature(std::string_view, std::string_view) { return ""; }

}  // namespace gate::net
