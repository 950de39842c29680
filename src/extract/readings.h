// Words of a record to samples.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "extract/problem_log.h"
#include "extract/record.h"
#include "gate/model/series.h"

namespace gate::extract {

struct Reading {
  std::string metric;
  std::string printed;      // the name in the log
  std::optional<int> rank;  // whose value it is; none: the run's
  Sample sample;
  Printed when = Printed::always;
};

struct Readings {
  std::vector<Reading> values;
  std::vector<std::string> unreadable;  // metrics that were printed with a word that is no number
};

// Return what the record's words say, with the record's number, and the rank of those that are a rank's own.
// Words that are no numbers, NaN and infinity, and skipped steps become problems.
Readings read_words(const Record& record, Place place, ProblemLog& problems);

}  // namespace gate::extract
