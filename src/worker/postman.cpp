#include "worker/postman.h"

#include <utility>

#include "gate/net/post.h"

namespace gate::worker {

namespace {

HubAnswer hub_answer(int status) {
  constexpr int timed_out = 408, too_many = 429;
  if (status >= 200 && status < 300) return HubAnswer::taken;
  const bool is_refused = status >= 400 && status < 500 && status != timed_out && status != too_many;
  return is_refused ? HubAnswer::refused : HubAnswer::away;
}

}  // namespace

Postman::Postman(Post post) : post_(std::move(post)), thread_([this] { work(); }) {}

Postman::~Postman() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Postman::send(Letter letter) {
  {
    const std::lock_guard lock(mutex_);
    letters_.push_back(std::move(letter));
  }
  changed_.notify_all();
}

std::vector<Receipt> Postman::receipts() {
  const std::lock_guard lock(mutex_);
  return std::exchange(receipts_, {});
}

void Postman::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_over_ || !letters_.empty(); });
    if (is_over_) return;
    const Letter letter = std::move(letters_.front());
    letters_.pop_front();
    lock.unlock();
    Posted posted = post_(letter.body, [this] { return is_over_.load(); });
    lock.lock();
    receipts_.push_back({letter.number, letter.version, std::move(posted)});
  }
}

Postman::Post post_to(const std::string& address, const std::string& token) {
  return [address, token](const std::string& body, const std::function<bool()>& stop) -> Posted {
    net::Request request;
    request.url = address;
    request.headers = {"Content-Type: application/json"};
    if (!token.empty()) request.headers.push_back("TOKEN: " + token);
    request.body = body;
    request.timeout = std::chrono::seconds(10);
    const Result<net::Response> response = net::post(request, stop);
    if (!response) return {HubAnswer::away, response.error().message};
    return {hub_answer(response->status),
            net::host_of(address) + ": answered " + std::to_string(response->status)};
  };
}

}  // namespace gate::worker
