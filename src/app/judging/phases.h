// A further phase of a case judged: what it goes on with is held to what an earlier one had there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/judging/case_judge.h"

namespace gate::app {

// Return the case by whose rules the phase is judged: those of the case, or, against an earlier phase, one
// for each metric of kind accuracy that this one has, exactly, and those of the case that need no baseline.
// Their names end with that of the phase. `against` is null where the phase is judged against the baseline.
config::Case case_of_phase(const config::Case& spec, std::size_t phase, const Extraction* against);

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

// Return the report of the phase, its checks with its name. What it is judged against counts from its first
// step on. It must begin right behind the checkpoint, where that is known, else behind the first phase's
// first step: if not, nothing was resumed, and it is incomplete. Under another profile than gate both are cut
// to the phase's window, and the former is not asked for.
CaseReport judge_phase(const PhaseRun& run, const std::string& platform, const std::string& today,
                       const Partners& partners = {});

// Put the report of a further phase into that of the case, whose verdict is the worse of both.
void add_phase(CaseReport& report, CaseReport of_phase, const std::string& phase);

}  // namespace gate::app
