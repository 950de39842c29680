// A tolerance, put into the text of gate.toml. Whatever else stands there stays as it is, to the byte.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/base/sentence.h"
#include "gate/judge/noise.h"

namespace gate::config {

struct ToleranceEdit {
  std::string case_name;  // of just this case the table is
  std::string rule;
  std::string tolerance;  // `-6.2%`
  std::string comment;    // one line, above it; it begins with `edit_mark`, and replaces one that does
};

inline constexpr std::string_view edit_mark = "gate baseline lint --tolerances";

// Return the text with the tolerance: in place of the one that the case's table has, if that is a plain
// string with the rest of its line; else behind the head of the table, or in a new table at the end. Fails,
// with the place and what is to be changed by hand, where the value stands in another way, and where what
// comes out would say anything else than before but for this tolerance.
Result<std::string> with_tolerance(const std::string& toml, const std::string& file,
                                   const ToleranceEdit& edit);

// Return for each rule whose false-failure rate is above 1 %, and of which `least_runs` were recorded, the
// line of gate.toml that would do, and the table that it belongs to: `below [case."x"]:
// rules.throughput.tolerance = "-6.2%"`; of several series the widest.
std::vector<Sentence> lines_to_paste(const std::string& case_name, std::span<const judge::Noise> noise,
                                     int least_runs);

}  // namespace gate::config
