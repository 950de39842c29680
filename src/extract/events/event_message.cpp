#include "extract/events/event_message.h"

#include "extract/events/scalar_word.h"
#include "extract/events/wire.h"

namespace gate::extract {

namespace {

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

// Return the bytes of the last field of that number, "" without one, or nothing where the message is
// malformed.
std::optional<std::string_view> bytes_of(std::string_view message, std::uint32_t number) {
  WireReader reader(message);
  std::string_view bytes;
  while (const std::optional<WireField> field = reader.next())
    if (field->is(number, WireType::bytes)) bytes = field->bytes;
  return reader.malformed() ? std::nullopt : std::optional(bytes);
}

bool is_foreign_plugin(std::string_view name) { return !name.empty() && name != "scalars"; }

void read_metadata(std::string_view metadata, EventValue& value) {
  const std::optional<std::string_view> plugin = bytes_of(metadata, plugin_data_field);
  const std::optional<std::string_view> name = plugin ? bytes_of(*plugin, plugin_name_field) : std::nullopt;
  if (!name) value.scalar.kind = ScalarKind::malformed;
  if (name && value.scalar.kind == ScalarKind::number && is_foreign_plugin(*name)) value.scalar = {};
}

EventValue read_value(std::string_view message) {
  WireReader reader(message);
  EventValue value;
  std::string_view metadata;
  while (const std::optional<WireField> field = reader.next()) {
    if (field->is(tag_field, WireType::bytes)) value.tag = field->bytes;
    if (field->is(simple_value_field, WireType::fixed32))
      value.scalar = {ScalarKind::number, float_word(field->as_float())};
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

void for_each_value_of(std::string_view summary, const std::function<void(const EventValue&)>& take) {
  WireReader reader(summary);
  while (const std::optional<WireField> field = reader.next())
    if (field->is(value_field, WireType::bytes)) take(read_value(field->bytes));
}

}  // namespace

std::optional<EventHead> read_event(std::string_view message) {
  WireReader reader(message);
  EventHead head;
  while (const std::optional<WireField> field = reader.next()) {
    if (field->is(wall_time_field, WireType::fixed64)) head.wall_time = field->as_double();
    if (field->is(step_field, WireType::varint)) head.step = field->as_integer();
    if (field->is(summary_field, WireType::bytes) && !is_well_formed(field->bytes)) return std::nullopt;
  }
  return reader.malformed() ? std::nullopt : std::optional(head);
}

void for_each_value(std::string_view message, const std::function<void(const EventValue&)>& take) {
  WireReader reader(message);
  while (const std::optional<WireField> field = reader.next())
    if (field->is(summary_field, WireType::bytes)) for_each_value_of(field->bytes, take);
}

}  // namespace gate::extract
