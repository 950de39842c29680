#include "net/curl_process.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "gate/base/fs.h"

namespace gate::net {

namespace {

class SpawnActions {
 public:
  explicit SpawnActions(const CurlFiles& files) {
    ::posix_spawn_file_actions_init(&actions_);
    int number = 0;
    const int answer = files.into >= 0 ? files.into : files.answer.descriptor();
    for (const int descriptor : {files.config.descriptor(), answer, files.errors.descriptor(),
                                 files.message.descriptor(), files.head.descriptor()})
      ::posix_spawn_file_actions_adddup2(&actions_, descriptor, number++);
  }
  SpawnActions(const SpawnActions&) = delete;
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// A session of its own, no signal blocked, and none ignored that gate was started to ignore.
class SpawnAttributes {
 public:
  SpawnAttributes() {
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnAttributes(const SpawnAttributes&) = delete;
  ~SpawnAttributes() { ::posix_spawnattr_destroy(&attributes_); }

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

}  // namespace

Result<std::string> find_curl() {
  const fs::Path program = fs::find_program("curl");
  if (program.empty()) return fail("there is no program curl in PATH on this host; install curl");
  return program.string();
}

CurlProcess::CurlProcess(const std::string& file, const std::vector<std::string>& arguments,
                         const CurlFiles& files) {
  std::string name = "curl";
  std::vector<std::string> words = arguments;
  std::vector<char*> argv{name.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const SpawnActions actions(files);
  const SpawnAttributes attributes;
  error_ = ::posix_spawn(&pid_, file.c_str(), actions.get(), attributes.get(), argv.data(), environ);
}

CurlProcess::~CurlProcess() { end(); }

void CurlProcess::end() {
  if (error_ != 0 || code_) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  code_ = -1;
}

std::optional<int> CurlProcess::poll() {
  int status = 0;
  if (code_ || error_ != 0) return code_;
  const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
  if (ended == pid_ || (ended < 0 && errno == ECHILD)) code_ = -1;
  if (ended == pid_ && WIFEXITED(status)) code_ = WEXITSTATUS(status);
  return code_;
}

}  // namespace gate::net
