// The ModelLink / MindSpeed `baseline_results` family: positional lists without step numbers.
//
//   {"lm loss": [..], "throughput": [..], "memo info": [{"rank": 0, "allocated memory": MB, "max allocated
//   memory": MB}]}
//
// The i-th value of a list is taken as step i, marked assumed. A "nan" (or null) is a step that was not
// recorded. The k-th entry of a rank in `memo info` is report k of that rank; where a rank has several, those
// numbers are assumed too. Numbers keep their own text. Whatever a reader of a verdict should know of the
// file becomes a note.
#pragma once

#include "gate/model/baseline.h"
#include "schema/json/json_fields.h"

namespace gate::schema {

// Tell whether the document has a list that only this family has, and which of its tools wrote it.
bool is_modellink(const Json& document);
bool is_mindspeed_llm(const Json& document);
bool is_mindspeed_mm(const Json& document);

// Return the baseline; what does not fit is complained of, and the baseline then is worth nothing.
Baseline read_modellink(const Json& document, Complaints& complaints);

}  // namespace gate::schema
