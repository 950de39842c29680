// One launch of a job: setup, script, and what they leave running.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gate/launch/runner.h"
#include "launch/child.h"
#include "launch/clocks.h"
#include "launch/output.h"
#include "launch/stop.h"
#include "launch/tree.h"

namespace gate::launch {

class Launch {
 public:
  // `job` must outlive it.
  static Result<std::unique_ptr<Launch>> prepare(const Job& job, const Patience& patience);

  Launch(const Job& job, const Patience& patience, Pipe pipe);
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;
  // Kills what is left of the tree, however run() was left.
  ~Launch();

  // To be called once.
  Result<Ending> run();

 private:
  Status start();

  // See setup and script to their end, or to what demands that they are stopped.
  Outcome attend();
  Clocks script_clocks() const;

  // Attend to the child until it has ended or must be stopped; then to what it left until that is gone, or
  // must be stopped.
  Outcome watch_child(Clocks& clocks);
  bool has_ended(Woken woken, Duration at);
  std::optional<Outcome> watch_tree(Clocks& clocks);
  void let_settle();
  void sweep();

  // Read what is there now. `listen` heeds what it means, `read_on` does not.
  void listen(Clocks& clocks, Duration at);
  void look_beside(Clocks& clocks, Duration at);
  void read_on();
  void breathe(Duration limit);
  Pulse hand_on(std::string_view output) const;

  std::optional<Outcome> demanded(const Clocks& clocks, Duration at) const;
  bool is_incomplete(const Clocks& clocks, const Outcome& outcome) const;
  Duration elapsed() const;

  const Job& job_;
  Patience patience_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  Output output_;
  Fd write_end_;
  Tree tree_;
  std::optional<Child> child_;
  Stop stop_;
  Ending ending_;
  std::optional<Outcome> demand_;  // of what reads the output
  Duration next_look_{};
  Duration next_look_beside_{};
  bool total_known_;
  bool swept_ = true;  // nothing of the tree is left
};

}  // namespace gate::launch
