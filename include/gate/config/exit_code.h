// Whether a shell script ends with what its training ends with.
#pragma once

#include <string_view>

#include "gate/base/sentence.h"

namespace gate::config {

// Return why the script may end with 0 though what it launches failed, as far as its text tells it: `its
// script drops the exit code of torchrun: | tee stands behind it without set -o pipefail`; "" where it ends
// with that, or the text does not tell. What stands in a pipe or behind `&` counts wherever it is; `|| true`,
// and commands behind it without `set -e`, where it is the last launch.
Sentence dropped_exit(std::string_view script);

}  // namespace gate::config
