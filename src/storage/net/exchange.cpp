#include "net/exchange.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "gate/base/fd.h"
#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/base/text.h"
#include "net/answer_file.h"
#include "net/curl_config.h"

namespace gate::net {

namespace {

// A file that has no name and is gone with its last descriptor: what a program is given, and what it writes,
// so that nobody has to read one pipe while another one is full (decision 34).

class MemoryFile {
 public:
  // Is empty. Where the system has no such file, none of what follows does anything.
  MemoryFile();

  // Above those that a program is started with, and not for any program; -1 where there is none.
  int descriptor() const { return file_.get(); }

  // Make this its content; who has its descriptor reads it from the beginning. Returns false where it cannot.
  bool fill(std::string_view content);

  std::size_t size() const;

  // Return its first bytes, at most so many.
  std::string read(std::size_t most) const;

 private:
  const Fd file_;
};

constexpr int first_free = 10;

Fd open_memory() {
  const Fd low(::memfd_create("gate", MFD_CLOEXEC));
  return Fd(::fcntl(low.get(), F_DUPFD_CLOEXEC, first_free));
}

MemoryFile::MemoryFile() : file_(open_memory()) {}

// Where the file is read is left at its beginning.
bool MemoryFile::fill(std::string_view content) {
  std::size_t written = 0;
  while (written < content.size()) {
    const std::string_view rest = content.substr(written);
    const ssize_t count = ::pwrite(file_.get(), rest.data(), rest.size(), static_cast<off_t>(written));
    if (count <= 0) return false;
    written += static_cast<std::size_t>(count);
  }
  return file_.get() >= 0;
}

std::size_t MemoryFile::size() const {
  struct stat facts {};
  return ::fstat(file_.get(), &facts) == 0 ? static_cast<std::size_t>(facts.st_size) : 0;
}

std::string MemoryFile::read(std::size_t most) const {
  std::string content(std::min(most, size()), '\0');
  const ssize_t count = ::pread(file_.get(), content.data(), content.size(), 0);
  content.resize(static_cast<std::size_t>(std::max<ssize_t>(0, count)));
  return content;
}

// The program curl, as a child of gate.

// What it is given and what it writes; the number is that of its descriptor.
struct CurlFiles {
  MemoryFile config;   // 0
  MemoryFile answer;   // 1
  MemoryFile errors;   // 2
  MemoryFile message;  // 3
  MemoryFile head;     // 4
  int into = -1;       // 1 in place of `answer`, where there is one
};

class CurlProcess {
 public:
  // Start the program with the arguments, in a session of its own: no signal of a terminal reaches it.
  CurlProcess(const std::string& file, const std::vector<std::string>& arguments, const CurlFiles& files);
  CurlProcess(const CurlProcess&) = delete;
  CurlProcess& operator=(const CurlProcess&) = delete;
  ~CurlProcess();  // it has ended then

  // Kill it, if it runs: it writes no more then.
  void end();

  // Why it was not started; 0 where it was.
  int error() const { return error_; }

  // Return the code that it exited with, -1 where a signal ended it; nothing while it runs.
  std::optional<int> poll();

 private:
  pid_t pid_ = 0;
  int error_ = 0;
  std::optional<int> code_;
};

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

// Return the path of the program. Fails where PATH has none.
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

constexpr Duration look_every{10};
constexpr std::size_t most_of_the_errors = 4096;
constexpr int weird_reply = 8, bad_certificate = 60;

Exchange hopeless(const std::string& why) { return {Exchange::End::hopeless, {}, {}, why}; }

// A request under way.
struct UnderWay {
  const Request& request;
  const CurlFiles& files;
  const AnswerFile& file;
};

Exchange answer_in(const UnderWay& way) {
  const AnswerHead head = read_heads(way.files.head.read(most_of_the_heads), now());
  if (head.status == 0) return failure_of(weird_reply, "");
  Response response{head.status, "", head.headers};
  if (way.request.method != "HEAD") response.body = way.files.answer.read(way.request.most);
  way.file.settle(response, way.request.most);
  return {Exchange::End::answered, std::move(response), head.retry_after, ""};
}

Exchange ended_with(int code, const UnderWay& way) {
  if (code == 0) return answer_in(way);
  if (code < 0) return {Exchange::End::cut, {}, {}, "curl was ended by a signal"};
  const bool may_tell = code == bad_certificate;
  return if_stalled(
      failure_of(code, may_tell ? certificate_problem(way.files.errors.read(most_of_the_errors)) : ""),
      way.request, false);
}

bool has_enough(const UnderWay& way) {
  return way.files.answer.size() >= way.request.most || way.files.head.size() >= most_of_the_heads;
}

// Wait until it has ended, there is enough of the answer, the time is up or `stop` tells to.
Exchange follow(CurlProcess& process, const UnderWay& way, Duration limit, const Stop& stop) {
  const auto end = SteadyClock::now() + limit;
  for (;;) {
    const std::optional<int> code = process.poll();
    const AnswerHead head =
        way.files.into < 0 ? AnswerHead{} : read_heads(way.files.head.read(most_of_the_heads), now());
    const bool too_much = way.file.has_too_much(head, way.request.most);
    if (too_much) process.end();
    if (too_much && way.file.takes(head))
      return way.file.drop(), hopeless("the answer is longer than what was asked for");
    if (too_much || has_enough(way)) return answer_in(way);
    if (code) return ended_with(*code, way);
    if (stop()) return hopeless("told to stop");
    if (SteadyClock::now() >= end) return {Exchange::End::too_late, {}, {}, "no answer"};
    std::this_thread::sleep_for(look_every);
  }
}

}  // namespace

Exchange exchange(const Request& request, Duration limit, const Stop& stop) {
  const Result<std::string> program = find_curl(), config = curl_config(request, limit);
  if (!program || !config) return hopeless((program ? config : program).error().message);
  const AnswerFile file(request.into);
  if (!file.problem().empty()) return hopeless(file.problem());
  CurlFiles files;
  files.into = file.descriptor();
  if (!files.config.fill(*config) || !files.message.fill(request.body))
    return hopeless("this system has no files in memory");
  // What is secret is in no argument: everybody can list these.
  CurlProcess process(*program, {"--disable", "--config", "-"}, files);
  if (process.error() != 0) return hopeless("curl: " + std::generic_category().message(process.error()));
  Exchange done = follow(process, {request, files, file}, limit, stop);
  process.end();
  if (done.end != Exchange::End::answered)
    file.settle_cut(read_heads(files.head.read(most_of_the_heads), now()));
  return done;
}

Status can_send() {
  return find_curl().map([](const std::string&) {});
}

Result<std::string> sender() {
  constexpr Duration limit = std::chrono::seconds(5);
  GATE_TRY(const std::string program, find_curl());
  CurlFiles files;
  CurlProcess process(program, {"--disable", "--version"}, files);
  const auto end = SteadyClock::now() + limit;
  while (process.error() == 0 && !process.poll() && SteadyClock::now() < end)
    std::this_thread::sleep_for(look_every);
  const std::string version = version_in(files.answer.read(most_of_the_errors));
  if (version.empty()) return fail(printable(program) + " tells no version");
  return printable(program) + " " + version;
}

}  // namespace gate::net
