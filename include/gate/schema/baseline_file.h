// Baseline files, both directions.
//
// gate.baseline/1 is JSON that people review (docs/schema/gate.baseline.1.json):
//
//   {
//     "schema": "gate.baseline/1",
//     "case": "tinygpt/dp2",
//     "platform": "ascend-910b3",                 absent: any
//     "formats": ["megatron"],
//     "provenance": {"gate_version": "1.0.0", "date": "2026-11-21T02:03:04Z", ...},
//     "runs": [{"total": 15, "series": [
//       {"metric": "lm_loss", "unit": "", "numbered": "step",
//        "numbers": "1-13, 15",
//        "values": ["1.755514E+00", ...]},
//       {"metric": "memory_allocated", "rank": 0, "unit": "MiB", "numbered": "report", "numbers": "1, 2",
//       "values": [...]}]}],
//     "accepted": [{"who": "...", "when": "...", "reason": "..."}]
//   }
//
// `numbers` are ranges in one text where there are ten parts at most, else a list ten a line; both are read.
// A value is the word that the log printed (the number in the metric's unit where the log used another),
// `null` where the log left it out. `"assumed": true` marks numbers that were positions in a list;
// `conflicts` lists numbers that were printed with different values, `unrecorded` those that a golden file
// names without a value. Unknown keys are errors.
#pragma once

#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "gate/model/baseline.h"

namespace gate::schema {

// Return the baseline of a text in gate.baseline/1, or in the ModelLink / MindSpeed `baseline_results`
// family. `name` is what errors call it (`baselines/x.json:12:3: ...`). Foreign positional lists get
// steps 1..N marked assumed, the k-th memory entry of a rank is its report k; values keep the number's own
// text; "nan" texts are left out and noted; margins are kept; case, platform and formats stay empty. Fails
// with position and what to do, all mistakes together, on anything else: not JSON, not an object, a key
// twice, unknown schema, wrong types, steps that do not rise, counts that differ, words that are no numbers;
// and beyond 64 MiB, 1000000 values or 64 levels.
Result<Baseline> read_baseline(std::string_view text, const std::string& name);

// Return the canonical gate.baseline/1 text: stable keys, values as strings exactly as printed, ten a line, a
// final newline. read_baseline(write_baseline(b)) == b for every baseline of gate's own (lines and files of
// samples are not stored; bytes that are no UTF-8 become U+FFFD).
std::string write_baseline(const Baseline& baseline);

// Tell whether the text looks like one JSON object (`{`, then `"` or `}`, apart from blanks), so that a file
// given to `--baseline` is a golden file and not a log. Of a file its beginning will do. Objects that follow
// one another line by line are a log.
bool looks_like_json(std::string_view text);

}  // namespace gate::schema
