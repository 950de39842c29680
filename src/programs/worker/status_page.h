// /metrics and /healthz, for those on this host.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "gate/base/result.h"
#include "gate/base/time.h"
#include "worker/states.h"

namespace gate::worker {

// What a worker tells of itself.
struct WorkerNumbers {
  std::map<TestState, std::int64_t> tests;  // by state; none: 0
  std::int64_t untold = 0;                  // of which the hub is still to be told
  // Since the start: messages that were read, known already, or that nobody could read; what was posted and
  // taken, or not taken; gates launched, launched once more, and those that vanished.
  std::int64_t messages = 0, repeated = 0, unreadable = 0, posted = 0, not_taken = 0, launches = 0,
               vanished = 0;
  std::int64_t troubles = 0;     // tries that came to nothing by the host's own trouble
  std::string trouble;           // why no messages come; "": they do
  std::string own_trouble;       // why no gate runs here, or nothing can be kept; "": all is well
  SteadyClock::time_point seen;  // when the worker last went round
};

// Return them as Prometheus' text format 0.0.4.
std::string metrics_text(const WorkerNumbers& numbers);

// Tell why that is no address of this host alone: what is told to a scraper is nobody else's. "": it is one,
// or "" itself.
std::string why_no_own_address(const std::string& address);

class StatusPage {
 public:
  // Listen at ADDRESS:PORT, port 0 being any that is free. Fails where that is taken.
  static Result<std::unique_ptr<StatusPage>> open(const std::string& address);
  ~StatusPage();

  std::string address() const;  // with the port that it has
  void show(const WorkerNumbers& numbers);

 private:
  explicit StatusPage(int socket);
  void serve();
  std::string answer(const std::string& request);

  const int socket_;
  std::mutex mutex_;
  WorkerNumbers numbers_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace gate::worker
