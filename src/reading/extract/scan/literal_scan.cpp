#include "extract/scan/literal_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace gate::extract {

namespace {

std::uint32_t hash_of(std::uint32_t bytes) { return ((bytes | 0x20202020U) * 0x9e3779b1U) >> 16U; }

std::uint32_t hash_of(const char* bytes) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return hash_of(word);
}

// Return the first two bytes, folded.
std::uint32_t short_begin(std::uint32_t bytes) { return (bytes | 0x2020U) & 0xffffU; }

// Return what stands at that place; behind the text stand zeros.
template <class Integer>
Integer word_at(std::string_view text, std::size_t at) {
  Integer word = 0;
  if (text.size() - at >= sizeof word)
    std::memcpy(&word, text.data() + at, sizeof word);
  else
    std::memcpy(&word, text.data() + at, text.size() - at);
  return word;
}

bool equals(const Literal& literal, std::string_view word) {
  if (!literal.folded) return word == literal.text;
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  return std::equal(word.begin(), word.end(), literal.text.begin(),
                    [&](char a, char b) { return small(a) == b; });
}

std::uint64_t bits_below(std::uint64_t mask, std::size_t bit) {
  return mask & ((std::uint64_t{1} << bit) - 1);
}

// Leave out what is told of places from `size` on.
void cut(ChunkMasks& chunk, std::size_t size) {
  chunk.windows = bits_below(chunk.windows, size);
  chunk.newlines = bits_below(chunk.newlines, size);
  chunk.window_count = static_cast<std::uint32_t>(std::popcount(chunk.windows));
  chunk.newline_count = static_cast<std::uint32_t>(std::popcount(chunk.newlines));
}

std::size_t line_begin(std::string_view text, std::size_t from, std::size_t at) {
  const void* newline = memrchr(text.data() + from, '\n', at - from);
  return newline == nullptr ? from
                            : static_cast<std::size_t>(static_cast<const char*>(newline) - text.data()) + 1;
}

// Most lines have their fields in the order of the patterns.
void sort_places(std::vector<LiteralPlace>& places) {
  if (!std::is_sorted(places.begin(), places.end())) std::sort(places.begin(), places.end());
}

}  // namespace

LiteralScan::LiteralScan(std::vector<Literal> literals, std::string_view sample, SievePath path)
    : literals_(std::move(literals)), path_(path) {
  const std::vector<LiteralWindow> windows = choose_windows(literals_, sample);
  tables_ = deal_windows(literals_, windows, sample, path);
  index(windows);
}

// A literal of one byte may stand before any other.
void LiteralScan::add_short_begin(std::string_view literal) {
  const auto bytes = word_at<std::uint32_t>(literal, 0);
  const std::uint32_t count = literal.size() > 1 ? 1 : 256;
  for (std::uint32_t next = 0; next < count; ++next) short_begins_.set(short_begin(bytes | next << 8U));
}

LiteralScan::LiteralEntry LiteralScan::entry_of(const LiteralWindow& window) const {
  const Literal& literal = literals_[window.literal];
  std::array<char, sizeof(std::uint64_t)> mask{};
  for (std::size_t i = 0; i < std::min(mask.size(), literal.text.size()); ++i)
    mask.at(i) =
        static_cast<char>(literal.folded && literal.text[i] >= 'a' && literal.text[i] <= 'z' ? ~0x20 : ~0);
  LiteralEntry entry{0, std::bit_cast<std::uint64_t>(mask), window.literal, window.offset};
  entry.bytes = word_at<std::uint64_t>(literal.text, 0) & entry.mask;
  return entry;
}

void LiteralScan::index(std::span<const LiteralWindow> windows) {
  std::vector<std::pair<std::uint32_t, LiteralEntry>> hashed;
  for (const LiteralWindow& window : windows) {
    const std::string_view text = std::string_view(literals_[window.literal].text);
    if (window.size < window_size) {
      add_short_begin(text);
      short_entries_.push_back(entry_of(window));
    } else {
      hashed.emplace_back(hash_of(text.data() + window.offset), entry_of(window));
    }
  }
  std::ranges::stable_sort(hashed, {}, [](const auto& entry) { return entry.first; });
  for (const auto& [hash, entry] : hashed) {
    hashes_.set(hash);
    entries_.push_back(entry);
    ++slots_.at((hash >> (hash_bits - slot_bits)) + 1);
  }
  for (std::size_t i = 1; i < slots_.size(); ++i)
    slots_.at(i) = static_cast<std::uint16_t>(slots_.at(i) + slots_.at(i - 1));
}

// Whether a mask has bits, and how many, cannot be guessed: masks without one are left out, and of each other
// two places are written whatever there is, without a branch.
template <typename Chunks>
void list_places(Chunks& batch) {
  constexpr std::size_t at_once = 2;
  std::array<std::uint8_t, Chunks::size> chunks;
  std::size_t chunk_count = 0;
  for (std::size_t chunk = 0; chunk < batch.chunk_count; ++chunk) {
    chunks[chunk_count] = static_cast<std::uint8_t>(chunk);
    chunk_count += batch.chunks[chunk].windows != 0 ? 1 : 0;
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < chunk_count; ++i) {
    std::uint64_t mask = batch.chunks[chunks[i]].windows;
    const std::size_t bits = batch.chunks[chunks[i]].window_count;
    const auto write = [&](std::size_t place) {
      batch.places[count + place] = static_cast<std::uint16_t>(
          chunks[i] * chunk_size + static_cast<std::size_t>(std::countr_zero(mask)));
      mask &= mask - 1;
    };
    for (std::size_t place = 0; place < at_once; ++place) write(place);
    for (std::size_t place = at_once; place < bits; ++place) write(place);
    count += bits;
  }
  batch.place_count = count;
}

