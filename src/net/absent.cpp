// In place of what needs libcurl, in a build without it.
#include "gate/net/post.h"

namespace gate::net {

namespace {
constexpr const char* cannot = "this build of gate cannot send";
}  // namespace

Status can_send() { return fail(cannot); }

std::string host_of(const std::string&) { return ""; }

Result<std::string> with_query(const std::string&, const std::vector<std::pair<std::string, std::string>>&) {
  return fail(cannot);
}

Result<Response> post(const Request&, const Stop&) { return fail(cannot); }

}  // namespace gate::net
