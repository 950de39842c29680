// A script of this host: its launcher, a child of gate in a session of its own, and its process tree.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "gate/base/time.h"
#include "gate/base/write_watch.h"
#include "gate/launch/process.h"
#include "gate/launch/runner.h"
#include "launch/child.h"
#include "launch/fd.h"
#include "launch/gathering.h"
#include "launch/process_tree.h"

namespace gate::launch {

// The read end of the pipe that a script's stdout and stderr share.
//
// Nobody waits for its end: a process that outlives the script may hold it open for ever.
class OutputPipe {
 public:
  explicit OutputPipe(Fd read_end);

  // Wait for output, for the end of the process behind the pidfd (-1: none), for a signal, or until the time
  // is up. Returns `by_output` only where there is output and the process has not ended.
  // Small pieces that go on coming are let gather first.
  Woken wait(int pidfd, Duration limit);

  // Hand on, in blocks, at least what was in the pipe when this was called and not much more, so that it ends
  // also where output never does. Ends early when `take` has enough.
  void read(const std::function<More(std::string_view)>& take);

 private:
  Fd fd_;
  std::size_t capacity_ = std::size_t{64} << 10;
  std::string block_;
  Gathering gathering_;
};

class LocalProcess : public Process {
 public:
  LocalProcess(Command command, const Patience& patience);
  LocalProcess(const LocalProcess&) = delete;
  LocalProcess& operator=(const LocalProcess&) = delete;

  // Kills what is left of the tree, unless that was tried.
  ~LocalProcess() override;

  Status start() override;
  Woken wait(Duration limit) override;
  void read(const std::function<More(std::string_view)>& take) override;
  bool has_started() override;
  std::optional<Outcome> ended() override;
  bool is_empty() override;
  void stop(Force force) override;
  std::size_t signal(Signal signal, std::optional<int> rank) override;
  std::vector<std::string> left() override;
  std::vector<std::string> evidence() override;
  Fingerprint fingerprint() override;
  Duration look_interval() const override;
  Duration elapsed() override { return since(began_); }
  SetupStep setup() const override { return setup_step(command_); }
  Patience patience() const override { return patience_; }

 private:
  // Return what is alive of the tree, the launcher included also where /proc does not show it.
  std::vector<ProcEntry> living();
  std::vector<ProcEntry> living_of(std::optional<int> rank);
  void end_rest();
  void kill();
  void ask_at_kill() const;
  void kill_until_empty();

  Command command_;
  Patience patience_;
  SteadyClock::time_point began_{};
  std::optional<OutputPipe> output_;
  ProcessTree tree_;
  std::optional<Child> child_;
  std::optional<WriteWatch> writes_;
  bool is_over_ = true;  // nothing is left of the tree
  bool was_killed_ = false;
};

}  // namespace gate::launch
