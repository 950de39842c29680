// A further phase of a case judged: what it goes on with is held to what an earlier one had there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gate/base/sentence.h"
#include "gate/judging/case_judge.h"

namespace gate::app {

// Return the case by whose rules the phase is judged: those of the case; or, where it is to be exact, one for
// each metric of kind accuracy that the other side has, and of the case's those on metrics that are neither
// that nor speed nor memory, and those that need no baseline. Their names end with that of the phase.
config::Case case_of_phase(const config::Case& spec, std::size_t phase, const Reference& against);

// Return the reference that a phase makes for those behind it.
JudgedAgainst judged_against_phase(const std::string& phase, const Extraction& extraction);

// What is known of a further phase when its run has ended.
struct PhaseRun {
  const config::Case& spec;  // of case_of_phase()
  std::size_t phase = 0;
  const JudgedAgainst& against;
  const Extraction& first;                 // of the first phase
  std::optional<std::int64_t> checkpoint;  // the step of the newest one when it was started
  const Extraction& extraction;
  const std::optional<Outcome>& outcome;
};

// Return the reference from the step on that a phase prints first if it goes on right behind the checkpoint:
// what it can be held to while it runs.
Reference reference_behind(Reference reference, const Extraction& first, std::int64_t checkpoint);

// Return the report of the phase, its checks with its name. What it is judged against counts from its first
// step on; under another profile than gate both sides are cut to the phase's window. The phase is incomplete
// where it does not begin behind the first phase's first step, and right behind the checkpoint where that is
// known (in a case of kind megatron not behind that); where the other side has nothing of its first steps;
// and where it ends at another step.
CaseReport judge_phase(const PhaseRun& run, const std::string& platform, const std::string& today,
                       const Partners& partners = {});

// Say why nothing more is known of the phases: a case that is neither red nor incomplete is so by that, also
// for the profile that judges for information.
void leave_out_phase(CaseReport& report, const Sentence& why);

// Put the report of a further phase into that of the case, whose verdict is the worse of both, and what a
// second profile says of it into what that says of the case; where a check had failed, how the phase ended
// goes before that, and what the machine did in it stands behind that.
void add_phase(CaseReport& report, CaseReport of_phase, const std::string& phase);

}  // namespace gate::app
