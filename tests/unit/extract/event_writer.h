// A small writer of event files for tests. Its CRC goes bit by bit: no table that could be wrong in the same
// way as that of the reader.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace gate::extract::events {

inline std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t state = ~0U;
  for (const char c : bytes) {
    state ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) state = (state >> 1) ^ (0x82F63B78U & (0U - (state & 1U)));
  }
  return ~state;
}

inline std::string little_endian_bytes(std::uint64_t value, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

inline std::string masked_sum(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return little_endian_bytes(std::rotr(crc, 15) + 0xA282EAD8U, 4);
}

inline std::string head(std::uint64_t length) {
  const std::string bytes = little_endian_bytes(length, 8);
  return bytes + masked_sum(bytes);
}

inline std::string record(std::string_view data) {
  return head(data.size()) + std::string(data) + masked_sum(data);
}

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

inline std::string number(int field, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(field) << 3) + varint(value);
}

inline std::string bytes(int field, std::string_view value) {
  return varint((static_cast<std::uint64_t>(field) << 3) | 2) + varint(value.size()) + std::string(value);
}

inline std::string float32(int field, float value) {
  return varint((static_cast<std::uint64_t>(field) << 3) | 5) +
         little_endian_bytes(std::bit_cast<std::uint32_t>(value), 4);
}

inline std::string float64(int field, double value) {
  return varint((static_cast<std::uint64_t>(field) << 3) | 1) +
         little_endian_bytes(std::bit_cast<std::uint64_t>(value), 8);
}

inline std::string event(std::int64_t step, std::string_view values) {
  std::string data = float64(1, 1'700'000'000.25 + static_cast<double>(step));
  if (step != 0) data += number(2, static_cast<std::uint64_t>(step));
  return data + bytes(5, values);
}

// A value as torch's SummaryWriter writes it.
inline std::string simple(std::string_view tag, float value) {
  return bytes(1, bytes(1, tag) + float32(2, value));
}

inline std::string plugin(std::string_view name) { return bytes(9, bytes(1, bytes(1, name))); }

// A value as TensorFlow 2 writes it.
inline std::string tensor(std::string_view tag, std::string_view message,
                          std::string_view plugin_name = "scalars") {
  return bytes(1, bytes(1, tag) + plugin(plugin_name) + bytes(8, message));
}

inline std::string scalar_record(std::int64_t step, std::string_view tag, float value) {
  return record(event(step, simple(tag, value)));
}

inline std::string version_record() { return record(float64(1, 1'700'000'000) + bytes(3, "brain.Event:2")); }

// A file of three steps: loss and gradient norm, each a second time by samples, a histogram, a TF2 scalar.
inline std::string small_file() {
  std::string file = version_record();
  for (const int step : {1, 2, 3}) {
    const auto at = static_cast<float>(step);
    file += scalar_record(step, "lm loss", 10.5F - at / 3) +
            scalar_record(step * 8, "lm loss vs samples", 10.5F - at / 3) +
            record(event(step, simple("grad-norm", at / 7) + simple("a tag of one's own", at)));
  }
  file += record(event(3, bytes(1, bytes(1, "weights") + bytes(5, float64(1, -1)))));
  return file +
         record(event(3, tensor("lm loss validation",
                                number(1, 1) + bytes(2, "") + bytes(4, little_endian_bytes(0x40200000, 4)))));
}

}  // namespace gate::extract::events
