// A job of an engine, from its submission to its end: what runs on each of its nodes is seen to its end by
// the same supervisor as a script of this host.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/base/time.h"
#include "gate/hosts/engine.h"
#include "gate/launch/dialogue.h"
#include "gate/launch/runner.h"

namespace gate::hosts {

// What is known of a job.
struct Known {
  bool is_known = false;                  // there was an answer
  std::optional<JobStatus> state = {};    // none: the job is not there (any more)
  SteadyClock::time_point asked_at = {};  // when the latest answer was asked for
  std::string trouble = {};               // why there has been none since; "": there has
};

// An engine, for one run: asks how all jobs of the run stand at once, and not too often. Used by several
// threads at once.
class JobEngine {
 public:
  // `lost_after`: how long gate may be silent until its jobs end, and for how long an engine may fail to take
  // a job. Programs are asked no longer than the limit.
  JobEngine(const EngineRow& row, Duration lost_after, Duration tool_limit)
      : row_(row), lost_after_(lost_after), tool_limit_(tool_limit) {}

  const EngineRow& row() const { return row_; }
  Duration lost_after() const { return lost_after_; }

  // Ask one of the engine's programs.
  ToolAnswer ask(const std::vector<std::string>& words) const;

  // Return how the job stands, as it was a second ago at most where the engine can be asked.
  Known look(const JobId& job);

  // The job is over: it is asked for no more.
  void leave(const JobId& job);

 private:
  struct Group {  // of jobs that are asked for together
    std::map<std::string, Known> jobs;
    SteadyClock::time_point due{};
    bool is_asking = false;
  };
  using GroupKey = std::pair<std::vector<std::string>, std::string>;

  const EngineRow& row_;
  Duration lost_after_, tool_limit_;
  std::mutex mutex_;
  std::map<GroupKey, Group> groups_;
};

// To be made, used for node 0, and ended by one thread.
class EngineJob {
 public:
  EngineJob(JobEngine& engine, JobRequest request);
  EngineJob(const EngineJob&) = delete;
  EngineJob& operator=(const EngineJob&) = delete;
  ~EngineJob();  // nothing of it is left

  const JobRequest& request() const { return request_; }

  // Run what the node runs to its end, as launch::run_command() says; each node is called by a thread of its
  // own, all at the same time. The limits count from the start of the node on, but for Limits::rest.
  Result<launch::Ending> run(std::size_t node, const launch::Limits& limits,
                             const launch::Listener& listener);

 private:
  class View;
  struct Waiting {
    const launch::Limits& limits;
    const launch::Listener& listener;
    SteadyClock::time_point began;
  };

  Status prepare(const fs::Path& file) const;
  std::optional<Outcome> submit(const launch::Listener& listener);
  std::optional<Outcome> wait_for_submission();
  std::optional<Outcome> wait_for_start(std::size_t node, const Waiting& waiting, launch::Ending& ending);
  Result<launch::Ending> follow(std::size_t node, launch::Limits limits, const launch::Listener& listener,
                                SteadyClock::time_point began);
  Outcome refused(const std::optional<JobStatus>& state) const;
  bool has_started(std::size_t node);
  void leave_will();
  Known look();
  std::string cancel(bool now);
  void show_life();
  void remove_folder() const;
  std::string finish_node(bool is_clean);
  std::string name() const;

  JobEngine& engine_;
  const JobRequest request_;
  std::optional<launch::Dialogue> last_will_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<JobId> id_;         // set once
  std::optional<Outcome> failure_;  // it could not be submitted
  SteadyClock::time_point shown_{};
  std::size_t left_;  // nodes that are not over
  bool is_clean_ = true;
};

}  // namespace gate::hosts
