// What `gate baseline lint` prints.
#pragma once

#include <string>

#include "gate/app/lint.h"
#include "gate/render/reporters.h"

namespace gate::cli {

// Return the findings, each with what to do, what is known of the noise of all cases together, and the line
// that counts it all. Notes alike are one entry. Quiet: without
// notes. Verbose: every note, and the noise of every check.
std::string lint_text(const app::Lint& lint, const render::Style& style);

// Return the same as JSON.
std::string lint_json(const app::Lint& lint);

}  // namespace gate::cli
