// How each profile judges: as another tool does, its mistakes included (decision 9).
#pragma once

#include <vector>

#include "gate/judge/judge.h"

namespace gate::judge {

// What another system's rules say of a run, before a verdict is made of it.
struct Opinion {
  std::vector<Check> checks;
  std::vector<Ungated> ungated;  // rules of the profile that make no check, and why
  std::vector<Note> notes;
};

using ProfileJudge = Opinion (*)(const JudgeInput& input);

// Return the profile's row; that of gate where there is none of its name.
const ProfileRow& row_of(const Profile& profile);

// Return how the profile judges; nullptr for gate's own.
ProfileJudge judge_of(const Profile& profile);

// Golden values of Megatron-LM: see profile_megatron.cpp.
Opinion judge_as_megatron(const JudgeInput& input);

// The system tests of ModelLink and of those that came out of it: see profile_modellink.cpp.
Opinion judge_as_modellink(const JudgeInput& input);
Opinion judge_as_mindspeed_llm(const JudgeInput& input);
Opinion judge_as_mindspeed_mm(const JudgeInput& input);

}  // namespace gate::judge
