// Tensors as files of weights hold them: what they are called, what their numbers are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gate {

// What the numbers of a tensor are made of.
struct TensorType {
  std::string_view name;                          // safetensors' word for it: `BF16`
  std::size_t bits = 0;                           // of a number
  double (*value)(std::uint64_t bits) = nullptr;  // exact; of an integer beyond 2^53 the nearest double
  enum class Kind : std::uint8_t { floating, whole, unsigned_whole } kind = Kind::floating;
  std::uint64_t non_finite = 0;  // bits that NaN and infinities alone have all of; 0: there are none

  bool is_number() const { return value != nullptr; }  // else it is compared by its bits alone
};

// Return all types, as safetensors has them.
std::span<const TensorType> tensor_types();

// Return the type of that name, or nullptr.
const TensorType* find_tensor_type(std::string_view name);

// Return the number that the bits are in IEEE 754's binary16.
double half_value(std::uint64_t bits);

struct Tensor {
  std::string name;
  const TensorType* type = nullptr;
  std::vector<std::uint64_t> shape;  // no length: a single number
  std::uint64_t begin = 0, end = 0;  // its bytes in its file

  std::uint64_t bytes() const { return end - begin; }
};

// Return `BF16 2x3`; of a single number `BF16`.
std::string kind_of(const Tensor& tensor);

// Return the place of the number in the tensor, from 0: `wte.weight[1, 2]`; of a single number its name.
std::string tensor_place(const Tensor& tensor, std::uint64_t number);

// Tell whether the name is that of a file of weights, `.safetensors` or the `.safetensors.index.json` that
// names its shards, in any case.
bool names_weights(std::string_view file);
bool names_weights_index(std::string_view file);

// Return whether the name is that of pickled weights: `.bin`, `.pt`, `.pth`, `.ckpt`, `.pkl`, or the index of
// such.
bool names_pickle(std::string_view file);

// Return why gate does not read such a file, and what to do.
std::string why_pickle(std::string_view file);

}  // namespace gate
