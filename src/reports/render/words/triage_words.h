// Suites that move together, and what stands apart.
#pragma once

#include <string>
#include <vector>

#include "gate/judge/triage.h"

namespace gate::render {

// Return, for each metric that moved, `throughput: 58 of 60 cases moved together, median +0.3 % (-0.4..+0.8);
// apart: tune/lora -9.2 %, pretrain/moe +4.0 % at step 7`; of those apart the three that are farthest.
std::vector<Sentence> triage_lines(const judge::Triage& triage);

// Return those of them that say more than the cases of a run do for themselves: where those together moved to
// one side, and where a case stands apart from eight or more.
std::vector<Sentence> shift_lines(const judge::Triage& triage);

// Return `-9.2 %`, or `+4.0 % at step 7` of a spike.
Sentence move_words(const judge::Move& move);

}  // namespace gate::render
