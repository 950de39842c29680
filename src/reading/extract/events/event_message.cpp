#include "extract/events/event_message.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "extract/events/wire.h"
#include "gate/base/little_endian.h"

namespace gate::extract {

namespace {

// Fields of Event, Summary, its Value, and the metadata of that.
constexpr std::uint32_t wall_time_field = 1;
constexpr std::uint32_t step_field = 2;
constexpr std::uint32_t summary_field = 5;
constexpr std::uint32_t value_field = 1;
constexpr std::uint32_t tag_field = 1;
constexpr std::uint32_t simple_value_field = 2;
constexpr std::uint32_t tensor_field = 8;
constexpr std::uint32_t metadata_field = 9;
constexpr std::uint32_t plugin_data_field = 1;
constexpr std::uint32_t plugin_name_field = 1;

// Fields of TensorProto, TensorShapeProto and its Dim.
constexpr std::uint32_t dtype_field = 1;
constexpr std::uint32_t shape_field = 2;
constexpr std::uint32_t content_field = 4;
constexpr std::uint32_t dimension_field = 2;
constexpr std::uint32_t unknown_rank_field = 3;
constexpr std::uint32_t size_field = 1;

constexpr double least_plain = 1e-4;
constexpr double least_long = 1e16;

// Return the shortest decimal that is read back as the same number: plain (`0.25`, `16777216`) from 0.0001 up
// to 1e16, where whole numbers have all their digits, else scientific (`1e-05`). `nan`, `inf`, `-inf`.
template <typename Number>
std::string shortest_word(Number value) {
  if (std::isnan(value)) return "nan";
  const double size = std::abs(static_cast<double>(value));
  const bool plain = size == 0 || (size >= least_plain && size < least_long) || std::isinf(value);
  std::array<char, 64> text{};
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, format).ptr};
}

// Return the number whose IEEE half bits these are; a float holds each of them exactly.
float half_of(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const int fraction = bits & 0x3FF;
  const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 0x1F) return fraction != 0 ? std::nanf("") : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(fraction + 0x400), exponent - 25);
}

// Words of numbers of a tensor; the bits of a bfloat16 are the upper half of a float's.
template <typename Integer>
std::string integer_word(std::uint64_t bits) {
  return std::to_string(static_cast<Integer>(bits));
}

