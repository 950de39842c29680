// `gate baseline lint`: find weak, stale and inconsistent baselines.
#pragma once

#include <string>
#include <vector>

#include "gate/base/time.h"
#include "gate/judge/lint.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

struct LintOptions {
  std::vector<std::string> words;  // cases and globs; none: all; also baselines without a script
  std::vector<std::string> tags;
  std::string platform;     // "": every place that a case has baselines at
  std::string environment;  // likewise
  fs::Path folder;          // where relative script paths are seen from
};

// Give each case what the files that gate.toml was made of ask more of it by now, for its report. Return
// which cases these are, which ones gate.toml has not, where all cases are meant, and what to type; "" of
// none.
Sentence take_source_changes(Suite& suite, bool is_of_all);

Answer<judge::Lint> lint(const Suite& suite, const LintOptions& options, Moment now);

}  // namespace gate::app
