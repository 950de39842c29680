// Which format a log is in.
//
// Every format reads the log (decision 11). Of those that found records the ones that another one contains
// are not meant (format `mindspeed-fsdp2` reads what `megatron` reads, and more). Of the rest the one with
// most training steps is meant, unless another one found half as many or more: then the log is of both, and a
// person must say which.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "extract/records/format_spec.h"
#include "gate/base/sentence.h"

namespace gate::extract {

// What a format found in a log.
struct FoundFormat {
  const FormatSpec* format = nullptr;
  std::int64_t steps = 0;
  std::int64_t others = 0;  // records that are no steps; they decide where no format found steps
};

struct Choice {
  std::optional<std::size_t> best;  // index; none where nothing was found
  std::vector<std::size_t> tied;    // those that found half as much as the best, or more
};

Choice choose(std::span<const FoundFormat> found);

// Return the words of a tie: `formats nemo (14 steps) and nanotron (12 steps) both read this log: ...`.
Sentence tie_text(std::span<const FoundFormat> found, const Choice& choice);

// Return a note for each format that found less than half as much as the best, and that the best does not
// contain.
std::vector<Sentence> also_read(std::span<const FoundFormat> found, const Choice& choice);

}  // namespace gate::extract
