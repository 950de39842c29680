// The history of a suite: every run is remembered, and `gate history` tells what its metrics do over time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gate/model/reports/history.h"
#include "gate/model/reports/report.h"
#include "gate/model/reports/trend.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

// Return the suite's history file: `[suite] history`, seen from the suite's folder, else .gate/history.db.
fs::Path history_path(const Suite& suite);

// Return what is worth remembering of a report: cases that ran, and checks that compared something. The suite
// is named as gate.toml names it.
RememberedRun remembered(const Report& report, const std::string& suite);

struct HistoryQuery {
  std::vector<std::string> words;  // cases and globs; none: all
  std::string platform;            // "": every one
  std::size_t last = 200;          // runs of each case; 0: all
};

// Return the trends of the suite's cases, sorted by name and platform, and what the suite did as one: that of
// all its cases, whichever were asked for. git tells of the commits between which a case became red. Fails
// (2) for a word that names no case of the history, with a suggestion, and for a file that is no history; (3)
// where nothing is remembered yet.
Answer<SuiteTrend> trends(const Suite& suite, const HistoryQuery& query);

// Return the trend of one case's runs.
CaseTrend trend_of(CaseHistory history);

// Tell whether the run counts, as `gate run` without ARGS and --set, and ended with a verdict of the case
// itself, and so is judged.
bool was_judged(const CasePoint& point);

// Hand out all runs as JSON lines (gate.history/1), oldest first.
Answer<void> export_history(const Suite& suite, const std::function<void(std::string_view)>& on_line);

// Remember the runs of files that `export_history` wrote, and of result.json files (gate.result/1). A run
// that is known already is replaced. Returns how many. Fails (2), and changes nothing, where any file cannot
// be understood.
Answer<std::int64_t> import_history(const Suite& suite, const std::vector<std::string>& files);

// Forget all but the latest `keep` runs. Returns how many were forgotten.
Answer<std::int64_t> prune_history(const Suite& suite, std::int64_t keep);

}  // namespace gate::app
