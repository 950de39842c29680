// What gate asks of this host's files, answered one after the other in a thread of its own: a disk that is
// slow makes the session slow for nothing else.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "agent/agent_tree.h"
#include "gate/hosts/protocol.h"

namespace gate::agent {

class HostedFiles {
 public:
  // `folder` is that of the session, in the folder `sessions` beside which contents are kept. `changed` is
  // called, by the thread, when there is an answer. What has not been begun when it goes is not done.
  HostedFiles(const fs::Path& folder, std::function<void()> changed);

  // Tell whether the verb asks for files.
  static bool knows(const std::string& verb);

  // Take a question: `ask ID VERB WORDS`. Each may come twice.
  void ask(hosts::Frame question);

  // Return the answers since the last call.
  std::vector<hosts::Frame> answers();

 private:
  void run(const std::stop_token& stop);
  Result<hosts::Frame> answer_to(const hosts::Frame& question) const;

  const Blobs blobs_;
  const SessionTree tree_;
  const std::function<void()> changed_;
  std::mutex mutex_;
  std::condition_variable_any asked_;
  std::deque<hosts::Frame> questions_;
  std::set<std::string> open_;  // ids of what is asked and not answered
  std::vector<hosts::Frame> answers_;
  std::jthread thread_;
};

}  // namespace gate::agent
