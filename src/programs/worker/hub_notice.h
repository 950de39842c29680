// What a hub is told of a test (UpdateModelCI), posted in a thread of its own: a hub that does not answer
// holds nobody up.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "gate/config/worker.h"
#include "worker/journal.h"

namespace gate::worker {

// Return the message: Id, ModelId, CommitId, CiStatus, ResultURL, and ExternalArgsInfo with ImageName, JobID,
// Status, Stage, ReportURL, TestResultURL, NewBaseLineURL, OutputURL, LogURL, Passed, MetricValue, Metric,
// Threshold, BaselineId, TestType, Reason, StatusConfirmed, UpdatedDate. Ids go out as they came in. Passed
// and MetricValue are null where nothing was compared. StatusConfirmed is true of a state that will not
// change. ResultURL, ReportURL and LogURL are where the log is, or will be while the test goes on.
std::string notice_of(const HubTest& test, const config::WorkerSettings& settings);

struct PendingNotice {
  std::int64_t number = 0, version = 0;  // of the test
  std::string body;
  std::string test = {};  // its name, for people
};

enum class HubAnswer : std::uint8_t {
  taken,
  refused,  // this one: 3xx, 4xx
  away      // any: no answer, 5xx, 408, 429
};

struct Posted {
  HubAnswer answer = HubAnswer::taken;
  std::string why;  // it was not taken
};

// How it went.
struct NoticeResult {
  std::int64_t number = 0, version = 0;
  Posted posted;
  std::string test = {};  // as in the notice
};

class NoticePoster {
 public:
  // Post one body. Gives up when `stop` says so.
  using Post = std::function<Posted(const std::string& body, const std::function<bool()>& stop)>;

  // What was not begun when it goes is left.
  explicit NoticePoster(Post post);

  void send(PendingNotice notice);

  // Return what has been posted since the last call.
  std::vector<NoticeResult> results();

 private:
  void work(const std::stop_token& stop);

  const Post post_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<PendingNotice> pending_;
  std::vector<NoticeResult> results_;
  std::jthread thread_;
};

// Return what posts to the address, with the token as the header TOKEN where it is not "".
NoticePoster::Post post_to(const std::string& address, const std::string& token);

}  // namespace gate::worker
