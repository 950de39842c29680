#include "trainer/rendezvous.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>

#include "trainer/hello.h"
#include "trainer/log_lines.h"

namespace tinygpt {
namespace {

constexpr std::string_view kWelcome = "welcome";
constexpr std::string_view kRefused = "refused: ";
constexpr std::size_t kMostStrangers = 64;  // who have not said who they are; more push out the oldest
constexpr int kMostComplaints = 8;
constexpr auto kBetweenTries = std::chrono::milliseconds(50);

Deadline deadline_of(const Options& options) {
  return std::chrono::steady_clock::now() + std::chrono::seconds(options.connect_limit);
}

std::string within(const Options& options) {
  return " within " + std::to_string(options.connect_limit) + " s";
}

// The start of a connection: bytes until the end of a line.
class FirstLine {
 public:
  enum class State { open, whole, broken };

  // Take what has come of the line, and nothing behind it; broken are an end before that of the line and a
  // line that is too long.
  State take(int fd) {
    std::array<char, kLongestLine> bytes;
    const ssize_t seen = recv(fd, bytes.data(), kLongestLine - text_.size(), MSG_DONTWAIT | MSG_PEEK);
    if (seen < 0 && (errno == EAGAIN || errno == EINTR)) return State::open;
    if (seen <= 0) return State::broken;
    const std::string_view fresh(bytes.data(), static_cast<std::size_t>(seen));
    const std::size_t end = fresh.find('\n');
    text_ += fresh.substr(0, end);
    recv(fd, bytes.data(), end == fresh.npos ? fresh.size() : end + 1, MSG_DONTWAIT);
    if (end != fresh.npos) return State::whole;
    return text_.size() < kLongestLine ? State::open : State::broken;
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

struct Stranger {
  Socket socket;
  FirstLine line;
};

// Node 0 while the others come.
class Meeting {
 public:
  Meeting(const Options& options, const std::string& terms)
      : options_(options),
        terms_(terms),
        deadline_(deadline_of(options)),
        listener_(listen_at(options.master_addr, options.master_port)),
        links_(static_cast<std::size_t>(options.nodes)) {}

  std::vector<Link> run() {
    while (const int missing = first_missing()) {
      if (!something_happens()) fail(missing, "did not come" + within(options_));
      if (const int gone = first_gone()) fail(gone, "was lost before all nodes had come");
      hear_strangers();
      while (Socket socket = accept_from(listener_)) take_in(std::move(socket));
    }
    return std::move(links_);
  }

 private:
  // 0 if nobody is missing.
  int first_missing() const {
    for (int node = 1; node < options_.nodes; ++node)
      if (!link(node).control || !link(node).data) return node;
    return 0;
  }

  bool something_happens() const {
    std::vector<pollfd> fds{{listener_.fd(), POLLIN, 0}};
    for (const Stranger& stranger : strangers_) fds.push_back({stranger.socket.fd(), POLLIN, 0});
    for (const Link& link : links_) fds.push_back({link.control.fd(), POLLIN, 0});  // -1 is passed over
    int ready = 0;
    while ((ready = poll(fds.data(), fds.size(), milliseconds_until(deadline_))) < 0 && errno == EINTR) {
    }
    return ready > 0;
  }

  // A node has nothing to say before all have come. 0 if nobody is gone.
  int first_gone() const {
    for (int node = 1; node < options_.nodes; ++node) {
      pollfd control{link(node).control.fd(), POLLIN, 0};
      if (control.fd >= 0 && poll(&control, 1, 0) > 0) return node;
    }
    return 0;
  }

  void hear_strangers() {
    std::deque<Stranger> left;
    for (Stranger& stranger : strangers_) {
      const auto state = stranger.line.take(stranger.socket.fd());
      if (state == FirstLine::State::broken)
        complain(stranger.socket, "it says no whole line");
      else if (state == FirstLine::State::whole)
        judge(std::move(stranger));
      else
        left.push_back(std::move(stranger));
    }
    strangers_ = std::move(left);
  }

  void take_in(Socket socket) {
    if (strangers_.size() == kMostStrangers) strangers_.pop_front();
    strangers_.push_back({std::move(socket), {}});
  }

  void judge(Stranger stranger) {
    const auto heard = read_hello(terms_, stranger.line.text(), options_.nodes - 1);
    if (const auto* hello = std::get_if<Hello>(&heard))
      welcome(std::move(stranger.socket), *hello);
    else
      refuse(stranger.socket, std::get<std::string>(heard));
  }

  void welcome(Socket socket, const Hello& hello) {
    Link& link = links_[static_cast<std::size_t>(hello.node)];
    Socket& place = hello.channel == Channel::control ? link.control : link.data;
    if (place) return refuse(socket, "node " + std::to_string(hello.node) + " has come already");
    send_all(socket.fd(), std::string(kWelcome) + "\n");
    place = std::move(socket);
  }

  void refuse(const Socket& socket, const std::string& why) {
    send_all(socket.fd(), std::string(kRefused) + why + "\n");
    complain(socket, why);
  }

  void complain(const Socket& socket, const std::string& why) {
    if (complaints_++ < kMostComplaints)
      write_line(STDERR_FILENO, "tinygpt: refused a connection from " + peer_of(socket) + ": " + why);
  }

  [[noreturn]] void fail(int node, const std::string& what) const {
    for (const Link& link : links_)
      if (link.control) say(link, static_cast<unsigned char>(node));
    throw std::runtime_error("node " + std::to_string(node) + " " + what);
  }

  const Link& link(int node) const { return links_[static_cast<std::size_t>(node)]; }

  const Options& options_;
  const std::string& terms_;
  const Deadline deadline_;
  const Socket listener_;
  std::vector<Link> links_;
  std::deque<Stranger> strangers_;
  int complaints_ = 0;
};

// Another node on its way to node 0.
class Approach {
 public:
  Approach(const Options& options, const std::string& terms)
      : options_(options),
        terms_(terms),
        deadline_(deadline_of(options)),
        addresses_(addresses_of(options.master_addr, options.master_port)) {}

  Socket introduce(Channel channel) {
    for (;; wait_a_little()) {
      Socket socket = connect_once();
      if (!socket || !send_all(socket.fd(), hello_line(terms_, {options_.node, channel}))) continue;
      const auto answer = answer_on(socket);
      if (answer == kWelcome) return socket;
      if (answer) refused(*answer);
    }
  }

 private:
  Socket connect_once() {
    for (const Address& address : addresses_) {
      if (Socket socket = connect_to(address, deadline_)) return socket;
      why_ = std::strerror(errno);
    }
    return Socket();
  }

  // Return nothing if the connection ends before its first line does.
  std::optional<std::string> answer_on(const Socket& socket) {
    FirstLine line;
    auto state = FirstLine::State::open;
    for (pollfd answer{socket.fd(), POLLIN, 0}; state == FirstLine::State::open;
         state = line.take(socket.fd()))
      if (poll(&answer, 1, milliseconds_until(deadline_)) == 0) give_up("it does not answer");
    why_ = "it closed the connection";
    return state == FirstLine::State::whole ? std::optional(line.text()) : std::nullopt;
  }

  [[noreturn]] static void refused(std::string_view answer) {
    if (!answer.starts_with(kRefused) || !is_printable(answer))
      throw std::runtime_error("what listens at --master-addr and --master-port is not node 0 of a tinygpt");
    throw std::runtime_error("node 0 refused this node: " + std::string(answer.substr(kRefused.size())));
  }

  void wait_a_little() {
    if (milliseconds_until(deadline_) == 0) give_up(why_);
    std::this_thread::sleep_for(kBetweenTries);
  }

  [[noreturn]] void give_up(const std::string& why) const {
    throw std::runtime_error("node 0 at " + options_.master_addr + ", port " +
                             std::to_string(options_.master_port) + ", was not reached" + within(options_) +
                             ": " + why);
  }

  const Options& options_;
  const std::string& terms_;
  const Deadline deadline_;
  const std::vector<Address> addresses_;
  std::string why_;
};

}  // namespace

std::vector<Link> gather_nodes(const Options& options, const std::string& terms) {
  return Meeting(options, terms).run();
}

std::vector<Link> reach_first_node(const Options& options, const std::string& terms) {
  Approach approach(options, terms);
  std::vector<Link> links(1);
  links[0].control = approach.introduce(Channel::control);
  links[0].data = approach.introduce(Channel::data);
  return links;
}

void say(const Link& link, unsigned char byte) {
  send_all(link.control.fd(), std::as_bytes(std::span(&byte, 1)));
}

}  // namespace tinygpt
