// One case on a page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/model/report.h"
#include "render/words/text_page.h"

namespace gate::render {

// How much to tell of what is in order: whether its notes are counted or listed, or everything with every
// check.
enum class Detail { counted, listed, everything };

// Return how long the case took, `1.1s`; "" where it did not run.
std::string took(const CaseReport& of);

// Put a passed case: one line; below it what is waived and, as the detail asks, notes, problems and checks.
// `word` says what it is: passed, or recorded where nothing was judged.
// `told` are remarks on what is ungated that hold for all cases and are not repeated.
using Told = std::vector<std::string>;
void put_green(TextPage& page, const CaseReport& of, Detail detail, std::string_view word = "passed",
               const Told& told = {});

// Put a case that would run: where, how far, and against what.
void put_planned(TextPage& page, const CaseReport& of);

// Put a skipped case: its name and its reason.
void put_skipped(TextPage& page, const CaseReport& of);

// Put a red case: verdict, how far it came, why, each check that is not passed, problems with their lines and
// notes.
void put_red(TextPage& page, const CaseReport& of, Detail detail, const Told& told = {});

// Put what can be done next about a red case of the run, one command or path a line.
void put_next_steps(TextPage& page, const Report& run, const CaseReport& of);

}  // namespace gate::render
