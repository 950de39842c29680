#include "launch/local_process.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/launch/needs.h"
#include "gate/launch/tool.h"
#include "launch/command.h"
#include "launch/proc.h"
#include "launch/registry.h"
#include "launch/running_software.h"

namespace gate::launch {

namespace {

constexpr std::size_t pipe_block = std::size_t{64} << 10;
constexpr int wanted_capacity = 1 << 20;  // a slow reader holds the script up late; the system may refuse it

// Wait for the end of the process alone. A signal, too, is for the caller.
bool ends_within(int pidfd, Duration limit) {
  pollfd child{pidfd, POLLIN, 0};
  return ::poll(&child, 1, static_cast<int>(limit.count())) != 0;
}

// What the processes of a stuck script are doing, while they still do it.

constexpr std::size_t most_processes = 64;
constexpr std::size_t most_threads = 64;

using Lines = std::vector<std::string>;

std::string content(const std::string& path) { return fs::read_file(path).value_or(""); }

std::vector<std::string> threads_of(pid_t pid) {
  std::vector<std::string> ids;
  std::error_code error;
  for (std::filesystem::directory_iterator it("/proc/" + std::to_string(pid) + "/task", error), end;
       !error && it != end; it.increment(error))
    ids.push_back(it->path().filename().string());
  return ids;
}

// `0` where it waits for nothing, or the system does not tell.
std::string wait_of(const std::string& folder) {
  const std::string wait = printable(trim(content(folder + "/wchan")), 60);
  return wait.empty() || wait == "0" ? "" : ", waits in " + wait;
}

void add_stack(const std::string& folder, Lines& lines) {
  const std::string stack = content(folder + "/stack");
  for (const std::string_view line : split(trim(stack), '\n'))
    if (!line.empty()) lines.push_back("      " + printable(line, 120));
}

void add_thread(pid_t pid, const std::string& id, Lines& lines) {
  const std::string folder = "/proc/" + std::to_string(pid) + "/task/" + id;
  const auto thread = parse_stat(content(folder + "/stat"));
  if (!thread) return;
  const std::string name = printable(trim(content(folder + "/comm")), 40);
  lines.push_back("    thread " + id + " " + name + ": " + thread->state + wait_of(folder));
  add_stack(folder, lines);
}

void add_process(const ProcEntry& process, Lines& lines) {
  lines.push_back("  " + describe(process) + ": " + process.state + ", parent " +
                  std::to_string(process.parent) + ", " + count_of(process.threads, "thread"));
  const std::vector<std::string> threads = threads_of(process.pid);
  for (std::size_t i = 0; i < threads.size() && i < most_threads; ++i)
    add_thread(process.pid, threads[i], lines);
  if (threads.size() > most_threads)
    lines.push_back("    and " + std::to_string(threads.size() - most_threads) + " others");
}

// Return one line for each process and each of its threads: state, and what it waits for in the kernel; with
// the kernel's stack below it where this user may see that. At most 64 processes of 64 threads each; what is
// left out is said.
std::vector<std::string> evidence_of(const std::vector<ProcEntry>& processes) {
  Lines lines;
  for (std::size_t i = 0; i < processes.size() && i < most_processes; ++i) add_process(processes[i], lines);
  if (processes.size() > most_processes)
    lines.push_back("  and " + std::to_string(processes.size() - most_processes) + " others");
  return lines;
}

constexpr Duration look_interval_by_pidfd{100};
constexpr Duration look_interval_without{20};
constexpr Duration kill_pause{10};

void terminate(const ProcEntry& process) {
  send(process, SIGTERM);
  if (process.state == 'T') send(process, SIGCONT);
}

}  // namespace

OutputPipe::OutputPipe(Fd read_end) : fd_(std::move(read_end)), block_(pipe_block, '\0') {
  ::fcntl(fd_.get(), F_SETPIPE_SZ, wanted_capacity);
  const int size = ::fcntl(fd_.get(), F_GETPIPE_SZ);
  if (size > 0) capacity_ = static_cast<std::size_t>(size);
}

Woken OutputPipe::wait(int pidfd, Duration limit) {
  const Duration first = std::min(gathering_.rest(SteadyClock::now()), limit);
  if (first > Duration{} && ends_within(pidfd, first)) return Woken::otherwise;
  limit -= first;
  std::array<pollfd, 2> fds{{{fd_.get(), POLLIN, 0}, {pidfd, POLLIN, 0}}};
  const int ready = ::poll(fds.data(), fds.size(), static_cast<int>(limit.count()));
  if (ready < 0 && errno != EINTR) std::this_thread::sleep_for(limit);
  return ready > 0 && fds[1].revents == 0 ? Woken::by_output : Woken::otherwise;
}

void OutputPipe::read(const std::function<More(std::string_view)>& take) {
  for (std::size_t done = 0; fd_ && done < capacity_;) {
    const ssize_t count = ::read(fd_.get(), block_.data(), block_.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return fd_.close();
    done += static_cast<std::size_t>(count);
    gathering_.note(done, SteadyClock::now());
    const bool drained = static_cast<std::size_t>(count) < block_.size();
    if (take({block_.data(), static_cast<std::size_t>(count)}) == More::enough || drained) return;
  }
}

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

// What forks between a look at /proc and the signal is met at the next look, as a child of what was hit or,
// once that is gone, of gate. A further one is the rank that the script has started again by then.
std::size_t LocalProcess::signal(Signal signal, std::optional<int> rank) {
  constexpr std::array numbers{SIGKILL, SIGTERM, SIGSTOP, SIGCONT};
  constexpr int most_looks = 5;
  std::set<pid_t> hit;
  for (int look = 0, before = -1; look < most_looks && before != std::ssize(hit); ++look) {
    before = static_cast<int>(hit.size());
    for (const ProcEntry& process : living_of(rank)) {
      const bool is_meant = look == 0 || hit.contains(process.parent) || process.parent == ::getpid();
      if (is_meant && hit.insert(process.pid).second)
        send(process, numbers.at(static_cast<std::size_t>(signal)));
    }
  }
  return hit.size();
}

std::vector<std::string> LocalProcess::left() {
  return texts_of(living(), [](const ProcEntry& process) { return describe(process); });
}

std::vector<std::string> LocalProcess::evidence() { return evidence_of(tree_.alive()); }

Fingerprint LocalProcess::fingerprint() { return fingerprint_of("/proc", tree_.alive()); }

Duration LocalProcess::look_interval() const {
  return child_->pidfd() >= 0 ? look_interval_by_pidfd : look_interval_without;
}

}  // namespace gate::launch
