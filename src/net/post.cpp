#include "gate/net/post.h"

#include <memory>

#include "net/curl_library.h"
#include "net/exchange.h"
#include "net/retries.h"

namespace gate::net {

namespace {

using Address = std::unique_ptr<CURLU, decltype(Curl::url_cleanup)>;

std::string part(const Address& address, CURLUPart which) {
  char* text = nullptr;
  if (curl()->url_get(address.get(), which, &text, 0) != CURLUE_OK) return "";
  std::string copy(text);
  curl()->free(text);
  return copy;
}

// Return the address, or none where it is not of http or https.
Address parse(const std::string& url) {
  if (curl() == nullptr) return {nullptr, nullptr};
  Address address(curl()->url(), curl()->url_cleanup);
  const bool read = address && curl()->url_set(address.get(), CURLUPART_URL, url.c_str(), 0) == CURLUE_OK;
  const std::string scheme = read ? part(address, CURLUPART_SCHEME) : "";
  if (scheme != "http" && scheme != "https") address.reset();
  return address;
}

Error no_address() { return {"this is no address of http or https"}; }

}  // namespace

Status can_send() {
  if (curl() == nullptr) return fail("libcurl.so.4 does not load on this host; install libcurl4");
  return {};
}

std::string host_of(const std::string& url) {
  const Address address = parse(url);
  return address ? part(address, CURLUPART_HOST) : "";
}

Result<std::string> with_query(const std::string& url,
                               const std::vector<std::pair<std::string, std::string>>& values) {
  const Address address = parse(url);
  if (!address) return tl::unexpected(no_address());
  for (const auto& [name, value] : values)
    curl()->url_set(address.get(), CURLUPART_QUERY, (name + "=" + value).c_str(),
                    CURLU_APPENDQUERY | CURLU_URLENCODE);
  return part(address, CURLUPART_URL);
}

Result<Response> post(const Request& request, const Stop& stop) {
  const std::string host = host_of(request.url);
  if (host.empty()) return tl::unexpected(no_address());
  return with_retries(request, stop, [&](Duration limit) { return exchange(request, limit, stop); })
      .map_error([&](const Error& error) { return Error{host + ": " + error.message}; });
}

}  // namespace gate::net
