// Which secrets a run can see, and how they are kept out of what is stored and shown of its cases. Names,
// numbers and paths that gate itself made hold none; words of scripts, logs and command lines may.
#pragma once

#include <string>
#include <vector>

#include "gate/base/secrets.h"
#include "gate/model/reports/event.h"
#include "gate/model/reports/report.h"
#include "gate/suite/suite.h"

namespace gate::app {

// Return what masks the secrets that a run of these cases can see: of gate's own environment, of the
// variables that the cases set, the addresses and secrets of [notify], the keys of [store.NAME], and what the
// places of the cases' stages hold of passwords and signatures.
Masker masker_for(const Suite& suite);

void mask(std::vector<std::string>& words, const Masker& masker);
void mask(StageResult& stage, const Masker& masker);
void mask(CaseReport& report, const Masker& masker);
void mask(Report& report, const Masker& masker);

// Return the sink behind a mask: messages are masked.
Sink masked(Sink sink, const Masker& masker);

}  // namespace gate::app
