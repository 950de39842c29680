// Reports in Chinese. gate thinks, and stores, in English; a sentence is translated when it is shown, and
// what is shown decides nothing (decision 64).
//
//   in_chinese("lm_loss, grad_norm ranks 0-3: within ±0.01, no longer bit-equal from step 2")
//
// No row of the table has all of it, so it is taken apart where gate puts such sentences together: two
// blanks, else the first of `; ` and `: `, else `, `, and last `(...)`. Each part is looked up again. No row
// knows `lm_loss`, which stays; `grad_norm ranks 0-3` is one of {"{1:w} ranks {2:n}", "{1} rank {2}"}; what
// is behind the colon is one of {"within {1}, no longer bit-equal from {2:s}", "在 {1} 以内，从{2}起不再逐位
// 相等"}, and `step 2`, in its second hole, one of {"step {1:n}", "第 {1} 步"}:
//
//   lm_loss, grad_norm rank 0-3：在 ±0.01 以内，从第 2 步起不再逐位相等
//
// What stands behind the colon of a sentence that no row knows stays: others may have said it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gate::words {

enum class Language { english, chinese };

// A sentence in both languages. A hole `{1}` is shown as it stands, whatever it holds: names, paths, what
// others said. `{1:w}` is one word, `{1:n}` numbers as ranges_text() writes them, `{1:f}` a formula of
// numbers, `{1:r}` the name of a reduce,
// `{1:s}` a phrase without `; ` and columns that is translated itself, `{1:p}` one without `, `, `: ` and
// brackets, `{1:m}` such a one that stays as it is, `{1:t}` any text that is, and `{1:k}` what cause_in()
// tells of it. In the Chinese text the number alone counts; a blank comes between a hole's Latin text and a
// Chinese character by itself. `(s)` in the English text may be missing.
struct ChineseRow {
  std::string_view english, chinese;
};

// Return all rows, by subject.
std::vector<ChineseRow> chinese_rows();

// Return the line in Chinese, as far as the rows know it. The row that has most of a phrase in its own words
// is taken. Valid UTF-8 stays so. Of an overlong line the end stays as it is.
std::string in_chinese(std::string_view english);

// The same; add the parts that hold letters and that no row knows.
std::string in_chinese(std::string_view english, std::vector<std::string>& unknown);

// Return in the language what a log says of a failure: of a known message its sentence, what stands behind
// that as it is; of anything else, as the line of an exception, all of it as it is.
std::string cause_in(Language language, std::string_view what);

// Return the text between marks, which in_chinese() and shown_in() never look behind: a name, a path, what
// somebody else said; "" of none. A mark inside it is dropped.
std::string verbatim(std::string_view text);

// Tell whether the character is a mark that a quote begins or ends with.
bool is_mark(char c);

// Return the text in the language, without marks.
std::string shown_in(Language language, std::string_view text);

// The same of several lines, each for itself.
std::string shown_lines(Language language, std::string_view lines);

}  // namespace gate::words
