#include "extract/literal_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace gate::extract {

namespace {

std::uint32_t hash_of(const char* bytes) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return ((word | 0x20202020U) * 0x9e3779b1U) >> 16U;
}

// Return the hash of the four bytes at that place; behind the text stand zeros.
std::uint32_t hash_at(std::string_view text, std::size_t at) {
  std::array<char, window_size> bytes{};
  text.copy(bytes.data(), bytes.size(), at);
  return hash_of(bytes.data());
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

}  // namespace

LiteralScan::LiteralScan(std::vector<Literal> literals, std::string_view sample, SievePath path)
    : literals_(std::move(literals)), path_(path) {
  const std::vector<Window> windows = choose_windows(literals_, sample);
  tables_ = deal_windows(literals_, windows, sample);
  index(windows);
}

void LiteralScan::index(std::span<const Window> windows) {
  std::vector<std::pair<std::uint32_t, Window>> hashed;
  for (const Window& window : windows) {
    const std::string_view text = std::string_view(literals_[window.literal].text);
    if (window.size < window_size) {
      short_begins_.set(folded_byte(static_cast<unsigned char>(text.front())));
      short_windows_.push_back(window);
    } else {
      hashed.emplace_back(hash_of(text.data() + window.offset), window);
    }
  }
  std::stable_sort(hashed.begin(), hashed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [hash, window] : hashed) {
    hashes_.set(hash);
    windows_.push_back(window);
    ++slots_.at((hash >> (hash_bits - slot_bits)) + 1);
  }
  for (std::size_t i = 1; i < slots_.size(); ++i)
    slots_.at(i) = static_cast<std::uint16_t>(slots_.at(i) + slots_.at(i - 1));
}

// Most masks have no bit or one: four places are written whatever there is, without a branch.
template <typename Batch>
void list_places(Batch& batch) {
  constexpr std::size_t at_once = 4;
  std::size_t count = 0;
  for (std::size_t chunk = 0; chunk < batch.chunk_count; ++chunk) {
    std::uint64_t mask = batch.chunks[chunk].windows;
    const std::size_t bits = batch.chunks[chunk].window_count;
    const auto write = [&](std::size_t i) {
      batch.places[count + i] =
          static_cast<std::uint16_t>(chunk * chunk_size + static_cast<std::size_t>(std::countr_zero(mask)));
      mask &= mask - 1;
    };
    for (std::size_t i = 0; i < at_once; ++i) write(i);
    for (std::size_t i = at_once; i < bits; ++i) write(i);
    count += bits;
  }
  batch.place_count = count;
}

// The second sieve: keep the places that begin with four bytes that some window may have.
void LiteralScan::keep_hashed(const char* bytes, Batch& batch) const {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < batch.place_count; ++i) {
    const std::uint16_t place = batch.places[i];
    const char* at = bytes + place;
    batch.places[kept] = place;
    const auto first = folded_byte(static_cast<unsigned char>(*at));
    kept += static_cast<std::size_t>(hashes_[hash_of(at)]) | static_cast<std::size_t>(short_begins_[first]);
  }
  batch.place_count = kept;
}

// Sieve the chunks from `at` on, as many as there are and the batch holds. The last one, that is not whole or
// has not enough behind it, is copied to where it has.
void LiteralScan::sieve_at(std::string_view text, std::size_t at, Batch& batch) const {
  constexpr std::size_t behind = window_size - 1;
  const std::size_t left = text.size() - at;
  const std::size_t whole = left < behind ? 0 : (left - behind) / chunk_size;
  std::array<char, chunk_size + behind> last{};
  const char* bytes = text.data() + at;
  if (whole == 0) text.copy(last.data(), last.size(), at), bytes = last.data();
  batch.chunk_count = std::clamp<std::size_t>(whole, 1, batch_size);
  sieve(tables_, path_, bytes, std::span(batch.chunks).first(batch.chunk_count));
  if (left < chunk_size) cut(batch.chunks[0], left);
  list_places(batch);
  keep_hashed(bytes, batch);
}

Owners LiteralScan::owner_at(const Window& window, std::string_view text, std::size_t at) const {
  const Literal& literal = literals_[window.literal];
  if (at < window.offset || text.size() - (at - window.offset) < literal.text.size()) return 0;
  return equals(literal, text.substr(at - window.offset, literal.text.size())) ? literal.owners : 0;
}

// Return the owners of the literals that have their window there.
Owners LiteralScan::owners_at(std::string_view text, std::size_t at) const {
  Owners owners = 0;
  const std::uint32_t hash = hash_at(text, at);
  if (hashes_[hash]) {
    const std::size_t slot = hash >> (hash_bits - slot_bits);
    for (std::size_t i = slots_[slot]; i < slots_[slot + 1]; ++i) owners |= owner_at(windows_[i], text, at);
  }
  if (short_begins_[folded_byte(static_cast<unsigned char>(text[at]))])
    for (const Window& window : short_windows_) owners |= owner_at(window, text, at);
  return owners;
}

std::int64_t LiteralScan::find_lines(std::string_view text, std::vector<FoundLine>& lines) const {
  Batch batch;
  std::int64_t newlines = 0;
  std::size_t next = 0;  // behind the line that was found last
  for (std::size_t base = 0; base < text.size(); base += batch.chunk_count * chunk_size) {
    sieve_at(text, base, batch);
    std::size_t counted = 0;  // chunks
    const auto count_to = [&](std::size_t chunk) {
      for (; counted < chunk; ++counted) newlines += batch.chunks[counted].newline_count;
    };
    for (std::size_t i = 0; i < batch.place_count; ++i) {
      const std::size_t place = batch.places[i];
      if (base + place < next || owners_at(text, base + place) == 0) continue;
      count_to(place / chunk_size);
      const std::uint64_t before = bits_below(batch.chunks[place / chunk_size].newlines, place % chunk_size);
      const std::size_t end = std::min(text.find('\n', base + place), text.size());
      lines.push_back({line_begin(text, next, base + place), end, newlines + std::popcount(before)});
      next = end + 1;
    }
    count_to(batch.chunk_count);
  }
  return newlines;
}

Owners LiteralScan::owners(std::string_view text) const {
  Batch batch;
  Owners owners = 0;
  for (std::size_t base = 0; base < text.size(); base += batch.chunk_count * chunk_size) {
    sieve_at(text, base, batch);
    for (std::size_t i = 0; i < batch.place_count; ++i) owners |= owners_at(text, base + batch.places[i]);
  }
  return owners;
}

}  // namespace gate::extract
