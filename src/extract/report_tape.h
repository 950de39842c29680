// The reports of one rank, and to which attempts they belong.
//
// Reports come under whatever prefix and in whatever order to the step lines, so they are matched to attempts
// by their own order: a printed step that repeats or falls starts the rank's next attempt. Two cases need
// more than that:
//
//   - A resumed run goes on with rising steps: reports after 1, 2, and after the resume at 41, 42. Where a
//   rank has
//     fewer attempts than the steps have, a report that is not before a resume's first step, and comes after
//     the last step line of the attempt before, begins that resume's reports.
//   - A log whose lines are written twice repeats every report. Where a rank has more attempts than the steps
//   have,
//     a report that repeats the one before it word by word, with no step line between, is one report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "extract/record.h"
#include "gate/model/sample.h"

namespace gate::extract {

struct ReportValue {
  std::string metric;
  std::optional<int> rank;
  Sample sample;
};

struct Report {
  std::int64_t step = 0;  // `after N iterations`
  Place place;
  std::vector<ReportValue> values;
  std::size_t lines_before = 0;  // step lines of its file before it
  std::size_t attempt = 0;       // from 0
  std::int64_t number = 0;       // within its attempt, from 1
};

// One attempt of the steps.
struct AttemptSpan {
  std::int64_t first_step = 0;
  std::size_t end = 0;  // step lines of the reports' file up to its last one; 0 where the file has none
};

// Set attempt and number of each report. Reports that were one are dropped and returned.
std::vector<Report> assign_attempts(std::vector<Report>& reports, std::span<const AttemptSpan> steps);

}  // namespace gate::extract
