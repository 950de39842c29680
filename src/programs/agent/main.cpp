// gate-agent: what gate runs on another host. Started through ssh, it finds the session's agent or becomes
// it, and passes bytes between the two. Started by an engine, it runs a node of a job.
//
//   gate-agent version
//   gate-agent connect SESSION [start LOST_AFTER_MS]
//   gate-agent job FOLDER      what an engine starts on each node of a job
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "agent/batch.h"
#include "agent/session.h"
#include "gate/base/fs.h"
#include "gate/base/lack.h"
#include "gate/base/set_aside.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/devices/leases.h"
#include "gate/launch/guard.h"
#include "gate/model/rules/verdict.h"

namespace {

using namespace gate;

constexpr int usage = 2, no_session = 70, no_room = 73;

// The folder that gate-agent lies in holds the sessions, too.
fs::Path own_file() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

constexpr auto longest_unused = std::chrono::days(30);

// The paths in a folder that were last written or touched so long ago.
std::vector<fs::Path> unused_in(const fs::Path& folder) {
  std::vector<fs::Path> unused;
  std::error_code error;
  const fs::FileTime limit = fs::FileTime::clock::now() - longest_unused;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code unknown;
    const fs::FileTime written = it->last_write_time(unknown);
    if (!unknown && written < limit) unused.push_back(it->path());
  }
  return unused;
}

void delete_it(const fs::Path& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

// Delete what nobody has used for 30 days: contents of files, agents but `own`, and folders of sessions,
// which touch theirs as long as they live. Notes that `own` is used.
void tidy_up(const fs::Path& folder, const fs::Path& own) {
  ::utimensat(AT_FDCWD, own.c_str(), nullptr, 0);
  for (const fs::Path& blob : unused_in(folder / "blobs")) delete_it(blob);
  for (const fs::Path& file : unused_in(folder))
    if (file.filename().string().starts_with("gate-agent-")) delete_it(file);
  for (const fs::Path& session : unused_in(folder / "sessions")) delete_it(session);
}

int complain(int code, const std::string& why) {
  std::fprintf(stderr, "gate-agent: %s\n", why.c_str());
  return code;
}

bool is_session(std::string_view name) {
  return !name.empty() && name.size() <= 64 &&
         name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// The session lives on without the connection that began it.
void leave_terminal() {
  ::setsid();
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, file);
}

[[noreturn]] void become_agent(int listening, const std::string& folder, Duration lost_after) {
  leave_terminal();
  ::signal(SIGHUP, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);
  const std::optional<int> code = launch::guard();
  if (!code) settle_left(devices::lease_folder(), ""), agent::serve(listening, folder, lost_after);
  settle_left(devices::lease_folder(), owner_of_asides());
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);  // by the guard, too: the session may have been killed
  if (code) ::_exit(*code);
  std::exit(0);
}

// Returns the exit code; 0 where the session's agent listens now.
int start(const std::string& folder, Duration lost_after) {
  tidy_up(own_file().parent_path(), own_file());
  const mode_t of_scripts = ::umask(S_IRWXG | S_IRWXO);
  const Result<int> listening = agent::listen_in(folder);
  ::umask(of_scripts);
  if (!listening) return complain(no_room, listening.error().message);
  const pid_t child = ::fork();
  if (child < 0) return complain(no_room, std::string("no process is to be had: ") + std::strerror(errno));
  if (child == 0) become_agent(*listening, folder, lost_after);
  ::close(*listening);
  return 0;
}

// Passes on what one end says to the other. What that one does not take waits here, and no more is read.
class Passage {
 public:
  Passage(int from, int to) : from_(from), to_(to) {}

  // What to wait for: once at each end, where the one is broken off though nothing is read of it, too.
  pollfd reading() const { return {from_, static_cast<short>(waiting_.empty() ? POLLIN : 0), 0}; }
  pollfd writing() const { return {waiting_.empty() ? -1 : to_, POLLOUT, 0}; }

  // Returns false where nothing more will come through.
  bool pass(short at_reading, short at_writing) {
    if (at_writing != 0 && !write()) return false;
    if ((at_reading & POLLIN) != 0 && waiting_.empty()) return read();
    return (at_reading & (POLLHUP | POLLERR)) == 0;
  }

 private:
  bool read() {
    std::array<char, 65536> block;
    const ssize_t count = ::read(from_, block.data(), block.size());
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    waiting_.assign(block.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

  bool write() {
    const ssize_t count = ::write(to_, waiting_.data(), waiting_.size());
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    waiting_.erase(0, static_cast<std::size_t>(count));
    return true;
  }

  int from_, to_;
  std::string waiting_;
};

// Neither end holds up what the other one says, nor that it is gone.
int relay(int socket) {
  for (const int end : {socket, STDIN_FILENO, STDOUT_FILENO}) ::fcntl(end, F_SETFL, O_NONBLOCK);
  Passage there(STDIN_FILENO, socket), back(socket, STDOUT_FILENO);
  for (;;) {
    std::array<pollfd, 4> fds{{there.reading(), there.writing(), back.reading(), back.writing()}};
    if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return no_session;
    if (!there.pass(fds[0].revents, fds[1].revents) || !back.pass(fds[2].revents, fds[3].revents)) return 0;
  }
}

int connect(const std::string& session, std::optional<Duration> lost_after) {
  const std::string folder = (own_file().parent_path() / "sessions" / session).string();
  Result<int> socket = agent::connect_to(folder);
  if (!socket && lost_after) {
    if (const int code = start(folder, *lost_after); code != 0) return code;
    socket = agent::connect_to(folder);
  }
  std::printf("%s %s\n", socket ? "GATE-AGENT" : "GATE-GONE", session.c_str());
  std::fflush(stdout);
  return socket ? relay(*socket) : no_session;
}

// Slurm's number of the node; 0 where nothing says one.
std::size_t node_number() {
  return static_cast<std::size_t>(parse_integer(own_variable("SLURM_PROCID")).value_or(0));
}

int run_node(const fs::Path& folder) {
  if (const auto code = launch::guard()) return *code;
  return agent::run_node(folder, node_number());
}

int run(int argc, char** argv) {
  owner_of_asides();
  if (const auto code = launch::reap(argc, argv)) return *code;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words == std::vector<std::string>{"version"}) return std::puts("gate-agent " GATE_VERSION) < 0;
  if (words.size() == 2 && words[0] == "job") return run_node(words[1]);
  const bool starts = words.size() == 4 && words[2] == "start";
  const auto limit = starts ? parse_integer(words[3]) : std::nullopt;
  if ((words.size() != 2 && !limit) || words[0] != "connect" || !is_session(words[1]))
    return complain(usage, "gate starts it on another host; gate-agent version tells which one it is");
  return connect(words[1], limit ? std::optional(Duration{*limit}) : std::nullopt);
}

}  // namespace

int main(int argc, char** argv) {
  name_lacking("gate-agent");
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    tell_lack(error);
    return exit_code::infra;
  }
}
