// How many floating-point operations a token of a training takes, by the estimate of Megatron-LM.
#pragma once

#include "gate/base/result.h"
#include "gate/config/policy.h"
#include "gate/config/training_flags.h"

namespace gate::config {

// Return the operations of forward and backward pass for one token, without recomputation:
//
//   12 l (h (a k + g k + m f t + m f') + a k s) + 6 V h
//
// with l layers, h hidden size, a attention heads, k channels of a head, g query groups, f hidden size of the
// feed-forward network (of an expert), f' that of shared experts, t experts that a token is routed to, m 3/2
// for a gated network (SwiGLU) and 1 else, s tokens of a sample, V the padded vocabulary. Source:
// num_floating_point_operations() of Megatron-LM (megatron/training/training.py, core 0.8), divided by the
// tokens of a batch; its attention counts the whole square of a sample, not the causal half. For a = g, a k =
// h, f = 4 h, t = m = 1 it is equation 3 of Narayanan et al. 2021 (arXiv:2104.04473) without activation
// recomputation.
//
// Fails with the number that is not told, and for what the estimate does not know: layers that differ from
// one another, latent attention, prediction of several tokens.
Result<Decimal> megatron_flops_per_token(const ModelFacts& model, const TrainingFlags& flags,
                                         std::int64_t sequence_length);

// Return 6 N: Kaplan et al. 2020 (arXiv:2001.08361), table 1, for N parameters, without attention over the
// sample. Fails where `model.parameters` is not said.
Result<Decimal> six_n_flops_per_token(const ModelFacts& model);

}  // namespace gate::config
