// The options of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/time.h"
#include "gate/model/runs/shard.h"
#include "gate/model/runs/stage.h"

namespace gate::app {

enum class Skipping { allowed, refused };

struct RunOptions {
  std::vector<std::string> words;  // cases, globs, scripts; none: all
  std::vector<std::string> tags;
  std::vector<std::string> args;                           // handed to the scripts
  std::vector<std::string> set;                            // `--set` words, for the record
  std::vector<std::string> command_line = {}, where = {};  // see Report
  std::optional<Shard> shard;                              // of the cases; none: all
  std::string platform;
  std::string out;  // the run folder; "": .gate/runs/<id>
  std::optional<int> max_failures;
  std::optional<std::string> again;   // cases that were not green in this run ("": the latest)
  bool bisecting = false;             // a run of an old commit for git bisect: it is read by nobody's trend
  std::optional<std::string> resume;  // the run that was cut off ("": the latest)
  int retry_infra = 0;                // how often a case that ended as infra is launched again
  int confirm = 1;          // runs in all by whose mean a failed speed check is judged once more; 1: none
  int determinism = 1;      // runs of each case that must print the same; 1: none are compared
  int record = 1;           // runs of each case that a recording makes
  std::optional<int> jobs;  // cases at once; none: one on cpu, as many as there are devices for
  std::optional<Duration> deadline;  // of the whole run
  std::string changed_since;         // only cases that differ from what this git ref has; "": all
  bool nothing_ok = false;           // no such case is no failure
  Skipping skipping = Skipping::allowed;
  std::optional<Stage> only;  // the one stage of the case that is done; none: all
  fs::Path stages_folder;     // that its stages share; "": in the run's folder
  fs::Path folder;            // where relative script paths are seen from
};

}  // namespace gate::app
