// A server of HTTP on the loopback: what is sent is taken down, what is answered is the test's.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace gate::net {

// The bytes that a request is answered with, before the connection is closed; nothing: it is held until the
// client goes.
using Answering = std::function<std::optional<std::string>(const std::string& request)>;

class LoopbackServer {
 public:
  explicit LoopbackServer(Answering answering) : answering_(std::move(answering)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_, 16), 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  LoopbackServer(const LoopbackServer&) = delete;
  ~LoopbackServer() {
    closing_ = true;
    thread_.join();
    ::close(listener_);
  }

  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }

  std::vector<std::string> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  static bool has_bytes(int fd) {
    pollfd wanted{fd, POLLIN, 0};
    return ::poll(&wanted, 1, 10) == 1;
  }

  void serve() {
    while (!closing_) {
      if (!has_bytes(listener_)) continue;
      const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      answer(connection);
      ::close(connection);
    }
  }

  void answer(int connection) {
    const std::string request = read_request(connection);
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    const std::optional<std::string> bytes = answering_(request);
    if (bytes)
      write(connection, *bytes);
    else
      wait_for_end(connection);
  }

  // A head, and the body that it announces.
  std::string read_request(int connection) const {
    std::string text;
    std::array<char, 65536> block;
    while (!closing_ && !is_whole(text)) {
      if (!has_bytes(connection)) continue;
      const ssize_t count = ::read(connection, block.data(), block.size());
      if (count <= 0) break;
      text.append(block.data(), static_cast<std::size_t>(count));
    }
    return text;
  }

  static bool is_whole(const std::string& text) {
    constexpr std::string_view name = "Content-Length: ";
    const std::size_t end = text.find("\r\n\r\n"), length = text.find(name);
    if (end == std::string::npos || length > end) return end != std::string::npos;
    return text.size() >= end + 4 + std::stoul(text.substr(length + name.size()));
  }

  static void write(int connection, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void wait_for_end(int connection) const {
    char byte = 0;
    while (!closing_)
      if (has_bytes(connection) && ::read(connection, &byte, 1) <= 0) return;
  }

  Answering answering_;
  int listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int port_ = 0;
  std::atomic<bool> closing_ = false;
  std::mutex mutex_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

}  // namespace gate::net
