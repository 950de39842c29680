// `gate baseline lint`: find weak, stale and inconsistent baselines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/app/suite.h"
#include "gate/base/time.h"
#include "gate/judge/lint.h"

namespace gate::app {

struct LintOptions {
  std::vector<std::string> words;  // cases and globs; none: all; also baselines without a script
  std::vector<std::string> tags;
  std::string platform;  // "": every platform that a case has baselines of
  int days = 180;
  fs::Path folder;  // where relative script paths are seen from
};

// One case on one platform.
struct LintCase {
  std::string name;
  std::string platform;  // "" is general
  std::string why_not;   // why there was nothing to look at
  std::vector<judge::Finding> findings;
  std::vector<judge::Noise> noise;
};

struct Lint {
  std::vector<LintCase> cases;

  std::int64_t count(judge::Weight weight) const;

  // Return how often a run of all cases is red for nothing; nothing where no case's noise is known.
  std::optional<double> false_red() const;

  // 1 where anything is weak; 3 where no case has a baseline; else 0.
  int exit_code() const;
};

Answer<Lint> lint(const Suite& suite, const LintOptions& options, Moment now);

}  // namespace gate::app
