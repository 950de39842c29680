// Accepting, and what is said of it.
#pragma once

#include "cli/options.h"
#include "cli/terminal.h"
#include "gate/app/baseline.h"

namespace gate::cli {

// Return what the options say of accepting, with the user of this machine.
app::AcceptOptions accept_options(const Options& options);

// Accept the candidates that the options choose, tell, and return the exit code.
int accept_and_tell(const app::Suite& suite, const Options& options, Terminal& terminal);

}  // namespace gate::cli
