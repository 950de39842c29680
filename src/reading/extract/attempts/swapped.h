// Neighbouring lines of one source that stand in the other order: `5 7 6 8`.
//
// A step that falls begins another attempt, so this reads as a run that broke off behind 7 and went on at 6.
// But that one would pass over 7, and the one before it would have passed over 6. Where each piece lacks just
// the step that the other one holds, and both steps lie where their neighbours let one expect them, nothing
// broke off: the two lines were swapped on their way, and both pieces are one. Nothing may have said between
// them that a run begins or failed.
#pragma once

#include "extract/attempts/attempt_buffers.h"
#include "extract/records/readings.h"

namespace gate::extract {

// Tell whether the last line of one piece and the first one of the next were swapped. Their numbers never
// fall; either may hold but one.
bool are_swapped(const SampleTape& piece, const SampleTape& next);

// Tell whether that may be so where the second piece began again: it goes on behind the first one's last
// step, which it lacks itself, `1 2 3 4 5 / 4 6 7` for `1 2 3 4 / 4 5 6 7`. That line may be lost as well.
bool may_be_swapped(const SampleTape& piece, const SampleTape& next);

// Join all pieces that are one, each of which is told as a problem, and mark those that may be.
void join_swapped(AttemptBuffers& buffers, ProblemLog& problems);

}  // namespace gate::extract
