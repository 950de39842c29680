// What `gate baseline lint` prints.
#pragma once

#include <string>

#include "gate/judge/fit.h"
#include "gate/judge/lint.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return the findings, each with what to do, what is known of the noise of all cases together, and the line
// that counts it all. Notes alike are one entry. Quiet: without
// notes. Verbose: every note, and the noise of every check.
std::string lint_text(const judge::Lint& lint, const Style& style);

// Return the same as JSON.
std::string lint_json(const judge::Lint& lint);

// Return the table of fitted tolerances, below it what it has no column for, and the line that counts it all.
// Quiet: without rules of which nothing is told.
std::string tolerances_text(const judge::FittedRules& fitted, const Style& style);

// Return the same as JSON.
std::string tolerances_json(const judge::FittedRules& fitted);

}  // namespace gate::render
