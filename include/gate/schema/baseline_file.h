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
// `null` where the log left it out. `"assumed": true` marks numbers that were positions in a list,
// `"of_last_steps": true` those of a list that was shorter than others of its file; `conflicts` lists numbers
// that were printed with different values, `unrecorded` those that a golden file names without a value.
// Unknown keys are errors.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "gate/model/runs/baseline.h"

namespace gate::schema {

// A kind of golden file of another tool that is read as it is.
struct GoldenKind {
  std::string_view origin;  // Baseline::origin
  std::string_view file;    // whose file, and where it lies there
  std::string_view shape;   // what it looks like
  std::string_view steps;   // where its step numbers come from
};

// Return all kinds of golden files, for the manual.
std::span<const GoldenKind> golden_kinds();

// Return the baseline of a text in gate.baseline/1, or of a golden file of one of golden_kinds(). `name` is
// what errors call it (`baselines/x.json:12:3: ...`). Of golden files: lists get the steps that their place
// says, marked assumed; a number keeps its own text, its value is in gate's unit; a step that the file names
// without a number ("nan", null) is unrecorded and noted; margins are kept; case, platform and formats stay
// empty. Fails with position and what to do, all mistakes together, on anything else: not JSON, not an
// object, empty, cut off, a key twice, unknown schema, wrong types, steps that are no whole numbers or stand
// twice, counts that differ, words that are no numbers, files without a series; and beyond 64 MiB, 1000000
// values or 64 levels.
Result<Baseline> read_baseline(std::string_view text, const std::string& name);

// Return the canonical gate.baseline/1 text: stable keys, values as strings exactly as printed, ten a line, a
// final newline. read_baseline(write_baseline(b)) == b for every baseline of gate's own (lines and files of
// samples are not stored; bytes that are no UTF-8 become U+FFFD).
std::string write_baseline(const Baseline& baseline);

// Tell whether a text given where a baseline or a log may stand is read_baseline's: one JSON object that has
// `schema` or what one of golden_kinds() holds, lines of `<step> <number>` only, or nothing but blanks, of
// which no log consists. Objects that follow one another are a log, and so is any other object. One that is
// cut off, or is no JSON, is told by how it begins.
bool looks_like_golden(std::string_view text);

// Tell whether a text begins as lines of `<step> <number>` do: its first line behind the comments is one, or
// the comments name columns, `# step loss`.
bool begins_with_steps(std::string_view text);

}  // namespace gate::schema
