// A small writer of W&B's offline files for tests. Its CRC goes bit by bit, as that of event_writer.h does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "event_writer.h"

namespace gate::extract::wandb {

using events::bytes, events::little_endian_bytes, events::number;

inline constexpr std::size_t block = 32768, edge = 7;
inline const std::string beginning{":W&B\xE1\xBE\0", edge};

inline std::uint32_t crc32(std::string_view data) {
  std::uint32_t state = ~0U;
  for (const char c : data) {
    state ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) state = (state >> 1) ^ (0xEDB88320U & (0U - (state & 1U)));
  }
  return ~state;
}

// 1 full, 2 first, 3 middle, 4 last
inline std::string chunk(int type, std::string_view data) {
  const std::string summed = static_cast<char>(type) + std::string(data);
  return little_endian_bytes(crc32(summed), 4) + little_endian_bytes(data.size(), 2) + summed;
}

inline void add(std::string& file, std::string_view data) {
  for (bool first = true, last = false; !last; first = false) {
    if (block - file.size() % block < edge) file.append(block - file.size() % block, '\0');
    const std::size_t room = block - file.size() % block - edge;
    last = data.size() <= room;
    file += chunk(first && last ? 1 : first ? 2 : last ? 4 : 3, data.substr(0, room));
    data.remove_prefix(std::min(room, data.size()));
  }
}

inline std::string file_of(const std::vector<std::string>& records) {
  std::string file = beginning;
  for (const std::string& record : records) add(file, record);
  return file;
}

inline std::string run(std::string_view id) { return number(1, 1) + bytes(17, bytes(1, id)); }
inline std::string item(std::string_view name, std::string_view json) {
  return bytes(1, bytes(2, name) + bytes(16, json));
}
inline std::string nested(std::string_view outer, std::string_view inner, std::string_view json) {
  return bytes(1, bytes(2, outer) + bytes(2, inner) + bytes(16, json));
}
inline std::string history(std::string_view items) { return number(1, 1) + bytes(2, items); }
inline std::string logged(int step, std::string_view items) {
  return history(std::string(items) + item("_runtime", "1.5") + item("_step", std::to_string(step)) +
                 bytes(2, number(1, static_cast<std::uint64_t>(step))));
}
inline std::string loss(int step, std::string_view json) { return logged(step, item("train/loss", json)); }

// Of define_metric: a name or, where it ends with `*`, a beginning of names, drawn over another metric.
inline std::string drawn_over(std::string_view metric, std::string_view by) {
  return bytes(12, bytes(metric.ends_with('*') ? 2 : 1, metric) + bytes(4, by));
}

}  // namespace gate::extract::wandb
