// Runs the cases of a plan on the host, beside one another if they fit: the way of each from the devices
// that it reserves to its finished report.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/judging/hardware.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/reports/report.h"
#include "gate/schedule/dispatch.h"
#include "gate/schedule/schedule.h"
#include "runner/course/course.h"
#include "runner/session/device_pool.h"
#include "runner/session/run_session.h"

namespace gate::app {

// What went on around the cases of a run: who ran beside whom, and whose devices were clocked down. Named if
// a speed check failed. Used by several threads at once.
class RunConditions {
 public:
  // The case runs from here on, beside those that have not ended.
  void on_start(const std::string& case_name);
  void on_end(const std::string& case_name);  // its devices are released

  // Of the case's latest launch that is judged.
  void set_clocked_down(const std::string& case_name, std::vector<Sentence> words);

  // Add notes to the report of a case whose speed failed.
  void explain(CaseReport& report, const MetricTable& metrics) const;

 private:
  mutable std::mutex mutex_;
  std::set<std::string> running_;
  std::map<std::string, std::set<std::string>> neighbours_;
  std::map<std::string, std::vector<Sentence>> clocked_down_;
};

class CaseRunner {
 public:
  // What is done with a case whose devices are reserved: follow its course, and report. A case that goes on
  // elsewhere comes to it again, with what it left on hosts that are lost. Called by several threads.
  using CaseFunction = std::function<CaseReport(const PlannedCase&, const PastLaunches&)>;

  // Fails if the host's leases cannot be used and some case needs a device.
  static Answer<CaseRunner> open(RunSession& session);

  // Run every case of the plan that can run and has not finished, until something stops the run; then write
  // the final report. A report that could not be written makes the exit code 125 at least. `conclusion`,
  // asked after the last case, is a note about the whole run; "" is none.
  Answer<Report> run_all(const CaseFunction& run, const std::function<Sentence()>& conclusion = {});

  // Launch the case as its course says, each launch once its devices are idle and followed to its end, and
  // return what that comes to. A recording waits for all devices of the host. Where the course goes on
  // elsewhere, the case comes here again, unless that comes to nothing. Series are kept beside the logs of
  // what is judged by rules, or recorded.
  CaseReport follow(Course& course);

  RunSession& session() const { return *session_; }

 private:
  CaseRunner(RunSession& session, DevicePool pool) : session_(&session), pool_(std::move(pool)) {}
  LaunchResult launch(const PlannedCase& planned, const NextLaunch& next);
  Measured measured(const Course& course, NextLaunch next);
  Standstill standstill(const PlannedCase& planned) const;
  Partners partners(const PlannedCase& planned) const;
  void drop_checkpoints(const PlannedCase& planned, int number, LaunchRecord& record);
  schedule::TaskEnding run_case(const PlannedCase& planned, const schedule::Start& start, Duration expected,
                                const CaseFunction& run);
  bool put_off(const PlannedCase& planned, const CaseReport& report);
  std::optional<Elsewhere> take_put_off(const PlannedCase& planned);
  bool has_lost_hosts(const PlannedCase& planned) const;
  std::vector<int> lost_hosts(const std::vector<int>& hosts);
  std::vector<DeviceId> release(const PlannedCase& planned, CaseReport& report);
  Sentence why_unschedulable(const PlannedCase& planned) const;
  void on_unschedulable(const PlannedCase& planned);
  void begin_sampling(const std::vector<const PlannedCase*>& cases);
  LaunchResult not_launched(const PlannedCase& planned, const Status& ready) const;
  Partner partner(const std::string& case_name) const;
  IdleWait idle_wait(const PlannedCase& planned, Duration limit) const;
  void tell_of_leases();

  RunSession* session_;
  DevicePool pool_;
  std::unique_ptr<Sampler> sampler_;
  std::unique_ptr<RunConditions> conditions_ = std::make_unique<RunConditions>();
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();  // of what follows
  std::set<DeviceId> lost_;                                             // that no case may have any more
  std::map<int, Sentence> lost_hosts_;                                  // why
  std::map<const PlannedCase*, Elsewhere> put_off_;                     // cases that wait to run there
};

}  // namespace gate::app
