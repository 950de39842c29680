#include "agent/session.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <thread>

#include "agent/agent_script.h"
#include "agent/files.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/devices/discover.h"
#include "gate/devices/ports.h"
#include "gate/hosts/protocol.h"
#include "gate/hosts/wake_up.h"
#include "gate/launch/guard.h"
#include "gate/launch/tool.h"

namespace gate::agent {

namespace {

using hosts::add;
using hosts::encode;
using hosts::Frame;
using hosts::read_command;
using hosts::read_force;
using hosts::read_holder;
using hosts::read_signal;
using hosts::WordReader;

constexpr Duration lease_look{1000};
constexpr Duration touch_every = std::chrono::hours(1);
constexpr unsigned longest_end = 6;  // in seconds
constexpr std::size_t most_unsent = std::size_t{4} << 20;

volatile std::sig_atomic_t was_told_to_end = 0;

Frame good(const std::string& id) { return {"reply", id, "ok"}; }
Frame bad(const std::string& id, const std::string& why) { return {"reply", id, "fail", why}; }

Frame yes_or_no(const std::string& id, bool yes) {
  Frame reply = good(id);
  reply.emplace_back(yes ? "1" : "0");
  return reply;
}

hosts::Hello hello(const fs::Path& folder) {
  hosts::Hello hello{launch::read_host(), devices::lease_folder(), folder.string(), {}};
  for (const char* vendor : {"ascend", "nvidia", "amd"}) {
    const std::string name = devices::selection_variable(vendor);
    if (const auto value = variable_if_set(name.c_str())) hello.variables[name] = *value;
  }
  for (const char* name : {"ASCEND_PROCESS_LOG_PATH", "SSH_CONNECTION"})
    if (const auto value = variable_if_set(name)) hello.variables[name] = *value;
  return hello;
}

class Session {
 public:
  Session(int listening, fs::Path folder, Duration lost_after)
      : listening_(listening), folder_(std::move(folder)), lost_after_(lost_after) {
    if (Result<devices::FolderLeases> leases =
            devices::FolderLeases::open(devices::lease_folder(), launch::keep_open_with_guard))
      leases_ = std::make_unique<devices::FolderLeases>(std::move(*leases));
    else
      lease_trouble_ = leases.error().message;
  }

  // What hangs in a call of the system holds nobody: the alarm kills this process, and its guard the rest.
  ~Session() {
    ::alarm(longest_end);
    is_ending_ = true;
    for (const auto& [name, job] : jobs_) job->stop(launch::Force::kill);
    jobs_.clear();
    for (Tool& tool : tools_) tool.thread.join();
    if (connection_ >= 0) ::close(connection_);
  }

  void run() {
    while (!said_goodbye_ && was_told_to_end == 0 && !launch::guard_is_gone() &&
           since(heard_) < lost_after_) {
      wait();
      accept();
      receive();
      collect();
      look_after_leases();
      show_life();
      send();
    }
  }

 private:
  struct Tool {
    std::thread thread;
    std::shared_ptr<std::pair<std::mutex, std::optional<Frame>>> answer;
  };

  void wait() {
    const bool writes = connection_ >= 0 && !unsent_.empty();
    std::array<pollfd, 3> fds{{{listening_, POLLIN, 0},
                               {wake_.fd(), POLLIN, 0},
                               {connection_, static_cast<short>(writes ? POLLIN | POLLOUT : POLLIN), 0}}};
    const Duration limit = std::clamp(lost_after_ - since(heard_), Duration{1}, lease_look);
    ::poll(fds.data(), fds.size(), static_cast<int>(limit.count()));
    wake_.answer();
    is_called_ = fds[0].revents != 0;
  }

  void accept() {
    if (!is_called_) return;
    const int socket = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) return;
    drop();
    connection_ = socket;
    heard_ = SteadyClock::now();
    Frame message{"hello"};
    add(message, hello(folder_));
    unsent_ += encode(message);
  }

