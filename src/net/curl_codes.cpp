#include "net/curl_config.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate::net {

namespace {

constexpr int timed_out = 28;

struct CodeRow {
  int code;
  bool passes;  // it may be otherwise at the next try
  std::string_view words;
};

// In libcurl's own words. Those of one failure may hold the address, or a proxy's with its password.
constexpr std::array<CodeRow, 29> code_rows{{
    {1, false, "Unsupported protocol"},
    {2, false, "Failed initialization"},
    {3, false, "URL using bad/illegal format or missing URL"},
    {4, false, "A requested feature or option is not built in"},
    {5, true, "Couldn't resolve proxy name"},
    {6, true, "Couldn't resolve host name"},
    {7, true, "Couldn't connect to server"},
    {8, true, "Weird server reply"},
    {16, true, "Error in the HTTP2 framing layer"},
    {18, true, "Transferred a partial file"},
    {23, false, "Failed writing received data to disk/application"},
    {26, false, "Failed to open/read local data from file/application"},
    {27, false, "Out of memory"},
    {35, true, "SSL connect error"},
    {51, false, "SSL peer certificate or SSH remote key was not OK"},
    {52, true, "Server returned nothing (no headers, no data)"},
    {53, false, "SSL crypto engine not found"},
    {55, true, "Failed sending data to the peer"},
    {56, true, "Failure when receiving data from the peer"},
    {58, false, "Problem with the local SSL certificate"},
    {59, false, "Couldn't use specified SSL cipher"},
    {60, false, "SSL peer certificate or SSH remote key was not OK"},
    {61, false, "Unrecognized or bad HTTP Content or Transfer-Encoding"},
    {66, false, "Failed to initialise SSL crypto engine"},
    {77, false, "Problem with the SSL CA cert (path? access rights?)"},
    {83, false, "Issuer check against peer certificate failed"},
    {91, false, "SSL server certificate status verification FAILED"},
    {92, true, "Stream error in the HTTP/2 framing layer"},
    {97, false, "proxy handshake error"},
}};

}  // namespace

Exchange failure_of(int code, const std::string& detail) {
  if (code == timed_out) return {Exchange::End::too_late, {}, {}, "no answer"};
  const auto row = std::ranges::find(code_rows, code, &CodeRow::code);
  const bool is_known = row != code_rows.end();
  const std::string words =
      is_known ? std::string(row->words) : "curl gave up with code " + std::to_string(code);
  const bool passes = is_known && row->passes;
  return {passes ? Exchange::End::cut : Exchange::End::hopeless,
          {},
          {},
          detail.empty() ? words : words + ": " + detail};
}

Exchange if_stalled(Exchange done, const Request& request, bool is_time_up) {
  if (done.end != Exchange::End::too_late || request.stall <= Duration{} || is_time_up) return done;
  return {Exchange::End::cut, {}, {}, "no progress for " + to_string(request.stall)};
}

std::string version_in(std::string_view words) {
  constexpr std::string_view name = "libcurl/";
  const std::vector<std::string_view> all = split_words(words);
  const auto own = std::ranges::find_if(all, [&](std::string_view word) { return word.starts_with(name); });
  if (own == all.end()) return "";
  const std::string version(own->substr(name.size()));
  return own + 1 == all.end() ? version : version + ", " + std::string(own[1]);
}

}  // namespace gate::net
