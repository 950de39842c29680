// How far a run came, and how far it had to come.
#pragma once

#include <cstdint>
#include <optional>

#include "gate/judge/judge.h"

namespace gate::judge {

struct Progress {
  std::int64_t reached = 0;               // the last step printed
  std::optional<std::int64_t> demanded;   // by the baseline; else by `steps`; else by what the log announces
  bool ended_badly = false;               // it did not end by itself with 0; a saved log did not end badly
  std::optional<std::int64_t> announced;  // by the log, where it did not get so far, and nobody stopped it

  bool cut_short() const { return ended_badly || (demanded && reached < *demanded); }
};

Progress course_of(const JudgeInput& question);

}  // namespace gate::judge
