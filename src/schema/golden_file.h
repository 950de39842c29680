// The ModelLink / MindSpeed `baseline_results` family: positional lists without step numbers.
//
//   {"lm loss": [..], "throughput": [..], "memo info": [{"rank": 0, "allocated memory": MB, "max allocated
//   memory": MB}]}
//
// The i-th value of a list is taken as step i, marked assumed. A "nan" (or null) leaves its step out. The
// k-th entry of a rank in `memo info` is report k of that rank; where a rank has several, those numbers are
// assumed too. Numbers keep their own text. Whatever a reader of a verdict should know of the file becomes a
// note.
#pragma once

#include "gate/model/baseline.h"
#include "schema/json_fields.h"

namespace gate::schema {

// What notes say of lists whose positions were taken as steps; the steps follow.
inline constexpr std::string_view no_steps = ": no step numbers in the file, taken as ";

// Tell whether the document has a list or table that only this family has.
bool is_golden_file(const Json& document);

// Return the baseline; what does not fit is complained of, and the baseline then is worth nothing.
Baseline read_golden_file(const Json& document, Complaints& complaints);

// Return the keys of the family's series, for messages: `"lm loss", "loss", ...`.
std::string golden_keys();

}  // namespace gate::schema
