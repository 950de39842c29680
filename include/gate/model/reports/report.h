// What a run found: the one value that every reporter prints and that gate.result/1 stores.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/base/time.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/numbers/output.h"
#include "gate/model/numbers/performance.h"
#include "gate/model/numbers/sample.h"
#include "gate/model/numbers/step_set.h"
#include "gate/model/reports/chart.h"
#include "gate/model/reports/triage.h"
#include "gate/model/rules/policy_finding.h"
#include "gate/model/rules/quarantine.h"
#include "gate/model/rules/rule.h"
#include "gate/model/rules/verdict.h"
#include "gate/model/runs/baseline.h"
#include "gate/model/runs/extraction.h"
#include "gate/model/runs/outcome.h"
#include "gate/model/runs/remark.h"
#include "gate/model/runs/shard.h"
#include "gate/model/runs/stage.h"
#include "gate/model/runs/test_result.h"

namespace gate {

// A value that a check is about, and what it was held against.
struct Miss {
  std::int64_t number = 0;
  std::optional<Value>
      baseline;  // none: there is none; left out: the baseline names the number without a value
  std::optional<Value> actual;               // none: not in the run
  std::optional<Value> delta;                // of finite values
  std::optional<double> delta_percent = {};  // three significant digits; none where the baseline is 0
  std::string file = {};
  std::uint32_t line = 0;  // 0: not from a log
};

// One rule applied to one comparable series. Values are exact, or rounded to what is worth showing.
struct Check {
  std::string rule;
  std::string phase = {};  // of the case, that the run is of; "": its only or its first one
  std::string metric;
  MetricKind kind = MetricKind::other;
  Better better = Better::none;  // which values are: of an error the lower ones, whatever the metric
  std::string formula;           // by which the metric is derived; "" where it is read
  std::optional<int> rank;
  std::optional<Numbering> numbered;  // none: nothing is numbered (the exit)
  std::string unit;
  std::optional<Window> window;
  StepSet steps;       // the numbers that the window resolved to
  StepSet demanded;    // all that the run must have, the baseline's; empty where that is not known
  StepSet unrecorded;  // that the window would select, had the baseline a value for what it names
  std::optional<Reduce> reduce;
  Tolerance tolerance;  // empty where none was laid on anything
  CheckStatus status = CheckStatus::incomparable;
  std::int64_t compared = 0;      // values that were put side by side
  std::optional<Value> baseline;  // reduced value; with `each` the one of the largest deviation
  std::optional<Value> actual;
  std::optional<Value> delta;
  std::optional<double> delta_percent;  // three significant digits; none where the baseline is 0
  LimitRanges limit;                    // the bounds that applied
  std::optional<Value> margin;          // distance to the limit that is left; negative when failed
  std::optional<double> mean;           // with `each`: of the compared values, for the trend over runs
  std::optional<double> baseline_mean;  // of the baseline's values beside them
  // Of a failed check: run less baseline at every number that both have; of more than 48 stretches the
  // largest.
  std::vector<double> trace;
  std::optional<Miss> first_miss;
  std::optional<Miss> largest;  // `each`: the largest deviation
  std::int64_t misses = 0;      // how many values were out of bounds
  std::string baseline_file;
  std::optional<TestResult> test;  // of a test of pytest's, which the metric names
  std::vector<Remark> remarks;     // why, then what else is worth knowing

  bool is_error() const { return reduce == Reduce::mean_relative_error; }  // its values are in percent

  // Tell whether every value is compared for itself.
  bool is_each() const { return !reduce || *reduce == Reduce::each; }

  // Tell whether it failed by a value that is no number, or a step without one.
  bool has_no_number() const {
    const auto is_none = [](const std::optional<Miss>& miss) { return miss && !is_finite(miss->actual); };
    return (actual && !actual->is_finite()) || is_none(first_miss) || is_none(largest);
  }

