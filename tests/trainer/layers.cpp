#include "trainer/layers.h"

#include <algorithm>
#include <cmath>

#include "trainer/maths.h"

namespace tinygpt {
namespace {

constexpr double kGeluScale = 0.79788456080286536;  // sqrt(2 / pi)
constexpr double kGeluCubic = 0.044715;
constexpr double kNormEpsilon = 1e-5;

// c += a[0] b0 + a[1] b1 + a[2] b2 + a[3] b3, rows of b that follow one another.
template <class Real>
void add_four_rows(const Real* a, const Real* b, std::size_t n, Real* __restrict c) {
  const Real a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
  const Real *b0 = b, *b1 = b + n, *b2 = b + 2 * n, *b3 = b + 3 * n;
  for (std::size_t j = 0; j < n; ++j) c[j] += (a0 * b0[j] + a1 * b1[j]) + (a2 * b2[j] + a3 * b3[j]);
}

template <class Real>
void add_row(Real a, const Real* b, std::size_t n, Real* __restrict c) {
  for (std::size_t j = 0; j < n; ++j) c[j] += a * b[j];
}

template <class Real>
Real mean_of(const Real* x, std::size_t n) {
  Real sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += x[j];
  return sum / static_cast<Real>(n);
}

template <class Real>
Real variance_of(const Real* x, std::size_t n, Real mean) {
  Real sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += (x[j] - mean) * (x[j] - mean);
  return sum / static_cast<Real>(n);
}

// One row of norm_backward. With h = (x - mean) * scale and g = dy * gain:
// dx += scale * (g - mean(g) - h * mean(g h)).
template <class Real>
void add_norm_gradient(const Real* x, const Real* gain, const Real* dy, Real mean, Real scale, std::size_t n,
                       Real* dx) {
  Real sum_g = 0, sum_gh = 0;
  for (std::size_t j = 0; j < n; ++j) {
    sum_g += dy[j] * gain[j];
    sum_gh += dy[j] * gain[j] * ((x[j] - mean) * scale);
  }
  const Real mean_g = sum_g / static_cast<Real>(n), mean_gh = sum_gh / static_cast<Real>(n);
  for (std::size_t j = 0; j < n; ++j)
    dx[j] += scale * (dy[j] * gain[j] - mean_g - (x[j] - mean) * scale * mean_gh);
}

double gelu_tanh(double x) { return tanh_of(kGeluScale * (x + kGeluCubic * x * x * x)); }

double gelu_slope(double x) {
  const double t = gelu_tanh(x);
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * kGeluScale * (1 + 3 * kGeluCubic * x * x);
}

// Turn one row of logits into (softmax - one at the target) / rows; return -log softmax[target].
template <class Real>
double row_entropy(Real* logits, std::size_t n, Token target, double rows) {
  const double top = static_cast<double>(*std::max_element(logits, logits + n));
  const double wanted = static_cast<double>(logits[target]) - top;
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += exp_of(static_cast<double>(logits[j]) - top);
  for (std::size_t j = 0; j < n; ++j)
    logits[j] = static_cast<Real>(exp_of(static_cast<double>(logits[j]) - top) / sum / rows);
  logits[target] -= static_cast<Real>(1 / rows);
  return log_of(sum) - wanted;
}

}  // namespace

template <class Real>
void add_product(View<const Real> a, View<const Real> b, View<Real> c) {
  assert(a.rows == c.rows && a.columns == b.rows && b.columns == c.columns);
  const std::size_t fours = a.columns / 4 * 4;
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t p = 0; p < fours; p += 4) add_four_rows(a.row(i) + p, b.row(p), b.columns, c.row(i));
    for (std::size_t p = fours; p < a.columns; ++p) add_row(a.row(i)[p], b.row(p), b.columns, c.row(i));
  }
}

template <class Real>
Tensor<Real> transposed(Pool& pool, View<const Real> a) {
  Tensor<Real> result(pool, a.columns, a.rows);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.columns; ++j) result.row(j)[i] = a.row(i)[j];
  return result;
}

template <class Real>
void linear_forward(View<const Real> x, View<const Real> weight, View<const Real> bias, View<Real> y) {
  assert(bias.columns == 0 || bias.columns == y.columns);
  for (std::size_t i = 0; i < y.rows; ++i) {
    if (bias.columns == 0)
      std::fill_n(y.row(i), y.columns, Real{});
    else
      std::copy_n(bias.data, y.columns, y.row(i));
  }
  add_product<Real>(x, weight, y);
}

