// From gradients to new parameters.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "trainer/parameters.h"
#include "trainer/pool.h"

namespace tinygpt {

// Return the Euclidean norm, summed in double in the order of the values; NaN or infinite if one of them is.
template <class Real>
double norm_of(std::span<const Real> values);

// Return the factor that brings gradients of this norm down to `limit`: at most 1 (Pascanu, Mikolov and
// Bengio, 2013; limit / (norm + 1e-6) as in Megatron-LM).
double clip_factor(double norm, double limit);

// Return the learning rate of `step`, counted from 1: up to the peak in a straight line over the first tenth
// of `steps` (one step at least), then down in a straight line to a tenth of the peak at the last step.
double learning_rate(double peak, int step, int steps);

// AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019), betas 0.9 and 0.95, epsilon
// 1e-8, weight decay 0.1 on weights only.
template <class Real>
class AdamW {
 public:
  // Take both moments out of the pool, which outlives the optimizer.
  AdamW(Pool& pool, const Layout& layout);

  // Change the parameters by one step down `factor` times the gradients; both [1, layout.size], finite.
  void step(View<Real> parameters, View<const Real> gradients, double rate, double factor);

  // What it needs to go on, part by part, to be saved and written over: both moments and the powers.
  std::array<std::span<std::byte>, 3> state();

 private:
  void update(const Block& block, View<Real> parameters, View<const Real> gradients, Real rate, Real factor);

  const Layout& layout_;
  Tensor<Real> first_;                     // running mean of gradients
  Tensor<Real> second_;                    // running mean of their squares
  std::array<double, 2> powers_ = {1, 1};  // beta1^steps and beta2^steps
};

}  // namespace tinygpt
