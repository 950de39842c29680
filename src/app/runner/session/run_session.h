// The bookkeeping of a run: its folder, its report as it grows, events to the sink, and when to stop.
// Whatever happens later, what has been finished is on disk: each case's own result at once, the report of
// all of them as often as that costs next to nothing.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/base/throttle.h"
#include "gate/places/early_stop.h"
#include "gate/places/launch_case.h"
#include "gate/places/run_plan.h"
#include "gate/places/stop_requests.h"
#include "gate/suite/run_history.h"
#include "runner/session/kept_status.h"

namespace gate::app {

// Once it has begun, used by several threads at once.
class RunSession {
 public:
  // Create the run folder, or with options.resume take up that run's. Suite, options, plan and environment
  // must outlive the session.
  static Answer<RunSession> create(const Suite& suite, const RunOptions& options, const RunPlan& plan,
                                   const std::string& command, Environment& environment);

  // Write the report in which nothing has run, but for what a run that is taken up has finished, and tell the
  // sink.
  Status begin();

  // Return the cases that can run and have not finished, in the order of the plan.
  std::vector<const PlannedCase*> unfinished() const;

  // Tell the sink that the case starts.
  void start(const PlannedCase& planned, const std::string& devices, const std::vector<int>& hosts,
             Duration expected) const;

  // Take the case's report, which is final, write it, and tell the sink.
  void finish(CaseReport report);

  // Return what is reported of the case so far.
  CaseReport report_of(const PlannedCase& planned) const;

  // Return why the case is never to start, for one that it comes after did not pass: `convert, which it comes
  // after, is crashed`; "" while it may.
  Sentence why_held_back(const PlannedCase& planned) const;

  // Return where each case that it comes after had its files in the launch that counts: its log, its
  // artifacts, and what it left there. By the variable that tells it.
  std::map<std::string, fs::Path> folders_before(const PlannedCase& planned) const;

  // Tell whether no further launch may start: interrupted, --deadline, --max-failures, three deaths alike, or
  // gate's own disk. `why_stopped` says which of these, once it is so.
  bool must_stop();
  Sentence why_stopped() const;

  // Return how the case is to end, if somebody wants it to; nothing else.
  std::optional<Interrupted> interruption(const PlannedCase& planned) const;

  // Tell whether a case that has not been launched is not to be: somebody stopped it, or the run.
  bool must_stop(const PlannedCase& planned) { return must_stop() || interruption(planned).has_value(); }

  // Tell whether --deadline is up; how long there is until then, nothing if there is none.
  bool is_past_deadline() const;
  std::optional<Duration> rest() const;

  // Take note of something that could not be written: the first is told, with what is safe by then, and ends
  // the run.
  void remember(const Status& status);

  void tell(const std::string& case_name, const Sentence& text) const { sink_(Message{case_name, text}); }

  // Tell for what the case, or the run ("") waits.
  void tell_waiting(const std::string& case_name, const Sentence& text) const {
    sink_(Message{case_name, text, true});
  }

  // Tell the sink that a launch of the case begins.
  void begin_launch(const PlannedCase& planned, int number) const {
    sink_(LaunchBegun{planned.spec->name, number});
  }

  // Write what the run is doing, if it is due. Called every now and then.
  void refresh_status() const { status_->refresh(); }

  // Write the final report, and the run into the history. `conclusion` is a note about the whole run; "" is
  // none.
  Report end(const Sentence& conclusion);

  // Note what gate ends with, and that the run has been told of to everybody: from here on it is not to be
  // resumed. A run that does not judge is closed by its end.
  void close(int exit_code);

  const Suite& suite() const { return suite_; }
  const RunOptions& options() const { return options_; }
  const RunPlan& plan() const { return plan_; }
  Environment& environment() const { return environment_; }
  const RunHistory& history() const { return history_; }
  const std::string& id() const { return folder_.id(); }
  bool is_judging() const { return report_.command == "run"; }  // else it only measures

  // Return what all launches of the run share, of this suite or another checkout of it; not longer than the
  // session lives.
  LaunchContext context() const { return context(suite_); }
  LaunchContext context(const Suite& suite) const;

 private:
  RunSession(const Suite& suite, const RunOptions& options, const RunPlan& plan, store::RunFolder folder,
             Report report, Masker masker, Environment& environment);
  void take_up_finished();
  CaseReport& slot_of(const std::string& case_name);
  const CaseReport& slot_of(const std::string& case_name) const;
  Sentence why_stop() const;
  Duration elapsed() const;
  void remember_unlocked(const Status& status);
  void save();
  void remove_old_runs();
  void end_status();
  void learn();

  const Suite& suite_;
  const RunOptions& options_;
  const RunPlan& plan_;
  store::RunFolder folder_;
  Report report_;
  RunHistory history_;
  Masker masker_;
  Environment& environment_;
  std::shared_ptr<StatusFile> status_;
  std::unique_ptr<StopRequests> stops_;
  std::unique_ptr<GoldenMemory> golden_ = std::make_unique<GoldenMemory>(folder_.path() / ".golden");
  Sink sink_;
  SteadyTime::Point began_ = environment_.time.now();
  Throttle saving_;  // of the report of all cases
  EarlyDeathBreaker deaths_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();  // of all that follows, and the report
  Sentence stopped_;                                                    // why no further case starts
  std::string write_error_;
  int saved_cases_ = 0;
};

}  // namespace gate::app
