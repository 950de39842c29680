// Which secrets a run can see.
#pragma once

#include "gate/app/suite.h"
#include "gate/base/secrets.h"

namespace gate::app {

// Return what masks the secrets that a run of these cases can see: of gate's own environment, of the
// variables that the cases set, and the addresses and secrets of [notify].
Masker masker_for(const Suite& suite);

}  // namespace gate::app
