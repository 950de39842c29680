#include "agent/batch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <string>
#include <thread>

#include "agent/agent_script.h"
#include "agent/held_file.h"
#include "gate/base/tail.h"
#include "gate/base/variables.h"
#include "gate/devices/ports.h"
#include "gate/hosts/job_folder.h"
#include "gate/hosts/wake_up.h"
#include "gate/launch/guard.h"

namespace gate::agent {

namespace {

using hosts::JobFolder;
using hosts::NodeState;
using launch::Force;

constexpr int node_failed = 1;
constexpr Duration look_interval{100};
constexpr Duration master_limit = std::chrono::minutes(2);
constexpr Duration grace_of_engine{10000};  // between TERM and KILL, at least
constexpr Duration grace_of_launcher = grace_of_engine / 2;
constexpr int first_port = 29500, last_port = 29999;

volatile std::sig_atomic_t engine_says_end = 0;

// Slurm's name of the node, else the system's.
std::string host_name() {
  const std::string name = own_variable("SLURMD_NODENAME");
  return name.empty() ? launch::read_host().name : name;
}

// Of the devices that the engine gave this node, by the variable that says so.
std::string devices_given() {
  for (const char* name : {"SLURM_STEP_GPUS", "SLURM_JOB_GPUS", "ASCEND_RT_VISIBLE_DEVICES",
                           "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"})
    if (const std::string devices = own_variable(name); !devices.empty()) return devices;
  return "";
}

std::optional<int> free_port() {
  for (int port = first_port; port <= last_port; ++port)
    if (devices::is_free(port)) return port;
  return std::nullopt;
}

// The address by which Slurm itself reaches the job's first node.
std::string own_address() {
  const std::string address = own_variable("SLURM_LAUNCH_NODE_IPADDR");
  return address.empty() ? host_name() : address;
}

// Tells whether gate has been silent for too long: by changes of the file, not by its clock.
class Owner {
 public:
  Owner(fs::Path alive, Duration lost_after) : alive_(std::move(alive)), lost_after_(lost_after) {}

  // Tell, before anything was heard, whether it has been gone already: both times are the file system's own.
  bool was_gone(const fs::Path& written_now) const {
    const FileState then = state_of(alive_), now = state_of(written_now);
    return then.written == 0 || now.written - then.written > std::chrono::nanoseconds(lost_after_).count();
  }

  bool is_gone() {
    const std::int64_t written = state_of(alive_).written;
    if (written != written_) heard_ = SteadyClock::now();
    written_ = written;
    return since(heard_) >= lost_after_;
  }

 private:
  fs::Path alive_;
  Duration lost_after_;
  std::int64_t written_ = 0;
  SteadyClock::time_point heard_ = SteadyClock::now();
};

class BatchNode {
 public:
  BatchNode(const fs::Path& folder, std::size_t node, hosts::JobCommand job)
      : folder_(folder),
        node_(node),
        job_(std::move(job)),
        owner_(folder_.alive(), job_.lost_after),
        log_(::open(folder_.log(node).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR)) {
    state_.host = host_name();
    state_.devices = devices_given();
  }

  int run() {
    if (!log_) state_.trouble = system_failure(folder_.log(node_).string(), "create it").value().message;
    if (state_.trouble.empty()) state_.trouble = find_master();
    if (!state_.trouble.empty()) return give_up();
    tell();
    began_ = SteadyClock::now();
    const std::string journal = job_.nodes[node_].asides.journal;
    HostedJob job("job", std::move(job_.nodes[node_]), job_.gone_within, [this] { wake_.call(); });
    while (!job.is_over() || has_news_) {
      obey(job);
      collect(job);
      pollfd called{wake_.fd(), POLLIN, 0};
      ::poll(&called, 1, static_cast<int>(look_interval.count()));
      wake_.answer();
    }
    collect(job);
    if (owner_.is_gone() && !journal.empty()) settle(journal);  // nobody else will
    return tell() ? 0 : node_failed;
  }

