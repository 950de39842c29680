#include "gate/launch/tool.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "gate/base/text.h"
#include "launch/child.h"
#include "launch/registry.h"

namespace gate::launch {

namespace {

constexpr Duration look_every{20};  // where the system has no pidfd
constexpr Duration patience{1000};  // for what was killed

class Stream {
 public:
  Stream(Fd fd, std::string& text, std::size_t most) : fd_(std::move(fd)), text_(text), most_(most) {}

  int fd() const { return fd_.get(); }

  // Read what is there; what is too much is thrown away.
  void read() {
    std::array<char, 65536> block;
    while (fd_) {
      const ssize_t count = ::read(fd_.get(), block.data(), block.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return;
      if (count <= 0) return fd_.close();
      text_.append(block.data(), std::min(static_cast<std::size_t>(count), most_ - text_.size()));
    }
  }

 private:
  Fd fd_;
  std::string& text_;
  std::size_t most_;
};

// Read until the child has ended, or nobody waits any more.
void follow(Child& child, Stream& output, Stream& errors, const Cut& cut) {
  while (!child.poll() && !cut.is_over()) {
    std::array<pollfd, 3> fds{
        {{output.fd(), POLLIN, 0}, {errors.fd(), POLLIN, 0}, {child.pidfd(), POLLIN, 0}}};
    const Duration wait = child.pidfd() < 0 ? std::min(look_every, cut.next_look()) : cut.next_look();
    ::poll(fds.data(), fds.size(), static_cast<int>(wait.count()));
    output.read();
    errors.read();
  }
}

void take_outcome(const Outcome& outcome, ToolAnswer& answer) {
  if (const auto* exited = std::get_if<Exited>(&outcome)) answer.exit_code = exited->code;
  if (const auto* killed = std::get_if<Killed>(&outcome))
    answer.failure = "killed by signal " + std::to_string(killed->signal);
  if (const auto* not_started = std::get_if<NotStarted>(&outcome))
    answer.failure = not_started->why.english();
  if (!answer.exit_code && answer.failure.empty()) answer.failure = "its end was not seen";
}

bool is_there(const ExecWords& command) {
  return std::any_of(command.files.begin(), command.files.end(),
                     [](const std::string& file) { return ::access(file.c_str(), F_OK) == 0; });
}

ToolAnswer failed(std::string why) {
  ToolAnswer answer;
  answer.failure = std::move(why);
  return answer;
}

// No process is started for what cannot be one.
ToolAnswer missing(const std::string& program) {
  ToolAnswer answer = failed("cannot start " + printable(program) + ": it is not there");
  answer.missing = true;
  return answer;
}

}  // namespace

ToolAnswer ask_tool(const std::vector<std::string>& words, Duration limit, std::size_t most_kept) {
  return ask_tool(words, Cut{}.bounded(limit), most_kept);
}

ToolAnswer ask_tool(const std::vector<std::string>& words, const Cut& cut, std::size_t most_kept) {
  const ToolAsked asked;  // until its child is reaped
  const ExecWords command =
      exec_words({.argv = words, .env = {}, .cwd = "", .setup = "", .cookie = ""}, own_environment());
  if (!is_there(command)) return missing(words.front());
  Result<Pipe> output = make_pipe(Reads::at_once), errors = make_pipe(Reads::at_once);
  if (!output || !errors) return failed((output ? errors : output).error().message);
  Result<Child> child = Child::start(command, output->write, errors->write);
  if (!child) return failed(child.error().message);
  output->write.close();
  errors->write.close();
  ToolAnswer answer;
  Stream out(std::move(output->read), answer.output, most_kept);
  Stream err(std::move(errors->read), answer.errors, most_kept);
  follow(*child, out, err, cut);
  const bool ended = child->has_ended();
  child->send_group(SIGKILL);
  follow(*child, out, err, Cut{}.bounded(patience));
  out.read();
  err.read();
  if (ended)
    take_outcome(*child->poll(), answer);
  else
    answer.failure = cut.why("no answer");
  return answer;
}

}  // namespace gate::launch
