#include "judge/profiles/megatron_values.h"

#include <algorithm>
#include <limits>

namespace gate::judge {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int32_t decimals_of_readings = 5;

// Return the value as Megatron counts it.
double in_its_unit(const Sample& sample, const Decimal& from_gate) {
  switch (sample.value.kind) {
    case ValueKind::finite:
      break;
    case ValueKind::nan:
      return std::numeric_limits<double>::quiet_NaN();
    case ValueKind::negative_infinity:
      return -infinity;
    case ValueKind::positive_infinity:
    case ValueKind::left_out:
      return infinity;
  }
  const std::optional<Decimal> exact = multiply(sample.value.number, from_gate);
  return exact ? exact->to_double() : sample.value.number.to_double() * from_gate.to_double();
}

// Return the number with so many decimals, half to even.
Decimal rounded_decimal(Decimal value, std::int32_t decimals) {
  int128 power = 1;
  for (; value.exponent < -decimals && power < int128{1'000'000'000'000'000'000}; ++value.exponent)
    power *= 10;
  const int128 rest = value.coefficient % power, twice = (rest < 0 ? -rest : rest) * 2;
  value.coefficient /= power;
  if (twice > power || (twice == power && value.coefficient % 2 != 0)) value.coefficient += rest < 0 ? -1 : 1;
  return value;
}

// Return the decimals of the finest value, counted in Megatron's unit; 5 at least.
std::int32_t decimals_of(const Series& golden, const Decimal& from_gate) {
  std::int32_t decimals = decimals_of_readings;
  for (const Sample& sample : golden.samples())
    if (sample.value.is_finite())
      decimals = std::max(decimals, -multiply(sample.value.number, from_gate).value_or(Decimal{}).exponent);
  return decimals;
}

}  // namespace

MegatronValues::MegatronValues(const Series& golden, const Series& run, const Decimal& from_gate)
    : golden_(golden), run_(run), from_gate_(from_gate), decimals_(decimals_of(golden, from_gate)) {}

double MegatronValues::expected(std::int64_t step) const {
  const std::optional<Sample> sample = golden_.find(step);
  return sample ? in_its_unit(*sample, from_gate_) : infinity;
}

double MegatronValues::actual(std::int64_t step) const {
  const std::optional<Sample> sample = run_.find(step);
  if (!sample) return infinity;
  const bool printed = sample->line > 0 && sample->value.is_finite();
  const std::optional<Decimal> exact = multiply(sample->value.number, from_gate_);
  return printed && exact ? rounded_decimal(*exact, decimals_).to_double() : in_its_unit(*sample, from_gate_);
}

}  // namespace gate::judge
