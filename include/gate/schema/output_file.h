// Files that a script leaves beside its log: numbers, and results of evaluation tools.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "gate/model/output.h"

namespace gate::schema {

enum class NumberFormat : std::uint8_t { json, jsonl, csv, npy };

// Return the format that the file's name says by its end, `.json`, `.jsonl`, `.csv` or `.npy`; nothing for
// another one.
std::optional<NumberFormat> number_format_of(std::string_view file_name);

// Return the numbers of a file. `key` chooses among them: of JSON a path of names and indices, `data.loss`
// (of a list of objects the member of each); of JSON lines a name; of CSV the name of a column. "" is all of
// a file that holds numbers alone; a file with several names has to be told which. Of JSON NaN, Infinity and
// their quoted spellings count as such numbers, null as NaN. Of .npy: versions 1 to 3; f2 f4 f8, i1 to i8, u1
// to u8 and bool, in either byte order, in C order.
// Fails with `FILE:line:column: ...` for what is no such file, for a key that it does not have and for a word
// where a number should be: nothing is left out in silence.
Result<Numbers> read_numbers(std::string_view bytes, NumberFormat format, std::string_view key,
                             const std::string& file);

// Return what a results file says: lm-evaluation-harness's results_*.json, OpenCompass's summary_*.csv. Fails
// with `FILE:line:column: ...` for what is neither, for a score that is no finite number, for the same score
// twice.
Result<EvalResults> read_eval_results(std::string_view bytes, const std::string& file);

}  // namespace gate::schema
