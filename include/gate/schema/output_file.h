// Files that a script leaves beside its log: numbers, and results of evaluation tools.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "gate/model/numbers/output.h"

namespace gate::schema {

enum class NumberFormat : std::uint8_t { json, jsonl, csv, npy };

// Return the format that the file's name says by its end, `.json`, `.jsonl`, `.csv` or `.npy` in any case;
// nothing for another one.
std::optional<NumberFormat> number_format_of(std::string_view file_name);

// Return the numbers of a file, and their shape: `3` of three in a row, `2x3` of two rows of three, "" of a
// single one. `key` chooses among them; "" is all of a file that holds numbers alone, or of one that has a
// single name for all of them; a file with several names has to be told which.
//
//   JSON   a path of names and of indices from 0, `data.loss`, `layers.0.bias`; of a list of objects a name
//          is the member of each. Of names with dots in them the longest that fits is taken.
//   JSONL  the same of every line; a line is an object, a number or a list of numbers. Blank lines stand at
//          the end alone.
//   CSV    the name of a column, which the first line holds if none of its cells is a number. Cells stand
//          between commas, in quotes as RFC 4180 has them; blanks around a number or a name do not count.
//          Every line has as many cells.
//   .npy   none: it holds one array. Versions 1 to 3; f2 f4 f8, i1 to i8, u1 to u8 and bool, in either byte
//          order, in C order. An integer beyond 2^53 becomes the nearest double.
//
// A number is a decimal in JSON's grammar, in CSV with a plus sign and zeros in front, too; NaN, Infinity and
// -Infinity count as such numbers, in quotes `nan`, `inf` and `infinity` in any case, too, and null is NaN.
//
// Fails with `FILE:line:column: ...`, of .npy with `FILE: ...`, for what is no such file, for a key that it
// does not have, for lists in a list that differ in length, and for a word where a number should be, an empty
// cell and a number beyond a double's range among them: nothing is left out in silence.
Result<Numbers> read_numbers(std::string_view bytes, NumberFormat format, std::string_view key,
                             const std::string& file);

// Return what a results file says: lm-evaluation-harness's results_*.json, its versions 0.3 and 0.4, or
// OpenCompass's summary_*.csv.
//
// Of lm-evaluation-harness the tasks of `results` and then the groups that it does not name; `n-shot` (else
// the task's `num_fewshot`), the effective `n-samples`, and `higher_is_better`, without which perplexities,
// error rates and the like are better lower. Of OpenCompass version and mode together are the task's version,
// `1d7fe4 gen`, and `-` for a score is none: its task is told all the same.
//
// Fails with `FILE:line:column: ...` for what is neither, for a score that is no finite number, for the same
// score twice, for several models in one file, for no task at all.
Result<EvalResults> read_eval_results(std::string_view bytes, const std::string& file);

}  // namespace gate::schema
