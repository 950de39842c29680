// Accepting, and what is said of it.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/terminal.h"
#include "gate/app/baseline.h"

namespace gate::cli {

using Acceptances = std::vector<app::Accepted>;

// Return what the options say of accepting, with the user of this machine.
app::AcceptOptions accept_options(const Options& options);

// Return what was accepted into which file: all of it where that is one or the style is verbose, else the
// count.
std::string accepted_text(const Acceptances& accepted, const render::Style& style);
std::string accepted_json(const Acceptances& accepted);

// Accept the candidates that the options choose, tell, and return the exit code.
int accept_and_tell(const app::Suite& suite, const Options& options, Terminal& terminal);

}  // namespace gate::cli
