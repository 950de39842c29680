#include "trainer/nodes.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "trainer/hello.h"

namespace tinygpt {
namespace {

struct Header {
  std::uint64_t mark = 0x7470'6779'6e69'7431;
  std::uint64_t bytes = 0;

  bool operator==(const Header&) const = default;
};

std::vector<Link> links_of(const Options& options, const std::string& terms) {
  return options.node == 0 ? gather_nodes(options, terms) : reach_first_node(options, terms);
}

// The launcher sees that the link is closed, and so does the other node.
[[noreturn]] void close_and_sleep(const Link& link) {
  shutdown(link.control.fd(), SHUT_RDWR);
  for (;;) pause();
}

void wait_for_any(const std::vector<int>& fds) {
  std::vector<pollfd> polled;
  for (const int fd : fds) polled.push_back({fd, POLLIN, 0});
  poll(polled.data(), polled.size(), -1);
}

}  // namespace

Nodes::Nodes(const Options& options, const ModelShape& shape)
    : count_(options.nodes),
      own_(options.node),
      links_(links_of(options, terms_of(options, shape))),
      is_done_(links_.size(), false) {
  for (const Link& link : links_) {
    if (!link.control) continue;
    watched_.push_back(link.control.fd());
    notice_silence(link.control, options.silence_limit);
    notice_silence(link.data, options.silence_limit);
  }
}

void Nodes::send(int node, std::span<const std::byte> bytes) const {
  const Header header{.bytes = bytes.size()};
  const int fd = link(node).data.fd();
  if (!send_all(fd, std::as_bytes(std::span(&header, 1)), bytes.empty() ? 0 : MSG_MORE) ||
      !send_all(fd, bytes))
    close_and_sleep(link(node));
}

void Nodes::receive(int node, std::span<std::byte> bytes) const {
  Header header;
  const int fd = link(node).data.fd();
  if (!receive_all(fd, std::as_writable_bytes(std::span(&header, 1))) ||
      header != Header{.bytes = bytes.size()} || !receive_all(fd, bytes))
    close_and_sleep(link(node));
}

void Nodes::meet() const {
  if (!is_first()) {
    send(0, {});
    receive(0, {});
    return;
  }
  for (int node = 1; node < count_; ++node) receive(node, {});
  for (int node = 1; node < count_; ++node) send(node, {});
}

std::optional<int> Nodes::lost() {
  for (std::size_t node = 0; node < links_.size(); ++node)
    if (links_[node].control)
      if (const auto lost = hear(node)) return tell(*lost);
  return std::nullopt;
}

// All others are done before node 0 says so; and nobody closes a link before, so that one which is closed
// earlier is lost.
std::optional<int> Nodes::part() {
  if (!is_first()) say(links_[0], kDone);
  while (!all_done()) {
    wait_for_any(watched_);
    if (const auto node = lost()) return node;
  }
  if (is_first())
    for (int node = 1; node < count_; ++node) say(link(node), kDone);
  return std::nullopt;
}

bool Nodes::all_done() const {
  return std::all_of(is_done_.begin() + (is_first() ? 1 : 0), is_done_.end(), [](bool done) { return done; });
}

// Return the node that is lost: that whose link is closed or says what it should not, or the one it tells of.
std::optional<int> Nodes::hear(std::size_t node) {
  unsigned char byte = 0;
  const ssize_t received = recv(links_[node].control.fd(), &byte, 1, MSG_DONTWAIT);
  if (received < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  if (received == 1 && byte == kDone && !is_done_[node]) {
    is_done_[node] = true;
    return std::nullopt;
  }
  const bool tells = received == 1 && !is_first() && byte > 0 && byte < count_ && byte != own_;
  return tells ? byte : static_cast<int>(node);
}

int Nodes::tell(int lost) const {
  for (int node = 1; is_first() && node < count_; ++node)
    if (node != lost) say(link(node), static_cast<unsigned char>(lost));
  return lost;
}

}  // namespace tinygpt
