// Whether a test ran on what a hub asked for: its versions, its number of cards.
#pragma once

#include "gate/config/accuracy_contract.h"
#include "gate/model/reports/report.h"

namespace gate::app {

// Add a problem for each thing that the contract names and the run, as its fingerprint tells, had otherwise:
// framework, its version, that of CANN, cards. A version that goes on where the other ends is the same one:
// `2.1.0` and `2.1.0+cpu`, `8.0.rc1.beta1` and `8.0.RC1`; `8.0` and `8.0.RC1` are not. What the run does not
// tell is a note: nobody knows. A run that never began tells nothing, and nothing is said.
void add_setup_findings(CaseReport& report, const config::AccuracyContract& contract,
                        const config::Case& spec);

// Tell whether two words for a version mean the same one, as above.
bool are_one_version(std::string_view a, std::string_view b);

}  // namespace gate::app
