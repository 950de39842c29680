// torchtitan's losses: a text of `<step> <loss>` a line.
#pragma once

#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "gate/model/baseline.h"
#include "schema/json/json_fields.h"

namespace gate::schema {

// Tell whether every line that is not blank is a whole number and a number with a decimal point or exponent
// (or nan), and there is one. No log is that bare.
bool is_step_lines(std::string_view text);

// Return such a text as a tree: a list whose items have the step as their key, as no list of JSON has. Fails
// beyond the limits of parse_json.
Result<Json> parse_step_lines(std::string_view text, const std::string& name);

bool is_torchtitan(const Json& document);

// Return the baseline of such a tree, which holds lm_loss; what does not fit is complained of.
Baseline read_torchtitan(const Json& document, Complaints& complaints);

}  // namespace gate::schema
