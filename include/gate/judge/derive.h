// Series of metrics that are derived from others.
//
// There is a value at each number (step, report) and rank that all operands have. A series without a rank
// goes with every rank. A value that one operand printed as NaN, as infinite, or left out is of that kind in
// the result too (the first one that the formula names): a printed step never disappears. So does what cannot
// be computed: a division by zero, and what is beyond a double, are infinite or NaN, and fail by name like
// these.
//
// Sums, differences and products of printed decimals are exact as long as 37 digits suffice. From a division
// on they are doubles, rounded to 15 significant digits at the end: a double holds 15 for sure, so what
// binary rounding moved in the last places (some 8 ulp) snaps back, and a ratio that is 0.9 on paper stands
// on the limit 0.9 and not beside it. At least 6 digits are kept, zeros too: the quantum of the result says
// how finely it was computed, not how finely anything was printed.
//
// A value has the file and line of the formula's first operand.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gate/judge/formula.h"
#include "gate/model/numbers/series.h"
#include "gate/model/runs/baseline.h"

namespace gate::judge {

// The series of each case by its name; "" is the one that is judged.
using FormulaInputs = std::map<std::string, std::vector<const Series*>, std::less<>>;
using InputReferences = std::map<std::string, const Reference*, std::less<>>;

// Return the metric's series, one for each rank for which all operands have one of the same numbering; none
// where a case or a metric is not among the inputs, or a number that the case tells is not known.
std::vector<Series> derive(const Metric& metric, const Formula& formula, const FormulaInputs& inputs);

// Return the same of references: run by run, as far as all operands have runs. The file is the first
// operand's; the platform is that of the first operand that is bound to one.
std::vector<ReferenceSeries> derive(const Metric& metric, const Formula& formula,
                                    const InputReferences& inputs);

// Return what the formula was given at that rank and number: `throughput 180, throughput("x1") 100, devices
// 8`; "" where derive() gives no value.
std::string operands_text(const Formula& formula, const FormulaInputs& inputs, const std::optional<int>& rank,
                          std::int64_t number);

}  // namespace gate::judge
