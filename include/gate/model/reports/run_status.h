// What a run is doing while it goes on, and what is asked of it.
#pragma once

#include <cstdint>
#include <limits>
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

inline constexpr std::size_t most_live_values = 128;  // of a curve

// What a metric of a case that runs did so far, for people: nothing is judged by it. Of many steps every
// second, fourth, ... one is kept.
struct LiveCurve {
  std::string metric;
  std::string unit;
  std::string tolerance = {};         // of the rule on it: `±0.01`
  std::vector<double> values = {};    // finite ones, oldest first
  std::vector<double> baseline = {};  // beside them, NaN where it has none; empty where it has none at all
  // What the rule compares: the newest value, or with one that reduces its window the mean of the newest ten,
  // and of the baseline the same.
  double now = std::numeric_limits<double>::quiet_NaN();
  double baseline_now = std::numeric_limits<double>::quiet_NaN();
  std::optional<std::int64_t> beyond_since = {};  // the step from which on it is out of tolerance
};

struct CaseStatus {
  std::string name;
  JobState state = JobState::pending;
  std::optional<Verdict> verdict = {};  // of a case that has ended
  std::string since = {};               // ISO 8601, the state's beginning; "" is unknown
  std::string devices = {};             // their numbers, `0-3`; "" on cpu, and where it has none yet
  int launches = 0;                     // that have begun
  std::int64_t step = 0;                // that the latest launch is at
  std::optional<std::int64_t> total = {};
  Sentence waits_for = {};                // "": for nothing but its turn
  Sentence hosts = {};                    // "": the one that gate runs on
  std::optional<Duration> expected = {};  // how long it took before
  std::vector<LiveCurve> curves = {};     // of its latest launch: accuracy, then speed
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

// Return how long a case that has gone on for a while takes in all: as long as before, else as its steps so
// far say; nothing where neither says more than that while.
std::optional<Duration> whole_time(Duration gone, Duration before, std::int64_t step,
                                   std::optional<std::int64_t> total);

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