  // Return what the check's numbers count; steps where they count nothing.
  Numbering numbering() const { return numbered.value_or(Numbering::step); }
};

// A series or rule without a check, and why.
struct Ungated {
  std::string metric;
  std::string rule;  // "" where no rule names the metric
  Remark reason;
  // Nobody misses it: neither run nor baseline has it, and it is one of several alternatives, or of a
  // built-in rule while another accuracy is judged; or the rule is on the rest of a curve that has none.
  bool absent = false;
  bool operator==(const Ungated&) const = default;
};

// Whose doing a launch's end was, where its end says why nothing more came.
enum class EndedBy : std::uint8_t {
  none,     // it came to its end, or nobody knows why it did not
  itself,   // it hung, crashed or took too long, or a message or a cut says why no more was printed
  machine,  // the host or a device failed, or gate
};

// What the judge says of a case.
struct Judgement {
  Verdict verdict = Verdict::unjudged;
  Sentence reason;  // one line
  EndedBy ended_by = EndedBy::none;
  std::vector<Check> checks;
  std::vector<Ungated> ungated;
  std::optional<KnownMessage> cause;  // what the log says of why the run failed
  std::vector<Problem> problems;      // known messages that are not the cause
  std::vector<Note> notes;
};

// What another profile says of the same run: for information, it decides nothing.
struct Shadow {
  std::string profile;
  Verdict verdict = Verdict::unjudged;
  Sentence reason;
  std::vector<Check> checks;
};

struct BaselineUsed {
  std::string path;
  std::string sha256;
  std::int64_t runs = 0;    // of the case in it; 0: not told
  std::string source = {};  // of what it was imported from: `changed` or `gone` since; "": neither
};

// A place where a baseline was looked for.
struct BaselineTried {
  std::string path;
  std::string sha256;                // "": there is no file
  std::vector<std::string> metrics;  // that it is the reference for: no more specific file has them
};

// The last run in which a case was green.
struct GreenUntil {
  std::string run;  // "": in none of the runs before, of which there are `runs_ago`
  std::string commit;
  std::string started;                  // ISO 8601
  std::int64_t runs_ago = 0;            // of the case on this platform; 1: the one before this
  std::optional<std::int64_t> commits;  // between that run's commit and this one's; none where unknown
  std::string subject = {};             // the first line of that commit's message; "" where unknown
};

// What there is to say of one launch of a case, and of what was started with it: its other runs, phases and
// starts.
struct LaunchRecord {
  std::optional<Outcome> outcome;  // none where nothing was launched
  std::string devices;
  std::vector<std::string> hosts;  // behind ssh, on which it ran; empty: the one that gate runs on
  Duration duration{};
  std::optional<Duration> device_time;  // spent: of all launches times their devices; none for a cpu case
  // Not spent because the run was stopped early: its expected rest times its devices, one for a cpu case.
  // None: it was not, or its rest was not known, and nothing is claimed.
  std::optional<Duration> device_time_saved;
  std::string last_words;  // the last line of the log, where the script ended badly
  std::vector<Problem> problems;
  std::map<std::string, std::string> artifacts;  // name -> path: log, series

  bool has_ended_well() const { return outcome && ended_well(*outcome); }

  // Add what is no line of a log, each text behind `what`.
  void add_problems(const std::vector<Sentence>& texts, const Sentence& what = {},
                    ProblemKind kind = ProblemKind::other);

  // Add the launch: times, problems, and its artifacts, `log` as `log-NAME`. Without a name it is what this
  // tells of: its devices, hosts and last words, too. The outcome stays: the judge tells whose counts.
  void add(const LaunchRecord& launch, const std::string& name = "");
};

// What some reports show of a case beside its result: of the run's folder, stored in no result file.
struct CaseDetails {
  std::vector<Series> series;  // of the run, derived ones included
  std::vector<ReferenceSeries> reference;
  std::vector<Chart> charts;
  std::vector<Excerpt> excerpts;
};

struct CaseReport : LaunchRecord, CaseDetails {
  std::string name;
  Verdict verdict = Verdict::not_run;
  Sentence reason;
  EndedBy ended_by = EndedBy::none;  // of a case that is run; no file has it
  std::string profile = "gate";      // whose way of judging made the verdict
  std::optional<Shadow> shadow;      // none: there is no second profile
  std::string platform;
  std::string environment;  // "": none
  std::string owner;
  std::optional<Quarantine> quarantine;  // in force: the verdict is not in the exit code
  std::vector<BaselineUsed> baselines;
  std::vector<BaselineTried> chain;       // most specific first; empty where a file was named
  std::vector<std::string> formats;       // that the log was read as
  std::int64_t steps = 0;                 // reached
  std::optional<std::int64_t> total;      // demanded: by the baseline, else announced
  std::optional<KnownMessage> cause;      // what the log says of why the run failed
  std::optional<GreenUntil> green_until;  // of a red case that ran before
  std::vector<Check> checks;
  std::vector<Ungated> ungated;
  std::vector<Note> notes;
  std::vector<std::string> args;                    // handed to the script
  std::map<std::string, std::string> inputs;        // what the result hangs on: name -> SHA-256
  std::string job;                                  // of a plan: what an engine would be handed, and how
  std::vector<StageResult> stages = {};             // that were done, in their order
  std::vector<OutputResult> outputs = {};           // what became of its outputs
  std::optional<CasePerformance> performance = {};  // none: nothing tells what it trained
  std::vector<FactChange> differs;  // the run from that of the baseline: `host npu-07 -> npu-08`

