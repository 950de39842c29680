#include "trainer/socket.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace tinygpt {
namespace {

constexpr int kBacklog = 128;

template <class Sockaddr>
Address address_of(const Sockaddr& sockaddr) {
  Address address;
  std::memcpy(&address.storage, &sockaddr, sizeof sockaddr);
  address.length = sizeof sockaddr;
  return address;
}

std::optional<Address> numeric(const std::string& host, int port) {
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(static_cast<std::uint16_t>(port));
  if (inet_pton(AF_INET, host.c_str(), &four.sin_addr) == 1) return address_of(four);
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(static_cast<std::uint16_t>(port));
  if (inet_pton(AF_INET6, host.c_str(), &six.sin6_addr) == 1) return address_of(six);
  return std::nullopt;
}

#ifdef TINYGPT_STATIC
std::vector<Address> named(const std::string& host, int) {
  throw std::runtime_error("'" + host + "' is no numeric address, and a static build knows no names");
}
#else
std::vector<Address> named(const std::string& host, int port) {
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
  if (error != 0) throw std::runtime_error("no address of '" + host + "': " + gai_strerror(error));
  std::vector<Address> all;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    all.emplace_back().length = one->ai_addrlen;
    std::memcpy(&all.back().storage, one->ai_addr, one->ai_addrlen);
  }
  freeaddrinfo(found);
  return all;
}
#endif

const sockaddr* generic(const Address& address) {
  return reinterpret_cast<const sockaddr*>(&address.storage);
}

Socket open_for(const Address& address) {
  Socket socket(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) throw std::system_error(errno, std::generic_category(), "cannot make a socket");
  return socket;
}

void set_blocking(const Socket& socket, bool blocks) {
  const int flags = fcntl(socket.fd(), F_GETFL);
  fcntl(socket.fd(), F_SETFL, blocks ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

void set_option(const Socket& socket, int level, int name, int value) {
  setsockopt(socket.fd(), level, name, &value, sizeof value);
}

bool listens(const Socket& socket, const Address& address) {
  set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1);
  set_blocking(socket, false);
  return bind(socket.fd(), generic(address), address.length) == 0 && listen(socket.fd(), kBacklog) == 0;
}

using NameOf = int (*)(int, sockaddr*, socklen_t*);

Address end_of(const Socket& socket, NameOf name_of) {
  Address address;
  address.length = sizeof address.storage;
  if (name_of(socket.fd(), reinterpret_cast<sockaddr*>(&address.storage), &address.length) != 0)
    address.length = 0;
  return address;
}

bool is_with_itself(const Socket& socket) {
  const Address near = end_of(socket, getsockname), far = end_of(socket, getpeername);
  return near.length == far.length && std::memcmp(&near.storage, &far.storage, near.length) == 0;
}

// Return 0, or why there is no connection.
int finish_connecting(const Socket& socket, Deadline deadline) {
  pollfd writable{socket.fd(), POLLOUT, 0};
  if (poll(&writable, 1, milliseconds_until(deadline)) <= 0) return ETIMEDOUT;
  int error = 0;
  socklen_t length = sizeof error;
  getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &error, &length);
  return error == 0 && is_with_itself(socket) ? ECONNREFUSED : error;
}

Socket ready(Socket socket) {
  set_blocking(socket, true);
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  return socket;
}

}  // namespace

int milliseconds_until(Deadline deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
  return static_cast<int>(std::clamp<decltype(left)>(left, 0, std::numeric_limits<int>::max()));
}

Socket::Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Socket::~Socket() {
  if (fd_ >= 0) close(fd_);
}

std::vector<Address> addresses_of(const std::string& host, int port) {
  if (const auto number = numeric(host, port)) return {*number};
  return named(host, port);
}

Socket listen_at(const std::string& host, int port) {
  for (const Address& address : addresses_of(host, port)) {
    Socket socket = open_for(address);
    if (listens(socket, address)) return socket;
  }
  throw std::system_error(errno, std::generic_category(),
                          "cannot listen at " + host + ", port " + std::to_string(port));
}

Socket connect_to(const Address& address, Deadline deadline) {
  Socket socket = open_for(address);
  set_blocking(socket, false);
  int error = connect(socket.fd(), generic(address), address.length) == 0 ? 0 : errno;
  if (error == 0 || error == EINPROGRESS || error == EINTR) error = finish_connecting(socket, deadline);
  if (error == 0) return ready(std::move(socket));
  socket = Socket();
  errno = error;
  return Socket();
}

Socket accept_from(const Socket& listener) {
  Socket socket(accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC));
  return socket ? ready(std::move(socket)) : Socket();
}

void notice_silence(const Socket& socket, int seconds) {
  constexpr int kProbes = 3;
  const int idle = std::max(1, seconds / 2), between = std::max(1, (seconds - idle) / kProbes);
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, idle);
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, between);
  set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, kProbes);
}

bool send_all(int fd, std::span<const std::byte> bytes, int flags) {
  while (!bytes.empty()) {
    const ssize_t sent = send(fd, bytes.data(), bytes.size(), flags | MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return false;
    if (sent > 0) bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

bool send_all(int fd, const std::string& text) { return send_all(fd, std::as_bytes(std::span(text))); }

bool receive_all(int fd, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t received = recv(fd, bytes.data(), bytes.size(), 0);
    if (received == 0 || (received < 0 && errno != EINTR)) return false;
    if (received > 0) bytes = bytes.subspan(static_cast<std::size_t>(received));
  }
  return true;
}

std::string peer_of(const Socket& socket) {
  const Address address = end_of(socket, getpeername);
  std::array<char, NI_MAXHOST> host{};
  const bool is_four = address.storage.ss_family == AF_INET;
  const void* const number =
      is_four ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in&>(address.storage).sin_addr)
              : &reinterpret_cast<const sockaddr_in6&>(address.storage).sin6_addr;
  if (address.length == 0 ||
      inet_ntop(address.storage.ss_family, number, host.data(), host.size()) == nullptr)
    return "an unknown address";
  return host.data();
}

}  // namespace tinygpt
