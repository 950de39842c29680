// A session with the agent of another host, over ssh, that outlives cuts of the connection.
//
// One connection a host carries everything. Where it is cut it is made again, as long as the host has not
// been silent for `lost_after`; what was asked meanwhile is asked again, and output goes on where it was. The
// agent ends by itself, with all that it started, once it has not heard of gate for as long.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gate/base/cut.h"
#include "gate/base/result.h"
#include "gate/base/time.h"
#include "gate/hosts/protocol.h"
#include "gate/hosts/ssh.h"

namespace gate::hosts {

struct LinkOptions {
  std::string host;              // as ssh knows it
  std::vector<std::string> ssh;  // the program, and words of the user's
  AgentFiles agents;
  std::string session;  // lower-case hexadecimal digits
  Duration lost_after{std::chrono::seconds(60)};
  std::function<bool()> must_hurry = {};  // who is in a hurry waits for no farewell
};

// Who hears of a job. Called by the link's thread.
struct JobListener {
  std::function<void(std::string_view)> on_output;
  std::function<void(const ProcessState&)> on_state;
};

// Used by several threads at once.
class Link {
 public:
  // Connect, and send the agent where it is not there yet. Fails with a sentence that says why and what to
  // do.
  static Result<std::unique_ptr<Link>> open(LinkOptions options, const Cut& cut);

  ~Link();  // the agent stops what it started, and ends

  const std::string& host() const;
  const Hello& hello() const;

  // Ask the agent, and wait for its answer as long as the cut says; also while the connection is being made
  // again. Fails with the agent's words, or where no answer came or the host is lost.
  Result<Frame> ask(const Frame& words, const Cut& cut);

  // Ask all of these, and then wait for the answers: one way there and back, however many they are.
  std::vector<Result<Frame>> ask_all(const std::vector<Frame>& questions, const Cut& cut);

  // Say it without waiting for the answer.
  void tell(const Frame& words);

  // Ask, and look for the answer later: nothing while there is none. Once it was there, it is gone.
  std::int64_t begin_asking(const Frame& words);
  std::optional<Result<Frame>> answer(std::int64_t question);

  // How much of a file is asked for, or sent, at once: what the link carries within a second or less, as far
  // as it has been seen to; and how much that was in a second. `note_block` tells how long one took.
  std::size_t block() const;
  std::size_t bytes_per_second() const;  // 0: nothing has been seen of it
  void note_block(std::size_t bytes, Duration taken);

  // So many bytes of the job's output have been taken: the agent may send more.
  void acknowledge(const std::string& job, std::int64_t size);

  // Hear of a job that will be started, until `leave` has returned.
  void join(const std::string& job, JobListener listener);
  void leave(const std::string& job);

  // Return a name for a job that no other of the session has.
  std::string new_job();

  // Tell whether the host can be heard at the moment.
  bool is_up() const;

  // Return how long it could not be heard, since the session began.
  Duration down_time() const;

  // Return why the host is lost, for good; "" while it is not.
  std::string why_lost() const;

  // Return the leases that were displaced since this was called last.
  std::vector<devices::Leases::Displaced> displaced();

 private:
  class Session;
  explicit Link(std::unique_ptr<Session> session);
  std::unique_ptr<Session> session_;
};

}  // namespace gate::hosts
