#include "launch/stop.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

namespace gate::launch {

namespace {

using Clock = std::chrono::steady_clock;

constexpr Duration first_pause{1};
constexpr Duration longest_pause{50};

void terminate(const Process& process) {
  send(process, SIGTERM);
  if (process.state == 'T') send(process, SIGCONT);
}

// Return what is alive of the tree, the launcher included also where /proc does not show it.
std::vector<Process> living(const Tree& tree, Child* launcher) {
  const bool ended = launcher == nullptr || launcher->look().has_value();
  auto processes = tree.alive();
  const auto is_launcher = [&](const Process& p) { return p.pid == launcher->process().pid; };
  if (!ended && std::none_of(processes.begin(), processes.end(), is_launcher))
    processes.push_back(launcher->process());
  return processes;
}

}  // namespace

Stop::Stop(const Tree& tree, const Patience& patience, std::function<bool()> hurried,
           std::function<void(Duration)> breathe)
    : tree_(tree), patience_(patience), hurried_(std::move(hurried)), breathe_(std::move(breathe)) {}

void Stop::launcher(Child& child, Duration grace) const {
  child.send(SIGTERM);
  child.send(SIGCONT);
  until([&] { return child.look().has_value(); }, grace);
}

std::vector<Process> Stop::rest(Child* launcher) const {
  for (const Process& process : tree_.alive())
    if (launcher == nullptr || process.pid != launcher->process().pid) terminate(process);
  until([&] { return living(tree_, launcher).empty() && tree_.is_empty(); }, patience_.term);
  return kill_all(tree_, launcher, patience_.kill);
}

bool Stop::settles(Duration limit) const {
  return until([&] { return tree_.is_empty(); }, limit);
}

bool Stop::until(const std::function<bool()>& holds, Duration limit) const {
  const auto end = Clock::now() + limit;
  for (Duration pause = first_pause; !holds(); pause = std::min(2 * pause, longest_pause)) {
    if (Clock::now() >= end || hurried_()) return false;
    breathe_(pause);
  }
  return true;
}

std::vector<Process> kill_all(const Tree& tree, Child* launcher, Duration limit) {
  const auto end = Clock::now() + limit;
  auto left = living(tree, launcher);
  for (Duration pause = first_pause; !left.empty() || !tree.is_empty();
       pause = std::min(2 * pause, longest_pause)) {
    if (launcher != nullptr) launcher->send_group(SIGKILL);
    for (const Process& process : left) destroy(process);
    if (Clock::now() >= end) break;
    std::this_thread::sleep_for(pause);
    left = living(tree, launcher);
  }
  return left;
}

}  // namespace gate::launch
