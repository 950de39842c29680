#include "extract/events/wire.h"

#include "gate/base/little_endian.h"

namespace gate::extract {

namespace {

constexpr std::uint64_t largest_number = (1U << 29) - 1;

}  // namespace

std::nullopt_t WireReader::fail() {
  malformed_ = true;
  rest_ = {};
  return std::nullopt;
}

std::optional<std::string_view> WireReader::read_bytes(std::uint64_t size) {
  if (size > rest_.size()) return fail();
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

std::optional<std::uint64_t> WireReader::fixed(std::size_t size) {
  const std::optional<std::string_view> bytes = read_bytes(size);
  return bytes ? std::optional(little_endian(*bytes)) : std::nullopt;
}

std::optional<std::uint64_t> WireReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::optional<std::uint64_t> byte = fixed(1);
    if (!byte || (shift == 63 && *byte > 1)) return fail();
    value |= (*byte & 0x7F) << shift;
    if (*byte < 0x80) return value;
  }
  return fail();
}

bool WireReader::read_value(WireField& field) {
  const bool measured = field.type == WireType::bytes;
  const std::optional<std::uint64_t> value = field.type == WireType::fixed64   ? fixed(8)
                                             : field.type == WireType::fixed32 ? fixed(4)
                                                                               : varint();
  if (!value) return false;
  field.value = *value;
  const std::optional<std::string_view> bytes = read_bytes(measured ? *value : 0);
  field.bytes = bytes.value_or("");
  return bytes.has_value();
}

std::optional<WireField> WireReader::next() {
  if (at_end()) return std::nullopt;
  const std::optional<std::uint64_t> tag = varint();
  if (!tag) return std::nullopt;
  const std::uint64_t number = *tag >> 3;
  const std::uint64_t type = *tag & 7;
  const bool known = type <= 2 || type == 5;
  if (!known || number == 0 || number > largest_number) return fail();
  WireField field{static_cast<std::uint32_t>(number), static_cast<WireType>(type), 0, {}};
  if (!read_value(field)) return std::nullopt;
  return field;
}

}  // namespace gate::extract
