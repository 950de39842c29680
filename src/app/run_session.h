// The bookkeeping of a run: its folder, its report as it grows, events to the sink, and when to stop.
// Whatever happens later, what has been finished is on disk: each case's own result at once, the report of
// all of them as often as that costs next to nothing.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "app/case_run.h"
#include "app/circumstances.h"
#include "app/death_streak.h"
#include "app/hardware.h"
#include "app/memory.h"
#include "app/run_plan.h"
#include "app/seats.h"
#include "gate/base/pace.h"

namespace gate::app {

class RunSession {
 public:
  // Create the run folder, write the report in which nothing has run, and tell the sink. With options.resume
  // take up that run: what it has finished stays.
  static Answer<RunSession> begin(const Suite& suite, const RunOptions& options, const RunPlan& plan,
                                  const std::string& command, Machine& machine);

  // Run every case of the plan that can run and has not finished, beside one another where they fit, until
  // something stops the run; then write the final report. `run_one` is called by several threads. A report
  // that could not be written makes the exit code 125 at least. `conclusion`, asked after the last case, is a
  // note about the whole run; "" is none.
  Answer<Report> run_all(const std::function<CaseReport(const PlannedCase&)>& run_one,
                         const std::function<std::string()>& conclusion = {});

  // Launch the case with everything that the run has for it.
  Launched launch(const PlannedCase& planned, Purpose purpose, int number = 1);

  // Return the runs of other cases beside which the case is judged, as far as this run has them: complete,
  // with their series read from their logs again.
  Partners partners(const PlannedCase& planned);

  // Tell whether no further launch may start: interrupted, --deadline, --max-failures, three deaths alike, or
  // gate's own disk.
  bool must_stop();

  // Write the candidate beside the launch's log, from where `accept --from` can take it, and add it to the
  // launch's artifacts. Not where nothing was measured.
  void keep_series(const Baseline& candidate, Launched& launched);

  // Return the candidate that the launch makes, with its provenance.
  Baseline candidate(const PlannedCase& planned, const Launched& launched) const;

  void tell(const std::string& case_name, const std::string& text) { sink_(Message{case_name, text}); }

 private:
  RunSession(const Suite& suite, const RunOptions& options, const RunPlan& plan, store::RunFolder folder,
             Report report, Masker masker, Seats seats, Machine& machine);
  bool is_recording() const { return report_.command == "record"; }
  std::vector<const PlannedCase*> cases_to_run();
  std::vector<DeviceId> run_case(const PlannedCase& planned, const std::string& devices, Duration expected,
                                 const std::function<CaseReport(const PlannedCase&)>& run_one);
  void begin_sampling(const std::vector<const PlannedCase*>& cases);
  void add_hardware(const PlannedCase& planned, const Seat& seat, Sampler::Clock::time_point began,
                    Launched& launched) const;
  void tell_of_leases();
  std::vector<DeviceId> leave(const PlannedCase& planned, CaseReport& report);
  void give_up(const PlannedCase& planned);
  Patience patience(const PlannedCase& planned, Duration limit);
  bool is_past_deadline() const;
  Launched not_ready(const Status& ready) const;
  Provenance provenance(const PlannedCase& planned) const;
  void tell_differences(const PlannedCase& planned, CaseReport& report) const;
  Status open();
  void take_up_finished();
  CaseReport& report_of(const PlannedCase& planned);
  Partner partner(const std::string& case_name);
  void finish(CaseReport report);
  Report end();
  void learn();
  void save();
  std::string why_stop() const;
  Duration elapsed() const;
  void remember(const Status& status);

  const Suite& suite_;
  const RunOptions& options_;
  const RunPlan& plan_;
  store::RunFolder folder_;
  Report report_;
  Memory memory_;
  Masker masker_;
  Machine& machine_;
  Sink sink_;
  SteadyTime::Point began_ = machine_.time.now();
  Pace saving_;  // of the report of all cases
  DeathStreak deaths_;
  Seats seats_;
  std::unique_ptr<Sampler> sampler_;
  std::unique_ptr<Circumstances> circumstances_ = std::make_unique<Circumstances>();
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();  // of all that follows, and the report
  std::set<DeviceId> lost_;  // devices that no case may have any more
  std::string waited_;       // what was told of waiting for others' devices
  std::string stopped_;      // why no further case starts
  std::string write_error_;
  int saved_cases_ = 0;
};

}  // namespace gate::app
