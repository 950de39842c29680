// `gate compare A B ...`: a diff of runs, logs or baselines. Nothing is judged.
#pragma once

#include <string>
#include <vector>

#include "gate/model/reports/comparison.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

inline constexpr std::size_t most_compared = 8;

struct CompareOptions {
  std::vector<std::string> sides;  // two to most_compared
  std::string case_name;           // "": all cases of runs
  std::string platform;            // of baselines
  fs::Path folder;                 // from which scripts' paths are seen
  enum class Charts { no, yes } charts = Charts::no;
  // What must be the same in runs that are deterministic: metrics of kind accuracy, and no verdicts.
  enum class Metrics { all, deterministic } metrics = Metrics::all;
};

// Return each other side beside the first, in the order in which they were named. A word is a file or folder
// that exists, else a run of the suite, else a case, which stands for its baseline. A run beside something
// else is one case of it: --case, the case that another side names, or its only one. Fails (2) for words that
// are none of these, for files that cannot be used, and where it is not clear which case is meant.
Answer<std::vector<Comparison>> compare(const Suite& suite, const CompareOptions& options);

}  // namespace gate::app
