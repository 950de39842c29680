// TCP: addresses, connections, and all of a run of bytes or nothing.
#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tinygpt {

using Deadline = std::chrono::steady_clock::time_point;

// Return the milliseconds left, rounded up, as poll(2) takes them; 0 when it has passed.
int milliseconds_until(Deadline deadline);

// A file descriptor that is closed at the end; -1 is none.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&& other) noexcept;
  ~Socket();

  int fd() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;
};

// Return what the host's name or number stands for, at least one: IPv4 and IPv6 numbers as they are, names as
// the system knows them, which a static build does not ask. Throws std::runtime_error.
std::vector<Address> addresses_of(const std::string& host, int port);

// Return a socket that listens at exactly this address and never blocks. Throws std::system_error, or
// std::runtime_error for a host without an address.
Socket listen_at(const std::string& host, int port);

// Return a connection, or none with errno set; one of a port with itself, as happens to those who try a port
// of their own host at which nobody listens, is none.
Socket connect_to(const Address& address, Deadline deadline);

// Return the next connection, or none if there is none.
Socket accept_from(const Socket& listener);

// Notice within so many seconds when the other host is gone without a word; connections that carry data wait
// longer for what was sent to be taken, idle ones do not.
void notice_silence(const Socket& socket, int seconds);

// Send all bytes, or as many as arrive; false if the connection broke.
bool send_all(int fd, std::span<const std::byte> bytes, int flags = 0);
bool send_all(int fd, const std::string& text);

// Fill all of the bytes; false if the connection ended before.
bool receive_all(int fd, std::span<std::byte> bytes);

// Return the numeric address of the other end, or "an unknown address".
std::string peer_of(const Socket& socket);

}  // namespace tinygpt