 private:
  // Whatever the case says itself stays.
  std::string find_master() {
    std::map<std::string, std::string>& env = job_.nodes[node_].env;
    std::optional<hosts::Master> master;
    if (node_ == 0) {
      const std::optional<int> port = free_port();
      if (!port) return "no port is free for MASTER_PORT";
      master = {job_.nodes.size() == 1 ? "127.0.0.1" : own_address(), *port};
      if (const Status told = folder_.write(*master); !told) return told.error().message;
    }
    const auto end = SteadyClock::now() + master_limit;
    while (!master && SteadyClock::now() < end && engine_says_end == 0 && !folder_.order(node_)) {
      std::this_thread::sleep_for(look_interval);
      master = folder_.master();
    }
    if (!master) return "node 0 does not say where it is reached";
    env.try_emplace("MASTER_ADDR", master->address);
    env.try_emplace("MASTER_PORT", std::to_string(master->port));
    return "";
  }

  int give_up() {
    state_.process.empty = true;
    tell();
    return node_failed;
  }

  bool tell() {
    has_news_ = !folder_.write(state_, node_).has_value();
    return !has_news_;
  }

  // What gate says, what the engine says, and that gate says nothing any more.
  void obey(HostedJob& job) {
    const std::optional<hosts::JobOrder> order = folder_.order(node_);
    if (order && order->stop) stop(job, *order->stop);
    if (engine_says_end != 0 && !order_) {
      state_.told_to_end = true;
      told_at_ = SteadyClock::now();
      has_news_ = true;
      stop(job, Force::ask);
    }
    if (told_at_ != SteadyClock::time_point{} && since(told_at_) >= grace_of_launcher) stop(job, Force::end);
    if (told_at_ != SteadyClock::time_point{} &&
        since(told_at_) >= grace_of_launcher + launch::guard_patience)
      stop(job, Force::kill);
    if (owner_.is_gone()) state_.told_to_end = true;
    if (owner_.is_gone() || launch::guard_is_gone() || !state_.trouble.empty()) stop(job, Force::kill);
    if (order && order->questions > state_.answers) {
      state_.left = job.left();
      state_.evidence = job.evidence();
      state_.answers = order->questions;
      has_news_ = true;
    }
    if (order && order->looks > state_.looks) {
      state_.fingerprint = job.fingerprint();
      state_.looks = order->looks;
      has_news_ = true;
    }
  }

  // Each step once, and never back.
  void stop(HostedJob& job, Force force) {
    if (order_ && *order_ >= force) return;
    order_ = force;
    job.stop(force);
  }

  void collect(HostedJob& job) {
    for (const hosts::Frame& message : job.news()) {
      hosts::WordReader words(message, 2);
      if (message.front() == "state") {
        ::fdatasync(log_.get());  // who reads the size must find as much
        state_.process = read_state(words);
        if (state_.process.ended && state_.lasted == Duration{}) state_.lasted = since(began_);
        has_news_ = true;
        continue;
      }
      const std::int64_t offset = words.number();
      const std::string bytes = words.text();
      if (state_.trouble.empty() && !write_all(log_, bytes, offset))
        state_.trouble = system_failure(folder_.log(node_).string(), "write it").value().message;
      job.acknowledge(offset + static_cast<std::int64_t>(bytes.size()));
    }
    if (has_news_) tell();
  }

  const JobFolder folder_;
  const std::size_t node_;
  hosts::JobCommand job_;
  Owner owner_;
  Fd log_;
  hosts::WakeUp wake_;
  NodeState state_;
  std::optional<Force> order_;
  SteadyClock::time_point began_{}, told_at_{};
  bool has_news_ = false;
};

// Return whether nobody had made it before.
bool make_once(const fs::Path& file) {
  const Fd made(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  return static_cast<bool>(made);
}

}  // namespace

int run_node(const fs::Path& path, std::size_t node) {
  ::signal(SIGTERM, [](int) { engine_says_end = 1; });
  const JobFolder folder(path);
  std::optional<hosts::JobCommand> job = folder.command();
  if (!job || node >= job->nodes.size()) return node_failed;
  if (!make_once(folder.begun(node))) return make_once(folder.again(node)) ? 0 : node_failed;
  if (Owner(folder.alive(), job->lost_after).was_gone(folder.begun(node))) return node_failed;
  return BatchNode(path, node, std::move(*job)).run();
}

}  // namespace gate::agent
