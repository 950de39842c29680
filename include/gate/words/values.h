// Values, numbers and names as people read them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gate/base/sentence.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/numbers/sample.h"
#include "gate/model/numbers/step_set.h"
#include "gate/model/rules/verdict.h"
#include "gate/model/runs/remark.h"

namespace gate::words {

// Return the value as printed, in plain decimals: `10.46010`, `nan`, `-inf`, `left out`; "" of none.
std::string value_text(const Value& value);
std::string value_text(const std::optional<Value>& value);

// Return the same in words where it is none: `left out`.
Sentence shown_text(const std::optional<Value>& value);

// Return the same of a baseline's value: `not recorded` where it names the number without a value.
Sentence baseline_text(const std::optional<Value>& value);

// Return the same of a run's value: `not in the run` where there is none.
Sentence actual_text(const std::optional<Value>& value);

// Return the text with its sign, `+0.01104`; zero has none.
std::string signed_text(const Value& value);
std::string signed_text(const std::optional<Value>& value);

// Return `-5.1 %`, three significant digits; "" of none.
std::string percent_text(const std::optional<double>& percent);

// Return `+0.01104 (+0.1 %)`, without the percentage where there is none; "" of no delta.
std::string moved_text(const std::optional<Value>& delta, const std::optional<double>& percent);

// Return `10.49309`, or `10.47309..10.49309`, several joined by ` or `; "" of none. An open end has its sign:
// `> 0.9`, `1..< 2`.
Sentence limit_text(const LimitRanges& limit);

// Return `±0.01 or ±2%`: as a rule has it, with the words between the bounds in their language.
Sentence tolerance_text(const Tolerance& tolerance);

// Return `1-3, 7`; four numbers or more that are equally far apart as `10-150 by 10`; a long list is cut and
// ends in the count; "" of none.
Sentence ranges_text(const StepSet& numbers);

// Return `step 5`, `steps 1 and 2`, `reports 1-3, 7`; a long list is cut and ends in the count. Not for no
// numbers.
Sentence numbers_text(const StepSet& numbers, Numbering numbered);
Sentence numbers_text(std::span<const std::int64_t> numbers, Numbering numbered);

// Return `step 5`.
Sentence number_text(std::int64_t number, Numbering numbered);

// Return what is numbered: `step`.
Sentence noun_text(Numbering numbered);

// Return `3 steps`, `1 report`.
Sentence count_text(std::int64_t count, Numbering numbered);

// Return the number alone where what is counted stands beside it; in Chinese with its measure word: `3 步`.
Sentence part_text(std::int64_t count, Numbering numbered);

// Return `rank 3`, `ranks 4-7`; "" for a series of no rank.
Sentence ranks_text(std::span<const std::optional<int>> ranks);

// Return the verdict's word, and that of a check's status.
Sentence verdict_text(Verdict verdict);
Sentence status_text(CheckStatus status);

// Return `20 of 20 green on commits that were green elsewhere: the quarantine can go`.
Sentence quarantine_can_go(std::size_t green);

// Return `last 10`, `all`.
Sentence window_text(const Window& window);

// Return `lm_loss`, or `memory_allocated rank 3`.
std::string label(std::string_view metric, const std::optional<int>& rank);

// Return the metric's name as people say it: `lm loss`.
std::string spoken(std::string_view metric);

// Return the verdict's word.
Sentence verdict_text(Verdict verdict);

// Return the texts joined by `; `, without the empty ones.
Sentence both(const Sentence& first, const Sentence& second);

}  // namespace gate::words
