// Whether a command only says what it would write.
#pragma once

namespace gate::app {

enum class DryRun { yes, no };

}  // namespace gate::app