  void drop() {
    if (connection_ >= 0) ::close(connection_);
    connection_ = -1;
    reader_ = {};
    unsent_.clear();
  }

  void receive() {
    std::array<char, 65536> block;
    while (connection_ >= 0) {
      const ssize_t count = ::read(connection_, block.data(), block.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return;
      if (count <= 0) return drop();
      heard_ = SteadyClock::now();
      reader_.feed({block.data(), static_cast<std::size_t>(count)});
      while (const std::optional<Frame> message = reader_.next()) obey(*message);
      if (reader_.is_broken()) return drop();
    }
  }

  void send() {
    while (connection_ >= 0 && !unsent_.empty()) {
      const ssize_t count = ::send(connection_, unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return;
      if (count < 0) return drop();
      unsent_.erase(0, static_cast<std::size_t>(count));
    }
  }

  static std::optional<Frame> answer_of(const Tool& tool) {
    const std::lock_guard lock(tool.answer->first);
    return tool.answer->second;
  }

  // Answers of tools, and news of jobs as far as the connection takes them.
  void collect() {
    for (auto tool = tools_.begin(); tool != tools_.end();) {
      const std::optional<Frame> answer = answer_of(*tool);
      if (!answer) {
        ++tool;
        continue;
      }
      unsent_ += encode(*answer);
      tool->thread.join();  // it has nothing left to do
      tool = tools_.erase(tool);
    }
    const std::vector<Frame> of_files = files_.answers();
    if (connection_ < 0) return;  // they are asked for again
    for (const Frame& answer : of_files) unsent_ += encode(answer);
    for (const auto& [name, job] : jobs_)
      if (unsent_.size() < most_unsent)
        for (const Frame& message : job->news()) unsent_ += encode(message);
  }

  void look_after_leases() {
    if (!leases_ || since(leases_seen_) < lease_look) return;
    leases_seen_ = SteadyClock::now();
    for (const devices::Leases::Displaced& displaced : leases_->retake()) {
      Frame message{"lease"};
      add(message, displaced);
      unsent_ += encode(message);
    }
  }

  // See tidy_up().
  void show_life() {
    if (since(shown_) < touch_every) return;
    shown_ = SteadyClock::now();
    ::utimensat(AT_FDCWD, folder_.c_str(), nullptr, 0);
  }

  void obey(const Frame& message) {
    WordReader words(message);
    const std::string verb = words.text();
    if (verb == "ping") unsent_ += encode({"pong"});
    if (verb == "bye") said_goodbye_ = true;
    if (verb == "ack" || verb == "attach") {
      const auto job = jobs_.find(words.text());
      const std::int64_t size = words.number();
      if (job == jobs_.end()) return;
      verb == "ack" ? job->second->acknowledge(size) : job->second->send_again(size);
    }
    if (verb != "ask") return;
    const std::string id = words.text(), asked = words.text();
    if (HostedFiles::knows(asked)) return files_.ask(message);
    if (const std::optional<Frame> answer = answer_to(id, asked, words))
      unsent_ += encode(words.is_good() ? *answer : bad(id, "its words are malformed"));
  }

  // Nothing where the answer comes later.
  std::optional<Frame> answer_to(const std::string& id, const std::string& verb, WordReader& words) {
    if (verb == "tool") return ask_tool(id, words);
    if (verb == "start") return start(id, words);
    if (verb == "take" || verb == "give" || verb == "holder") return lease(id, verb, words);
    if (verb == "port") return yes_or_no(id, devices::is_free(words.small()));
    return of_job(id, verb, words);
  }

  std::optional<Frame> ask_tool(const std::string& id, WordReader& words) {
    const Duration limit = words.time();
    const std::vector<std::string> argv = words.rest();
    if (argv.empty() || !words.is_good()) return bad(id, "no program is named");
    auto answer = std::make_shared<std::pair<std::mutex, std::optional<Frame>>>();
    const Cut cut{.stop = [this] { return std::string(is_ending_ ? "the session ends" : ""); }};
    tools_.push_back({std::thread([this, id, limit, argv, answer, cut] {
                        Frame reply = good(id);
                        add(reply, launch::ask_tool(argv, cut.bounded(limit)));
                        {
                          const std::lock_guard lock(answer->first);
                          answer->second = std::move(reply);
                        }
                        wake_.call();
                      }),
                      answer});
    return std::nullopt;
  }

  // Asked twice, it is started once.
  Frame start(const std::string& id, WordReader& words) {
    const std::string name = words.text();
    const Duration gone_within = words.time();
    launch::Command command = read_command(words);
    if (words.is_good() && !jobs_.contains(name))
      jobs_[name] =
          std::make_unique<HostedJob>(name, std::move(command), gone_within, [this] { wake_.call(); });
    return good(id);
  }

  Frame of_job(const std::string& id, const std::string& verb, WordReader& words) {
    const auto job = jobs_.find(words.text());
    if (job == jobs_.end()) return verb == "forget" ? good(id) : bad(id, "there is no such script");
    Frame reply = good(id);
    if (verb == "stop")
      job->second->stop(read_force(words));
    else if (verb == "forget")
      jobs_.erase(job);
    else if (verb == "left" || verb == "evidence")
      for (const std::string& line : verb == "left" ? job->second->left() : job->second->evidence())
        reply.push_back(line);
    else if (verb == "signal")
      return signal(id, *job->second, words);
    else if (verb == "fingerprint")
      add(reply, job->second->fingerprint());
    else
      return bad(id, "the agent does not know the word " + verb);
    return reply;
  }

  static Frame signal(const std::string& id, HostedJob& job, WordReader& words) {
    const std::optional<launch::Signal> signal = read_signal(words);
    const std::string whose = words.text();
    const std::optional<std::int64_t> rank = parse_integer(whose);
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    if (!signal || (!rank && whose != "all") || rank.value_or(0) < 0 || rank.value_or(0) > most)
      return bad(id, "its words are malformed");
    Frame reply = good(id);
    reply.push_back(
        std::to_string(job.signal(*signal, rank ? std::optional(static_cast<int>(*rank)) : std::nullopt)));
    return reply;
  }

  Frame lease(const std::string& id, const std::string& verb, WordReader& words) {
    if (!leases_) return bad(id, lease_trouble_);
    const std::string name = words.text();
    if (verb == "give") {
      leases_->give_back(name);
      return good(id);
    }
    const Result<std::optional<devices::Holder>> holder =
        verb == "take" ? leases_->take(name, read_holder(words)) : leases_->holder(name);
    if (!holder) return bad(id, holder.error().message);
    Frame reply = yes_or_no(id, holder->has_value());
    if (*holder) add(reply, **holder);
    return reply;
  }

  const int listening_;
  const fs::Path folder_;
  const Duration lost_after_;
  const hosts::WakeUp wake_;
  int connection_ = -1;
  bool is_called_ = false;  // somebody connects
  bool said_goodbye_ = false;
  SteadyClock::time_point heard_ = SteadyClock::now();
  SteadyClock::time_point leases_seen_{};
  SteadyClock::time_point shown_ = SteadyClock::now();
  hosts::FrameReader reader_;
  std::string unsent_;
  std::unique_ptr<devices::FolderLeases> leases_;
  std::string lease_trouble_;
  std::map<std::string, std::unique_ptr<HostedJob>> jobs_;
  std::list<Tool> tools_;
  std::atomic<bool> is_ending_ = false;
  HostedFiles files_{folder_, [this] { wake_.call(); }};
};

}  // namespace

// TERM comes from the system, too, when the guard is killed.
void serve(int listening, const fs::Path& folder, Duration lost_after) {
  std::signal(SIGTERM, [](int) { was_told_to_end = 1; });
  Session(listening, folder, lost_after).run();
}

}  // namespace gate::agent
