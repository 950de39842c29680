// Format `megatron`: what Megatron-LM and its relatives print.
//
//    iteration       12/     100 | ... | lm loss: 1.250000E+00 | grad norm: 1.000 | ... |
//   [...][INFO][training:1609] -  iteration=      12/     100 | ... | lm loss=1.25 | grad_norm=1.000 | ... |
//   [Rank 3] (after 1 iterations) memory (MB) | allocated: 1.0 | max allocated: 2.0 | reserved: 2.0 | max
//   reserved: 2.0
//    validation loss at iteration 1000 | lm loss value: 6.329505E+00 | lm loss PPL: 5.608791E+02 |
//    validation loss at iteration 5000 on validation set | lm loss value: 6.329505E+00 | ...
//
// An iteration line needs no more than `iteration N/ M |`; its fields are known by their printed names and
// end at a bar. A value behind the last bar may have been cut in the middle and is never taken. Which lines
// are whole:
//
//   ends in a bar, and holds `number of nan iterations` or a loss       whole
//   ends in a bar, and holds neither                                    open: another part of it may follow
//   text behind the last bar, `number of nan iterations` before it      whole unless it begins a known field
//   text behind the last bar otherwise                                  torn
//
// Some trainers end a line with a field that no bar follows, and that is not read (`line_ends` in
// megatron.cpp): such a line is whole if it holds a loss. The steps of a discriminator are lines of
// their own kind, because they hold no other loss.
//
// A memory line ends in no bar: it is whole when `max reserved` has as good a number as the fields before it.
#pragma once

#include "extract/records/format_spec.h"

namespace gate::extract {

FormatSpec megatron_format();

}  // namespace gate::extract
