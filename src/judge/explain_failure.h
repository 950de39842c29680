// Known messages of the log as the reason why a run failed.
#pragma once

#include <string>
#include <vector>

#include "gate/judge/judge.h"

namespace gate::judge {

// Return the message that explains how the run ended, or nullptr: where gate or a person stopped it, the log
// has nothing to explain, and hints do not explain why it stood still.
const KnownMessage* blamed(const JudgeInput& question);

// Return the ending with its message: `exited 1: CUDA out of memory (log.txt:57)`. Without one, a SIGKILL,
// which gate did not send, names its usual sender.
std::string blame(const Outcome& ending, const KnownMessage* cause);

// Return the reason with what the log says beside it: `hung ...; the log says: CUDA out of memory
// (log.txt:57)`.
std::string beside(const std::string& reason, const KnownMessage* cause);

// Return the heaviest message behind the last step of its file, or nullptr. In a file without steps all are.
const KnownMessage* said_last(const Extraction& run);

// Return the messages but the cause as problems that quote their lines.
std::vector<Problem> as_problems(const std::vector<KnownMessage>& messages, const KnownMessage* cause);

}  // namespace gate::judge
