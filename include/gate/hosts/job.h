// A job of an engine, from its submission to its end: what runs on each of its nodes is seen to its end by
// the same supervisor as a script of this host.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/cut.h"
#include "gate/base/result.h"
#include "gate/base/sentence.h"
#include "gate/base/time.h"
#include "gate/hosts/job_engine.h"
#include "gate/launch/dialogue.h"
#include "gate/launch/process.h"
#include "gate/launch/waiting.h"

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

  // Ask one of the engine's programs, no longer than the cut lets it.
  ToolAnswer ask(const std::vector<std::string>& words, const Cut& cut) const;

  // Return how the job stands, as it was a second ago at most where the engine can be asked.
  Known look(const JobId& job, const Cut& cut);

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

// What a node needs of its job.
class JobView {
 public:
  virtual ~JobView() = default;
  virtual Known look() = 0;
  virtual void cancel(bool now) = 0;
  virtual void show_life() = 0;  // to be called again and again

  // The node is over. `is_clean`: and the engine need not be told to end it.
  virtual void leave(bool is_clean) = 0;
};

// A job from its folder to its end. One thread opens it, waits for it and closes it; what runs on a node is
// followed by a thread of its own in between.
class EngineJob : public JobView {
 public:
  // The cut is that of all that the engine is asked: who is in a hurry.
  EngineJob(JobEngine& engine, JobRequest request, Cut cut = {});
  ~EngineJob() override;  // nothing of it is left

  const JobRequest& request() const { return request_; }

  // Make its folder with what is to be submitted in it.
  Status open();

  // Submit it, or look how it stands: one turn. Ready once its nodes have begun; of a job of Slurm's, one of
  // them.
  launch::Waiting wait();

  // Return the engine's word for it, `71` or a name; "" before it has taken it.
  std::string id() const { return id_ ? id_->id : ""; }

  // Return what runs on the node of a job that is ready, as a process. The job must outlive it.
  std::unique_ptr<launch::Process> node(std::size_t node);

  // Remove the job where anything of it may be left. Returns why something is; "" where nothing is.
  Sentence close();

  Known look() override { return engine_.look(*id_, cut_); }
  void cancel(bool now) override { try_to_cancel(now); }
  void show_life() override;
  void leave(bool is_clean) override;

 private:
  launch::Waiting submit();
  launch::Waiting judge(const Known& known);
  bool has_begun() const;
  bool have_pods_started(const Known& known) const;
  Outcome refused(const std::optional<JobStatus>& state) const;
  void leave_will();
  Sentence try_to_cancel(bool now);
  Cut cut_of_cancelling() const;
  void remove_folder() const;
  std::string name() const;

  JobEngine& engine_;
  const JobRequest request_;
  const Cut cut_;
  std::optional<launch::Dialogue> last_will_;
  std::optional<JobId> id_;  // set once, before a node is followed
  const SteadyClock::time_point began_ = SteadyClock::now();
  SteadyClock::time_point next_submission_{}, submitted_at_{};
  std::string why_not_taken_;
  bool had_pods_ = false;                        // a job whose pods are all gone waits for nothing
  std::optional<SteadyClock::time_point> gone_;  // since when its engine knows nothing of it
  bool is_open_ = false, is_closed_ = false;
  std::mutex mutex_;  // of what follows
  SteadyClock::time_point shown_{};
  std::size_t clean_ = 0;  // nodes
};

}  // namespace gate::hosts
