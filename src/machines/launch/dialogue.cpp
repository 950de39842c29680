#include "gate/launch/dialogue.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "launch/child.h"
#include "launch/registry.h"

namespace gate::launch {

namespace {

constexpr std::size_t most_read = std::size_t{1} << 20;
constexpr Duration look_without_pidfd{20};
constexpr Duration goodbye{1000};  // for what was killed

// Return what there is; closes the end that nothing will come through any more.
std::string read_present(Fd& end) {
  std::string text;
  std::array<char, 65536> block;
  while (end && text.size() < most_read) {
    const ssize_t count = ::read(end.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count <= 0)
      end.close();
    else
      text.append(block.data(), static_cast<std::size_t>(count));
  }
  return text;
}

}  // namespace

struct Dialogue::State {
  State(Fd in, Fd out, Fd err, Child its_child)
      : input(std::move(in)), output(std::move(out)), errors(std::move(err)), child(std::move(its_child)) {}

  ToolAsked as_tool;  // until its child is reaped
  Fd input, output, errors;
  Child child;
};

Result<Dialogue> Dialogue::start(const std::vector<std::string>& words,
                                 const std::map<std::string, std::string>& env) {
  ::signal(SIGPIPE, SIG_IGN);  // who listens no more is no reason to end
  const ExecWords command =
      exec_words({.argv = words, .env = env, .cwd = "", .setup = "", .cookie = ""}, own_environment());
  GATE_TRY(auto input, make_pipe(Reads::blocking));
  GATE_TRY(auto output, make_pipe(Reads::at_once));
  GATE_TRY(auto errors, make_pipe(Reads::at_once));
  GATE_TRY(auto child, Child::start(command, input.read, output.write, errors.write));
  ::fcntl(input.write.get(), F_SETFL, O_NONBLOCK);
  return Dialogue(std::make_unique<State>(std::move(input.write), std::move(output.read),
                                          std::move(errors.read), std::move(child)));
}

Dialogue::Dialogue(std::unique_ptr<State> state) : state_(std::move(state)) {}
Dialogue::Dialogue(Dialogue&&) noexcept = default;

Dialogue::~Dialogue() {
  if (!state_ || ended()) return;
  state_->child.send_group(SIGKILL);
  const auto end = SteadyClock::now() + goodbye;
  while (!ended() && SteadyClock::now() < end) wait(-1, false, look_without_pidfd);
}

void Dialogue::wait(int wake, bool has_words, Duration limit) {
  if (state_->child.pidfd() < 0) limit = std::min(limit, look_without_pidfd);
  std::array<pollfd, 5> fds{{{state_->output.get(), POLLIN, 0},
                             {state_->errors.get(), POLLIN, 0},
                             {state_->child.pidfd(), POLLIN, 0},
                             {wake, POLLIN, 0},
                             {has_words ? state_->input.get() : -1, POLLOUT, 0}}};
  ::poll(fds.data(), fds.size(), static_cast<int>(limit.count()));
}

std::size_t Dialogue::write(std::string_view words) {
  if (!state_->input || words.empty()) return 0;
  const ssize_t count = ::write(state_->input.get(), words.data(), words.size());
  if (count < 0 && errno != EAGAIN && errno != EINTR) state_->input.close();
  return count < 0 ? 0 : static_cast<std::size_t>(count);
}

std::string Dialogue::read_output() { return read_present(state_->output); }
std::string Dialogue::read_errors() { return read_present(state_->errors); }
bool Dialogue::is_silent() const { return !state_->output; }
std::optional<Outcome> Dialogue::ended() { return state_->child.poll(); }

}  // namespace gate::launch
