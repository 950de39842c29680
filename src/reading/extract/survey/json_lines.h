// Lines of JSON that no format knows by their names.
#pragma once

#include <optional>

#include "extract/survey/log_lines.h"
#include "gate/extract/survey.h"

namespace gate::extract {

struct JsonSurvey {
  SurveyedLines lines;
  std::string step;                 // the name of the step, nested ones with points
  std::vector<std::size_t> places;  // of the lines
};

// Return what the log's JSON objects hold, a line each, by their keys; nothing where fewer than two lines
// hold one that tells a step, no key rises from object to object, or texts in them tell apart what two of one
// step say: such lines are read as texts are.
std::optional<JsonSurvey> survey_json(const LogLines& log);

}  // namespace gate::extract
