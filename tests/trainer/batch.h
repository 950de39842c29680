// What a training step reads.
#pragma once

#include <cstdint>
#include <vector>

namespace tinygpt {

using Token = std::uint8_t;

// Sequences of equal length one after the other; targets[i] follows inputs[i] in the text.
struct Batch {
  std::vector<Token> inputs;
  std::vector<Token> targets;
};

}  // namespace tinygpt
