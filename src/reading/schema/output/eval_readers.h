// The readers of results files, and what they share.
#pragma once

#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "gate/model/numbers/output.h"

namespace gate::schema {

// The first cells of OpenCompass's summary; a model's name follows.
inline constexpr std::string_view summary_header = "dataset,version,metric,mode";

inline constexpr std::string_view no_results =
    "holds no results: neither those of lm-evaluation-harness (JSON with \"results\") nor a summary of "
    "OpenCompass (its first line begins with \"dataset,version,metric,mode,\")";

// Return which side is better of a metric of that name, where its file does not tell.
Better better_of_metric(std::string_view metric);

// See read_eval_results().
Result<EvalResults> read_harness_results(std::string_view text, const std::string& file);
Result<EvalResults> read_summary(std::string_view text, const std::string& file);

}  // namespace gate::schema
