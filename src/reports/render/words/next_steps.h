// What to do about a red case.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/reports/report.h"

namespace gate::render {

enum class Step : std::uint8_t { look, accept, record, log, evidence, resume, shift, rerun };

struct NextStep {
  Step step = Step::look;
  std::string text;  // a command that can be pasted, or a path

  // Return the step's word.
  Sentence word() const;
};

// Return what can be done next: only commands that would work. `accept` is offered where a new reference
// could be taken from this run: it was stored, ended well, used no other arguments, and all that failed is
// finite. `record` where the run itself cannot be taken, and the case has no baseline.
std::vector<NextStep> next_steps(const Report& report, const CaseReport& one);

// Return where the last lines and the stacks of a script are that stood still or took too long, each file as
// a word of a shell command: one for each phase or further run that did. Empty where nothing was kept.
std::vector<std::string> evidence_of(const CaseReport& one);

// Return what can be done about all that is red: `resume` where the run was cut off, `rerun`.
std::vector<NextStep> next_steps(const Report& report);

}  // namespace gate::render
