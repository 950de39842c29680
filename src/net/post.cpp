#include "gate/net/post.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "gate/base/time.h"
#include "net/address.h"
#include "net/exchange.h"
#include "net/retries.h"

namespace gate::net {

namespace {

#ifdef GATE_LIBCURL
constexpr const Transport& transport = curl_library;
#else
constexpr const Transport& transport = curl_program;
#endif

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

Status can_send() { return transport.can_send(); }

Result<std::string> sender() { return transport.sender(); }

Result<Response> post(const Request& request, const Stop& stop) {
  return send([&] { return request; }, stop);
}

Result<Response> send(const NextRequest& next, const Stop& stop) {
  const Request first = next();
  GATE_TRY(const std::string host, checked_host(first.url));
  bool is_first = true;
  const auto once = [&](Duration limit) {
    return transport.exchange(std::exchange(is_first, false) ? first : next(), limit, stop);
  };
  return with_retries(first, stop, once).map_error([&](const Error& error) {
    return Error{host + ": " + error.message};
  });
}

std::string Response::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

Result<Response> with_retries(const Request& request, const Stop& stop, const TryOnce& once) {
  return Attempts(request, stop, once).all();
}

}  // namespace gate::net
