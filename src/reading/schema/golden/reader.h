// The kinds of golden files that other tools wrote, and who reads each.
//
// What a read_ function returns is the baseline of the document. What does not fit is complained of, and the
// baseline then is worth nothing.
#pragma once

#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "gate/model/runs/baseline.h"
#include "gate/schema/baseline_file.h"
#include "schema/json/json_fields.h"

namespace gate::schema {

struct GoldenReader {
  GoldenKind kind;
  bool (*recognises)(const Json& document);
  Baseline (*read)(const Json& document, Complaints& complaints);
};

// Return the reader of the document, or nullptr. If several recognise it, the first one is meant.
const GoldenReader* find_golden_reader(const Json& document);

// Megatron-LM's `golden_values_{dev,lts}_{platform}.json`.
//
//   {"lm loss": {"start_step": 1, "end_step": 100, "step_interval": 5, "values": {"1": 10.95, "5": 10.81,
//   ...}}}
//
// The keys are the steps. In older files `values` is a list, whose i-th element (from 0) is of step
// start_step + i * step_interval, marked assumed. A text instead of a number, or null, is a step that was not
// recorded. Seconds and bytes become ms and MiB; memory, too, is numbered by step.
bool is_megatron(const Json& document);
Baseline read_megatron(const Json& document, Complaints& complaints);

// Megatron-LM's golden values of inference.
//
//   {"0": {"input_prompt": .., "generated_text": .., "latency": .., "logprobs": [..]}, ..., "throughput":
//   [..],
//    "mem-max-allocated-bytes": N}
//
// Only what stands beside the requests are series: `throughput` is tokens_per_second of steps 1..N, marked
// assumed; the memory is one report. A file that holds requests only is complained of.
bool is_megatron_inference(const Json& document);
Baseline read_megatron_inference(const Json& document, Complaints& complaints);

// Megatron-Bridge's golden values.
//
//   {"0": {"lm loss": 11.89, "elapsed time per iteration (ms)": 53048.6}, "1": {..}, "max_alloc": 93.2}
//
// The keys count from 0 what the log counts from 1: key "0" is step 1, which a note says. Of what stands
// beside the steps `alloc` and `max_alloc` are reports of memory, in 10^9 bytes; null was not measured, and
// nothing else is used.
bool is_megatron_bridge(const Json& document);
Baseline read_megatron_bridge(const Json& document, Complaints& complaints);

// FlagScale's gold values.
//
//   {"lm loss:": {"values": [..], "rtol": R, "atol": A}}
//   {"ascend": {"unit-910c": {"elapsed time per iteration (ms):": {"values": [..], "threshold": {"type":
//   "upper_bound", "tolerance": 0.1}}}}}
//
// The i-th value of a list is taken as step i, marked assumed. The keys are those of the log. A threshold on
// the bad side of its metric is a margin; gate's own rules do not use it. Values of several devices are
// complained of.
bool is_flagscale(const Json& document);
Baseline read_flagscale(const Json& document, Complaints& complaints);

// The ModelLink / MindSpeed `baseline_results` family: positional lists without step numbers.
//
//   {"lm loss": [..], "throughput": [..], "memo info": [{"rank": 0, "allocated memory": MB, "max allocated
//   memory": MB}]}
//
// The i-th value of a list is taken as step i, marked assumed. A "nan" (or null) is a step that was not
// recorded. The k-th entry of a rank in `memo info` is report k of that rank; where a rank has several, those
// numbers are assumed too. Numbers keep their own text. Whatever a reader of a verdict should know of the
// file becomes a note.
//
// Tell whether the document has a list that only this family has, and which of its tools wrote it.
bool is_modellink(const Json& document);
bool is_mindspeed_llm(const Json& document);
bool is_mindspeed_mm(const Json& document);
Baseline read_modellink(const Json& document, Complaints& complaints);

// torchtitan's losses: a text of `<step> <loss>` a line, comments that begin with `#` among them. The last
// comment in front of the lines may name the columns: `# step loss grad_norm`. Else the baseline holds
// lm_loss.
bool is_torchtitan(const Json& document);
Baseline read_torchtitan(const Json& document, Complaints& complaints);

// Tell whether the text is torchtitan's: every line that is not blank and no comment is a whole number and a
// number with a decimal point or exponent (or nan), or as many numbers as names of columns, and there is one.
// No log is that bare.
bool is_step_lines(std::string_view text);

// Return such a text as a tree: a list of columns, whose items have the step as their key; no list of JSON
// has keys. Fails beyond the limits of parse_json.
Result<Json> parse_step_lines(std::string_view text, const std::string& name);

}  // namespace gate::schema
