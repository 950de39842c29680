// One script that gate has started here through the agent.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gate/hosts/protocol.h"
#include "gate/launch/process.h"

namespace gate::agent {

// Its output is kept until gate has it; where too much is kept the script waits.
class HostedJob {
 public:
  // `changed` is called, by the job's thread, when there is output or another state.
  HostedJob(std::string name, launch::Command command, Duration gone_within, std::function<void()> changed);
  ~HostedJob();  // kills what is left

  void stop(launch::Force force);

  // As Process has them, answered by the job's thread; by none that is held up by the system.
  std::size_t signal(launch::Signal signal, std::optional<int> rank);
  std::vector<std::string> left();
  std::vector<std::string> evidence();
  Fingerprint fingerprint();

  // Gate has the output up to that byte, and wants what follows; `again`: also what was sent already.
  void acknowledge(std::int64_t size);
  void send_again(std::int64_t from);

  // Return the messages that are to be sent now.
  std::vector<hosts::Frame> news();

  // Tell whether nothing of it is left.
  bool is_over();

 private:
  Status prepare() const;
  void run();
  bool is_given_up();
  void look(launch::Process& process);
  void obey(launch::Process& process);
  bool keep(launch::Process& process);
  void set_state(const std::function<void(hosts::ProcessState&)>& change);
  template <class T, class Look>
  T ask(T& before, const Look& look);

  const std::string name_;
  launch::Command command_;
  const Duration gone_within_;
  const std::function<void()> changed_;

  std::mutex mutex_;
  std::condition_variable answered_, acknowledged_;
  std::string output_;      // from byte first_ on
  std::int64_t first_ = 0;  // of the output that is kept
  std::int64_t sent_ = 0;   // up to that byte
  std::int64_t ahead_;      // how much is sent before it is acknowledged: what goes through in a second
  std::int64_t timed_ = 0;  // up to which byte it was sent when the time was taken; 0: none is
  SteadyClock::time_point timed_at_{};
  hosts::ProcessState state_;
  bool state_is_new_ = false;
  std::vector<launch::Force> orders_;
  std::atomic<bool> is_killed_ = false;
  bool is_done_ = false;
  SteadyClock::time_point killed_at_{};
  std::function<void(launch::Process&)> question_;  // that the job's thread has not taken yet
  std::vector<std::string> left_, evidence_;
  std::size_t hit_ = 0;  // by the newest signal
  Fingerprint fingerprint_;
  std::thread thread_;
};

}  // namespace gate::agent
