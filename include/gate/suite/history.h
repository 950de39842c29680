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

// Return what is worth remembering of a report: cases that ran or whose log was checked, and checks that
// compared something. The suite
// is named as gate.toml names it.
RememberedRun remembered(const Report& report, const std::string& suite);

struct HistoryQuery {
  std::vector<std::string> words;  // cases and globs; none: all
  std::string platform;            // "": every one
  std::size_t last = 200;          // runs of each case; 0: all
  std::string since;               // ISO 8601, in UTC: no run that started before it; "": all
  RunsBy by = RunsBy::nothing;
};

// Return the moment that a word names, in ISO 8601: how long before `now` (`30d`, `4w`, `12h`, `1d12h`), or a
// date (its midnight) or moment of UTC. Fails with what is allowed.
Result<std::string> moment_of(std::string_view word, Moment now);

// Put the runs of the case that count into groups.
std::vector<RunGroup> groups_of(const CaseTrend& trend, RunsBy by);

// Return the trends of the suite's cases, sorted by name and platform, and what the suite did as one: that of
// all its cases, whichever were asked for. git tells of the commits between which a case became red. Fails
// (2) for a word that names no case of the history, with a suggestion, and for a file that is no history; (3)
// where nothing is remembered yet, or no run since then.
Answer<SuiteTrend> trends(const Suite& suite, const HistoryQuery& query);

// Return the trend of one case's runs.
CaseTrend trend_of(CaseHistory history);

// Return in how many of its latest judged runs a case in quarantine was green, of those in which others of
// the suite that are not in quarantine were judged, and all green: at each place the latest 20, or at least
// ten. 0 where these are too few, where it was red in its newest run or in one in which no other was, and of
// a case that is in none. `place` "": all.
std::size_t green_in_quarantine(const Suite& suite, const std::string& case_name,
                                const std::string& place = "");

// Tell whether the run counts, as `gate run` without ARGS and --set, and ended with a verdict of the case
// itself, and so is judged.
bool was_judged(const CasePoint& point);

// Hand out all runs as JSON lines (gate.history/1), oldest first.
Answer<void> export_history(const Suite& suite, const std::function<void(std::string_view)>& on_line);

// Tell whether the text is of a file that `export_history` wrote, or a result.json file (gate.result/1).
bool holds_runs(std::string_view text);

// Return the runs of such a file, or what is wrong with it.
Result<std::vector<RememberedRun>> runs_in(const Suite& suite, const std::string& text,
                                           const std::string& file);

// Remember the runs, all or none; one that is known already is replaced.
Answer<void> remember(const Suite& suite, const std::vector<RememberedRun>& runs);

// Forget all but the latest `keep` runs. Returns how many were forgotten.
Answer<std::int64_t> prune_history(const Suite& suite, std::int64_t keep);

}  // namespace gate::app
