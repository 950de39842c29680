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

#include "app/launch/launch_case.h"
#include "app/run/device_pool.h"
#include "app/run/run_session.h"
#include "app/series/hardware.h"
#include "gate/model/metric.h"
#include "gate/model/report.h"
#include "gate/schedule/dispatch.h"
#include "gate/schedule/schedule.h"

namespace gate::app {

// What went on around the cases of a run: who ran beside whom, and whose devices were clocked down. Named if
// a speed check failed. Used by several threads at once.
class RunConditions {
 public:
  // The case runs from here on, beside those that have not ended.
  void on_start(const std::string& case_name);
  void on_end(const std::string& case_name);  // its devices are released

  // Of the case's latest launch that is judged.
  void set_clocked_down(const std::string& case_name, std::vector<std::string> words);

  // Add notes to the report of a case whose speed failed.
  void explain(CaseReport& report, const MetricTable& metrics) const;

 private:
  mutable std::mutex mutex_;
  std::set<std::string> running_;
  std::map<std::string, std::set<std::string>> neighbours_;
  std::map<std::string, std::vector<std::string>> clocked_down_;
};

// The launches of a case that ended as infra, each with its host.
struct PastLaunches {
  int count = 0;
  std::vector<std::string> notes;  // what became of each
};

// Whose script a launch starts: that of the run's suite, or that of another checkout of it, in one of the
// case's phases.
struct Launchable {
  const Suite& suite;
  const PlannedCase& planned;
};

class CaseRunner {
 public:
  // What is done with a case whose devices are reserved: launch it, as often as need be, and report. A case
  // that it has asked to run elsewhere comes to it again. Called by several threads.
  using CaseFunction = std::function<CaseReport(const PlannedCase&)>;

  // Fails if the host's leases cannot be used and some case needs a device.
  static Answer<CaseRunner> open(RunSession& session);

  // Run every case of the plan that can run and has not finished, until something stops the run; then write
  // the final report. A report that could not be written makes the exit code 125 at least. `conclusion`,
  // asked after the last case, is a note about the whole run; "" is none.
  Answer<Report> run_all(const CaseFunction& run, const std::function<std::string()>& conclusion = {});

  // Launch the case, once its devices are idle, and follow it to its end. A recording waits for all devices
  // of the host. The series are those of every source; if nothing was launched, the outcome says why.
  // Where there is `what`, it is launched on that which `planned` has reserved: both need as many devices.
  // Checkpoints of a case with phases are left for them, until they are dropped.
  LaunchResult launch(const PlannedCase& planned, Purpose purpose, int number,
                      const std::optional<Launchable>& what = {});

  // Remove the checkpoints of the case's run of that number. Puts what could not be removed into `problems`.
  void drop_checkpoints(const PlannedCase& planned, int number, LaunchRecord& record);

  // Tell whether a host that the case has is lost: nothing can be launched for it there any more.
  bool has_lost_its_host(const PlannedCase& planned) const;

  // Tell whether as many hosts as it needs are left on which the case may run.
  bool can_run_elsewhere(const PlannedCase& planned) const;

  // Have the case run once more, on hosts that are left, behind what it is told now. Where that comes to
  // nothing, the report of the launch that was told of last is that of the case.
  void run_elsewhere(const PlannedCase& planned, PastLaunches past);

  // Return what the case left on hosts that are lost.
  PastLaunches past_launches(const PlannedCase& planned) const;

  // Return the runs of other cases beside which the case is judged, as far as this run has them: complete,
  // with their series read from their logs again.
  Partners partners(const PlannedCase& planned) const;

  RunSession& session() const { return *session_; }

 private:
  CaseRunner(RunSession& session, DevicePool pool) : session_(&session), pool_(std::move(pool)) {}
  schedule::TaskEnding run_case(const PlannedCase& planned, const schedule::Start& start, Duration expected,
                                const CaseFunction& run);
  bool put_off(const PlannedCase& planned, const CaseReport& report);
  std::optional<CaseReport> take_put_off(const PlannedCase& planned);
  void finish_put_off();
  bool has_lost_hosts(const PlannedCase& planned) const;
  std::vector<int> lost_hosts(const std::vector<int>& hosts);
  std::vector<DeviceId> release(const PlannedCase& planned, CaseReport& report);
  std::string why_unschedulable(const PlannedCase& planned) const;
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
  std::map<int, std::string> lost_hosts_;                               // why
  std::map<const PlannedCase*, PastLaunches> past_;
  std::map<const PlannedCase*, CaseReport> put_off_;  // of cases that wait to run elsewhere
};

}  // namespace gate::app
