// `gate list`: cases, what they need, what guards them.
#pragma once

#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/app/suite.h"

namespace gate::app {

struct CaseListRow {
  std::string name;
  std::string script;
  std::string needs;  // `8 devices, ascend-*`
  std::string timeout;
  std::string tags;
  std::string baselines;   // `general`, `ascend-910b3, general`, `none`
  std::string quarantine;  // `until 2026-12-31, zhang`, `ended ...`; "" where it gates
  std::string after;       // the cases that it comes after
};

std::vector<CaseListRow> list(const Suite& suite, const std::vector<const config::Case*>& cases);

struct CoverageRow {
  std::string name;
  std::string script;
  bool accuracy = false;
  bool speed = false;
  bool memory = false;
};

// Return which kinds of metric each case gates: a rule that is on, with a baseline series (of any platform)
// that a log can be judged by: one that is numbered otherwise than its metric guards no run.
Answer<std::vector<CoverageRow>> coverage(const Suite& suite, const std::vector<const config::Case*>& cases);

}  // namespace gate::app
