// The one number in a tensor, as TensorFlow 2 writes scalars.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gate::extract {

// number: the word says it. other: something else than one number. malformed: no message at all.
enum class ScalarKind : std::uint8_t { number, other, malformed };

struct ScalarRead {
  ScalarKind kind = ScalarKind::other;
  std::string word;
};

// Read a TensorProto. A number is a tensor of one element (of no dimensions, or all of them 1) of a float,
// double, half, bfloat16 or integer type, whose value stands in tensor_content or in the field of its type.
ScalarRead read_tensor(std::string_view message);

}  // namespace gate::extract