std::string float_word(std::uint64_t bits) {
  return shortest_word(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}
std::string double_word(std::uint64_t bits) { return shortest_word(std::bit_cast<double>(bits)); }
std::string half_word(std::uint64_t bits) { return shortest_word(half_of(static_cast<std::uint16_t>(bits))); }
std::string bfloat16_word(std::uint64_t bits) { return float_word((bits & 0xFFFF) << 16); }

// A DataType: how large an element is in tensor_content, and the field that holds its values otherwise.
struct ElementType {
  std::uint64_t dtype;
  std::size_t size;
  std::uint32_t field;
  WireType type;
  std::string (*word)(std::uint64_t bits);
};

constexpr std::array element_types{
    ElementType{1, 4, 5, WireType::fixed32, float_word},                   // DT_FLOAT
    ElementType{2, 8, 6, WireType::fixed64, double_word},                  // DT_DOUBLE
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
struct TensorLayout {
  const ElementType* type = nullptr;
  bool one_element = true;
};

std::optional<TensorLayout> read_layout(std::string_view tensor) {
  WireReader reader(tensor);
  TensorLayout layout;
  while (const std::optional<WireField> field = reader.next()) {
    if (field->is(dtype_field, WireType::varint)) {
      const auto type = std::ranges::find(element_types, field->value, &ElementType::dtype);
      layout.type = type == element_types.end() ? nullptr : &*type;
    }
    if (!field->is(shape_field, WireType::bytes)) continue;
    const FoundField one = is_one_element(field->bytes);
    if (!one) return std::nullopt;
    layout.one_element = layout.one_element && *one;
  }
  return reader.malformed() ? std::nullopt : std::optional(layout);
}

// The values of a tensor: how many, and the bits of the last.
struct TensorValues {
  std::size_t count = 0;
  std::uint64_t bits = 0;
  bool malformed = false;

  void add(std::uint64_t value) {
    ++count;
    bits = value;
  }
};

void add_packed(std::string_view packed, const ElementType& type, TensorValues& values) {
  WireReader reader(packed);
  while (!reader.at_end()) {
    const std::optional<std::uint64_t> value =
        type.type == WireType::varint ? reader.varint() : reader.fixed(type.size);
    if (value) values.add(*value);
  }
  values.malformed = values.malformed || reader.malformed();
}

void add_content(std::string_view content, const ElementType& type, TensorValues& values) {
  if (content.empty()) return;
  values.malformed = values.malformed || content.size() % type.size != 0;
  values.count += content.size() / type.size;
  values.bits = little_endian(content.substr(0, type.size));
}

TensorValues read_values(std::string_view tensor, const ElementType& type) {
  WireReader reader(tensor);
  TensorValues values;
  while (const std::optional<WireField> field = reader.next()) {
    if (field->is(content_field, WireType::bytes)) add_content(field->bytes, type, values);
    if (field->is(type.field, WireType::bytes)) add_packed(field->bytes, type, values);
    if (field->is(type.field, type.type)) values.add(field->value);
  }
  return values;
}

// Read a TensorProto.
ScalarRead read_tensor(std::string_view message) {
  const std::optional<TensorLayout> layout = read_layout(message);
  if (!layout) return {ScalarKind::malformed, ""};
  if (layout->type == nullptr || !layout->one_element) return {};
  const TensorValues values = read_values(message, *layout->type);
  if (values.malformed) return {ScalarKind::malformed, ""};
  if (values.count != 1) return {};
  return {ScalarKind::number, layout->type->word(values.bits)};
}

// Return the bytes of the last field of that number, "" without one, or nothing where the message is
// malformed.
std::optional<std::string_view> bytes_of(std::string_view message, std::uint32_t number) {
  WireReader reader(message);
  std::string_view bytes;
  while (const std::optional<WireField> field = reader.next())
    if (field->is(number, WireType::bytes)) bytes = field->bytes;
  return reader.malformed() ? std::nullopt : std::optional(bytes);
}

void read_metadata(std::string_view metadata, EventValue& value) {
  const std::optional<std::string_view> plugin = bytes_of(metadata, plugin_data_field);
  const std::optional<std::string_view> name = plugin ? bytes_of(*plugin, plugin_name_field) : std::nullopt;
  if (!name) value.scalar.kind = ScalarKind::malformed;
  const bool foreign = name && !name->empty() && *name != "scalars";
  if (foreign && value.scalar.kind == ScalarKind::number) value.scalar = {};
}

EventValue read_value(std::string_view message) {
  WireReader reader(message);
  EventValue value;
  std::string_view metadata;
  while (const std::optional<WireField> field = reader.next()) {
    if (field->is(tag_field, WireType::bytes)) value.tag = field->bytes;
    if (field->is(simple_value_field, WireType::fixed32))
      value.scalar = {ScalarKind::number, float_word(field->value)};
    if (field->is(tensor_field, WireType::bytes)) value.scalar = read_tensor(field->bytes);
    if (field->is(metadata_field, WireType::bytes)) metadata = field->bytes;
  }
  read_metadata(metadata, value);
  if (reader.malformed()) value.scalar.kind = ScalarKind::malformed;
  return value;
}

bool is_well_formed(std::string_view summary) {
  WireReader reader(summary);
  while (const std::optional<WireField> field = reader.next())
    if (field->is(value_field, WireType::bytes) &&
        read_value(field->bytes).scalar.kind == ScalarKind::malformed)
      return false;
  return !reader.malformed();
}

}  // namespace

std::optional<EventHead> read_event(std::string_view message) {
  WireReader reader(message);
  EventHead head;
  while (const std::optional<WireField> field = reader.next()) {
    if (field->is(wall_time_field, WireType::fixed64)) head.wall_time = std::bit_cast<double>(field->value);
    if (field->is(step_field, WireType::varint)) head.step = static_cast<std::int64_t>(field->value);
    if (field->is(summary_field, WireType::bytes) && !is_well_formed(field->bytes)) return std::nullopt;
  }
  return reader.malformed() ? std::nullopt : std::optional(head);
}

void for_each_value(std::string_view message, const std::function<void(const EventValue&)>& on_value) {
  WireReader reader(message);
  while (const std::optional<WireField> field = reader.next()) {
    if (!field->is(summary_field, WireType::bytes)) continue;
    WireReader summary(field->bytes);
    while (const std::optional<WireField> value = summary.next())
      if (value->is(value_field, WireType::bytes)) on_value(read_value(value->bytes));
  }
}

}  // namespace gate::extract
