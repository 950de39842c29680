#include "gate/model/numbers/tensor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "gate/base/text.h"

namespace gate {

namespace {

constexpr std::string_view weights_end = ".safetensors";
constexpr std::string_view index_end = ".index.json";

// A number of sign, exponent and fraction, as IEEE 754 has it. Of a type without infinities the last
// exponent is one like others, and only all ones are no number.
double small_float(std::uint64_t bits, int exponent_bits, int fraction_bits, bool has_infinity) {
  const std::uint64_t fraction_mask = (std::uint64_t{1} << fraction_bits) - 1;
  const std::uint64_t last_exponent = (std::uint64_t{1} << exponent_bits) - 1;
  const std::uint64_t exponent = bits >> fraction_bits & last_exponent, fraction = bits & fraction_mask;
  const double sign = (bits >> (exponent_bits + fraction_bits) & 1U) != 0 ? -1 : 1;
  const bool is_last = exponent == last_exponent;
  if (is_last && has_infinity && fraction == 0) return sign * std::numeric_limits<double>::infinity();
  if (is_last && (has_infinity || fraction == fraction_mask)) return std::numeric_limits<double>::quiet_NaN();
  const int bias = static_cast<int>(last_exponent / 2);
  const std::uint64_t whole = exponent == 0 ? fraction : fraction + fraction_mask + 1;
  const int power = std::max(1, static_cast<int>(exponent)) - bias - fraction_bits;
  return sign * std::ldexp(static_cast<double>(whole), power);
}

template <int exponent_bits, int fraction_bits, bool has_infinity = true>
double float_number(std::uint64_t bits) {
  return small_float(bits, exponent_bits, fraction_bits, has_infinity);
}

template <class Whole>
constexpr TensorType whole_type(std::string_view name) {
  constexpr auto kind = std::is_signed_v<Whole> ? TensorType::Kind::whole : TensorType::Kind::unsigned_whole;
  return {name, 8 * sizeof(Whole),
          [](std::uint64_t bits) { return static_cast<double>(static_cast<Whole>(bits)); }, kind};
}

constexpr std::array types{
    TensorType{"F64", 64, [](std::uint64_t bits) { return std::bit_cast<double>(bits); },
               TensorType::Kind::floating, 0x7FF0'0000'0000'0000},
    TensorType{
        "F32", 32,
        [](std::uint64_t bits) { return double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))}; },
        TensorType::Kind::floating, 0x7F80'0000},
    TensorType{"BF16", 16, float_number<8, 7>, TensorType::Kind::floating, 0x7F80},
    TensorType{"F16", 16, float_number<5, 10>, TensorType::Kind::floating, 0x7C00},
    TensorType{"F8_E4M3", 8, float_number<4, 3, false>, TensorType::Kind::floating, 0x7F},
    TensorType{"F8_E5M2", 8, float_number<5, 2>, TensorType::Kind::floating, 0x7C},
    whole_type<std::int64_t>("I64"),
    whole_type<std::int32_t>("I32"),
    whole_type<std::int16_t>("I16"),
    whole_type<std::int8_t>("I8"),
    whole_type<std::uint64_t>("U64"),
    whole_type<std::uint32_t>("U32"),
    whole_type<std::uint16_t>("U16"),
    whole_type<std::uint8_t>("U8"),
    whole_type<std::uint8_t>("BOOL"),
    TensorType{"C64", 64},
    TensorType{"F8_E8M0", 8},
    TensorType{"F8_E4M3FNUZ", 8},
    TensorType{"F8_E5M2FNUZ", 8},
    TensorType{"F6_E2M3", 6},
    TensorType{"F6_E3M2", 6},
    TensorType{"F4", 4},
};

}  // namespace

std::span<const TensorType> tensor_types() { return types; }

const TensorType* find_tensor_type(std::string_view name) { return row_in(types, name, &TensorType::name); }

double half_value(std::uint64_t bits) { return small_float(bits, 5, 10, true); }

std::string kind_of(const Tensor& tensor) {
  std::string shape;
  for (const std::uint64_t length : tensor.shape)
    shape += (shape.empty() ? " " : "x") + std::to_string(length);
  return std::string(tensor.type->name) + shape;
}

std::string tensor_place(const Tensor& tensor, std::uint64_t number) {
  std::string indices;
  for (std::size_t at = tensor.shape.size(); at-- > 0;) {
    const std::uint64_t length = std::max<std::uint64_t>(1, tensor.shape[at]);
    indices = std::to_string(number % length) + (indices.empty() ? "" : ", ") + indices;
    number /= length;
  }
  return tensor.name + (indices.empty() ? "" : "[" + indices + "]");
}

bool names_weights_index(std::string_view file) {
  const std::string name = to_lower(file);
  return name.ends_with(std::string(weights_end) + std::string(index_end));
}

bool names_weights(std::string_view file) {
  return to_lower(file).ends_with(weights_end) || names_weights_index(file);
}

bool names_pickle(std::string_view file) {
  std::string name = to_lower(file);
  if (name.ends_with(index_end)) name.erase(name.size() - index_end.size());
  return std::ranges::any_of(std::array{".bin", ".pt", ".pth", ".ckpt", ".pkl"},
                             [&](std::string_view end) { return name.ends_with(end); });
}

std::string why_pickle(std::string_view file) {
  return printable(file, 200) +
         ": is pickled by its name: reading it runs what is in it, which gate does not do; save the weights "
         "as "
         "safetensors: model.save_pretrained(folder, safe_serialization=True)";
}

}  // namespace gate
