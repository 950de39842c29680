#include "gate/places/stop_requests.h"

#include <algorithm>
#include <csignal>

namespace gate::app {

namespace {

constexpr Duration look_every{200};

std::optional<Interrupted> interrupted_by(const std::optional<StopRequest>& request) {
  return request ? std::optional(Interrupted{
                       SIGTERM, as_is(request->by + (request->reason.empty() ? "" : ": " + request->reason))})
                 : std::nullopt;
}

}  // namespace

// Return the latest request about the case; "" is the run.
std::optional<StopRequest> StopRequests::find(const std::string& case_name) {
  const std::lock_guard lock(mutex_);
  if (environment_.time.now() >= next_look_) {
    next_look_ = environment_.time.now() + look_every;
    if (auto all = folder_.stop_requests(size_)) requests_ = std::move(*all);
  }
  const auto it = std::ranges::find(requests_.rbegin(), requests_.rend(), case_name, &StopRequest::case_name);
  return it == requests_.rend() ? std::nullopt : std::optional(*it);
}

std::optional<Interrupted> StopRequests::of_run() {
  const std::optional<Interrupted> signal = environment_.interruption();
  return signal ? signal : interrupted_by(find(""));
}

std::optional<Interrupted> StopRequests::of_case(const std::string& name) {
  const std::optional<Interrupted> run = of_run();
  return run ? run : interrupted_by(find(name));
}

bool StopRequests::must_hurry(const std::string& name) {
  if (environment_.second_signal && environment_.second_signal()) return true;
  const auto is_now = [](const std::optional<StopRequest>& request) { return request && request->now; };
  return is_now(find("")) || is_now(find(name));
}

}  // namespace gate::app