// The second sieve: keep the places that begin with four bytes that some window may have.
void LiteralScan::keep_hashed(std::string_view text, std::size_t at, ChunkBatch& batch) const {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < batch.place_count; ++i) {
    const std::uint16_t place = batch.places[i];
    const auto word = word_at<std::uint32_t>(text, at + place);
    batch.places[kept] = place;
    kept += static_cast<std::size_t>(hashes_[hash_of(word)]) |
            static_cast<std::size_t>(short_begins_[short_begin(word)]);
  }
  batch.place_count = kept;
}

// Sieve the chunks from `at` on, as many as there are and the batch holds. The last one, that is not whole or
// has not enough behind it, is copied to where it has.
void LiteralScan::sieve_at(std::string_view text, std::size_t at, ChunkBatch& batch) const {
  constexpr std::size_t behind = window_size - 1;
  const std::size_t left = text.size() - at;
  const std::size_t whole = left < behind ? 0 : (left - behind) / chunk_size;
  std::array<char, chunk_size + behind> last{};
  const char* bytes = text.data() + at;
  if (whole == 0) text.copy(last.data(), last.size(), at), bytes = last.data();
  batch.chunk_count = std::clamp<std::size_t>(whole, 1, ChunkBatch::size);
  sieve(tables_, path_, bytes, std::span(batch.chunks).first(batch.chunk_count));
  if (left < chunk_size) cut(batch.chunks[0], left);
  list_places(batch);
}

inline bool LiteralScan::stands_at(const LiteralEntry& entry, std::string_view text, std::size_t at) const {
  if (at < entry.offset) return false;
  const std::size_t begin = at - entry.offset;
  if ((word_at<std::uint64_t>(text, begin) & entry.mask) != entry.bytes) return false;
  const Literal& literal = literals_[entry.literal];
  const std::size_t size = literal.text.size();
  if (text.size() - begin < size) return false;
  return size <= sizeof entry.bytes || equals(literal, text.substr(begin, size));
}

template <class OnEntry>
void LiteralScan::find_at(std::string_view text, std::size_t at, const OnEntry& on_entry) const {
  const auto word = word_at<std::uint32_t>(text, at);
  const std::uint32_t hash = hash_of(word);
  if (hashes_[hash]) {
    const std::size_t slot = hash >> (hash_bits - slot_bits);
    for (std::size_t i = slots_[slot]; i < slots_[slot + 1]; ++i)
      if (stands_at(entries_[i], text, at)) on_entry(entries_[i]);
  }
  if (!short_begins_[short_begin(word)]) return;
  for (const LiteralEntry& entry : short_entries_)
    if (stands_at(entry, text, at)) on_entry(entry);
}

// `at` is where the literal's window stands in the line.
inline void LiteralScan::add_hit(const LiteralEntry& entry, std::size_t at, LiteralHits& hits) const {
  const Literal& literal = literals_[entry.literal];
  hits.readers |= literal.readers;
  if (literal.placed && at >= entry.offset) hits.places.push_back({entry.literal, at - entry.offset});
}

std::int64_t LiteralScan::find_lines(std::string_view text, const OnLine& on_line) const {
  ChunkBatch batch;
  LiteralHits hits;
  FoundLine line;
  std::int64_t newlines = 0;
  std::size_t next = 0;  // behind the line
  const auto end_line = [&] {
    if (hits.readers == 0) return;
    sort_places(hits.places);
    on_line(line, hits);
    hits.readers = 0;
    hits.places.clear();
  };
  for (std::size_t base = 0; base < text.size(); base += batch.chunk_count * chunk_size) {
    sieve_at(text, base, batch);
    keep_hashed(text, base, batch);
    std::size_t counted = 0;  // chunks
    const auto count_to = [&](std::size_t chunk) {
      for (; counted < chunk; ++counted) newlines += batch.chunks[counted].newline_count;
    };
    const auto begin_line = [&](std::size_t place) {
      end_line();
      count_to(place / chunk_size);
      const std::uint64_t before = bits_below(batch.chunks[place / chunk_size].newlines, place % chunk_size);
      const std::size_t end = std::min(text.find('\n', base + place), text.size());
      line = {line_begin(text, next, base + place), end, newlines + std::popcount(before)};
      next = end + 1;
    };
    for (std::size_t i = 0; i < batch.place_count; ++i)
      find_at(text, base + batch.places[i], [&](const LiteralEntry& entry) {
        if (base + batch.places[i] >= next) begin_line(batch.places[i]);
        add_hit(entry, base + batch.places[i] - line.begin, hits);
      });
    count_to(batch.chunk_count);
  }
  end_line();
  return newlines;
}

ReaderMask LiteralScan::readers_of(std::string_view text) const {
  LiteralHits hits;
  find(text, hits);
  return hits.readers;
}

// A line is so short that the second sieve would not pay.
void LiteralScan::find(std::string_view text, LiteralHits& hits) const {
  ChunkBatch batch;
  hits.readers = 0;
  hits.places.clear();
  for (std::size_t base = 0; base < text.size(); base += batch.chunk_count * chunk_size) {
    sieve_at(text, base, batch);
    for (std::size_t i = 0; i < batch.place_count; ++i) {
      const std::size_t at = base + batch.places[i];
      find_at(text, at, [&](const LiteralEntry& entry) { add_hit(entry, at, hits); });
    }
  }
  sort_places(hits.places);
}

}  // namespace gate::extract
