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
#include <utility>
#include <vector>

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

  virtual ~Link() = default;  // the agent stops what it started, and ends

  virtual const std::string& host() const = 0;
  virtual const Hello& hello() const = 0;

  // Ask the agent, and wait for its answer as long as the cut says; also while the connection is being made
  // again. Fails with the agent's words, or where no answer came or the host is lost.
  Result<Frame> ask(const Frame& words, const Cut& cut) { return std::move(ask_all({words}, cut).front()); }

  // Ask all of these, and then wait for the answers: one way there and back, however many they are.
  virtual std::vector<Result<Frame>> ask_all(const std::vector<Frame>& questions, const Cut& cut) = 0;

  // Say it without waiting for the answer.
  virtual void tell(const Frame& words) = 0;

  // Ask, and look for the answer later: nothing while there is none. Once it was there, it is gone.
  virtual std::int64_t begin_asking(const Frame& words) = 0;
  virtual std::optional<Result<Frame>> answer(std::int64_t question) = 0;

  // How much of a file is asked for, or sent, at once: what the link carries within a second or less, as far
  // as it has been seen to; and how much that was in a second. `note_block` tells how long one took.
  virtual std::size_t block() const = 0;
  virtual std::size_t bytes_per_second() const = 0;  // 0: nothing has been seen of it
  virtual void note_block(std::size_t bytes, Duration taken) = 0;

  // So many bytes of the job's output have been taken: the agent may send more.
  virtual void acknowledge(const std::string& job, std::int64_t size) = 0;

  // Hear of a job that will be started, until `leave` has returned.
  virtual void join(const std::string& job, JobListener listener) = 0;
  virtual void leave(const std::string& job) = 0;

  // Return a name for a job that no other of the session has.
  virtual std::string new_job() = 0;

  // Tell whether the host can be heard at the moment.
  virtual bool is_up() const = 0;

  // Return how long it could not be heard, since the session began.
  virtual Duration down_time() const = 0;

  // Return why the host is lost, for good; "" while it is not.
  virtual std::string why_lost() const = 0;

  // Return the leases that were displaced since this was called last.
  virtual std::vector<devices::Leases::Displaced> displaced() = 0;
};

}  // namespace gate::hosts
