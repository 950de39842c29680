#include "gate/base/decompress.h"

#include <algorithm>
#include <utility>

#include "base/packed_stream.h"

namespace gate {

namespace {

constexpr std::size_t packed_block = std::size_t{256} << 10;
constexpr std::size_t longest_line = std::size_t{1} << 20;  // a longer one is given before its end is known

}  // namespace

struct Decompressor::State {
  enum class Stage { unknown, plain, packed, between, damaged };

  explicit State(Take into) : take(std::move(into)) {}

  void feed(std::string_view bytes);
  void look(std::string_view bytes);
  void begin(std::string_view bytes);
  bool gather(std::string_view& bytes);
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
    if (stage == Stage::unknown) return look(bytes);
    if (stage == Stage::plain) return take(bytes);
    if (stage == Stage::packed)
      unpack(bytes);
    else if (gather(bytes))
      begin_next();
  }
}

void Decompressor::State::look(std::string_view bytes) {
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
bool Decompressor::State::gather(std::string_view& bytes) {
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
  Decompressor unpacker(take);
  const Status read = fs::read_blocks(path, [&](std::string_view block) { unpacker.feed(block); });
  if (!read) return tl::unexpected(read.error());
  return unpacker.finish();
}

}  // namespace gate
