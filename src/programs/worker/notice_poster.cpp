#include "worker/hub_notice.h"

#include <utility>

#include "gate/net/post.h"

namespace gate::worker {

namespace {

HubAnswer hub_answer(int status) {
  constexpr int timed_out = 408, too_many = 429;
  if (status >= 200 && status < 300) return HubAnswer::taken;
  const bool is_refused = status >= 300 && status < 500 && status != timed_out && status != too_many;
  return is_refused ? HubAnswer::refused : HubAnswer::away;
}

std::string advice_on(int status) {
  constexpr int unauthorized = 401, forbidden = 403;
  if (status == unauthorized || status == forbidden)
    return "; see whether token_file of [worker], or CI_API_TOKEN, has its token";
  if (status >= 300 && status < 500) return "; see whether callback of [worker] is its address, as it is now";
  return "";
}

}  // namespace

NoticePoster::NoticePoster(Post post)
    : post_(std::move(post)), thread_([this](const std::stop_token& stop) { work(stop); }) {}

void NoticePoster::send(PendingNotice notice) {
  {
    const std::lock_guard lock(mutex_);
    pending_.push_back(std::move(notice));
  }
  changed_.notify_all();
}

std::vector<NoticeResult> NoticePoster::results() {
  const std::lock_guard lock(mutex_);
  return std::exchange(results_, {});
}

void NoticePoster::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !pending_.empty(); }) && !stop.stop_requested()) {
    const PendingNotice notice = std::move(pending_.front());
    pending_.pop_front();
    lock.unlock();
    Posted posted = post_(notice.body, [&] { return stop.stop_requested(); });
    lock.lock();
    results_.push_back({notice.number, notice.version, std::move(posted), notice.test});
  }
}

NoticePoster::Post post_to(const std::string& address, const std::string& token) {
  return [address, token](const std::string& body, const std::function<bool()>& stop) -> Posted {
    net::Request request;
    request.url = address;
    request.headers = {"Content-Type: application/json"};
    if (!token.empty()) request.headers.push_back("TOKEN: " + token);
    request.body = body;
    request.timeout = std::chrono::seconds(10);
    const Result<net::Response> response = net::post(request, stop);
    if (!response) return {HubAnswer::away, response.error().message};
    return {hub_answer(response->status), net::host_of(address) + ": answered " +
                                              std::to_string(response->status) + advice_on(response->status)};
  };
}

}  // namespace gate::worker
