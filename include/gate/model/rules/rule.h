// What is demanded of a metric: rule = metric + window + reduce + tolerance.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/numbers/decimal.h"

namespace gate {

// A set of a baseline's samples.
//   all | first N | last N            count recorded samples (last never takes the series' first sample)
//   A..B | after N | step N           compare printed numbers: [A, B], above N, N alone
struct Window {
  enum class Kind : std::uint8_t { all, first, last, between, after, step };
  Kind kind = Kind::all;
  std::int64_t a = 0;  // N, or A
  std::int64_t b = 0;  // B
  bool operator==(const Window&) const = default;
};

enum class Reduce : std::uint8_t {
  each,
  mean,
  median,
  min,
  max,
  last,
  p90,
  harmonic_mean,
  trimmed_mean,
  mean_relative_error,  // of run and baseline together, in percent
};
inline constexpr std::array all_reduces{
    Reduce::each, Reduce::mean, Reduce::median,        Reduce::min,          Reduce::max,
    Reduce::last, Reduce::p90,  Reduce::harmonic_mean, Reduce::trimmed_mean, Reduce::mean_relative_error};

// Tell whether the reduce lays the values of run and baseline side by side, number by number.
constexpr bool is_side_by_side(Reduce reduce) {
  return reduce == Reduce::each || reduce == Reduce::mean_relative_error;
}

// One bound. For actual a and baseline b with amount t (relative amounts are fractions: 5 % is 0.05):
//   absolute both |a-b| <= t, upper a <= b + t, lower a >= b - t;  relative likewise with t*|b|;
//   exact a == b;  error: the mean relative error between a and b, which is in percent as t is, is at most t.
// These need no baseline:
//   at_least a >= t;  above a > t;  at_most a <= t;  below a < t;  equals a == t;  differs a != t.
struct Bound {
  enum class Kind : std::uint8_t {
    absolute,
    relative,
    exact,
    at_least,
    above,
    at_most,
    below,
    equals,
    differs,
    error
  };
  enum class Side : std::uint8_t { both, upper, lower };
  Kind kind = Kind::exact;
  Side side = Side::both;
  Decimal amount;
  bool operator==(const Bound&) const = default;
};

// Alternatives (`or`) of bounds that must all hold (`and`). Never empty in a valid rule.
struct Tolerance {
  std::vector<std::vector<Bound>> any_of;
  bool operator==(const Tolerance&) const = default;
};

// How the series of several ranks are taken: each for itself, or combined per step first.
enum class RankMode : std::uint8_t { each, max, min, mean };

// A failure that is known and accepted for a while.
struct Waiver {
  std::string reason;
  std::string until;  // ISO date, inclusive
};

struct Rule {
  std::string name;     // `lm_loss`; unique in a case
  std::string metric;   // `lm_loss`; "": all of kind accuracy (rule `finite`); of an attempt that the rule
                        // chooses: `lm_loss@1`, `lm_loss@last`
  std::string attempt;  // "": the one that is judged; else `last` or its number
  Window window;
  Reduce reduce = Reduce::each;
  Tolerance tolerance;
  std::optional<Tolerance> deterministic = {};  // in its place, of a run whose switches say that it is
  RankMode rank = RankMode::each;
  int max_misses = 0;
  bool required = false;
  bool is_built_in = false;       // gate.toml says nothing of it
  bool is_rest_of_curve = false;  // `lm_loss_end`, which judge::built_in_rules() explains
  std::optional<Waiver> waive;
  // Whether it is held against the published figure that the case is bound to, in place of a baseline; once
  // that is known the tolerance holds its numbers, and `published` says whose they are.
  bool is_against_reference = false;
  std::string published = {};        // `3850 tokens/p/s of LLaMA2 7B 4K Mcore 1x8`
  Sentence measured_elsewhere = {};  // why the figure says nothing of the run's devices; "" where it may
  std::optional<Decimal> cap;        // declared upper bound of the metric, for early stop
  // Rules of one group are alternatives: active are those of the first place of which the baseline has a
  // metric. "" is none.
  std::string group;
  int place = 0;
};

// The spellings that the parsers of grammar.h read; to_string(parse(x)) is the canonical form of x.
std::string to_string(const Window& window);
std::string_view to_string(Reduce reduce);
std::string to_string(const Bound& bound);
std::string to_string(const Tolerance& tolerance);
std::string_view to_string(RankMode rank);

// Return the sign of a bound that needs no baseline: `>=`, `>`, `<=`, `<`, `==`, `!=`; "" of the other kinds.
std::string_view comparison_sign(Bound::Kind kind);

// Return the kind of that sign, or nothing.
std::optional<Bound::Kind> comparison_of(std::string_view sign);

// Tell whether `a SIGN b` is true by the sign of that kind, exactly; false of a kind without one.
bool compares(const Decimal& a, Bound::Kind kind, const Decimal& b);

// Tell whether the rule compares with a baseline at all (constants alone do not).
bool needs_baseline(const Tolerance& tolerance);

// Tell whether the rule bounds each value of a run by constants, however many there are.
bool bounds_every_value(const Rule& rule);

// Return the tolerance with constants in place of what is relative to a baseline: those that the value makes
// of it. Nothing where it bounds a mean relative error, or a product has more than 38 digits.
std::optional<Tolerance> beside_constant(const Tolerance& tolerance, const Decimal& value);

// Tell whether the tolerance bounds a mean relative error.
bool bounds_error(const Tolerance& tolerance);

}  // namespace gate
