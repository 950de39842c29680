// The memory of a suite: every run is remembered, and `gate history` tells what its metrics do over time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/app/suite.h"
#include "gate/judge/trend.h"
#include "gate/model/history.h"
#include "gate/model/report.h"

namespace gate::app {

// Return the suite's history file: `[suite] history`, seen from the suite's folder, else .gate/history.db.
fs::Path history_path(const Suite& suite);

// Return what is worth remembering of a report: cases that ran, and checks that compared something. The suite
// is named as gate.toml names it.
RememberedRun remembered(const Report& report, const std::string& suite);

// One series over the runs that count: those of `gate run` without ARGS and --set.
struct Trend {
  TrendKey key;
  std::string tolerance;
  std::vector<std::size_t> runs;                        // indices into CaseHistory::runs, rising
  std::vector<double> values;                           // beside them
  std::vector<std::optional<double>> baselines_beside;  // those that they were judged against
  std::vector<judge::Change> changes;
  std::optional<double> first_baseline;  // the one of the first of the runs
  std::optional<double> baseline;        // the one of the last
  std::size_t baselines = 0;             // how many there were one after the other
};

// How the runs on one host went.
struct HostCount {
  std::string host;
  std::size_t runs = 0;
  std::size_t red = 0;
};

struct CaseTrend {
  CaseHistory history;
  std::size_t counted = 0;  // runs that were judged
  std::size_t green = 0;
  judge::Flips flips;
  std::vector<HostCount> hosts;  // by name
  std::vector<Trend> trends;     // by key
};

struct HistoryQuery {
  std::vector<std::string> words;  // cases and globs; none: all
  std::string platform;            // "": every one
  std::size_t last = 200;          // runs of each case; 0: all
};

// Return the trends of the suite's cases, sorted by name and platform. Fails (2) for a word that names no
// case of the history, with a suggestion, and for a file that is no history; (3) where nothing is remembered
// yet.
Answer<std::vector<CaseTrend>> trends(const Suite& suite, const HistoryQuery& query);

// Return the trend of one case's runs.
CaseTrend trend_of(CaseHistory history);

// Hand out all runs as JSON lines (gate.history/1), oldest first.
Answer<void> export_history(const Suite& suite, const std::function<void(std::string_view)>& take);

// Remember the runs of files that `export_history` wrote, and of result.json files (gate.result/1). A run
// that is known already is replaced. Returns how many. Fails (2), and changes nothing, where any file cannot
// be understood.
Answer<std::int64_t> import_history(const Suite& suite, const std::vector<std::string>& files);

// Forget all but the latest `keep` runs. Returns how many were forgotten.
Answer<std::int64_t> prune_history(const Suite& suite, std::int64_t keep);

}  // namespace gate::app