template <class Real>
void linear_backward(Pool& pool, View<const Real> x, View<const Real> weight, View<const Real> dy,
                     View<Real> dweight, View<Real> dbias, View<Real> dx) {
  add_product<Real>(transposed<Real>(pool, x), dy, dweight);
  for (std::size_t i = 0; i < dy.rows && dbias.columns > 0; ++i)
    add_row(Real{1}, dy.row(i), dy.columns, dbias.data);
  std::fill_n(dx.data, dx.size(), Real{});
  add_product<Real>(dy, transposed<Real>(pool, weight), dx);
}

template <class Real>
void norm_forward(View<const Real> x, View<const Real> gain, View<const Real> shift, View<Real> moments,
                  View<Real> y) {
  for (std::size_t i = 0; i < x.rows; ++i) {
    const Real mean = mean_of(x.row(i), x.columns);
    const Real scale =
        1 / std::sqrt(variance_of(x.row(i), x.columns, mean) + static_cast<Real>(kNormEpsilon));
    for (std::size_t j = 0; j < x.columns; ++j)
      y.row(i)[j] = gain.data[j] * ((x.row(i)[j] - mean) * scale) + shift.data[j];
    moments.row(i)[0] = mean;
    moments.row(i)[1] = scale;
  }
}

template <class Real>
void norm_backward(View<const Real> x, View<const Real> gain, View<const Real> moments, View<const Real> dy,
                   View<Real> dgain, View<Real> dshift, View<Real> dx) {
  for (std::size_t i = 0; i < x.rows; ++i) {
    const Real mean = moments.row(i)[0], scale = moments.row(i)[1];
    for (std::size_t j = 0; j < x.columns; ++j) {
      dgain.data[j] += dy.row(i)[j] * ((x.row(i)[j] - mean) * scale);
      dshift.data[j] += dy.row(i)[j];
    }
    add_norm_gradient(x.row(i), gain.data, dy.row(i), mean, scale, x.columns, dx.row(i));
  }
}

template <class Real>
void gelu_forward(View<const Real> x, View<Real> y) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto v = static_cast<double>(x.data[i]);
    y.data[i] = static_cast<Real>(0.5 * v * (1 + gelu_tanh(v)));
  }
}

template <class Real>
void gelu_backward(View<const Real> x, View<Real> dy) {
  for (std::size_t i = 0; i < x.size(); ++i)
    dy.data[i] *= static_cast<Real>(gelu_slope(static_cast<double>(x.data[i])));
}

template <class Real>
double cross_entropy(View<Real> logits, std::span<const Token> targets) {
  assert(targets.size() == logits.rows);
  const auto rows = static_cast<double>(logits.rows);
  double sum = 0;
  for (std::size_t i = 0; i < logits.rows; ++i)
    sum += row_entropy(logits.row(i), logits.columns, targets[i], rows);
  return sum / rows;
}

#define TINYGPT_LAYERS(Real)                                                                                \
  template void add_product<Real>(View<const Real>, View<const Real>, View<Real>);                          \
  template Tensor<Real> transposed<Real>(Pool&, View<const Real>);                                          \
  template void linear_forward<Real>(View<const Real>, View<const Real>, View<const Real>, View<Real>);     \
  template void linear_backward<Real>(Pool&, View<const Real>, View<const Real>, View<const Real>,          \
                                      View<Real>, View<Real>, View<Real>);                                  \
  template void norm_forward<Real>(View<const Real>, View<const Real>, View<const Real>, View<Real>,        \
                                   View<Real>);                                                             \
  template void norm_backward<Real>(View<const Real>, View<const Real>, View<const Real>, View<const Real>, \
                                    View<Real>, View<Real>, View<Real>);                                    \
  template void gelu_forward<Real>(View<const Real>, View<Real>);                                           \
  template void gelu_backward<Real>(View<const Real>, View<Real>);                                          \
  template double cross_entropy<Real>(View<Real>, std::span<const Token>);

TINYGPT_LAYERS(float)
TINYGPT_LAYERS(double)
#undef TINYGPT_LAYERS

}  // namespace tinygpt
