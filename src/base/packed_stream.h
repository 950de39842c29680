// The two packers behind one face: packed bytes in, plain bytes out.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace gate {

class PackedStream {
 public:
  virtual ~PackedStream() = default;

  enum class Next {
    more,     // there may be more to come out: call again
    member,   // a member or frame has ended here
    damaged,  // nothing further can be read; why() says it
  };

  // Unpack from the front of `in`, which loses what was used, into `room`. `written` is how much came out.
  virtual Next step(std::string_view& in, std::span<char> room, std::size_t& written) = 0;

  // Begin a further member.
  virtual void restart() = 0;

  virtual std::string why() const = 0;
};

struct Packing {
  std::string_view name;                  // `gzip`
  bool (*begins)(std::string_view head);  // needs longest_magic bytes, or all there are
  std::unique_ptr<PackedStream> (*open)();
};

constexpr std::size_t longest_magic = 4;

// Return how a stream with this beginning is packed, or nullptr.
const Packing* packing_of(std::string_view head);

}  // namespace gate
