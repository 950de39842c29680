#include "base/packed_stream.h"

#include <zlib.h>
#include <zstd.h>

#include <array>

namespace gate {

namespace {

class Gzip : public PackedStream {
 public:
  Gzip() { ok_ = inflateInit2(&stream_, gzip_only) == Z_OK; }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  Next step(std::string_view& in, std::span<char> room, std::size_t& written) override {
    if (!ok_) return Next::damaged;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = static_cast<uInt>(room.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    in.remove_prefix(in.size() - stream_.avail_in);
    written = room.size() - stream_.avail_out;
    if (result == Z_STREAM_END) return Next::member;
    return result == Z_OK || result == Z_BUF_ERROR ? Next::more : Next::damaged;
  }

  void restart() override { inflateReset(&stream_); }
  std::string why() const override { return stream_.msg != nullptr ? stream_.msg : "it cannot be read"; }

 private:
  static constexpr int gzip_only = 16 + MAX_WBITS;
  z_stream stream_{};
  bool ok_ = false;
};

class Zstd : public PackedStream {
 public:
  Zstd() : stream_(ZSTD_createDStream(), ZSTD_freeDStream) { ZSTD_initDStream(stream_.get()); }

  Next step(std::string_view& in, std::span<char> room, std::size_t& written) override {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{room.data(), room.size(), 0};
    result_ = ZSTD_decompressStream(stream_.get(), &to, &from);
    in.remove_prefix(from.pos);
    written = to.pos;
    if (ZSTD_isError(result_) != 0) return Next::damaged;
    return result_ == 0 ? Next::member : Next::more;
  }

  void restart() override {}
  std::string why() const override { return ZSTD_getErrorName(result_); }

 private:
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  std::size_t result_ = 0;
};

bool begins_gzip(std::string_view head) { return head.starts_with("\x1f\x8b"); }

// A skippable frame may come first: parallel packers put their index there.
bool begins_zstd(std::string_view head) {
  const bool skippable = head.size() >= 4 && (head[0] & 0xf0) == 0x50 && head.substr(1, 3) == "\x2a\x4d\x18";
  return skippable || head.starts_with("\x28\xb5\x2f\xfd");
}

template <typename Stream>
std::unique_ptr<PackedStream> open() {
  return std::make_unique<Stream>();
}

constexpr std::array packings{
    Packing{"gzip", begins_gzip, open<Gzip>},
    Packing{"zstd", begins_zstd, open<Zstd>},
};

}  // namespace

const Packing* packing_of(std::string_view head) {
  for (const Packing& packing : packings)
    if (packing.begins(head)) return &packing;
  return nullptr;
}

}  // namespace gate
