// `gate explain`: what is behind a check.
#pragma once

#include <string>

#include "gate/model/reports/explanation.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

// Whose judgement is explained: the one that made the verdict, or the second one, made for information.
enum class CheckSource { verdict, shadow };

// Return the checks of the case in the run ("" is the latest): all of them, or those of the rule or metric
// named. The values of the baseline are told only while its file is the one that the run was judged against.
Answer<Explanation> explain(const Suite& suite, const std::string& case_name, const std::string& check,
                            const std::string& run, CheckSource source = CheckSource::verdict);

}  // namespace gate::app
