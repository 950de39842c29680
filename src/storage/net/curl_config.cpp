#include "net/curl_config.h"

#include <algorithm>
#include <array>
#include <ctime>

#include "gate/base/text.h"
#include "gate/base/variables.h"

namespace gate::net {

namespace {

// In quotes a backslash makes what follows it itself; a line has no end but its end.
Result<std::string> option(std::string_view name, std::string_view value) {
  std::string line = std::string(name) + " = \"";
  for (const char c : value) {
    if (c == '\n' || c == '\r' || c == '\0') return fail("a line break in the " + std::string(name));
    if (c == '"' || c == '\\') line += '\\';
    line += c;
  }
  return line + "\"\n";
}

std::string_view last_head(std::string_view heads) {
  const std::size_t later = heads.rfind("\nHTTP/");
  return later == std::string_view::npos ? heads : heads.substr(later + 1);
}

// `HTTP/1.1 200 OK`
int status_in(std::string_view line) {
  const std::vector<std::string_view> words = split_words(line);
  if (words.size() < 2 || !words[0].starts_with("HTTP/")) return 0;
  return static_cast<int>(std::clamp<std::int64_t>(parse_integer(words[1]).value_or(0), 0, 999));
}

// Seconds, or a date.
Duration wait_in(const std::string& value, Moment now) {
  if (const auto seconds = parse_integer(value))
    return std::chrono::seconds(std::clamp<std::int64_t>(*seconds, 0, longest_retry_after.count()));
  const auto moment = parse_http_time(value);
  if (!moment) return {};
  return std::clamp<Duration>(std::chrono::ceil<Duration>(*moment - now), Duration{}, longest_retry_after);
}

// The file with the certificates that servers are verified against; "" where no variable names one, and curl
// has its own.
std::string own_certificates() {
  for (const char* variable : {"CURL_CA_BUNDLE", "SSL_CERT_FILE"})
    if (std::string file = own_variable(variable); !file.empty()) return file;
  return "";
}

std::string whole_seconds(Duration duration) {
  return std::to_string(std::chrono::ceil<std::chrono::seconds>(duration).count());
}

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

Result<std::string> curl_config(const Request& request, Duration limit) {
  std::string config = "silent\nshow-error\ngloboff\n";
  std::vector<std::pair<std::string_view, std::string>> options{
      {"url", request.url},
      {"proto", "=http,https"},
      {"user-agent", "gate/" GATE_VERSION},
      {"max-time", whole_seconds(limit + std::chrono::seconds(1))},  // where who waits is killed
      {"dump-header", "/proc/self/fd/4"}};
  if (request.method == "HEAD")
    config += "head\n";
  else
    options.emplace_back("request", request.method);
  if (has_body(request)) options.emplace_back("data-binary", "@/proc/self/fd/3");
  if (request.stall > Duration{})
    for (const std::string_view name : {"speed-time", "connect-timeout"})
      options.emplace_back(name, whole_seconds(request.stall));
  if (const std::string file = own_certificates(); !file.empty()) options.emplace_back("cacert", file);
  for (const std::string& header : request.headers) options.emplace_back("header", header);
  for (const auto& [name, value] : options) {
    GATE_TRY(const std::string line, option(name, value));
    config += line;
  }
  return config;
}

std::optional<Moment> parse_http_time(const std::string& text) {
  std::tm date{};
  const char* end = ::strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date);
  constexpr int first_year = 1970 - 1900, last_year = 2199 - 1900;  // a clock of nanoseconds ends in 2262
  if (end == nullptr || *end != '\0' || date.tm_year < first_year || date.tm_year > last_year)
    return std::nullopt;
  return std::chrono::system_clock::from_time_t(::timegm(&date));
}

AnswerHead read_heads(std::string_view heads, Moment now) {
  const std::vector<std::string_view> lines = split(last_head(heads), '\n');
  AnswerHead head{status_in(lines.front()), {}};
  for (const std::string_view line : lines)
    if (const std::size_t colon = line.find(':'); colon != std::string_view::npos)
      head.headers[to_lower(line.substr(0, colon))] = trim(line.substr(colon + 1));
  if (const auto wait = head.headers.find("retry-after"); wait != head.headers.end())
    head.retry_after = wait_in(wait->second, now);
  return head;
}

std::string certificate_problem(std::string_view complaints) {
  constexpr std::string_view before = "SSL certificate problem: ";
  const std::size_t at = complaints.find(before);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = complaints.substr(at + before.size());
  return printable(trim(rest.substr(0, rest.find('\n'))), 80);
}

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
