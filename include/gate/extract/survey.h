// What the lines of a custom log print: for a first gate.toml.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/numbers/guessed_metric.h"

namespace gate::extract {

// A number that lines print, and how to read it.
struct SurveyedMetric {
  GuessedMetric guess;   // numbered, and picked, as its lines want it
  std::string printed;   // its name in the log; "" without one
  std::string word;      // its value in the example
  std::string pattern;   // RE2 with the group value and, where the lines tell them, step, epoch and rank
  std::string key = {};  // of JSON lines, in place of a pattern
};

// A number that is not to be judged, and why: `train_time: a clock since the start`.
struct UnjudgedNumber {
  std::string printed;
  Sentence why;
};

// Lines of one shape that print numbers.
struct SurveyedLines {
  std::string shape;    // `step N loss N`
  std::string example;  // the first of them
  std::int64_t lines = 0;
  std::vector<SurveyedMetric> metrics;  // empty: nothing was found to read
  std::vector<UnjudgedNumber> left_out;
};

struct LogSurvey {
  std::vector<SurveyedLines> lines;  // those of the training first
  std::string json_step;             // the name of the step in JSON lines; "" where gate knows it
};

// Tell whether they are three whole numbers or more that rise by the same amount: they count.
bool counts_evenly(std::span<const double> values);

// Tell whether the pattern of a survey reads thousands that commas part: its metric says `thousands = true`.
bool reads_thousands(const std::string& pattern);

// Return what the log's lines print: each shape that prints a step and a number, or several numbers, at least
// five times, or twice what tells how good a model is. No two metrics have one name, and each pattern reads
// the lines of its shape, and of others only where these go on with its steps. Of a long log the first 8 MiB
// are looked at.
LogSurvey survey_log(std::string_view log);

}  // namespace gate::extract
