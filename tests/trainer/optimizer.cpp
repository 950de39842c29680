#include "trainer/optimizer.h"

#include <algorithm>
#include <cmath>

namespace tinygpt {
namespace {

constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.95;
constexpr double kEpsilon = 1e-8;
constexpr double kWeightDecay = 0.1;
constexpr double kLastRate = 0.1;  // of the peak

}  // namespace

template <class Real>
double norm_of(std::span<const Real> values) {
  double sum = 0;
  for (const Real value : values) sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum);
}

double clip_factor(double norm, double limit) { return std::min(1.0, limit / (norm + 1e-6)); }

double learning_rate(double peak, int step, int steps) {
  const int warm_up = std::max(1, steps / 10);
  if (step <= warm_up) return peak * step / warm_up;
  const double left = static_cast<double>(steps - step) / (steps - warm_up);
  return peak * (kLastRate + (1 - kLastRate) * left);
}

template <class Real>
AdamW<Real>::AdamW(Pool& pool, const Layout& layout)
    : layout_(layout), first_(pool, 1, layout.size), second_(pool, 1, layout.size) {}

template <class Real>
void AdamW<Real>::step(View<Real> parameters, View<const Real> gradients, double rate, double factor) {
  powers_[0] *= kBeta1;
  powers_[1] *= kBeta2;
  for (const Block& block : layout_.blocks)
    update(block, parameters, gradients, static_cast<Real>(rate), static_cast<Real>(factor));
}

template <class Real>
std::array<std::span<std::byte>, 3> AdamW<Real>::state() {
  return {std::as_writable_bytes(first_.span()), std::as_writable_bytes(second_.span()),
          std::as_writable_bytes(std::span(powers_))};
}

template <class Real>
void AdamW<Real>::update(const Block& block, View<Real> parameters, View<const Real> gradients, Real rate,
                         Real factor) {
  const auto beta1 = static_cast<Real>(kBeta1), beta2 = static_cast<Real>(kBeta2);
  const auto unbias1 = static_cast<Real>(1 / (1 - powers_[0]));
  const auto unbias2 = static_cast<Real>(1 / (1 - powers_[1]));
  const auto decay = static_cast<Real>(block.role == Role::weight ? kWeightDecay : 0);
  for (std::size_t i = block.offset; i < block.offset + block.size(); ++i) {
    const Real g = gradients.data[i] * factor;
    Real& m = first_.span()[i] = beta1 * first_.span()[i] + (1 - beta1) * g;
    Real& v = second_.span()[i] = beta2 * second_.span()[i] + (1 - beta2) * g * g;
    const Real move = m * unbias1 / (std::sqrt(v * unbias2) + static_cast<Real>(kEpsilon));
    parameters.data[i] -= rate * (move + decay * parameters.data[i]);
  }
}

template double norm_of<float>(std::span<const float>);
template double norm_of<double>(std::span<const double>);
template class AdamW<float>;
template class AdamW<double>;

}  // namespace tinygpt
