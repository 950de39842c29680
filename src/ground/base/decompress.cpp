#include "gate/base/decompress.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace gate {

namespace {

// The two packers behind one face: packed bytes in, plain bytes out.
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

constexpr std::size_t packed_block = std::size_t{256} << 10;
constexpr std::size_t longest_line = std::size_t{1} << 20;  // a longer one is given before its end is known

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
  Zstd() : stream_(ZSTD_createDStream(), ZSTD_freeDStream) { restart(); }

  // A call that comes upon damage gives nothing of what stands before it: so each one has a block at most.
  Next step(std::string_view& in, std::span<char> room, std::size_t& written) override {
    ZSTD_inBuffer from{in.data(), std::min(in.size(), result_), 0};
    ZSTD_outBuffer to{room.data(), room.size(), 0};
    result_ = ZSTD_decompressStream(stream_.get(), &to, &from);
    in.remove_prefix(from.pos);
    written = to.pos;
    if (ZSTD_isError(result_) != 0) return Next::damaged;
    return result_ == 0 ? Next::member : Next::more;
  }

  void restart() override { result_ = ZSTD_initDStream(stream_.get()); }
  std::string why() const override { return ZSTD_getErrorName(result_); }

 private:
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  std::size_t result_ = 0;  // how many bytes are wanted next
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

// Return how a stream with this beginning is packed, or nullptr.
const Packing* packing_of(std::string_view head) {
  for (const Packing& packing : packings)
    if (packing.begins(head)) return &packing;
  return nullptr;
}

}  // namespace

struct Decompressor::State {
  enum class Stage { unknown, plain, packed, between, damaged };

  explicit State(Take into) : take(std::move(into)) {}

  void feed(std::string_view bytes);
  void read_head(std::string_view bytes);
  void begin(std::string_view bytes);
  bool read_next_head(std::string_view& bytes);
  void begin_next();
  void unpack(std::string_view& bytes);
  void damage(const std::string& why);
  void give(std::string_view plain);
  std::string finish();

  Take take;
  Stage stage = Stage::unknown;
  const Packing* packing = nullptr;
  std::unique_ptr<PackedStream> stream;
  std::string head;  // first bytes of the stream, or of what follows a member
  std::string room;
  std::string line;  // the last one given, as far as it is known
  std::string wrong;
};

void Decompressor::State::feed(std::string_view bytes) {
  while (!bytes.empty() && stage != Stage::damaged) {
    if (stage == Stage::unknown) return read_head(bytes);
    if (stage == Stage::plain) return take(bytes);
    if (stage == Stage::packed)
      unpack(bytes);
    else if (read_next_head(bytes))
      begin_next();
  }
}

void Decompressor::State::read_head(std::string_view bytes) {
  if (head.empty() && bytes.size() >= longest_magic) return begin(bytes);
  head += bytes;
  if (head.size() >= longest_magic) begin(std::exchange(head, ""));
}

void Decompressor::State::begin(std::string_view bytes) {
  packing = packing_of(bytes);
  stage = packing == nullptr ? Stage::plain : Stage::packed;
  if (packing != nullptr) {
    stream = packing->open();
    room.resize(packed_block);
  }
  feed(bytes);
}

// Tell whether the head of a further member is complete. Zeros behind a member fill the block of a tape.
bool Decompressor::State::read_next_head(std::string_view& bytes) {
  if (head.empty()) bytes.remove_prefix(std::min(bytes.find_first_not_of('\0'), bytes.size()));
  const std::size_t count = std::min(longest_magic - head.size(), bytes.size());
  head += bytes.substr(0, count);
  bytes.remove_prefix(count);
  return head.size() == longest_magic;
}

void Decompressor::State::begin_next() {
  const std::string first = std::exchange(head, "");
  if (!packing->begins(first)) return damage("is followed by other bytes");
  stage = Stage::packed;
  stream->restart();
  feed(first);
}

// Unpack to the end of the bytes or of the member.
void Decompressor::State::unpack(std::string_view& bytes) {
  std::size_t written = room.size();
  while (!bytes.empty() || written == room.size()) {
    const PackedStream::Next next = stream->step(bytes, room, written);
    give(std::string_view(room).substr(0, written));
    if (next == PackedStream::Next::damaged) return damage("is damaged (" + stream->why() + ")");
    if (next == PackedStream::Next::more) continue;
    stage = Stage::between;
    return;
  }
}

void Decompressor::State::damage(const std::string& why) {
  stage = Stage::damaged;
  wrong = "the " + std::string(packing->name) + " data " + why +
          "; what stands before that place was read: copy or pack the log again";
}

// Hold back the line that has no end yet: where the stream breaks, half of a number is no number.
void Decompressor::State::give(std::string_view plain) {
  const std::size_t end = plain.rfind('\n') + 1;
  if (end > 0) {
    if (!line.empty()) take(std::exchange(line, ""));
    take(plain.substr(0, end));
    plain.remove_prefix(end);
  }
  line += plain;
  if (line.size() < longest_line) return;
  for (std::string_view rest = line; !rest.empty(); rest.remove_prefix(std::min(rest.size(), packed_block)))
    take(rest.substr(0, packed_block));
  line.clear();
}

std::string Decompressor::State::finish() {
  if (stage == Stage::unknown && !head.empty()) begin(std::exchange(head, ""));
  if (stage == Stage::between && !head.empty()) damage("is followed by other bytes");
  if (stage == Stage::packed) damage("ends in its middle");
  const bool whole = stage != Stage::damaged;
  if (whole && !line.empty()) take(line);
  return wrong;
}

Decompressor::Decompressor(Take take) : state_(std::make_unique<State>(std::move(take))) {}
Decompressor::Decompressor(Decompressor&&) noexcept = default;
Decompressor& Decompressor::operator=(Decompressor&&) noexcept = default;
Decompressor::~Decompressor() = default;

void Decompressor::feed(std::string_view bytes) { state_->feed(bytes); }
std::string Decompressor::finish() { return state_->finish(); }

bool is_packed(std::string_view head) { return packing_of(head) != nullptr; }

Result<std::string> read_unpacked(const fs::Path& path, const Decompressor::Take& take) {
  Decompressor decompressor(take);
  GATE_TRY_STATUS(fs::read_blocks(path, [&](std::string_view block) { decompressor.feed(block); }));
  return decompressor.finish();
}

}  // namespace gate
