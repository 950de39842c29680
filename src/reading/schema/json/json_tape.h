// A JSON text as a row of small nodes, for texts of millions of numbers: a number is a double here, and a
// text or a key is read out of the file when it is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "schema/json/json_in.h"

namespace gate::schema {

inline constexpr std::size_t max_tape_bytes = std::size_t{1} << 30;
inline constexpr std::size_t max_tape_values = 25'000'000;

// What an offset says that stands for nothing.
inline constexpr std::uint32_t no_offset = UINT32_MAX;

// The children of a node stand behind it, each before its own children.
struct TapeNode {
  double number = 0;                 // of a number: NaN and infinities, too
  std::uint32_t at = 0;              // offset of its first byte
  std::uint32_t key_at = no_offset;  // of a member: offset of its key
  std::uint32_t end = 0;             // the node behind its last child
  Json::Kind kind = Json::Kind::null;
};

class JsonTape {
 public:
  // Both outlive the tape. `text` is at most max_tape_bytes.
  JsonTape(std::string_view text, const std::string& name);

  // Read the bytes from..to, one JSON text, in place of what was read before. NaN, Infinity and -Infinity are
  // numbers. Fails as parse_json() does, with places in the whole text, and beyond max_tape_values.
  Status read(std::size_t from, std::size_t to);

  // Return the nodes; the first is the document.
  const std::vector<TapeNode>& nodes() const { return nodes_; }
  const TapeNode& operator[](std::uint32_t node) const { return nodes_[node]; }

  std::string key(std::uint32_t node) const;      // of a member
  std::string content(std::uint32_t node) const;  // of a text

  // Return the error of what stands at the offset.
  Error error_at(std::size_t offset, std::string message) const;

 private:
  std::string_view text_;
  const std::string& name_;
  std::string quoted_;  // see quote_non_finite()
  std::vector<TapeNode> nodes_;
};

}  // namespace gate::schema