  EnvironmentFacts ran_on = {};  // empty where nobody looked

  // By whose tolerances it was judged, since it is not told that it ran as its baseline did. They go into the
  // findings of a trusted policy.
  std::vector<PolicyFinding> loosened = {};

  // Return platform and environment in one word, by which the history tells its runs apart.
  std::string place() const { return place_word(platform, environment); }
};

// Tell whether the case was held back, and so has ended: one that it comes after did not pass.
bool is_held_back(const CaseReport& report);

// Tell whether the case needs no further launch in its run: it was neither cut off nor left out, or held
// back.
bool has_finished(const CaseReport& report);

// When a case is expected to run, of a plan: since the first launch.
struct TimelineRow {
  std::string name;
  std::string devices;  // their numbers, `0-3`; "" on cpu
  Duration begin{};
  Duration end{};
};

struct Report {
  std::string gate_version;
  std::string suite;
  std::string run;      // run id; "" where nothing was stored
  std::string uid;      // 32 hexadecimal digits that no other run has; "" where nothing was stored
  std::string command;  // run, check, record
  std::string host;
  std::string platform;
  std::string environment;
  std::string commit;
  std::string started;  // ISO 8601
  std::string finished;
  Duration duration{};
  int exit_code = exit_code::refused;
  std::int64_t devices = 0;        // of all hosts, that its cases could have; 0: none, or a queue's
  std::vector<std::string> words;  // what was asked for: case names and globs; none: all
  std::vector<std::string> tags;   // --tag
  std::string strategy;            // --strategy: by which cases, outputs and stages were chosen; "": all
  std::vector<std::string> set;    // --set words
  // The flags that decide what is measured and judged, each as one word, and behind `--` ARGS; and those that
  // say where the suite lies.
  std::vector<std::string> command_line, where;
  std::optional<Shard> shard;  // the part of the cases that it is about; none: all that was asked for
  std::string split;           // SHA-256 of which case is in which shard; "" where there is none
  std::string baselines;       // SHA-256 of all baseline files that there were; "" where there is no shard
  std::string settings;        // SHA-256 of gate.toml and of the command line's settings; "" is unknown
  std::optional<TrustedPolicy> policy;  // by which it was judged in place of the tree's own
  std::string changed_since;            // --changed-since: the git ref; "": all cases that were asked for
  std::string changed_since_commit;     // that it named
  bool nothing_ok = false;              // --nothing-ok: no case at all is no failure
  bool rehearsal = false;               // a case ran without devices that it wants: it is remembered nowhere
  std::optional<Stage> only = {};       // --only: the one stage of the cases that was done
  std::optional<int> determinism = {};  // --determinism: runs of each case that must print the same
  std::vector<std::string> merged;      // of one report of several runs: which
  std::vector<std::string> missing;     // of several shards in one report: those that are not in it, `3/4`
  std::vector<CaseReport> cases;
  std::vector<Sentence> notes;        // about the run as a whole
  std::vector<TimelineRow> timeline;  // of a plan, in the order of the beginnings
  std::optional<Triage> triage = {};  // of a diff; without what moved together where it is read back

  // Reads the details of a case, one at a time: those of all cases may be more than memory holds. None: the
  // cases have theirs.
  std::function<CaseDetails(const CaseReport&)> details = {};

  CaseDetails details_of(const CaseReport& one) const { return details ? details(one) : CaseDetails(one); }

  std::vector<std::string> case_names() const;

  // Return how many cases have the verdict; those in quarantine are counted for themselves.
  std::int64_t count(Verdict verdict) const;

  // Return how many cases are in quarantine, and how many of them are neither passed nor skipped.
  std::int64_t count_quarantined() const;
  std::int64_t count_quarantined_red() const;

  // Return the device time that was spent, and that was saved, in all cases; none where no case has any.
  std::optional<Duration> device_time() const;
  std::optional<Duration> device_time_saved() const;
};

// Put by what the case was judged, and its baseline was not, into the findings of the trusted policy, if the
// report has one.
void add_loosened(Report& report, const CaseReport& of_case);

// Return the exit code that the cases make: the worst verdict's, an interrupt's 128 + signal, and 3 where
// nothing was judged. A case named on the command line and skipped counts as 3 (`named`), one in quarantine
// for nothing.
int exit_code_of(const Report& report, const std::vector<std::string>& named = {});

}  // namespace gate
