// The rows of a course that judge a case: each says how often it runs, and what its runs come to.
#pragma once

#include <memory>
#include <string>

#include "runner/course/course.h"

namespace gate::app {

// Return the row of the case: the first that settings and options ask for, of
//   determinism  N runs (--determinism N) that must print the same; the first one is judged as ever
//   repeat       N runs (`repeat`) judged together; one that is not whole ends it
//   confirm      N runs in all (--confirm N) where nothing but speed failed in the first: their mean is
//   judged.
//                Never until green: always N, unless something else fails in one of them, whose verdict it
//                is. If no further run can start, or one fell victim to the host, what was found stands
//   once         one run
// All arguments must outlive it.
std::unique_ptr<CourseRow> judging_row(const PlannedCase& planned, const RunOptions& options,
                                       const std::string& today);

// Return the row of a case that is launched once, and held against nothing.
std::unique_ptr<CourseRow> measuring_row(const PlannedCase& planned, const std::string& today);

}  // namespace gate::app
