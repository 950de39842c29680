// A crash loop takes no room: of an attempt that cannot be judged any more a count is left.
//
// The last attempt is judged, and where it resumed, what it resumed from: the last one before it that began
// at an earlier step, and so on. So an attempt that began no earlier than one behind it is out, whatever
// comes:
//
//   attempt    1      2      3      4      5
//   steps     1-9    5-8    5-7    6-9    5-6    1 stays: 5 resumed from it. 2, 3 and 4 are out: each began
//                                                no earlier than 5 did.
//
// That holds for logs of one file: whose attempts belong together is told at the end where there are several.
// Of those that are out these stay all the same: the newest ones, which are not closed yet; one in which a
// source is that has begun no other; the newest that announced a number of steps, and of those the newest
// that holds a metric, which is told; and what stands beside, or is in doubt with, one that stays.
#pragma once

#include "extract/attempts/attempt_buffers.h"

namespace gate::extract {

// Where the buffers' segments and followers stand from now on.
struct Forgotten {
  NewPlaces segments;
  NewPlaces followers;
};

// Forget the attempts that cannot be judged any more as the last one, and what was printed beside them.
// Their restarts are noted.
Forgotten forget_failed(AttemptBuffers& buffers);

}  // namespace gate::extract
