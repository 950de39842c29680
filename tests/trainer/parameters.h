// The shape of the model and where each of its parameters lies.
//
// All parameters are one row of numbers, and so are their gradients and the optimizer's moments: a gradient
// is averaged over the ranks, clipped and applied in one go, and a test can walk over every element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "trainer/tensor.h"

namespace tinygpt {

struct ModelShape {
  std::size_t vocabulary = 32;  // at least the alphabet of text.h
  std::size_t context = 64;     // tokens of a sequence
  std::size_t width = 64;       // a multiple of heads
  std::size_t heads = 4;
  std::size_t layers = 2;
  std::size_t batch = 4;  // sequences a rank and step

  std::size_t tokens() const { return batch * context; }
};

// How a parameter starts and whether it decays: weights (of matrices and embeddings) normal with standard
// deviation 0.02 and decaying, as GPT-2 does it; gains 1 and shifts 0 without decay.
enum class Role { weight, gain, shift };

// One [rows, columns] parameter within the row of all.
struct Block {
  std::size_t offset = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
  Role role = Role::weight;

  std::size_t size() const { return rows * columns; }
  template <class Real>
  View<Real> in(View<Real> all) const {
    return {all.data + offset, rows, columns};
  }
};

struct NormBlocks {
  Block gain, shift;
};

struct LinearBlocks {
  Block weight, bias;
};

struct LayerBlocks {
  NormBlocks norm1;
  LinearBlocks qkv, projection;
  NormBlocks norm2;
  LinearBlocks up, down;
};

struct Layout {
  Block token_embedding;     // [vocabulary, width]
  Block position_embedding;  // [context, width]
  std::vector<LayerBlocks> layers;
  NormBlocks final_norm;
  Block head;                 // [width, vocabulary]
  std::vector<Block> blocks;  // all of them, by offset, without gaps
  std::size_t size = 0;       // numbers in all
};

Layout layout_of(const ModelShape& shape);

// Set all parameters [1, layout.size] to their start, the same for the same seed.
template <class Real>
void initialise(const Layout& layout, std::uint64_t seed, View<Real> parameters);

}  // namespace tinygpt
