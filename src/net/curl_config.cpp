#include "net/curl_config.h"

#include <algorithm>
#include <ctime>

#include "gate/base/text.h"

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

// The limit is kept by who waits; that one may be killed.
std::string seconds_beyond(Duration limit) {
  return std::to_string(std::chrono::ceil<std::chrono::seconds>(limit).count() + 1);
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

// Seconds, or a date: `Wed, 21 Oct 2026 07:28:00 GMT`.
Duration wait_in(const std::string& value, Moment now) {
  if (const auto seconds = parse_integer(value))
    return std::chrono::seconds(std::clamp<std::int64_t>(*seconds, 0, longest_retry_after.count()));
  std::tm date{};
  const char* end = ::strptime(value.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date);
  if (end == nullptr || *end != '\0') return {};
  const Moment moment = std::chrono::system_clock::from_time_t(::timegm(&date));
  return std::clamp<Duration>(std::chrono::ceil<Duration>(moment - now), Duration{}, longest_retry_after);
}

}  // namespace

Result<std::string> curl_config(const Request& request, Duration limit) {
  std::string config = "silent\nshow-error\ngloboff\n";
  std::vector<std::pair<std::string_view, std::string>> options{{"url", request.url},
                                                                {"proto", "=http,https"},
                                                                {"user-agent", "gate/" GATE_VERSION},
                                                                {"max-time", seconds_beyond(limit)},
                                                                {"dump-header", "/proc/self/fd/4"}};
  if (request.method == "HEAD")
    config += "head\n";
  else
    options.emplace_back("request", request.method);
  if (has_body(request)) options.emplace_back("data-binary", "@/proc/self/fd/3");
  if (request.stall > Duration{})
    for (const std::string_view name : {"speed-time", "connect-timeout"})
      options.emplace_back(name, std::to_string(whole_seconds(request.stall)));
  if (const std::string file = own_certificates(); !file.empty()) options.emplace_back("cacert", file);
  for (const std::string& header : request.headers) options.emplace_back("header", header);
  for (const auto& [name, value] : options) {
    GATE_TRY(const std::string line, option(name, value));
    config += line;
  }
  return config;
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

}  // namespace gate::net
