#include "extract/events/tensor_scalar.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <optional>

#include "extract/events/scalar_word.h"
#include "extract/events/wire.h"

namespace gate::extract {

namespace {

// Fields of TensorProto, TensorShapeProto and its Dim.
constexpr std::uint32_t dtype_field = 1;
constexpr std::uint32_t shape_field = 2;
constexpr std::uint32_t content_field = 4;
constexpr std::uint32_t dimension_field = 2;
constexpr std::uint32_t unknown_rank_field = 3;
constexpr std::uint32_t size_field = 1;

template <typename Integer>
std::string integer_word(std::uint64_t bits) {
  return std::to_string(static_cast<Integer>(bits));
}

std::string float_bits_word(std::uint64_t bits) {
  return float_word(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}
std::string double_bits_word(std::uint64_t bits) { return double_word(std::bit_cast<double>(bits)); }
std::string half_word(std::uint64_t bits) { return float_word(half_of(static_cast<std::uint16_t>(bits))); }
std::string bfloat16_word(std::uint64_t bits) {
  return float_word(bfloat16_of(static_cast<std::uint16_t>(bits)));
}

// A DataType: how large an element is in tensor_content, and the field that holds its values otherwise.
struct ElementType {
  std::uint64_t dtype;
  std::size_t size;
  std::uint32_t field;
  WireType type;
  std::string (*word)(std::uint64_t bits);
};

constexpr std::array element_types{
    ElementType{1, 4, 5, WireType::fixed32, float_bits_word},              // DT_FLOAT
    ElementType{2, 8, 6, WireType::fixed64, double_bits_word},             // DT_DOUBLE
    ElementType{3, 4, 7, WireType::varint, integer_word<std::int32_t>},    // DT_INT32
    ElementType{4, 1, 7, WireType::varint, integer_word<std::uint8_t>},    // DT_UINT8
    ElementType{5, 2, 7, WireType::varint, integer_word<std::int16_t>},    // DT_INT16
    ElementType{6, 1, 7, WireType::varint, integer_word<std::int8_t>},     // DT_INT8
    ElementType{9, 8, 10, WireType::varint, integer_word<std::int64_t>},   // DT_INT64
    ElementType{14, 2, 13, WireType::varint, bfloat16_word},               // DT_BFLOAT16
    ElementType{17, 2, 7, WireType::varint, integer_word<std::uint16_t>},  // DT_UINT16
    ElementType{19, 2, 13, WireType::varint, half_word},                   // DT_HALF
    ElementType{22, 4, 16, WireType::varint, integer_word<std::uint32_t>},
    ElementType{23, 8, 17, WireType::varint, integer_word<std::uint64_t>},
};

const ElementType* find_type(std::uint64_t dtype) {
  const auto it =
      std::ranges::find_if(element_types, [&](const ElementType& type) { return type.dtype == dtype; });
  return it == element_types.end() ? nullptr : &*it;
}

// What a walk through a message found; nothing where it is malformed.
using FoundField = std::optional<bool>;

FoundField is_one_wide(std::string_view dimension) {
  WireReader reader(dimension);
  std::uint64_t size = 0;
  while (const std::optional<WireField> field = reader.next())
    if (field->is(size_field, WireType::varint)) size = field->value;
  return reader.malformed() ? std::nullopt : FoundField(size == 1);
}

FoundField is_one_element(std::string_view shape) {
  WireReader reader(shape);
  bool one = true;
  while (const std::optional<WireField> field = reader.next()) {
    if (field->is(unknown_rank_field, WireType::varint)) one = one && field->value == 0;
    if (!field->is(dimension_field, WireType::bytes)) continue;
    const FoundField wide = is_one_wide(field->bytes);
    if (!wide) return std::nullopt;
    one = one && *wide;
  }
  return reader.malformed() ? std::nullopt : FoundField(one);
}

// What a tensor says of its elements.
struct Layout {
  const ElementType* type = nullptr;
  bool one_element = true;
};

std::optional<Layout> read_layout(std::string_view tensor) {
  WireReader reader(tensor);
  Layout layout;
  while (const std::optional<WireField> field = reader.next()) {
    if (field->is(dtype_field, WireType::varint)) layout.type = find_type(field->value);
    if (!field->is(shape_field, WireType::bytes)) continue;
    const FoundField one = is_one_element(field->bytes);
    if (!one) return std::nullopt;
    layout.one_element = layout.one_element && *one;
  }
  return reader.malformed() ? std::nullopt : std::optional(layout);
}

// The values of a tensor: how many, and the bits of the last.
struct Values {
  std::size_t count = 0;
  std::uint64_t bits = 0;
  bool malformed = false;

  void add(std::uint64_t value) {
    ++count;
    bits = value;
  }
};

void add_packed(std::string_view packed, const ElementType& type, Values& values) {
  WireReader reader(packed);
  while (!reader.at_end()) {
    const std::optional<std::uint64_t> value =
        type.type == WireType::varint ? reader.varint() : reader.fixed(type.size);
    if (value) values.add(*value);
  }
  values.malformed = values.malformed || reader.malformed();
}

void add_content(std::string_view content, const ElementType& type, Values& values) {
  if (content.empty()) return;
  values.malformed = values.malformed || content.size() % type.size != 0;
  values.count += content.size() / type.size;
  values.bits = little_endian(content.substr(0, type.size));
}

Values read_values(std::string_view tensor, const ElementType& type) {
  WireReader reader(tensor);
  Values values;
  while (const std::optional<WireField> field = reader.next()) {
    if (field->is(content_field, WireType::bytes)) add_content(field->bytes, type, values);
    if (field->is(type.field, WireType::bytes)) add_packed(field->bytes, type, values);
    if (field->is(type.field, type.type)) values.add(field->value);
  }
  return values;
}

}  // namespace

ScalarRead read_tensor(std::string_view message) {
  const std::optional<Layout> layout = read_layout(message);
  if (!layout) return {ScalarKind::malformed, ""};
  if (layout->type == nullptr || !layout->one_element) return {};
  const Values values = read_values(message, *layout->type);
  if (values.malformed) return {ScalarKind::malformed, ""};
  if (values.count != 1) return {};
  return {ScalarKind::number, layout->type->word(values.bits)};
}

}  // namespace gate::extract
