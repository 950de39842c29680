// `gate history --import`: runs of other places, and old logs, become part of the history.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/rules/verdict.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

struct HistoryFiles {
  std::vector<std::string>
      files;              // exported runs, result.json files and logs; a folder is the logs of one run
  std::string case_name;  // of which the logs are; "": their names tell it
  std::string platform;   // likewise; "": as `gate check` finds it
};

// A log as it was judged.
struct ImportedLog {
  std::string file;
  std::string case_name;
  std::string started;  // ISO 8601: as the log prints it, else when the file was last written
  Verdict verdict = Verdict::unjudged;
  Sentence reason;
  bool is_baseline = false;  // the case had none, and this oldest whole log of it stands as its baseline
  bool is_known = false;     // it is remembered already, and was not judged again
  Sentence problem = {};     // a message of the log that is told whatever the verdict; "" where there is none
};

struct HistoryImport {
  std::int64_t runs = 0;          // of exported runs and result.json files
  std::vector<ImportedLog> logs;  // oldest first
};

// Remember the runs of the files; a run that is known already is replaced, a log that is known stays as it
// was judged. A log is a run, judged as `gate check` judges it: against the case's baseline, else against the
// oldest whole one of its logs. Its case is the one that is named, else the only one of the suite, else the
// one whose name the log's begins with; outside any suite what the logs' names have in common. Fails (2), and
// changes nothing, where any file cannot be understood, a log holds no value that a rule judges, nobody can
// tell its case, or the case has runs, no baseline, and an oldest log that is not among the files.
Answer<HistoryImport> import_history(const Suite& suite, const HistoryFiles& files, Moment now);

}  // namespace gate::app
