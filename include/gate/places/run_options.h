// What a run is asked for, and what is looked at before it begins.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gate/model/runs/shard.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

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

// Return what is the same for two places of object stores that are one object.
using IdentityOfObject = std::function<std::string(const std::string& place)>;

// Fail if a report would be written over what is the suite's: its scripts and baselines, gate.toml, golden
// objects, and what runs write, in .gate and in `out`; and where two would become one object.
Answer<void> check_reports(const Suite& suite, const std::vector<std::string>& paths, const std::string& out,
                           const IdentityOfObject& identity);

// Put back what launches of a killed gate had set aside (gate/base/set_aside.h): of the gate of that owner;
// "": of all gates of this host that are gone.
void put_back_outputs(const std::string& owner = "");

}  // namespace gate::app
