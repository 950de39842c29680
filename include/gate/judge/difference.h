// Two series of one metric side by side. Nothing is judged: it is told what differs, exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "gate/model/numbers/series.h"
#include "gate/model/reports/comparison.h"
#include "gate/model/rules/rule.h"

namespace gate::judge {

// As printed, a NaN is equal to a NaN. As values no NaN or infinity is equal to anything, and where both
// sides left the value out there is nothing to compare.
enum class Equality : std::uint8_t { as_printed, as_values };

// Return what differs. Of series by time, whose numbers meet by chance alone, only the means over all their
// values are told: `common`, `first` and `only_a` stay empty. Series that are numbered differently have
// nothing in common.
Difference difference_of(const Series& a, const Series& b, Equality equality = Equality::as_printed);

// Return the first number at which `b` is beyond the tolerance of a rule that holds each value of the metric
// against the baseline's, within the rule's window on `a`; nothing where there is none. Means and combined
// ranks have no such number.
std::optional<Beyond> first_beyond(std::span<const Rule> rules, const Series& a, const Series& b);

}  // namespace gate::judge
