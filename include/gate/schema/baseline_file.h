// Baseline files, both directions.
#pragma once

#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "gate/model/baseline.h"

namespace gate::schema {

// Return the baseline of a text in gate.baseline/1, or in the ModelLink / MindSpeed `baseline_results` family. `name` is
// what errors call it (`baselines/x.json:12:3: ...`). Foreign positional lists get steps 1..N marked assumed; values
// keep the number's own text; "nan" texts are left out and noted; margins are kept. Fails with position and what to do
// on anything else: not JSON, not an object, unknown schema, wrong types, steps that do not rise.
Result<Baseline> read_baseline(std::string_view text, const std::string& name);

// Return the canonical gate.baseline/1 text: stable keys, values as strings exactly as printed, ten a line, a final
// newline. read_baseline(write_baseline(b)) == b for every baseline of gate's own.
std::string write_baseline(const Baseline& baseline);

// Tell whether the text looks like a JSON document (first character that is no blank), so that a file given to
// `--baseline` is a golden file and not a log.
bool looks_like_json(std::string_view text);

}  // namespace gate::schema
