// `gate compare A B`: a diff of two runs, logs or baselines. Nothing is judged.
#pragma once

#include <string>

#include "gate/model/reports/comparison.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

struct CompareOptions {
  std::string a, b;
  std::string case_name;  // "": all cases of two runs
  std::string platform;   // of baselines
  fs::Path folder;        // from which scripts' paths are seen
  enum class Charts { no, yes } charts = Charts::no;
  // What must be the same in runs that are deterministic: metrics of kind accuracy, and no verdicts.
  enum class Metrics { all, deterministic } metrics = Metrics::all;
};

// Return A and B side by side. A word is a file or folder that exists, else a run of the suite, else a case,
// which stands for its baseline. A run beside something else is one case of it: --case, the case that the
// other side names, or its only one. Fails (2) for words that are none of these, for files that cannot be
// used, and where it is not clear which case is meant.
Answer<Comparison> compare(const Suite& suite, const CompareOptions& options);

}  // namespace gate::app
