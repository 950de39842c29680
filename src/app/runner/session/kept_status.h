// What a run is doing, kept in its folder for `gate status` as long as it goes on.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "gate/model/reports/event.h"
#include "gate/model/reports/run_status.h"
#include "gate/places/environment.h"
#include "gate/store/run_folder.h"
#include "runner/session/live_curves.h"

namespace gate::app {

// Used by several threads at once. What cannot be written is left out: the run does not depend on it.
class StatusFile {
 public:
  // `status` says who runs it and where. The environment must outlive the object.
  StatusFile(RunStatus status, store::RunFolder folder, const Environment& environment);

  // Take note of the event. The beginning and end of a case are written at once, steps once a second; of many
  // cases all is written once a second.
  void on_event(const Event& event);

  // Write what has not been written yet, if a second has gone by since it was written last.
  void refresh();

 private:
  void note(const RunPlanned& event);
  void note(const CaseStarted& event);
  void note(const LaunchBegun& event);
  void note(const SampleSeen& event);
  void note(const CaseFinished& event);
  void note(const RunFinished& event);
  void note(const Message& event);
  CaseStatus* find(const std::string& case_name);
  void enter(CaseStatus& status, JobState state);
  void write_change();
  void write();

  store::RunFolder folder_;
  const Environment& environment_;
  std::mutex mutex_;  // of what follows
  RunStatus status_;
  std::map<std::string, CaseCurves> curves_;  // by case: of those that run
  bool changed_ = false;
  bool ended_ = false;
  SteadyTime::Point next_write_{};
};

}  // namespace gate::app
