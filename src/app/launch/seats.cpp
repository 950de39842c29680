#include "app/launch/seats.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

#include "gate/base/text.h"

namespace gate::app {

namespace {

class RunningSeats {
 public:
  RunningSeats(const std::vector<Seat>& seats, const launch::Limits& limits,
               const std::function<launch::Listener(std::size_t)>& listener_of, const Environment& environment)
      : nodes_(seats),
        limits_(limits),
        listener_of_(listener_of),
        environment_(environment),
        endings_(seats.size()) {}

  NodesEnding run() {
    std::vector<std::jthread> others;
    try {
      for (std::size_t node = 1; node < nodes_.size(); ++node)
        others.emplace_back([this, node] { launch(node); });
    } catch (const std::system_error& error) {  // no thread is to be had
      fail_with(others.size() + 1, NotStarted{"no thread is to be had: " + error.code().message()});
    }
    launch(0);
    others.clear();
    return merged();
  }

 private:
  void launch(std::size_t node) {
    const Seat& seat = nodes_[node];
    if (failed_node() && !seat.begins_itself) return;
    Result<launch::Ending> ending = environment_.supervise(*seat.process, limits_, listener(node));
    if (ending)
      endings_[node] = std::move(*ending);
    else
      endings_[node].outcome = NotStarted{ending.error().message};
    if (!ended_well(endings_[node].outcome)) fail_with(node, endings_[node].outcome);
  }

  // Another node's failure ends this one.
  launch::Listener listener(std::size_t node) {
    launch::Listener listener = listener_of_(node);
    if (nodes_.size() == 1) return listener;
    listener.on_poll = [this, poll = listener.on_poll] {
      launch::Pulse pulse = poll ? poll() : launch::Pulse{};
      const std::lock_guard lock(mutex_);
      if (failed_) pulse.stop = StoppedEarly{nodes_[*failed_].name + " " + to_string(outcome_)};
      return pulse;
    };
    return listener;
  }

  void fail_with(std::size_t node, const Outcome& outcome) {
    const std::lock_guard lock(mutex_);
    if (failed_) return;
    failed_ = node;
    outcome_ = outcome;
  }

  std::optional<std::size_t> failed_node() {
    const std::lock_guard lock(mutex_);
    return failed_;
  }

  NodesEnding merged() {
    NodesEnding all;
    all.node = failed_;
    all.ending.outcome = failed_ ? outcome_ : endings_.front().outcome;
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      launch::Ending& one = endings_[node];
      all.ending.duration = std::max(all.ending.duration, one.duration);
      all.ending.script_time = std::max(all.ending.script_time, one.script_time);
      add(all.ending.leftovers, one.leftovers, node);
      add(all.ending.survivors, one.survivors, node);
      add(all.ending.evidence, one.evidence, node);
      add(all.ending.remarks, one.remarks, node);
      if (knowledge_of(one.fingerprint) > knowledge_of(all.ending.fingerprint))
        all.ending.fingerprint = one.fingerprint;
      if (!one.host.empty()) all.hosts.push_back(one.host);
      if (!one.host.empty())
        all.places.push_back(one.host + (one.devices.empty() ? "" : " (" + one.devices + ")"));
      add(all.ending.inflicted, one.inflicted);
      if (failed_ && nodes_.size() > 1) all.ending.remarks.push_back(end_of(node));
    }
    return all;
  }

  void add(std::vector<std::string>& all, const std::vector<std::string>& lines, std::size_t node) const {
    for (const std::string& line : lines)
      all.push_back(nodes_.size() == 1 ? line : nodes_[node].name + ": " + line);
  }

  // A fault hits what there is of it on all nodes.
  static void add(std::optional<launch::Inflicted>& all, const std::optional<launch::Inflicted>& one) {
    if (!one) return;
    if (!all) all = launch::Inflicted{one->at, 0};
    all->at = std::min(all->at, one->at);
    all->processes += one->processes;
  }

  // How the node ended, for people.
  std::string end_of(std::size_t node) const {
    return nodes_[node].name + ": " + to_string(endings_[node].outcome) + (node == failed_ ? ", first" : "");
  }

  const std::vector<Seat>& nodes_;
  const launch::Limits& limits_;
  const std::function<launch::Listener(std::size_t)>& listener_of_;
  const Environment& environment_;
  std::vector<launch::Ending> endings_;
  std::mutex mutex_;
  std::optional<std::size_t> failed_;
  Outcome outcome_;
};

}  // namespace

NodesEnding see_to_end(const std::vector<Seat>& seats, const launch::Limits& limits,
                       const std::function<launch::Listener(std::size_t)>& listener_of,
                       const Environment& environment) {
  return RunningSeats(seats, limits, listener_of, environment).run();
}

}  // namespace gate::app
