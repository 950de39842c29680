// Names that become paths.
#pragma once

#include <string>

#include "gate/base/result.h"

namespace gate::store {

// Fail unless the name, put below a folder, stays below it: it must not be empty or absolute, have a part
// that is empty, `.` or `..`, or hold a control character. `what` is what errors call it: `case`, `platform`.
Status check_name(const std::string& what, const std::string& name);

}  // namespace gate::store
