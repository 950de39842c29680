// FlagScale's gold values.
//
//   {"lm loss:": {"values": [..], "rtol": R, "atol": A}}
//   {"ascend": {"unit-910c": {"elapsed time per iteration (ms):": {"values": [..], "threshold": {"type":
//   "upper_bound", "tolerance": 0.1}}}}}
//
// The i-th value of a list is taken as step i, marked assumed. The keys are those of the log. A threshold on
// the bad side of its metric is a margin; gate's own rules do not use it.
#pragma once

#include "gate/model/baseline.h"
#include "schema/json/json_fields.h"

namespace gate::schema {

bool is_flagscale(const Json& document);

// Return the baseline; what does not fit is complained of, also values of several devices.
Baseline read_flagscale(const Json& document, Complaints& complaints);

}  // namespace gate::schema
