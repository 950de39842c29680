// A GPT (Radford et al., "Language models are unsupervised multitask learners", 2019): token and position
// embeddings, layers of attention and MLP behind layer norms with residual paths, a last norm and a head.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trainer/batch.h"
#include "trainer/parameters.h"
#include "trainer/pool.h"
#include "trainer/tensor.h"

namespace tinygpt {

// What one layer keeps for the way back; [tokens, ...] unless it says otherwise.
template <class Real>
struct LayerActivations {
  Tensor<Real> input;            // [width]
  Tensor<Real> moments1;         // [2]
  Tensor<Real> norm1;            // [width]
  Tensor<Real> qkv;              // [3 width]
  Tensor<Real> probabilities;    // [batch * heads * context, context]
  Tensor<Real> mixed;            // [width]
  Tensor<Real> middle;           // [width], after attention and residual
  Tensor<Real> moments2, norm2;  // [2], [width]
  Tensor<Real> up, active;       // [4 width], before and after gelu
};

template <class Real>
class Model {
 public:
  // Take parameters and gradients out of the pool, which outlives the model.
  Model(Pool& pool, const ModelShape& shape, std::uint64_t seed);

  // Return the mean cross-entropy of a batch of shape.tokens() tokens, in nats a token.
  double loss(const Batch& batch);

  // Return the same and set gradients() to its derivatives. The activations live within the call.
  double backward(const Batch& batch);

  // Both [1, layout().size].
  View<Real> parameters() { return parameters_; }
  View<Real> gradients() { return gradients_; }
  const Layout& layout() const { return layout_; }
  const ModelShape& shape() const { return shape_; }

 private:
  struct Activations;

  Activations forward(const Batch& batch);
  Tensor<Real> embed(const Batch& batch);
  LayerActivations<Real> layer_forward(const LayerBlocks& blocks, Tensor<Real> input, Tensor<Real>& output);
  void attention_part(const LayerBlocks& blocks, LayerActivations<Real>& kept);
  void mlp_part(const LayerBlocks& blocks, LayerActivations<Real>& kept, Tensor<Real>& output);
  void layer_backward(const LayerBlocks& blocks, const LayerActivations<Real>& kept, View<Real> dx);
  void attention_part_backward(const LayerBlocks& blocks, const LayerActivations<Real>& kept, View<Real> dx);
  void mlp_part_backward(const LayerBlocks& blocks, const LayerActivations<Real>& kept, View<Real> dx);
  void embed_backward(const Batch& batch, View<const Real> dx);

  Tensor<Real> norm(const NormBlocks& blocks, View<const Real> x, Tensor<Real>& moments);
  Tensor<Real> linear(const LinearBlocks& blocks, View<const Real> x);
  Tensor<Real> linear_back(const LinearBlocks& blocks, View<const Real> x, View<const Real> dy);
  void norm_back(const NormBlocks& blocks, View<const Real> x, View<const Real> moments, View<const Real> dy,
                 View<Real> dx);

  Tensor<Real> make(std::size_t columns) { return {pool_, shape_.tokens(), columns}; }
  View<const Real> value(const Block& block) { return block.in(parameters()); }
  View<Real> gradient(const Block& block) { return block.in(gradients()); }

  Pool& pool_;
  ModelShape shape_;
  Layout layout_;
  Tensor<Real> parameters_;
  Tensor<Real> gradients_;
};

}  // namespace tinygpt
