#include "gate/net/post.h"

#include <algorithm>
#include <thread>

#include "gate/base/text.h"
#include "gate/base/time.h"
#include "net/exchange.h"

namespace gate::net {

namespace {

// What an address of the web is.

// RFC 3986: what stands for itself everywhere in an address.
bool is_unreserved(char c) {
  return is_letter_or_digit(c) || std::string_view("-._~").find(c) != std::string_view::npos;
}

bool is_blank_or_control(char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; }

// `:8080`, `:` or nothing.
bool is_port(std::string_view text) {
  constexpr std::size_t most_digits = 5;
  constexpr std::int64_t last = 65535;
  if (text.size() < 2) return text.empty() || text == ":";
  const std::string_view digits = text.substr(1);
  return text.front() == ':' && digits.size() <= most_digits && std::ranges::all_of(digits, is_digit) &&
         *parse_integer(digits) <= last;
}

// A name, or an IPv4 address; letters that are not of ASCII are for curl to judge.
bool is_name(std::string_view host) {
  return !host.empty() && std::ranges::all_of(host, [](char c) {
    return is_unreserved(c) || static_cast<unsigned char>(c) > 0x7f;
  });
}

// `[fe80::1%25eth0]`
bool is_bracketed(std::string_view host) {
  if (host.size() < 4 || host.back() != ']') return false;
  const std::string_view inside = host.substr(1, host.size() - 2);
  return inside.find(':') != std::string_view::npos &&
         std::ranges::all_of(inside, [](char c) { return is_unreserved(c) || c == ':' || c == '%'; });
}

// What stands between `//` and the path, query or fragment; nothing where the scheme is not of the web.
std::string_view authority_of(std::string_view url) {
  const std::size_t colon = url.find("://");
  if (colon == std::string_view::npos) return "";
  const std::string scheme = to_lower(url.substr(0, colon));
  if (scheme != "http" && scheme != "https") return "";
  const std::string_view rest = url.substr(colon + 3);
  return rest.substr(0, rest.find_first_of("/?#"));
}

// What joins a further name and value to the address, which has no fragment.
std::string_view joint(std::string_view url) {
  if (url.find('?') == std::string_view::npos) return "?";
  return url.ends_with('?') || url.ends_with('&') ? "" : "&";
}

// Return the address's host. Fails where it is no address of http or https.
// A second @ is refused: readers do not agree which of them ends the user.
Result<std::string> checked_host(const std::string& url) {
  std::string_view place = authority_of(url);
  if (const std::size_t at = place.find('@'); at != std::string_view::npos) place.remove_prefix(at + 1);
  const std::size_t bracket = place.starts_with('[') ? place.find(']') : 0;
  const std::size_t end = std::min(place.find(':', bracket), place.size());
  const std::string_view host = place.substr(0, end);
  const bool is_host = host.starts_with('[') ? is_bracketed(host) : is_name(host);
  const bool is_address =
      is_host && is_port(place.substr(end)) && std::ranges::none_of(url, is_blank_or_control);
  return is_address ? Result<std::string>(host) : fail("this is no address of http or https");
}

constexpr Duration first_wait = std::chrono::milliseconds(250);
constexpr int too_many_requests = 429, server_error = 500, not_implemented = 501;

bool is_settled(const Exchange& done) {
  if (done.end != Exchange::End::answered) return done.end != Exchange::End::cut;
  const int status = done.response.status;
  return status == not_implemented || (status != too_many_requests && status < server_error);
}

class Attempts {
 public:
  Attempts(const Request& request, const Stop& stop, const TryOnce& once)
      : request_(request), stop_(stop), once_(once) {}

  Result<Response> all();

 private:
  Duration left() const {
    return request_.timeout - std::chrono::duration_cast<Duration>(SteadyClock::now() - began_);
  }
  bool rest(Duration wait) const;
  Result<Response> result(Exchange last) const;

  const Request& request_;
  const Stop& stop_;
  const TryOnce& once_;
  const SteadyClock::time_point began_ = SteadyClock::now();
  int tries_ = 0;
};

Result<Response> Attempts::all() {
  for (Duration wait = first_wait;; wait *= 2) {
    Exchange done = once_(left());
    ++tries_;
    const Duration pause = std::max(wait, done.retry_after);
    if (is_settled(done) || done.retry_after > request_.patience || tries_ > request_.retries ||
        pause >= left() || !rest(pause))
      return result(std::move(done));
  }
}

// Return false where it is told to stop meanwhile.
bool Attempts::rest(Duration wait) const {
  constexpr Duration slice = std::chrono::milliseconds(50);
  const auto end = SteadyClock::now() + wait;
  while (SteadyClock::now() < end) {
    if (stop_()) return false;
    std::this_thread::sleep_for(slice);
  }
  return true;
}

Result<Response> Attempts::result(Exchange last) const {
  if (last.end == Exchange::End::answered) return std::move(last.response);
  if (stop_()) return fail("interrupted");
  const std::string limit =
      last.end == Exchange::End::too_late ? " within " + to_string(request_.timeout) : "";
  return fail(last.why + limit + (tries_ > 1 ? " (" + std::to_string(tries_) + " tries)" : ""));
}

}  // namespace

std::string encoded(std::string_view text, std::string_view kept) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_unreserved(c) || kept.find(c) != std::string_view::npos)
      out += c;
    else
      out += {'%', digits[byte / 16], digits[byte % 16]};
  }
  return out;
}

std::string host_of(const std::string& url) { return checked_host(url).value_or(""); }

Result<std::string> with_query(const std::string& url,
                               const std::vector<std::pair<std::string, std::string>>& values) {
  GATE_TRY_STATUS(checked_host(url));
  const std::size_t fragment = std::min(url.find('#'), url.size());
  std::string out = url.substr(0, fragment);
  for (const auto& [name, value] : values) {
    out += joint(out);
    out += encoded(name) + "=" + encoded(value);
  }
  return out + url.substr(fragment);
}

Result<Response> post(const Request& request, const Stop& stop) {
  return send([&] { return request; }, stop);
}

Result<Response> send(const NextRequest& next, const Stop& stop) {
  const Request first = next();
  GATE_TRY(const std::string host, checked_host(first.url));
  bool is_first = true;
  const auto once = [&](Duration limit) {
    return exchange(std::exchange(is_first, false) ? first : next(), limit, stop);
  };
  return with_retries(first, stop, once).map_error([&](const Error& error) {
    return Error{host + ": " + error.message};
  });
}

std::string Response::header(const std::string& name) const { return value_under(headers, name); }

Result<Response> with_retries(const Request& request, const Stop& stop, const TryOnce& once) {
  return Attempts(request, stop, once).all();
}

}  // namespace gate::net
