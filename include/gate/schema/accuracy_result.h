// test_result.json: what an accuracy test of a model hub came to.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "gate/model/numbers/accuracy.h"
#include "gate/model/numbers/decimal.h"
#include "gate/model/rules/rule.h"

namespace gate::schema {

// Both names are in use for the one file: it is written under both, byte for byte the same, and read under
// either, the first one first.
inline constexpr std::array<std::string_view, 2> accuracy_result_names{"test_result.json",
                                                                       "test_results.json"};

// How the output fared beside its golden file.
struct AccuracyComparison {
  std::string metric;           // gate's name, `bleu`; one that gate does not know as it stands there
  std::optional<double> value;  // not rounded; none where it could not be computed
  Decimal threshold;
  Bound::Kind comparison = Bound::Kind::at_least;  // of value and threshold; one with a sign (model/rule.h)
};

struct AccuracyResult {
  std::string baseline_id;     // opaque; "" is none
  bool is_number_id = false;   // it came as a number, and goes out as one if it is a whole one
  bool is_comparison = false;  // else a baseline was made, and nothing compared
  ModelTestType test_type = ModelTestType::inference;
  AccuracyStage stage = AccuracyStage::test;  // the one that ended the test
  // None of these three where there is nothing to name: of a download or test that failed the log alone is
  // told, of a miss all of them, `passed` false.
  std::optional<std::string> output, log;  // files beside this one
  std::optional<bool> passed;
  std::optional<AccuracyComparison> details;  // none: nothing was judged
};

// Return the file as strict JSON with a final newline: two blanks a level, all members in their fixed order,
// null for what is none. `comparison_details` is there only of a comparison, null where nothing was judged. A
// value that is not finite is null; a finite one has all digits that it needs to be read back as the same.
std::string write_accuracy_result(const AccuracyResult& result);

// Return the result that such a file tells, also where other programs or people wrote it: commas before a
// closing bracket, comments from `#` or `//` to the end of their line, `comparison_datails`, baseline_id as a
// text or a whole number, numbers as texts, test_type and stage in any case and by their other names
// (model/accuracy.h); a member that is absent or null is none, unknown members are passed over. Details of
// what is no comparison are passed over, too. Fails with all complaints, at `FILE:line:column`, for what is
// no such file: no JSON, another kind of value, test_type or is_comparison_test missing, a word that is none
// of its vocabulary, both spellings of the details.
Result<AccuracyResult> read_accuracy_result(std::string_view text, const std::string& file);

}  // namespace gate::schema
