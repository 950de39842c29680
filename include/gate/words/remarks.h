// The sentences of remarks, notes and failed checks: the one place where a value of the judge becomes words.
#pragma once

#include <string>

#include "gate/base/sentence.h"
#include "gate/model/reports/report.h"

namespace gate::words {

// Return the word of a report: `mean`.
Sentence reduce_text(Reduce reduce);

// Return the sentence, without a full stop. `numbered` is what its numbers count.
Sentence text(const Remark& remark, Numbering numbered = Numbering::step);

// Return `lm_loss, grad_norm ranks 0-3: within ±0.01, no longer bit-equal from step 2`, or of the case the
// sentence alone.
Sentence text(const Note& note);

// Return who the note is on: `lm_loss, grad_norm ranks 0-3`; "" for the case.
Sentence subjects_text(const Note& note);

// Return the check's remarks in one line, joined by `; `.
Sentence note_text(const Check& check);

// Tell whether the first remark says that steps are missing: `missing steps 3-5 of 10`.
bool tells_missing(const Check& check);

// Return what became of the check's values in its window: `mean of last 10`, `max` where that is all of them.
Sentence reduced_text(const Check& check);

// Return `mean of 31-40`; the reduction alone of no numbers.
Sentence reduced_over(const Sentence& reduce, const StepSet& numbers);

// Return where a test failed or was skipped: `tests/ut/test_rope.py:12`; "" where pytest does not tell.
std::string test_place(const TestResult& test);

// Return what failed in one line: `lm_loss out of ±0.01 first at step 6 (10.49 -> 10.50, |Δ| 0.01104, 14 of
// 15)`, `throughput mean of steps 6-15 134.17 -> 127.40 (-5.05 %), limit 127.4615`,
// `tests/ut/test_rope.py::test_x[fp16]: assert 1 == 2 (tests/ut/test_rope.py:12)`.
Sentence failure(const Check& check);

// Return how a launch ended, and what had failed before: `hung ...; before that: lm_loss out of ...`.
Sentence before_that(const Sentence& ending, const Sentence& failure);

// Return what failed, and what the machine did then: `lm_loss out of ...; then vanished: host lost`.
Sentence and_then(const Sentence& failure, const Sentence& machine);

}  // namespace gate::words
