// What selftest does to a good run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/selftest/mutation_context.h"

namespace gate::judge {

struct Mutant {
  Extraction run;
  std::string what;                    // for people: `step 6: 10.47309 -> 10.48310`
  std::optional<Reference> reference;  // where the reference is damaged as well
};

struct Mutants {
  std::vector<Mutant> list;
  std::string none;  // why the list is empty
};

struct Mutation {
  MutationRow row;
  Mutants (*make)(const MutationContext& scene);  // none: the good run itself
};

std::span<const Mutation> mutation_table();

// Where in a window.
enum class Place { first, middle, last };

// Return the number at that place of numbers that are not empty.
std::int64_t number_at(const std::vector<std::int64_t>& numbers, Place place);

// Add the good run with these values; nothing where there are none.
void add_values(Mutants& mutants, const MutationContext& scene, const Values& values);

// Tell whether the rule itself, by the numbers alone, notices what was done.
bool is_noticed(const MutationContext& scene, const Mutant& mutant);

// Values at the limits.
Mutants on_the_limit(const MutationContext& scene);
Mutants window_beyond(const MutationContext& scene);
template <Place place>
Mutants one_beyond(const MutationContext& scene);
Mutants shifted(const MutationContext& scene);

// Faults as they happen, wherever the limits are.
Mutants tenfold(const MutationContext& scene);
Mutants four_percent(const MutationContext& scene);

// Values that are no numbers.
Mutants nan_inside(const MutationContext& scene);
Mutants nan_outside(const MutationContext& scene);
Mutants inf_inside(const MutationContext& scene);
Mutants inf_outside(const MutationContext& scene);
Mutants inf_on_both_sides(const MutationContext& scene);
Mutants left_out(const MutationContext& scene);

// Attempts: the last one is judged.
Mutants bad_last_attempt(const MutationContext& scene);
Mutants good_last_attempt(const MutationContext& scene);

// What is not there.
Mutants missing_inside(const MutationContext& scene);
Mutants missing_outside(const MutationContext& scene);
Mutants missing_and_one_more(const MutationContext& scene);
Mutants missing_rank(const MutationContext& scene);
Mutants truncated(const MutationContext& scene);
Mutants empty_series(const MutationContext& scene);
Mutants absent_metric(const MutationContext& scene);

}  // namespace gate::judge
