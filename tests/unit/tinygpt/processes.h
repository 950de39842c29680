// Trainings in processes of their own, as main() runs them.
#pragma once

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "trainer/log_lines.h"
#include "trainer/options.h"
#include "trainer/parameters.h"
#include "trainer/socket.h"
#include "trainer/trainer.h"

namespace tinygpt {

inline constexpr ModelShape kTiny{
    .vocabulary = 32, .context = 16, .width = 16, .heads = 2, .layers = 1, .batch = 2};
inline constexpr int kEndless = 1'000'000;
inline constexpr unsigned kPatience =
    100;  // seconds until a node that hangs is ended, for the test to be red

inline Deadline patience() { return std::chrono::steady_clock::now() + std::chrono::seconds(kPatience); }

// A port of this address that nobody else is given while it lives.
class Port {
 public:
  explicit Port(const char* host) : address_(addresses_of(host, 0).front()) {
    const int one = 1;
    setsockopt(holder_.fd(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    auto* const name = reinterpret_cast<sockaddr*>(&address_.storage);
    if (bind(holder_.fd(), name, address_.length) != 0 ||
        getsockname(holder_.fd(), name, &address_.length) != 0)
      throw std::runtime_error("no free port");
  }

  const Address& address() const { return address_; }
  int number() const { return ntohs(reinterpret_cast<const sockaddr_in&>(address_.storage).sin_port); }

 private:
  Address address_;
  Socket holder_{socket(address_.storage.ss_family, SOCK_STREAM, 0)};
};

inline std::string all_of(int fd) {
  std::string all;
  std::array<char, 4096> block;
  for (ssize_t n = 0; (n = read(fd, block.data(), block.size())) > 0;)
    all.append(block.data(), static_cast<std::size_t>(n));
  return all;
}

// A node in a process of its own, as main() runs it.
class Node {
 public:
  explicit Node(const Options& options) : Node([=](int log) { return train(options, kTiny, log); }) {}

  // With `ahead` the log takes no more than so many bytes that nobody has read, in whole pages: a node that
  // prints waits then.
  explicit Node(const std::function<int(int log)>& work, int ahead = 0) {
    int log[2];
    if (pipe(log) != 0) throw std::runtime_error("no pipe");
    if (ahead > 0) fcntl(log[0], F_SETPIPE_SZ, ahead);
    log_ = Socket(log[0]);
    const Socket write_end(log[1]);
    pid_ = fork();
    if (pid_ == 0) be(work, write_end.fd());
  }

  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node() {
    if (pid_ > 0) end();
    std::fclose(errors_);
  }

  // Read the log until this stands in it; false if the node ends before.
  bool has_said(const std::string& words) {
    char c = 0;
    while (said_.find(words) == said_.npos && read(log_.fd(), &c, 1) == 1) said_ += c;
    return said_.find(words) != said_.npos;
  }

  // Read one line more of the log; false if the node ends before.
  bool says_a_line() {
    char c = 0;
    while (c != '\n' && read(log_.fd(), &c, 1) == 1) said_ += c;
    return c == '\n';
  }

  // Send the signal to its launcher.
  void signal(int number) const { kill(pid_, number); }

  void end() {
    signal(SIGKILL);
    code();
  }

  // Wait until all of its processes have ended; return the exit code of the launcher, 128 + a signal.
  int code() {
    said_ += all_of(log_.fd());
    int status = 0;
    waitpid(std::exchange(pid_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  const std::string& log() const { return said_; }

  std::string errors() const {
    lseek(fileno(errors_), 0, SEEK_SET);
    return all_of(fileno(errors_));
  }

 private:
  [[noreturn]] void be(const std::function<int(int log)>& work, int log) {
    alarm(kPatience);
    dup2(fileno(errors_), STDERR_FILENO);
    try {
      _exit(work(log));
    } catch (const std::exception& error) {
      write_line(STDERR_FILENO, std::string("tinygpt: ") + error.what());
      _exit(1);
    }
  }

  Socket log_;
  std::FILE* errors_ = std::tmpfile();
  pid_t pid_ = 0;
  std::string said_;
};

inline Options node_of(const Port& port, int node, Options options = {}) {
  options.node = node;
  options.master_addr = "127.0.0.1";
  options.master_port = port.number();
  return options;
}

}  // namespace tinygpt
