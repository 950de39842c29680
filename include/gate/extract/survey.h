// What the lines of a custom log print: for a first gate.toml.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/model/numbers/guessed_metric.h"

namespace gate::extract {

// A number that the lines print, and how to read it.
struct SurveyedMetric {
  GuessedMetric guess;
  std::string printed;   // its name in the log; "" without one
  std::string word;      // its value in the example
  std::string pattern;   // RE2 with the groups value and, where the reading has them, step and rank
  std::string anchored;  // the same behind the words that the line begins with; "" where there are none
};

// One way to read all numbers of the lines.
struct LineReading {
  std::string step;            // of the example; "": the lines are counted
  std::string rank;            // of the example; "": none is read
  bool is_rank_named = false;  // the log calls it rank
  std::vector<SurveyedMetric> metrics;
};

// The commonest lines that tell a step and a number.
struct LineSurvey {
  std::string shape;    // `step N loss N`
  std::string example;  // the first of them
  std::int64_t lines = 0;
  bool is_drawn = false;              // a progress bar draws over lines: a step may stand there several times
  std::vector<LineReading> readings;  // the likeliest first; the last one is without steps and ranks
};

// Return what the log's commonest step lines print: lines of one shape, of those with a loss if there are
// such. Nothing where no line has a number with a name. Of a long log the first 8 MiB are looked at.
std::optional<LineSurvey> survey_lines(std::string_view log);

}  // namespace gate::extract
