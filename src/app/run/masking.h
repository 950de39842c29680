// Secrets kept out of what is stored and shown of a case. Names, numbers and paths that gate itself made hold
// none; words of scripts, logs and command lines may.
#pragma once

#include "gate/app/environment.h"
#include "gate/app/secrets.h"
#include "gate/app/suite.h"
#include "gate/base/secrets.h"
#include "gate/model/report.h"

namespace gate::app {

void mask(std::vector<std::string>& words, const Masker& masker);
void mask(CaseReport& report, const Masker& masker);
void mask(Report& report, const Masker& masker);

// Return the sink behind a mask: messages are masked.
Sink masked(Sink sink, const Masker& masker);

}  // namespace gate::app
