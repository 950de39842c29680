// Causal multi-head attention (Vaswani et al., "Attention is all you need", 2017): the one layer in which
// tokens see one another, each its own sequence's earlier ones and itself.
#pragma once

#include <cstddef>

#include "trainer/tensor.h"

namespace tinygpt {

// Rows of the matrices below are sequences * context, one token each; width is a multiple of heads.
struct AttentionShape {
  std::size_t sequences = 0;
  std::size_t context = 0;
  std::size_t heads = 0;
};

// From qkv [rows, 3 width], each row its query, key and value, each of these head after head:
// probabilities [sequences * heads * context, context] = softmax(q k^T / sqrt(width / heads)), 0 above the
// diagonal, for the way back; mixed [rows, width] = probabilities v. Both are overwritten.
template <class Real>
void attention_forward(const AttentionShape& shape, View<const Real> qkv, View<Real> probabilities,
                       View<Real> mixed);

// Overwrite dqkv with the gradient of qkv, given dmixed, that of mixed.
template <class Real>
void attention_backward(const AttentionShape& shape, View<const Real> qkv, View<const Real> probabilities,
                        View<const Real> dmixed, View<Real> dqkv);

}  // namespace tinygpt
