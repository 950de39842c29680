// The layers of a transformer that look at each token by itself, forward and backward.
//
// Matrices have one row a token. A backward function adds to the gradients of parameters and overwrites the
// gradient of its input, unless it says otherwise. Every sum has one fixed order. Real is float or double.
#pragma once

#include <span>

#include "trainer/batch.h"
#include "trainer/tensor.h"

namespace tinygpt {

// c [m,n] += a [m,k] b [k,n].
template <class Real>
void add_product(View<const Real> a, View<const Real> b, View<Real> c);

// Return a [m,n] as [n,m].
template <class Real>
Tensor<Real> transposed(Pool& pool, View<const Real> a);

// y [rows,out] = x [rows,in] weight [in,out] + bias [1,out]. A bias without columns is none.
template <class Real>
void linear_forward(View<const Real> x, View<const Real> weight, View<const Real> bias, View<Real> y);

// From dy [rows,out]: dweight += x^T dy, dbias += the sum of dy's rows, dx = dy weight^T.
template <class Real>
void linear_backward(Pool& pool, View<const Real> x, View<const Real> weight, View<const Real> dy,
                     View<Real> dweight, View<Real> dbias, View<Real> dx);

// y = gain * (x - mean) / sqrt(variance + 1e-5) + shift, mean and biased variance of each row (Ba, Kiros and
// Hinton, 2016). gain and shift are [1,width]. moments [rows,2] receives mean and 1 / sqrt(variance + 1e-5).
template <class Real>
void norm_forward(View<const Real> x, View<const Real> gain, View<const Real> shift, View<Real> moments,
                  View<Real> y);

// *Adds* the gradient of x to dx, for x is also what the residual path carries past the norm.
template <class Real>
void norm_backward(View<const Real> x, View<const Real> gain, View<const Real> moments, View<const Real> dy,
                   View<Real> dgain, View<Real> dshift, View<Real> dx);

// y = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) (Hendrycks and Gimpel, 2016, the tanh form of GPT-2).
template <class Real>
void gelu_forward(View<const Real> x, View<Real> y);

// Turn dy, in place, into the gradient of x.
template <class Real>
void gelu_backward(View<const Real> x, View<Real> dy);

// Return the mean over rows of -log softmax(logits)[target], in nats, and turn logits [rows,vocabulary], in
// place, into the gradient of that mean. targets holds one token a row, each below the vocabulary.
template <class Real>
double cross_entropy(View<Real> logits, std::span<const Token> targets);

}  // namespace tinygpt
