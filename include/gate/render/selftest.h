// What `gate selftest` prints.
#pragma once

#include <string>

#include "gate/judge/selftest.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return a table of cases and mutations, each mutation a letter; what the letters mean and how often each
// mutation was caught; everything that survived; and the line that counts it all. Quiet: survivors and that
// line. Verbose: every mutation of every check.
std::string selftest_text(const judge::Selftest& selftest, const Style& style);

// Return the same as JSON: `exit_code` and `cases`, each with all its results.
std::string selftest_json(const judge::Selftest& selftest);

}  // namespace gate::render
