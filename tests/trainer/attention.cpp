#include "trainer/attention.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "trainer/maths.h"

namespace tinygpt {
namespace {

// Where one head of one sequence lies in a matrix with `parts` equal parts a row (qkv: 3, mixed: 1).
template <class Real>
struct Head {
  Real* first = nullptr;   // part 0 of token 0
  std::size_t stride = 0;  // from token to token
  std::size_t part = 0;    // from query to key to value
  std::size_t size = 0;    // of the head

  Real* at(std::size_t token, std::size_t which = 0) const { return first + token * stride + which * part; }
};

enum Part : std::size_t { kQuery, kKey, kValue };

template <class Real>
Head<Real> head_of(const AttentionShape& shape, View<Real> matrix, std::size_t parts, std::size_t sequence,
                   std::size_t head) {
  const std::size_t width = matrix.columns / parts, size = width / shape.heads;
  return {matrix.row(sequence * shape.context) + head * size, matrix.columns, width, size};
}

template <class Real>
Real dot(const Real* a, const Real* b, std::size_t n) {
  Real sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += a[j] * b[j];
  return sum;
}

template <class Real>
void add_scaled(Real factor, const Real* x, std::size_t n, Real* __restrict y) {
  for (std::size_t j = 0; j < n; ++j) y[j] += factor * x[j];
}

template <class Real>
void softmax(Real* x, std::size_t n) {
  const Real top = *std::max_element(x, x + n);
  Real sum = 0;
  for (std::size_t j = 0; j < n; ++j) {
    x[j] = static_cast<Real>(exp_of(static_cast<double>(x[j] - top)));
    sum += x[j];
  }
  for (std::size_t j = 0; j < n; ++j) x[j] /= sum;
}

template <class Real>
Real score_scale(std::size_t head_size) {
  return 1 / std::sqrt(static_cast<Real>(head_size));
}

// p and out: the rows of token t in probabilities and mixed.
template <class Real>
void mix_token(const Head<const Real>& in, std::size_t t, std::size_t context, Real* p, Real* out) {
  const Real scale = score_scale<Real>(in.size);
  for (std::size_t u = 0; u <= t; ++u) p[u] = dot(in.at(t, kQuery), in.at(u, kKey), in.size) * scale;
  softmax(p, t + 1);
  std::fill(p + t + 1, p + context, Real{});
  std::fill_n(out, in.size, Real{});
  for (std::size_t u = 0; u <= t; ++u) add_scaled(p[u], in.at(u, kValue), in.size, out);
}

// The way back of mix_token: dp_u = dout . v_u, ds_u = p_u (dp_u - sum(p dp)) scale. `ds` is scratch.
template <class Real>
void unmix_token(const Head<const Real>& in, std::size_t t, const Real* p, const Real* dout,
                 const Head<Real>& din, Real* ds) {
  Real sum = 0;
  for (std::size_t u = 0; u <= t; ++u) {
    ds[u] = dot(dout, in.at(u, kValue), in.size);
    sum += p[u] * ds[u];
  }
  for (std::size_t u = 0; u <= t; ++u) {
    const Real slope = p[u] * (ds[u] - sum) * score_scale<Real>(in.size);
    add_scaled(slope, in.at(u, kKey), in.size, din.at(t, kQuery));
    add_scaled(slope, in.at(t, kQuery), in.size, din.at(u, kKey));
    add_scaled(p[u], dout, in.size, din.at(u, kValue));
  }
}

}  // namespace

template <class Real>
void attention_forward(const AttentionShape& shape, View<const Real> qkv, View<Real> probabilities,
                       View<Real> mixed) {
  for (std::size_t s = 0; s < shape.sequences; ++s)
    for (std::size_t h = 0; h < shape.heads; ++h) {
      const auto in = head_of<const Real>(shape, qkv, 3, s, h);
      const auto out = head_of<Real>(shape, mixed, 1, s, h);
      for (std::size_t t = 0; t < shape.context; ++t)
        mix_token<Real>(in, t, shape.context, probabilities.row((s * shape.heads + h) * shape.context + t),
                        out.at(t));
    }
}

template <class Real>
void attention_backward(const AttentionShape& shape, View<const Real> qkv, View<const Real> probabilities,
                        View<const Real> dmixed, View<Real> dqkv) {
  std::vector<Real> scratch(shape.context);
  std::fill_n(dqkv.data, dqkv.size(), Real{});
  for (std::size_t s = 0; s < shape.sequences; ++s)
    for (std::size_t h = 0; h < shape.heads; ++h) {
      const auto in = head_of<const Real>(shape, qkv, 3, s, h);
      const auto dout = head_of<const Real>(shape, dmixed, 1, s, h);
      const auto din = head_of<Real>(shape, dqkv, 3, s, h);
      for (std::size_t t = 0; t < shape.context; ++t)
        unmix_token<Real>(in, t, probabilities.row((s * shape.heads + h) * shape.context + t), dout.at(t),
                          din, scratch.data());
    }
}

#define TINYGPT_ATTENTION(Real)                                                                           \
  template void attention_forward<Real>(const AttentionShape&, View<const Real>, View<Real>, View<Real>); \
  template void attention_backward<Real>(const AttentionShape&, View<const Real>, View<const Real>,       \
                                         View<const Real>, View<Real>);

TINYGPT_ATTENTION(float)
TINYGPT_ATTENTION(double)
#undef TINYGPT_ATTENTION

}  // namespace tinygpt
