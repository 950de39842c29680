#include "trainer/model.h"

#include <algorithm>
#include <utility>

#include "trainer/attention.h"
#include "trainer/layers.h"

namespace tinygpt {
namespace {

AttentionShape attention_of(const ModelShape& shape) { return {shape.batch, shape.context, shape.heads}; }

template <class Real>
void add(View<const Real> from, View<Real> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to.data[i] += from.data[i];
}

}  // namespace

template <class Real>
struct Model<Real>::Activations {
  std::vector<LayerActivations<Real>> layers;
  Tensor<Real> last, moments, norm;  // [tokens, width], [tokens, 2], [tokens, width]
  Tensor<Real> logits;               // [tokens, vocabulary]
};

template <class Real>
Model<Real>::Model(Pool& pool, const ModelShape& shape, std::uint64_t seed)
    : pool_(pool),
      shape_(shape),
      layout_(layout_of(shape)),
      parameters_(pool, 1, layout_.size),
      gradients_(pool, 1, layout_.size) {
  initialise<Real>(layout_, seed, parameters_);
}

template <class Real>
double Model<Real>::loss(const Batch& batch) {
  return cross_entropy<Real>(forward(batch).logits, batch.targets);
}

template <class Real>
double Model<Real>::backward(const Batch& batch) {
  Activations kept = forward(batch);
  const double result = cross_entropy<Real>(kept.logits, batch.targets);
  std::fill_n(gradients().data, layout_.size, Real{});
  const Tensor<Real> dnorm = linear_back({layout_.head, {}}, kept.norm, kept.logits);
  Tensor<Real> dx = make(shape_.width);
  norm_back(layout_.final_norm, kept.last, kept.moments, dnorm, dx);
  for (std::size_t i = shape_.layers; i-- > 0;) layer_backward(layout_.layers[i], kept.layers[i], dx);
  embed_backward(batch, dx);
  return result;
}

template <class Real>
typename Model<Real>::Activations Model<Real>::forward(const Batch& batch) {
  assert(batch.inputs.size() == shape_.tokens());
  Activations kept;
  kept.last = embed(batch);
  for (const LayerBlocks& blocks : layout_.layers)
    kept.layers.push_back(layer_forward(blocks, std::move(kept.last), kept.last));
  kept.norm = norm(layout_.final_norm, kept.last, kept.moments);
  kept.logits = linear({layout_.head, {}}, kept.norm);
  return kept;
}

template <class Real>
Tensor<Real> Model<Real>::embed(const Batch& batch) {
  Tensor<Real> x = make(shape_.width);
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const Real* token = value(layout_.token_embedding).row(batch.inputs[i]);
    const Real* position = value(layout_.position_embedding).row(i % shape_.context);
    for (std::size_t j = 0; j < x.columns(); ++j) x.row(i)[j] = token[j] + position[j];
  }
  return x;
}

template <class Real>
void Model<Real>::embed_backward(const Batch& batch, View<const Real> dx) {
  for (std::size_t i = 0; i < dx.rows; ++i) {
    Real* token = gradient(layout_.token_embedding).row(batch.inputs[i]);
    Real* position = gradient(layout_.position_embedding).row(i % shape_.context);
    for (std::size_t j = 0; j < dx.columns; ++j) {
      token[j] += dx.row(i)[j];
      position[j] += dx.row(i)[j];
    }
  }
}

template <class Real>
LayerActivations<Real> Model<Real>::layer_forward(const LayerBlocks& blocks, Tensor<Real> input,
                                                  Tensor<Real>& output) {
  LayerActivations<Real> kept;
  kept.input = std::move(input);
  attention_part(blocks, kept);
  mlp_part(blocks, kept, output);
  return kept;
}

template <class Real>
void Model<Real>::attention_part(const LayerBlocks& blocks, LayerActivations<Real>& kept) {
  kept.norm1 = norm(blocks.norm1, kept.input, kept.moments1);
  kept.qkv = linear(blocks.qkv, kept.norm1);
  kept.probabilities = {pool_, shape_.batch * shape_.heads * shape_.context, shape_.context};
  kept.mixed = make(shape_.width);
  attention_forward<Real>(attention_of(shape_), kept.qkv, kept.probabilities, kept.mixed);
  kept.middle = linear(blocks.projection, kept.mixed);
  add<Real>(kept.input, kept.middle);
}

template <class Real>
void Model<Real>::mlp_part(const LayerBlocks& blocks, LayerActivations<Real>& kept, Tensor<Real>& output) {
  kept.norm2 = norm(blocks.norm2, kept.middle, kept.moments2);
  kept.up = linear(blocks.up, kept.norm2);
  kept.active = make(4 * shape_.width);
  gelu_forward<Real>(kept.up, kept.active);
  output = linear(blocks.down, kept.active);
  add<Real>(kept.middle, output);
}

// dx: in, the gradient of the layer's output; out, that of its input.
template <class Real>
void Model<Real>::layer_backward(const LayerBlocks& blocks, const LayerActivations<Real>& kept,
                                 View<Real> dx) {
  mlp_part_backward(blocks, kept, dx);
  attention_part_backward(blocks, kept, dx);
}

template <class Real>
void Model<Real>::mlp_part_backward(const LayerBlocks& blocks, const LayerActivations<Real>& kept,
                                    View<Real> dx) {
  Tensor<Real> dup = linear_back(blocks.down, kept.active, dx);
  gelu_backward<Real>(kept.up, dup);
  const Tensor<Real> dnorm = linear_back(blocks.up, kept.norm2, dup);
  norm_back(blocks.norm2, kept.middle, kept.moments2, dnorm, dx);
}

template <class Real>
void Model<Real>::attention_part_backward(const LayerBlocks& blocks, const LayerActivations<Real>& kept,
                                          View<Real> dx) {
  const Tensor<Real> dmixed = linear_back(blocks.projection, kept.mixed, dx);
  Tensor<Real> dqkv = make(3 * shape_.width);
  attention_backward<Real>(attention_of(shape_), kept.qkv, kept.probabilities, dmixed, dqkv);
  const Tensor<Real> dnorm = linear_back(blocks.qkv, kept.norm1, dqkv);
  norm_back(blocks.norm1, kept.input, kept.moments1, dnorm, dx);
}

template <class Real>
Tensor<Real> Model<Real>::norm(const NormBlocks& blocks, View<const Real> x, Tensor<Real>& moments) {
  Tensor<Real> y = make(shape_.width);
  moments = make(2);
  norm_forward<Real>(x, value(blocks.gain), value(blocks.shift), moments, y);
  return y;
}

template <class Real>
void Model<Real>::norm_back(const NormBlocks& blocks, View<const Real> x, View<const Real> moments,
                            View<const Real> dy, View<Real> dx) {
  norm_backward<Real>(x, value(blocks.gain), moments, dy, gradient(blocks.gain), gradient(blocks.shift), dx);
}

template <class Real>
Tensor<Real> Model<Real>::linear(const LinearBlocks& blocks, View<const Real> x) {
  Tensor<Real> y = make(blocks.weight.columns);
  linear_forward<Real>(x, value(blocks.weight), value(blocks.bias), y);
  return y;
}

template <class Real>
Tensor<Real> Model<Real>::linear_back(const LinearBlocks& blocks, View<const Real> x, View<const Real> dy) {
  Tensor<Real> dx = make(blocks.weight.rows);
  linear_backward<Real>(pool_, x, value(blocks.weight), dy, gradient(blocks.weight), gradient(blocks.bias),
                        dx);
  return dx;
}

template class Model<float>;
template class Model<double>;

}  // namespace tinygpt
