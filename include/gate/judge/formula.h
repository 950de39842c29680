// Formulas: metrics that are derived from others, `throughput("x2") / (2 * throughput("x1"))`.
//
//   sum     = product { ("+" | "-") product }        product = factor { ("*" | "/") factor }
//   factor  = "-" factor | "(" sum ")" | number | metric [ "(" case in quotes ")" ] | "devices" | "nodes"
//
// A metric stands for its value at one step (or report) of one rank; with a case, for the value that the run
// of that case has there. A case that begins with `@` is a variant beside the judged one: `@1x1` is the one
// of that size whose other values are the same. `devices` is the number of all devices that the case uses,
// `nodes` that of its nodes. Names are of letters, digits, `_` and `.`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/model/decimal.h"
#include "gate/model/metric.h"

namespace gate::judge {

struct Term {
  enum class Kind : std::uint8_t { number, metric, negate, add, subtract, multiply, divide };
  Kind kind = Kind::number;
  Decimal number;             // of `devices` and `nodes` 0 until the case is known
  std::string metric;         // or `devices`, `nodes` of a number
  std::string case_name;      // "": the case that is judged
  std::size_t character = 0;  // where it stands in the text, in characters from 1
  bool is_beside = false;     // the case was written as a variant beside the judged one: `@1x1`
};

using TermKind = Term::Kind;

struct Formula {
  std::string text;
  std::vector<Term> terms;  // operands before their operation: `a / 2` is a, 2, divide

  // Tell whether it needs a count, `devices` or `nodes`, that is not known.
  bool is_open() const;
};

// Give the formula the counts of a case; 0 is unknown.
void bind_counts(Formula& formula, int devices, int nodes);

// A metric with a formula.
struct Derivation {
  std::string metric;
  Formula formula;
  std::vector<std::string> cases;  // that it names, itself or through derived metrics that it uses; sorted
};

// Return the formula. Fails for what the grammar does not know, for numbers beyond 1e+-60, for a text of more
// than 1000 bytes, for one nested more than 50 deep, and for one that names no metric; the message quotes the
// text and marks the place.
Result<Formula> parse_formula(std::string_view text);

// Return the unit of the formula's values: the declared one, else what the formula gives, else "".
//   - Only like may be added to or subtracted from like: MiB and ms fail, by name.
//   - A product has the product of the units, `tokens/s` / `samples/s` is `tokens/samples`.
//   - A number may carry any unit (1000 ms/s, 989 TFLOP/s/device), so what it multiplies or divides has an
//     open one, which goes with every other; a number itself can be added to anything.
// Fails where the declared unit is not the one that the formula gives; one that it leaves open, or a ratio of
// like to like, may be declared to be anything. Every metric of the formula is in the table.
Result<std::string> unit_of(const Formula& formula, const MetricTable& metrics,
                            const std::optional<std::string>& declared);

// Return what the formula's samples are numbered by. Fails where its metrics do not agree, by name.
Result<Numbering> numbering_of(const Formula& formula, const MetricTable& metrics);

}  // namespace gate::judge
