// Formulas: metrics that are derived from others, `throughput("x2") / (2 * throughput("x1"))`.
//
//   sum     = product { ("+" | "-") product }        product = factor { ("*" | "/") factor }
//   factor  = "-" factor | "(" sum ")" | number | metric [ "(" case in quotes ")" ] | told
//   told    = "devices" | "nodes" | "seq_length" | "peak" "(" type of number in quotes ")"
//           | "flops_per_token" "(" estimate in quotes ")"
//
// A metric stands for its value at one step (or report) of one rank; with a case, for the value that the run
// of that case has there. A case that begins with `@` is a variant beside the judged one: `@1x1` is the one
// of that size whose other values are the same. What the case tells is a number: `devices` is that of all
// devices that it uses, `nodes` that of its nodes, `seq_length` the tokens of a sample, `peak("fp16")` what
// one of its devices can do, `flops_per_token("megatron")` what a token takes. Names are of letters, digits,
// `_` and `.`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/model/numbers/decimal.h"
#include "gate/model/numbers/metric.h"

namespace gate::judge {

struct Term {
  enum class Kind : std::uint8_t { number, metric, negate, add, subtract, multiply, divide };
  Kind kind = Kind::number;
  Decimal number;             // of what the case tells 0 until it is known
  std::string metric;         // or the name of what the case tells: `devices`, `peak`
  std::string case_name;      // "": the case that is judged
  std::size_t character = 0;  // where it stands in the text, in characters from 1
  bool is_beside = false;     // the case was written as a variant beside the judged one: `@1x1`
  std::string type = "";      // of a peak, the type of number: `fp16`; of flops_per_token, the estimate

  // Tell whether it is a number that the case tells: `devices`.
  bool is_told() const { return kind == Kind::number && !metric.empty(); }
};

using TermKind = Term::Kind;

struct Formula {
  std::string text;
  std::vector<Term> terms;  // operands before their operation: `a / 2` is a, 2, divide

  // Return the first number that the case has to tell and that is not known; nullptr where all are.
  const Term* open_term() const;
};

// Give the formula the numbers that a case tells: `told` returns that of such a term, 0 where it is unknown.
void bind_numbers(Formula& formula, const std::function<Decimal(const Term&)>& told);

// Return the term as formulas write it: `throughput("x1")`, `peak("fp16")`; "" of what has no name.
std::string written(const Term& term);

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
