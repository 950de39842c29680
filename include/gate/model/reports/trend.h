// What a case's metrics do over many runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/model/reports/device_use.h"
#include "gate/model/reports/history.h"
#include "gate/model/reports/triage.h"

namespace gate {

// How a metric goes from one level to another.
enum class ChangeShape : std::uint8_t {
  step,      // at once
  ramp,      // evenly, over several runs
  dip,       // at once, and back again by the next change
  recovery,  // the end of a dip
};

std::string_view to_string(ChangeShape shape);

// Values before `at` and from `at` on differ.
struct Change {
  std::size_t at = 0;     // index of the first value behind it
  std::size_t until = 0;  // ramp: the first value of full height, or the last one where it still goes on;
                          // dip: the first value that is back; else `at`
  ChangeShape shape = ChangeShape::step;
  double before = 0;  // levels, from the change before it and up to the next one
  double after = 0;
  double noise = 0;          // standard deviation between runs, in the values' unit
  double gain = 0;           // what it spares of the sum that judge/trend.h minimises: how clear it is
  std::size_t earliest = 0;  // between which `at` lies, as far as the noise lets one see
  std::size_t latest = 0;    //

  // Return by how much the level moved, as a share of the one before; nothing where that is 0.
  std::optional<double> share() const;
};

// How often a verdict changed from a run to a later one though nothing else did: runs with one commit,
// baseline and environment.
struct Flips {
  std::size_t pairs = 0;  // of runs, each with the latest one before that is like it
  std::size_t flips = 0;  // of which one was green and one was not
};

// One series over the runs that count: those of `gate run` without ARGS and --set. A value that is of a part
// of the steps only, of a run that did not reach the others, is left out.
struct Trend {
  TrendKey key;
  std::string tolerance;
  std::vector<std::size_t> runs;                        // indices into CaseHistory::runs, rising
  std::vector<double> values;                           // beside them
  std::vector<std::optional<double>> baselines_beside;  // those that they were judged against
  std::vector<Change> changes;
  std::vector<double> levels;            // beside the values: without the noise
  double least = 0;                      // of a change, in the values' unit
  std::optional<double> first_baseline;  // the one of the first of the runs
  std::optional<double> baseline;        // the one of the last
  std::size_t baselines = 0;             // how many there were one after the other
  MetricKind kind = MetricKind::other;
  Better better = Better::none;
};

// How the runs on one host went.
struct HostCount {
  std::string host;
  std::size_t runs = 0;
  std::size_t red = 0;
};

// By what the runs of a case are put into groups.
enum class RunsBy : std::uint8_t { nothing, host, device, image };
std::string_view to_string(RunsBy by);
std::optional<RunsBy> parse_runs_by(std::string_view name);

// Where the values of a series lie: the median and, of two values or more, the quartiles.
struct ValueSpread {
  std::size_t values = 0;
  double median = 0;
  double lower = 0, upper = 0;
};

// The runs of a case that count and have one host, device or image.
struct RunGroup {
  std::string name;  // "": the history was not told
  std::size_t runs = 0;
  std::size_t judged = 0;            // of these
  std::size_t green = 0;             // of those that were judged
  std::vector<ValueSpread> spreads;  // beside CaseTrend::trends
};

// A test of pytest's over the runs that count.
struct TestTrend {
  std::string name;
  CheckStatus status = CheckStatus::pass;  // in the last run that it was in
  std::size_t since = 0;  // index into CaseHistory::runs: from there on it passes, or does not
  std::size_t runs = 0;   // in which it ran
  std::size_t red = 0;    // of these, in which it failed or could not be run
};

// A judged run that ran on something else than the one before it.
struct EnvironmentChange {
  std::size_t at = 0;                   // index into CaseHistory::runs
  std::vector<FactChange> changes;      // `image train:1 -> train:2`
  std::optional<FactChange> host = {};  // `host npu-07 -> npu-08`; none where it is the same
  bool is_flip = false;                 // the verdict changed with it, and neither commit nor baseline did
};

// A commit as git tells of it; "" where it is not known.
struct ToldCommit {
  std::string id;
  std::string date;  // the author's, ISO 8601: `2026-11-21`
  std::string subject;
};

// Since when a case is red: its latest judged run is.
struct RedSince {
  std::size_t first = 0;             // index into CaseHistory::runs: the first red one
  std::optional<std::size_t> green;  // the last green one, before it
  std::size_t runs = 0;              // judged ones from `first` on
  ToldCommit first_commit = {}, green_commit = {};
  std::string bisect = {};  // the line to paste; "" where no commits lie between
};

struct CaseTrend {
  CaseHistory history;      // without its series, which are in trends and tests
  std::size_t counted = 0;  // runs that were judged
  std::size_t green = 0;
  Flips flips;
  std::vector<HostCount> hosts;  // by name
  std::vector<Trend> trends;     // by key
  std::vector<TestTrend> tests;  // of the last run, by name
  std::vector<EnvironmentChange> environment = {};
  std::optional<RedSince> red = {};
  std::size_t can_leave_quarantine = 0;  // green runs by which it can; 0: it is in none, or cannot
  std::vector<RunGroup> groups = {};     // where they are asked for: by name, those that are not told last
};

// A run of the suite, whichever cases are in it. They are in order of time.
struct SuiteRun {
  std::string started;      // ISO 8601
  std::int64_t number = 0;  // see CasePoint
  std::string run;
  std::string commit;
  auto operator<=>(const SuiteRun&) const = default;
};

// A run from which on the suite is another one.
struct SuiteStart {
  std::string place;                // see place_word()
  std::size_t at = 0;               // index into SuiteTrend::runs
  std::vector<FactChange> changes;  // of what most of the cases ran on: `image train:1 -> train:2`
  Triage triage;                    // medians of ten runs from there on against the ten before
  std::optional<double> gain = {};  // see Change; none: the environment's alone
};

enum class HeatCell { not_run, green, drifted, red, unclear };

// All cases over all runs.
struct SuiteTrend {
  std::vector<CaseTrend> cases;              // by name, in natural order, and platform
  std::vector<SuiteRun> runs;                // that count, oldest first
  std::vector<std::vector<HeatCell>> cells;  // of each case, beside the runs
  std::vector<SuiteStart> starts;            // oldest first
  Triage latest;  // the latest run against the medians of the ten before it, as far as the suite moved
  RunsBy by = RunsBy::nothing;  // what the groups of the cases are
  DeviceUse device_use = {};    // of all runs of the suite since the first of these
};

}  // namespace gate
