// The agent itself, as ssh starts it: its bytes come and go through two pipes.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/hosts/protocol.h"
#include "temporary.h"

namespace gate::agent {

using namespace std::chrono_literals;

// Poll until it holds; far beyond what it takes.
template <class Holds>
bool wait_for(const Holds& holds) {
  const auto end = SteadyClock::now() + 60s;
  while (!holds() && SteadyClock::now() < end) std::this_thread::sleep_for(2ms);
  return holds();
}

// A program with pipes at its standard input and output.
class Piped {
 public:
  Piped(const std::vector<std::string>& words, const std::vector<std::pair<std::string, std::string>>& env) {
    std::array<int, 2> in{}, out{};
    if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      for (const auto& [name, value] : env) ::setenv(name.c_str(), value.c_str(), 1);
      std::vector<char*> argv;
      for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
      argv.push_back(nullptr);
      ::execv(argv[0], argv.data());
      ::_exit(99);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }
  Piped(const Piped&) = delete;
  Piped& operator=(const Piped&) = delete;
  ~Piped() {
    end_input();
    ::close(from_);
    exit_code();
  }

  void say(std::string_view bytes) const {
    EXPECT_EQ(::write(to_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void end_input() {
    if (to_ >= 0) ::close(std::exchange(to_, -1));
  }

  // Return what comes next; "" at the end.
  std::string read() const {
    std::array<char, 65536> block;
    const ssize_t count = ::read(from_, block.data(), block.size());
    return count > 0 ? std::string(block.data(), static_cast<std::size_t>(count)) : "";
  }
  std::string read_line() const {
    std::string line;
    for (char c = 0; ::read(from_, &c, 1) == 1 && c != '\n';) line += c;
    return line;
  }
  std::string read_all() const {
    std::string all;
    for (std::string more = read(); !more.empty(); more = read()) all += more;
    return all;
  }

  // Wait for its end.
  int exit_code() {
    int status = 0;
    if (pid_ > 0 && ::waitpid(std::exchange(pid_, -1), &status, 0) > 0)
      code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return code_;
  }

 private:
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1, code_ = -1;
};

class Agents : public Temporary {
 protected:
  Agents() {
    std::filesystem::create_directories(root / "far");
    std::error_code error;
    std::filesystem::create_hard_link(GATE_AGENT, agent(), error);
    if (error) std::filesystem::copy_file(GATE_AGENT, agent());
  }

  // No session is left, and no sanitizer had to say anything of an agent.
  void TearDown() override {
    EXPECT_TRUE(wait_for([&] { return !has_sessions(); }));
    for (const auto& entry : std::filesystem::directory_iterator(root))
      if (entry.path().filename().string().starts_with("sanitizer"))
        ADD_FAILURE() << *fs::read_file(entry.path());
  }

  fs::Path agent() const { return root / "far" / "gate-agent-test"; }
  fs::Path session_folder() const { return root / "far" / "sessions" / "5e55"; }
  bool has_sessions() const {
    std::error_code error;
    return std::filesystem::directory_iterator(root / "far" / "sessions", error) !=
           std::filesystem::directory_iterator();
  }

  std::unique_ptr<Piped> start(std::vector<std::string> words) const {
    words.insert(words.begin(), agent().string());
    const std::string log = "log_path=" + (root / "sanitizer").string();
    return std::make_unique<Piped>(words, std::vector<std::pair<std::string, std::string>>{
                                              {"GATE_LEASE_DIR", (root / "leases").string()},
                                              {"ASAN_OPTIONS", log},
                                              {"UBSAN_OPTIONS", log},
                                              {"TSAN_OPTIONS", log}});
  }

  launch::Command bash(const std::string& text, const std::string& name) const {
    launch::Command command;
    command.argv = {"bash", "-c", text};
    command.cwd = root.string();
    command.cookie = root.filename().string() + "." + name;
    return command;
  }
};

// A connection to a session.
class Connected {
 public:
  explicit Connected(std::unique_ptr<Piped> pipes) : pipes_(std::move(pipes)), first_(pipes_->read_line()) {}

  const std::string& first_line() const { return first_; }
  Piped& pipes() { return *pipes_; }

  void say(const hosts::Frame& message) const { pipes_->say(hosts::encode(message)); }

  // Return the next message; nothing at the end, or where what comes is none.
  std::optional<hosts::Frame> next() {
    std::optional<hosts::Frame> message = reader_.next();
    for (std::string more; !message && !reader_.is_broken(); message = reader_.next()) {
      more = pipes_->read();
      if (more.empty()) return std::nullopt;
      reader_.feed(more);
    }
    return message;
  }

  // Ask, and return what the reply holds behind its id: `ok` or `fail`, and words. Other messages are kept.
  hosts::Frame ask(const hosts::Frame& words) {
    const std::string id = std::to_string(++asked_);
    hosts::Frame message{"ask", id};
    message.insert(message.end(), words.begin(), words.end());
    say(message);
    while (std::optional<hosts::Frame> reply = next()) {
      if (reply->front() == "reply" && reply->at(1) == id) return {reply->begin() + 2, reply->end()};
      take(*reply);
    }
    return {};
  }

  hosts::Frame start(const std::string& job, const launch::Command& command) {
    hosts::Frame words{"start", job, "5000"};
    hosts::add(words, command);
    return ask(words);
  }

  // Take messages, and acknowledge output, until nothing is left of the job. Returns how it ended.
  std::optional<Outcome> end_of(const std::string& job) {
    while (!states[job].empty) {
      const std::optional<hosts::Frame> message = next();
      if (!message) return std::nullopt;
      take(*message);
    }
    return states[job].ended;
  }

  // Take what comes until the connection ends.
  void read_to_end() {
    while (const std::optional<hosts::Frame> message = next()) take(*message);
  }

  // Say that gate is there until the job has printed something.
  void ping_until_output(const std::string& job) {
    while (outputs[job].empty()) {
      say({"ping"});
      const std::optional<hosts::Frame> message = next();
      ASSERT_TRUE(message);
      take(*message);
    }
  }

  void wait_for_output(const std::string& job, const std::string& text) {
    while (outputs[job].find(text) == std::string::npos) {
      const std::optional<hosts::Frame> message = next();
      ASSERT_TRUE(message) << outputs[job];
      take(*message);
    }
  }

  std::map<std::string, std::string> outputs;
  std::map<std::string, hosts::ProcessState> states;

 private:
  void take(const hosts::Frame& message) {
    hosts::WordReader words(message, 1);
    const std::string job = words.text();
    if (message.front() == "state") states[job] = hosts::read_state(words);
    if (message.front() != "output") return;
    const auto from = static_cast<std::size_t>(words.number());
    std::string& output = outputs[job];
    ASSERT_LE(from, output.size()) << "a hole in the output";
    output.resize(from);
    output += words.text();
    say({"ack", job, std::to_string(output.size())});
  }

  std::unique_ptr<Piped> pipes_;
  std::string first_;
  hosts::FrameReader reader_;
  int asked_ = 0;
};

}  // namespace gate::agent
