// Where records of format `megatron` begin. See megatron.h.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace gate::extract::megatron {

// Places of the format's extractors.
enum MegatronExtractor : std::size_t { iteration, memory, validation, final_validation, test, discriminator };

// A head, and the words that it holds.
struct MegatronHead {
  MegatronExtractor extractor = iteration;
  std::size_t begin = 0;
  std::size_t end = 0;      // its fields begin there
  std::string_view number;  // "": an evaluation after the last step
  std::string_view total;
  std::string_view rank;
};

// Return all heads of the text, in order.
std::vector<MegatronHead> find_heads(std::string_view text);

}  // namespace gate::extract::megatron
