// Any bytes as a log that may be packed: the same text and the same words about it whole and in pieces, no
// more than its packer could have packed; and the bytes, packed, come out as they went in.
#include <zlib.h>
#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/base/decompress.h"
#include "gate/base/text.h"
#include "targets.h"

namespace {

constexpr std::size_t most_unpacked = std::size_t{1} << 20;  // a longer text is only measured

void demand_unpacked(bool holds) {
  if (!holds) std::abort();
}

struct Unpacked {
  std::string text;
  std::size_t size = 0;
  std::string wrong;
  bool operator==(const Unpacked&) const = default;
};

Unpacked unpacked(std::string_view bytes, std::size_t piece) {
  Unpacked out;
  gate::Decompressor decompressor([&](std::string_view text) {
    demand_unpacked(!text.empty());
    out.size += text.size();
    if (out.text.size() < most_unpacked) out.text += text;
  });
  for (std::size_t at = 0; at < bytes.size(); at += piece) decompressor.feed(bytes.substr(at, piece));
  out.wrong = decompressor.finish();
  out.text.resize(std::min(out.text.size(), most_unpacked));
  return out;
}

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  demand_unpacked(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd(std::string_view bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1));
  return packed;
}

// Two members and the zeros that fill a tape's block; what is cut off is said, and gives whole lines alone.
void pack_and_unpack(std::string_view bytes, const std::string& packed) {
  const std::string twice = std::string(bytes) + std::string(bytes);
  const Unpacked whole = unpacked(packed + packed + std::string(7, '\0'), 5);
  demand_unpacked(whole.wrong.empty() && whole.text == twice.substr(0, most_unpacked));
  const Unpacked cut = unpacked(std::string_view(packed).substr(0, packed.size() - 1), 64);
  demand_unpacked(!cut.wrong.empty() && bytes.starts_with(cut.text));
  demand_unpacked(cut.text.empty() || cut.text.ends_with('\n') || cut.size >= most_unpacked);
}

}  // namespace

int packed_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Unpacked whole = unpacked(bytes, size + 1);
  demand_unpacked(whole == unpacked(bytes, 1) && whole == unpacked(bytes, 7));
  demand_unpacked(gate::printable(whole.wrong, whole.wrong.size()) == whole.wrong);
  if (!gate::is_packed(bytes))
    demand_unpacked(whole.wrong.empty() && whole.text == bytes.substr(0, most_unpacked));
  pack_and_unpack(bytes, gzip(bytes));
  pack_and_unpack(bytes, zstd(bytes));
  return 0;
}
