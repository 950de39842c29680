// Runs the cases of a plan on the host, beside one another where they fit: the way of each from the devices
// that it reserves to its finished report.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "app/run/device_pool.h"
#include "app/run/launch_case.h"
#include "app/run/run_conditions.h"
#include "app/run/run_session.h"
#include "app/series/hardware.h"
#include "gate/schedule/schedule.h"

namespace gate::app {

class CaseRunner {
 public:
  // What is done with a case whose devices are reserved: launch it, as often as need be, and report. Called
  // by several threads.
  using Task = std::function<CaseReport(const PlannedCase&)>;

  // Fails where the host's leases cannot be used and some case needs a device.
  static Answer<CaseRunner> open(RunSession& session);

  // Run every case of the plan that can run and has not finished, until something stops the run; then write
  // the final report. A report that could not be written makes the exit code 125 at least. `conclusion`,
  // asked after the last case, is a note about the whole run; "" is none.
  Answer<Report> run_all(const Task& work, const std::function<std::string()>& conclusion = {});

  // Launch the case, once its devices are idle, and follow it to its end. A recording waits for all devices
  // of the host. The series are those of every source; where nothing was launched, the outcome says why.
  LaunchResult launch(const PlannedCase& planned, Purpose purpose, int number = 1);

  // Return the runs of other cases beside which the case is judged, as far as this run has them: complete,
  // with their series read from their logs again.
  Partners partners(const PlannedCase& planned) const;

  RunSession& session() const { return *session_; }

 private:
  CaseRunner(RunSession& session, DevicePool seats) : session_(&session), seats_(std::move(seats)) {}
  std::vector<DeviceId> run_case(const PlannedCase& planned, const schedule::Start& start, Duration expected,
                                 const Task& work);
  std::vector<DeviceId> release(const PlannedCase& planned, CaseReport& report);
  void give_up(const PlannedCase& planned);
  void begin_sampling(const std::vector<const PlannedCase*>& cases);
  std::vector<Snapshot> readings(const PlannedCase& planned, Sampler::Clock::time_point began) const;
  LaunchResult not_launched(const Status& ready) const;
  Partner partner(const std::string& case_name) const;
  Patience patience(const PlannedCase& planned, Duration limit) const;
  void tell_waiting(const std::vector<DeviceId>& devices);
  void tell_of_leases();

  RunSession* session_;
  DevicePool seats_;
  std::unique_ptr<Sampler> sampler_;
  std::unique_ptr<RunConditions> circumstances_ = std::make_unique<RunConditions>();
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();  // of lost_
  std::set<DeviceId> lost_;                                             // that no case may have any more
  std::string waited_;  // what was told of waiting for others' devices
};

}  // namespace gate::app
