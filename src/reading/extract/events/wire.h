// The fields of a protobuf message, one after another, as they stand in its bytes.
//
// https://protobuf.dev/programming-guides/encoding: each field is a tag (number and type) and a value.
// Groups, which nothing here uses, count as malformed. Nothing is copied; views point into the message.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gate::extract {

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

struct WireField {
  std::uint32_t number = 0;
  WireType type = WireType::varint;
  std::uint64_t value = 0;  // a number, as its bits
  std::string_view bytes;   // text, a message, packed numbers

  // Tell whether this is the field of that number, and of the type that the number has.
  bool is(std::uint32_t wanted, WireType as) const { return number == wanted && type == as; }
};

class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  // Return the next field; nothing at the end, and where the message is malformed from here on: a number of
  // more than 64 bits, a length beyond the end, a field 0, an unknown type.
  std::optional<WireField> next();

  // Read a number by itself, as packed ones stand; nothing at the end and where it is malformed.
  std::optional<std::uint64_t> varint();
  std::optional<std::uint64_t> fixed(std::size_t size);

  bool at_end() const { return rest_.empty(); }
  bool malformed() const { return malformed_; }

 private:
  std::optional<std::string_view> read_bytes(std::uint64_t size);
  bool read_value(WireField& field);
  std::nullopt_t fail();

  std::string_view rest_;
  bool malformed_ = false;
};

}  // namespace gate::extract
