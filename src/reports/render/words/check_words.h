// Checks in words, those of one rule that say the same of several ranks as one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/model/reports/report.h"

namespace gate::render {

// Points into the checks that it was made from.
struct Fold {
  const Check* first = nullptr;     // the one whose miss comes first (lowest number, then lowest rank)
  const Check* largest = nullptr;   // the one with the largest deviation
  std::vector<std::int64_t> ranks;  // rising; empty where the series name no rank
  std::int64_t all_ranks = 0;       // ranks that the rule has checks for, in whatever state
  std::int64_t misses = 0;          // sums over the ranks
  std::int64_t compared = 0;
  std::vector<Sentence> notes;  // each once
};

// Tell whether the check failed, under a waiver or not.
bool has_failed(const Check& check);

// Tell whether a check of every value failed by values alone that are no numbers: what it has as its largest
// deviation is within the tolerance, and nothing to tell.
bool is_all_not_finite(const Check& check);

// Return the checks folded by rule, metric and status, in the order in which each first comes. Checks that
// are neither failed nor waived nor passed are folded only where their notes are equal.
std::vector<Fold> fold(const std::vector<Check>& checks);

// Return the first fold whose checks have the status, or nullptr.
const Fold* first_with(const std::vector<Fold>& folds, CheckStatus status);

// Return the fold that a report of a case shows alone where a check failed: the first that failed or misses
// something; nullptr where none failed.
const Fold* heaviest(const std::vector<Fold>& folds);

// Return `rank 3`, `8 of 8 ranks (0-7)` or, where the series name no rank, "".
Sentence ranks_of(const Fold& fold);

// Return `lm_loss  14 of 15 steps (1-15) out of ±0.01, largest -0.27 (-11.9 %)`,
// `throughput  mean of steps 6-15  134.17 -> 127.40 TFLOP/s/device, delta -6.77 (-5.05 %), limit -5%
// (127.4615)`, `lm_loss  missing: steps 10-30`: what is checked, and how it went.
Sentence headline(const Fold& fold);

// Return the same without the word of the status.
Sentence plain_headline(const Fold& fold);

// Return of what failed the least that tells it: `lm_loss step 7: 9.51 -> 9.81 (+3.15 %), 1 of 15 out of
// ±0.01`, `throughput 342.61 -> 311.99 (-8.94 %), limit -5%`; the headline of what has no such values.
Sentence short_words(const Fold& fold);

// Return the lines that go below it, without indentation: the first and the largest miss, then the notes.
std::vector<Sentence> details(const Fold& fold);

// Return of these lines the first and the largest miss.
std::vector<Sentence> miss_lines(const Fold& fold);

// Return `step 5`, `3 reports` in what the check's numbers count; `value 5` where they count nothing.
Sentence number_words(const Check& check, std::int64_t number);
Sentence count_words(const Check& check, std::int64_t count);

// Return `mean of steps 6-15`; where every value is compared for itself `1-15 of 1-60`, `15 steps` where that
// is all that the run must have, or `ok` where they have no numbers.
Sentence window_words(const Check& check);

// Return where in the line the value is printed, and how long its word is; of size 0: nowhere.
struct WordPlace {
  std::size_t at = 0, size = 0;
};
WordPlace word_saying(const std::optional<Value>& value, std::string_view line);

}  // namespace gate::render
