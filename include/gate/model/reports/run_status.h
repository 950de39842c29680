// What a run is doing while it goes on, and what is asked of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/reports/report.h"
#include "gate/model/rules/verdict.h"

namespace gate {

// The states of jobs, in the words of hubs that follow them.
enum class JobState : std::uint8_t { pending, running, success, failed, stopped };

std::string_view to_string(JobState state);
std::optional<JobState> parse_job_state(std::string_view name);

// Return the state of a case that has ended so: passed is a success, interrupted and not_run are stopped.
JobState job_state_of(Verdict verdict);

// Return the state of a run that has ended with the exit code.
JobState job_state_of(int exit_code);

struct CaseStatus {
  std::string name;
  JobState state = JobState::pending;
  std::optional<Verdict> verdict = {};  // of a case that has ended
  std::string since = {};               // ISO 8601, the state's beginning; "" is unknown
  std::string devices = {};             // their numbers, `0-3`; "" on cpu, and where it has none yet
  int launches = 0;                     // that have begun
  std::int64_t step = 0;                // that the latest launch is at
  std::optional<std::int64_t> total = {};
  Sentence waits_for = {};  // "": for nothing but its turn
};

struct RunStatus {
  std::string run;  // its id
  std::string uid;
  std::string suite;   // its name
  std::string root;    // the suite's folder
  std::string folder;  // the run's
  std::string command;
  std::string host;
  std::string user;
  std::int64_t pid = 0;
  JobState state = JobState::running;
  std::optional<int> exit_code;  // of a run that has ended
  std::string started;           // ISO 8601
  std::string updated;           // ISO 8601, when this was true
  Sentence waits_for;
  std::vector<CaseStatus> cases;  // but those that cannot run here

  std::int64_t count(JobState wanted) const;
};

// Return what the report says of a run: its cases that ended, and all others as pending. Who runs it, and
// where its folder is, is left out.
RunStatus run_status_of(const Report& report);

// Somebody wants a run, or one case of it, to end.
struct StopRequest {
  std::string by;         // `ada on host a`
  std::string reason;     // "" where none was given
  std::string at;         // ISO 8601
  std::string case_name;  // "": the whole run
  bool now = false;       // without time to end by itself
};

}  // namespace gate
