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
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "agent/batch.h"
#include "agent/session.h"
#include "agent/tidy.h"
#include "gate/base/fs.h"
#include "gate/base/set_aside.h"
#include "gate/base/text.h"
#include "gate/devices/leases.h"
#include "gate/launch/guard.h"

namespace {

using namespace gate;

constexpr int usage = 2, no_session = 70, no_room = 73;

// The folder that gate-agent lies in holds the sessions, too.
fs::Path own_file() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

std::string folder_of(const std::string& session) {
  return (own_file().parent_path() / "sessions" / session).string();
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
  agent::tidy_up(own_file().parent_path(), own_file());
  const mode_t of_scripts = ::umask(S_IRWXG | S_IRWXO);
  const Result<int> listening = agent::listen_in(folder);
  ::umask(of_scripts);
  if (!listening) return complain(no_room, listening.error().message);
  const pid_t child = ::fork();
  if (child < 0) return complain(no_room, "no process is to be had");
  if (child == 0) become_agent(*listening, folder, lost_after);
  ::close(*listening);
  return 0;
}

// Pass on what one end says to the other. Returns false where nothing more will come.
bool pass(int from, int to) {
  std::array<char, 65536> block;
  const ssize_t count = ::read(from, block.data(), block.size());
  if (count < 0 && errno == EINTR) return true;
  for (ssize_t done = 0; done < count;) {
    const ssize_t written = ::write(to, block.data() + done, static_cast<std::size_t>(count - done));
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) done += written;
  }
  return count > 0;
}

int relay(int socket) {
  for (;;) {
    std::array<pollfd, 2> fds{{{STDIN_FILENO, POLLIN, 0}, {socket, POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return no_session;
    if (fds[0].revents != 0 && !pass(STDIN_FILENO, socket)) return 0;
    if (fds[1].revents != 0 && !pass(socket, STDOUT_FILENO)) return 0;
  }
}

int connect(const std::string& session, std::optional<Duration> lost_after) {
  const std::string folder = folder_of(session);
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
  const char* number = std::getenv("SLURM_PROCID");
  return static_cast<std::size_t>(parse_integer(number == nullptr ? "" : number).value_or(0));
}

int run_node(const fs::Path& folder) {
  if (const auto code = launch::guard()) return *code;
  return agent::run_node(folder, node_number());
}

}  // namespace

int main(int argc, char** argv) {
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
