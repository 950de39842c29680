// `gate status` and `gate stop`: what runs do, found without a daemon by the locks that gates hold on their
// runs' folders, on a disk that hosts share, too.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/model/reports/run_status.h"
#include "gate/suite/answer.h"

namespace gate::app {

// Return the runs that go on, oldest first: on this host those of this user, or of all users for root; and
// those of the suite in `root` ("": none), wherever they go on: in another container, or as a shard on
// another host.
std::vector<RunStatus> runs_going_on(const fs::Path& root);

// Tell whether the run is one of the suite in `root`, wherever it goes on.
bool goes_on_in(const RunStatus& run, const fs::Path& root);

// Where a run that a word means is looked for.
struct RunPlaces {
  std::vector<RunStatus> running;  // of this host and of this suite
  fs::Path folder;                 // where relative paths are seen from
  fs::Path root;                   // the suite there; "": none
};

// Return the runs that the word means. Of those that go on: an id, the name or folder of a suite, the folder
// of a run; else a run that has ended, by its folder or its id in the suite. "" means all that go on. Fails,
// naming those that go on, where there is none.
Answer<std::vector<RunStatus>> find_runs(const RunPlaces& places, const std::string& word);

// What is to end: a run, or a case of one that goes on.
struct StopTarget {
  RunStatus run;
  std::string case_name;  // "": the whole run
};

// Return what the word means: a run as above, or a case that has not ended in one of the runs that go on.
// Fails where it means nothing, several things, or what has ended.
Answer<StopTarget> find_stop_target(const RunPlaces& places, const std::string& word);

// Ask for the end, which comes as after TERM: in the script's grace, with a whole report that says who and
// why. Fails where the run is another user's, and nobody may write into its folder.
Answer<void> ask_to_stop(const StopTarget& target, const StopRequest& request);

// Wait until the target has ended, or `is_cancelled`. Returns what the run is doing then.
Answer<RunStatus> wait_for_end(const StopTarget& target, const std::function<bool()>& is_cancelled);

}  // namespace gate::app
