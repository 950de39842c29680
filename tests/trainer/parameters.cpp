#include "trainer/parameters.h"

#include "trainer/random.h"

namespace tinygpt {
namespace {

constexpr double kInitialDeviation = 0.02;
constexpr std::uint64_t kInitialStream = 1;

Block take(Layout& layout, std::size_t rows, std::size_t columns, Role role) {
  const Block block{layout.size, rows, columns, role};
  layout.size += block.size();
  layout.blocks.push_back(block);
  return block;
}

NormBlocks take_norm(Layout& layout, std::size_t width) {
  const Block gain = take(layout, 1, width, Role::gain);
  return {gain, take(layout, 1, width, Role::shift)};
}

LinearBlocks take_linear(Layout& layout, std::size_t in, std::size_t out) {
  const Block weight = take(layout, in, out, Role::weight);
  return {weight, take(layout, 1, out, Role::shift)};
}

LayerBlocks take_layer(Layout& layout, std::size_t width) {
  LayerBlocks layer;
  layer.norm1 = take_norm(layout, width);
  layer.qkv = take_linear(layout, width, 3 * width);
  layer.projection = take_linear(layout, width, width);
  layer.norm2 = take_norm(layout, width);
  layer.up = take_linear(layout, width, 4 * width);
  layer.down = take_linear(layout, 4 * width, width);
  return layer;
}

}  // namespace

Layout layout_of(const ModelShape& shape) {
  Layout layout;
  layout.token_embedding = take(layout, shape.vocabulary, shape.width, Role::weight);
  layout.position_embedding = take(layout, shape.context, shape.width, Role::weight);
  for (std::size_t i = 0; i < shape.layers; ++i) layout.layers.push_back(take_layer(layout, shape.width));
  layout.final_norm = take_norm(layout, shape.width);
  layout.head = take(layout, shape.width, shape.vocabulary, Role::weight);
  return layout;
}

template <class Real>
void initialise(const Layout& layout, std::uint64_t seed, View<Real> parameters) {
  Random random(seed, kInitialStream);
  for (const Block& block : layout.blocks)
    for (Real& value : block.in(parameters).span())
      value = static_cast<Real>(block.role == Role::weight ? kInitialDeviation * random.normal()
                                                           : (block.role == Role::gain ? 1 : 0));
}

template void initialise<float>(const Layout&, std::uint64_t, View<float>);
template void initialise<double>(const Layout&, std::uint64_t, View<double>);

}  // namespace tinygpt
