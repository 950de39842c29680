// `gate ab REV1 REV2 --case C`: is the second commit slower than the first?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/model/reports/ab.h"
#include "gate/places/environment.h"
#include "gate/runner/run.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

struct AbOptions {
  std::string a, b;                  // revisions, as git reads them
  std::string case_name;             // or the path of its script
  std::vector<std::string> metrics;  // none: those of speed and memory that the case has rules for
  int pairs = 10;                    // at most; judge::least_pairs or more
  std::optional<double> change;      // a share; none: each rule's tolerance, 3 % at most
  RunOptions run = {};               // platform, out, set, args and folder
};

// Launch the case of both commits in turn, each from a git work tree of its own below the suite's .gate, on
// devices that are reserved once; after each pair from the third on ask whether the answer is clear. Rules,
// windows and tolerances are those of the first commit. `opened` is what the suite was opened with: what it
// sets holds for both commits.
//
// A launch that fails, or prints less than the first pair, ends it: the result then holds the failure and no
// answer. So it does where a metric has no values in the rule's window, or nothing of speed is printed and no
// metric was named. Run folder, status and `gate stop` are those of any run; the history remembers nothing of
// it. The exit code is 1 where B is worse, 3 where that is undecided, 0 else. The work trees are gone when
// this returns. Fails (2) for a revision that git does not know, a case that either commit has not, cases
// that want different devices, and metrics that are not known or have no better side; (3) where the case
// cannot run here, or would elsewhere: behind ssh or in an engine.
Answer<AbResult> ab(const Suite& suite, const SuiteOptions& opened, const AbOptions& options,
                    Environment& environment);

}  // namespace gate::app
