// What selftest does to a good run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "judge/selftest/mutation_context.h"

namespace gate::judge {

struct Mutant {
  Extraction run;
  Sentence what;                       // for people: `step 6: 10.47309 -> 10.48310`
  std::optional<Reference> reference;  // where the reference is damaged as well
};

struct Mutants {
  std::vector<Mutant> list;
  Sentence none;  // why the list is empty
};

// A place in a window.
enum class MutatedStep { first, middle, last };

// Return the number at that place of numbers that are not empty.
std::int64_t number_at(const std::vector<std::int64_t>& numbers, MutatedStep place);

// Add the good run with these values; nothing where there are none.
void add_values(Mutants& mutants, const MutationContext& context, const ChangedValues& values);

// Tell whether the rule itself, by the numbers alone, notices what was done.
bool is_noticed(const MutationContext& context, const Mutant& mutant);

// Values at the limits.
Mutants on_the_limit(const MutationContext& context);
Mutants window_beyond(const MutationContext& context);
Mutants one_beyond(const MutationContext& context, MutatedStep place);
Mutants shifted(const MutationContext& context);

// Faults as they happen, wherever the limits are.
Mutants tenfold(const MutationContext& context);
Mutants four_percent(const MutationContext& context);

// Values that are no numbers.
Mutants non_finite_inside(const MutationContext& context, ValueKind kind);
Mutants non_finite_outside(const MutationContext& context, ValueKind kind);
Mutants inf_on_both_sides(const MutationContext& context);

// Runs with two attempts: what the judge is given must be the last one.
enum class Last { good, bad };
Mutants two_attempts(const MutationContext& context, Last last);

// What is not there, within the window or out of it.
Mutants missing(const MutationContext& context, bool inside);
Mutants missing_and_one_more(const MutationContext& context);
Mutants missing_rank(const MutationContext& context);
Mutants truncated(const MutationContext& context);
Mutants empty_series(const MutationContext& context);
Mutants absent_metric(const MutationContext& context);

}  // namespace gate::judge
