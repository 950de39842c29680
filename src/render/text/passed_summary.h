// What was compared, in a few words.
#pragma once

#include <string>

#include "gate/model/report.h"

namespace gate::render {

// Return `lm_loss 15 steps, throughput -0.4%, memory 2 ranks ok`: the checks that passed, with metrics of
// several ranks as one; "" if none passed.
std::string compared_words(const CaseReport& report);

// Return each check that did not pass in a few words, or why the case is what it is where no check says it.
std::string trouble_words(const CaseReport& report);

// Return why the case is what it is, in one line; how the script ended where nobody gave a reason.
std::string why(const CaseReport& report);

}  // namespace gate::render
