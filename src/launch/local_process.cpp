#include "launch/local_process.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <set>
#include <thread>
#include <utility>

#include "gate/launch/needs.h"
#include "gate/launch/tool.h"
#include "launch/command.h"
#include "launch/evidence.h"
#include "launch/fingerprint.h"
#include "launch/registry.h"

namespace gate::launch {

namespace {

constexpr Duration look_interval_by_pidfd{100};
constexpr Duration look_interval_without{20};
constexpr Duration kill_pause{10};

void terminate(const ProcEntry& process) {
  send(process, SIGTERM);
  if (process.state == 'T') send(process, SIGCONT);
}

std::vector<std::string> descriptions(const std::vector<ProcEntry>& processes) {
  std::vector<std::string> words;
  for (const ProcEntry& process : processes) words.push_back(describe(process));
  return words;
}

}  // namespace

LocalProcess::LocalProcess(Command command, const Patience& patience)
    : command_(std::move(command)), patience_(patience), tree_(command_.cookie) {}

LocalProcess::~LocalProcess() {
  if (!is_over_ && !was_killed_) kill_until_empty();
}

Status LocalProcess::start() {
  began_ = SteadyClock::now();
  GATE_TRY(auto pipe, make_pipe(Reads::at_once));
  output_.emplace(std::move(pipe.read));
  writes_.emplace(command_.watched);
  if (auto outcome = look_at_script(command_)) return child_.emplace(*std::move(outcome)), Status();
  GATE_TRY(auto child, Child::start(exec_words(command_, own_environment()), pipe.write));
  child_.emplace(std::move(child));
  tree_.add(child_->process());
  is_over_ = false;
  return {};
}

Woken LocalProcess::wait(Duration limit) { return output_->wait(child_->pidfd(), limit); }

void LocalProcess::read(const std::function<More(std::string_view)>& take) {
  writes_->look();
  output_->read(take);
}

bool LocalProcess::has_started() { return child_->is_ready(); }

std::optional<Outcome> LocalProcess::ended() {
  Registry::instance().reap_orphans();
  return child_->poll();
}

bool LocalProcess::is_empty() {
  is_over_ |= child_->poll() && tree_.is_empty();
  writes_->look();
  return is_over_;
}

void LocalProcess::stop(Force force) {
  switch (force) {
    case Force::ask:
      child_->send(SIGTERM);
      child_->send(SIGCONT);
      return;
    case Force::end:
      return end_rest();
    case Force::kill:
      if (!std::exchange(was_killed_, true)) ask_at_kill();
      return kill();
  }
}

void LocalProcess::end_rest() {
  for (const ProcEntry& process : tree_.alive())
    if (process.pid != child_->process().pid) terminate(process);
}

// Again and again, as it is called: between a look at /proc and the KILL a process may have forked. One KILL
// to a group hits all of it at once, and no fork escapes that. What KILL does not end hangs in a driver or is
// another user's.
void LocalProcess::kill() {
  child_->send_group(SIGKILL);
  for (const ProcEntry& process : living()) destroy(process);
}

void LocalProcess::ask_at_kill() const {
  constexpr Duration limit{5000};
  if (!command_.at_kill.empty()) ask_tool(command_.at_kill, limit);
}

void LocalProcess::kill_until_empty() {
  ask_at_kill();
  const auto end = SteadyClock::now() + patience_.kill;
  while (!is_empty() && SteadyClock::now() < end) {
    kill();
    std::this_thread::sleep_for(kill_pause);
  }
}

std::vector<ProcEntry> LocalProcess::living() {
  auto processes = tree_.alive();
  const auto is_launcher = [&](const ProcEntry& p) { return p.pid == child_->process().pid; };
  if (!child_->poll() && std::ranges::none_of(processes, is_launcher)) processes.push_back(child_->process());
  return processes;
}

std::vector<ProcEntry> LocalProcess::living_of(std::optional<int> rank) {
  std::vector<ProcEntry> processes = living();
  if (!rank) return processes;
  std::vector<RankedProcess> tree;
  for (const ProcEntry& process : processes) tree.push_back({process, read_environment(process.pid)});
  return of_rank(tree, *rank);
}

// What forks between a look at /proc and the signal is met at the next look.
std::size_t LocalProcess::signal(Signal signal, std::optional<int> rank) {
  constexpr std::array numbers{SIGKILL, SIGTERM, SIGSTOP, SIGCONT};
  constexpr int most_looks = 5;
  std::set<pid_t> hit;
  for (int look = 0, before = -1; look < most_looks && before != std::ssize(hit); ++look) {
    before = static_cast<int>(hit.size());
    for (const ProcEntry& process : living_of(rank))
      if (hit.insert(process.pid).second) send(process, numbers.at(static_cast<std::size_t>(signal)));
  }
  return hit.size();
}

std::vector<std::string> LocalProcess::left() { return descriptions(living()); }

std::vector<std::string> LocalProcess::evidence() { return evidence_of(tree_.alive()); }

Fingerprint LocalProcess::fingerprint() { return fingerprint_of("/proc", tree_.alive()); }

Duration LocalProcess::look_interval() const {
  return child_->pidfd() >= 0 ? look_interval_by_pidfd : look_interval_without;
}

}  // namespace gate::launch
