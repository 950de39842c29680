// What a case launches next, decided from what came of it so far (decision 73). Nothing is started here, read
// or written.
//
// Each way to launch a case again is a part of one course:
//   a row      decides from whole runs whether there is another one, and what they come to: once, repeat,
//              confirm, determinism (rows.h), measure, record, pairs
//   phases     make several launches into one run (phase_launches.h)
//   retry      has a run that the host ended launched again, here or on another host
//   further    is one launch behind the verdict, for people (further_run.h)
// Stages act before and behind a course, and a fault is a second start within one launch: neither is seen
// here.
//
// Example: repeat = 2, phases full and resume, --retry-infra 1. Behind the arrow what next() returns:
//   begin                    -> launch 1
//   1 full: infra            -> launch 2 full                   retry
//   2 full: passed           -> launch 2 resume                 phases
//   2 resume: passed         -> launch 3 full, "run 2 of 2"     the row
//   3 full: passed           -> launch 3 resume
//   3 resume: regressed      -> done: "run 2 of repeat 2: phase resume: ..."
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/judging/case_judge.h"
#include "gate/places/launch_case.h"
#include "runner/course/further_run.h"

namespace gate::app {

// What a further phase goes on from, and what all of it is judged against.
struct PhaseStart {
  JudgedAgainst against;
  std::optional<std::int64_t> checkpoint;  // the step of the newest one; none: not known
};

// A launch that is to follow.
struct NextLaunch {
  int number = 0;  // of all that the case has had; the phases of one run share it
  Purpose purpose = Purpose::judging;
  bool leaves_checkpoints = false;               // for the phases of its run
  bool keeps_series = true;                      // beside its log
  Sentence announced = {};                       // before it starts
  std::shared_ptr<const PlannedCase> what = {};  // as it is started; null: as it is planned
  const Suite* suite = nullptr;                  // of another checkout; null: the run's
  std::optional<PhaseStart> phase = {};          // of a further phase

  // Return what is started of the planned case.
  const PlannedCase& of(const PlannedCase& planned) const { return what ? *what : planned; }
};

// The launches of a case that ended as infra, each with its host.
struct PastLaunches {
  int count = 0;
  std::vector<Sentence> notes = {};  // what became of each
};

// The case is to run once more, on hosts that are left. Where that comes to nothing, the report is the
// case's.
struct Elsewhere {
  CaseReport report;
  PastLaunches past;
  Sentence announced;
};

// Nothing follows.
struct Done {
  CaseReport report;
  std::optional<Baseline> series = {};  // of all runs, to be kept beside a log in place of that run's alone
  std::string log = "log";              // which of the report's logs that is
  Sentence announced = {};
};

using CourseStep = std::variant<NextLaunch, Elsewhere, Done>;

// What came of a launch, judged alone; of a run, with what its further phases added to that of the first one.
struct Measured {
  NextLaunch launch;
  LaunchResult launched;
  CaseReport report;
  Partners partners = {};  // beside which it was judged
};

// Why nothing more may start.
struct Standstill {
  bool of_run = false;          // interrupted, --deadline, --max-failures, three deaths alike, a full disk
  bool is_interrupted = false;  // somebody stopped the case or the run
  Sentence why = {};
  bool has_lost_its_host = false;  // nothing can be launched there any more
  bool can_run_elsewhere = false;  // as many hosts as the case needs are left

  bool of_case() const { return of_run || is_interrupted; }
};

// How often a case is launched, and what its runs come to.
class CourseRow {
 public:
  explicit CourseRow(const PlannedCase& planned, std::string today)
      : planned_(planned), today_(std::move(today)) {}
  virtual ~CourseRow() = default;

  const PlannedCase& planned() const { return planned_; }
  const std::string& today() const { return today_; }

  // Return the first launch of the next run, without its number.
  virtual NextLaunch begin() const = 0;

  // Return the report of the launch alone: by the case's rules, of a row that only measures by none.
  virtual CaseReport judged(const NextLaunch& launch, const LaunchResult& launched,
                            const Partners& partners) const;

  // Take the run, and return what follows.
  virtual CourseStep next(Measured run, const Standstill& now) = 0;

  // Tell whether its launches are held against baselines: so they have phases, and a further run.
  virtual bool is_judging() const { return true; }

 protected:
  // Return what the rules of the case as `spec` has it say of one run, or of it and further ones together.
  CaseReport by_rules(const config::Case& spec, const LaunchResult& launched, const Partners& partners,
                      std::span<const Extraction* const> further = {}) const;

  const PlannedCase& planned_;
  const std::string today_;
};

// A case from its first launch to its report. All arguments must outlive it.
class Course {
 public:
  explicit Course(CourseRow& row, int retries = 0, PastLaunches past = {})
      : row_(row), retries_(retries), past_(std::move(past)) {}

  const PlannedCase& planned() const { return row_.planned(); }

  NextLaunch begin() { return numbered(row_.begin()); }

  // Tell whether the launch is held against baselines, and so against runs of other cases.
  bool is_judged(const NextLaunch& launch) const {
    return row_.is_judging() && launch.purpose != Purpose::explaining;
  }

  // Return the report of the launch alone.
  CaseReport judged(const NextLaunch& launch, const LaunchResult& launched, const Partners& partners) const;

  // Take what came of the launch that was returned last, and return what follows. Not called behind Elsewhere
  // or Done.
  CourseStep next(Measured last, const Standstill& now);

 private:
  NextLaunch numbered(NextLaunch launch);
  CourseStep after(Measured run, const Standstill& now);

  CourseRow& row_;
  const int retries_;         // of each run
  PastLaunches past_;         // of the run that goes on
  bool is_first_ = true;      // run: it may go on elsewhere
  Measured run_;              // that goes on
  std::optional<Done> done_;  // before the further run
  WantedRun wanted_;
};

}  // namespace gate::app
