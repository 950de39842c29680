#include "extract/scan/literal_sieve.h"

#include <bit>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace gate::extract {

namespace {

using WindowTables = std::array<SieveTables::PlaceTables, window_size>;

ChunkMasks counted(std::uint64_t windows, std::uint64_t newlines) {
  return {windows, newlines, static_cast<std::uint32_t>(std::popcount(windows)),
          static_cast<std::uint32_t>(std::popcount(newlines))};
}

// --- plain C++ -----------------------------------------------------------------------------------

bool may_begin(const WindowTables& places, const char* text) {
  unsigned first = 0xff, second = 0xff;  // buckets 0..7, 8..15
  for (std::size_t i = 0; i < window_size; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t low = byte & 0xfU, high = byte >> 4U;
    first &= static_cast<unsigned>(places[i].low[0][low] & places[i].high[0][high]);
    second &= static_cast<unsigned>(places[i].low[1][low] & places[i].high[1][high]);
  }
  return (first | second) != 0;
}

void sieve_plain(const WindowTables& places, const char* text, std::span<ChunkMasks> chunks) {
  for (ChunkMasks& masks : chunks) {
    std::uint64_t windows = 0, newlines = 0;
    for (std::size_t i = 0; i < chunk_size; ++i, ++text) {
      windows |= std::uint64_t{may_begin(places, text)} << i;
      newlines |= std::uint64_t{*text == '\n'} << i;
    }
    masks = counted(windows, newlines);
  }
}

// --- AVX-512 and AVX2 ----------------------------------------------------------------------------

#if defined(__x86_64__)

#define GATE_AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi,popcnt")))
#define GATE_AVX2 __attribute__((target("avx2,popcnt")))

// Without instructions for it, counting bits takes longer than finding them.
#define GATE_COUNTED(windows, newlines)                                           \
  {                                                                               \
    windows, newlines, static_cast<std::uint32_t>(__builtin_popcountll(windows)), \
        static_cast<std::uint32_t>(__builtin_popcountll(newlines))                \
  }

struct Wholes {
  __m512i lower, upper;  // of the 128 entries
};

GATE_AVX512 inline Wholes load_whole(const SieveTables::Whole& whole) {
  return {_mm512_load_si512(whole.data()), _mm512_load_si512(whole.data() + 64)};
}

GATE_AVX512 inline __m512i look_up(const Wholes& table, __m512i bytes) {
  return _mm512_permutex2var_epi8(table.lower, bytes, table.upper);
}

GATE_AVX512 void sieve_avx512(const WindowTables& places, const char* text, std::span<ChunkMasks> chunks) {
  Wholes first_tables[window_size], second_tables[window_size];  // NOLINT: they are registers
  for (std::size_t i = 0; i < window_size; ++i) {
    first_tables[i] = load_whole(places[i].whole[0]);
    second_tables[i] = load_whole(places[i].whole[1]);
  }
  for (ChunkMasks& masks : chunks) {
    const __m512i begin = _mm512_loadu_si512(text);
    __m512i first = look_up(first_tables[0], begin), second = look_up(second_tables[0], begin);
#pragma GCC unroll 3
    for (std::size_t i = 1; i < window_size; ++i) {
      const __m512i bytes = _mm512_loadu_si512(text + i);
      first = _mm512_and_si512(first, look_up(first_tables[i], bytes));
      second = _mm512_and_si512(second, look_up(second_tables[i], bytes));
    }
    const __m512i any = _mm512_or_si512(first, second);
    const std::uint64_t windows = _mm512_test_epi8_mask(any, any);
    const std::uint64_t newlines = _mm512_cmpeq_epi8_mask(begin, _mm512_set1_epi8('\n'));
    masks = GATE_COUNTED(windows, newlines);
    text += chunk_size;
  }
}

struct Masks32 {
  std::uint32_t windows, newlines;
};

GATE_AVX2 inline __m256i load_table(const SieveTables::Half& half) {
  return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(half.data())));
}

GATE_AVX2 inline Masks32 sieve32(const WindowTables& places, const char* text) {
  const __m256i nibble = _mm256_set1_epi8(0xf);
  __m256i first = _mm256_set1_epi8(-1), second = first, begin = first;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < window_size; ++i) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + i));
    if (i == 0) begin = bytes;
    const __m256i low = _mm256_and_si256(bytes, nibble);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble);
    const SieveTables::PlaceTables& place = places[i];
    first = _mm256_and_si256(first, _mm256_and_si256(_mm256_shuffle_epi8(load_table(place.low[0]), low),
                                                     _mm256_shuffle_epi8(load_table(place.high[0]), high)));
    second = _mm256_and_si256(second, _mm256_and_si256(_mm256_shuffle_epi8(load_table(place.low[1]), low),
                                                       _mm256_shuffle_epi8(load_table(place.high[1]), high)));
  }
  const __m256i none = _mm256_cmpeq_epi8(_mm256_or_si256(first, second), _mm256_setzero_si256());
  const __m256i newline = _mm256_cmpeq_epi8(begin, _mm256_set1_epi8('\n'));
  return {~static_cast<std::uint32_t>(_mm256_movemask_epi8(none)),
          static_cast<std::uint32_t>(_mm256_movemask_epi8(newline))};
}

GATE_AVX2 void sieve_avx2(const WindowTables& places, const char* text, std::span<ChunkMasks> chunks) {
  for (ChunkMasks& masks : chunks) {
    const Masks32 a = sieve32(places, text), b = sieve32(places, text + 32);
    const std::uint64_t windows = a.windows | std::uint64_t{b.windows} << 32U;
    const std::uint64_t newlines = a.newlines | std::uint64_t{b.newlines} << 32U;
    masks = GATE_COUNTED(windows, newlines);
    text += chunk_size;
  }
}

std::vector<SievePath> find_paths() {
  std::vector<SievePath> paths;
  if (__builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("popcnt"))
    paths.push_back(SievePath::avx512);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) paths.push_back(SievePath::avx2);
  paths.push_back(SievePath::plain);
  return paths;
}

// --- NEON ----------------------------------------------------------------------------------------

#elif defined(__aarch64__)

// Return a bit for each byte that is not zero.
std::uint64_t bits_of(const std::array<uint8x16_t, 4>& bytes) {
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  std::array<uint8x16_t, 4> bits;
  for (std::size_t i = 0; i < 4; ++i) bits[i] = vandq_u8(vtstq_u8(bytes[i], bytes[i]), weights);
  const uint8x16_t pairs = vpaddq_u8(vpaddq_u8(bits[0], bits[1]), vpaddq_u8(bits[2], bits[3]));
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(pairs, pairs)), 0);
}

uint8x16_t sieve16(const WindowTables& places, const std::uint8_t* text) {
  uint8x16_t first = vdupq_n_u8(0xff), second = first;
  for (std::size_t i = 0; i < window_size; ++i) {
    const uint8x16_t bytes = vld1q_u8(text + i);
    const uint8x16_t low = vandq_u8(bytes, vdupq_n_u8(0xf)), high = vshrq_n_u8(bytes, 4);
    const SieveTables::PlaceTables& place = places[i];
    first = vandq_u8(first, vandq_u8(vqtbl1q_u8(vld1q_u8(place.low[0].data()), low),
                                     vqtbl1q_u8(vld1q_u8(place.high[0].data()), high)));
    second = vandq_u8(second, vandq_u8(vqtbl1q_u8(vld1q_u8(place.low[1].data()), low),
                                       vqtbl1q_u8(vld1q_u8(place.high[1].data()), high)));
  }
  return vorrq_u8(first, second);
}

void sieve_neon(const WindowTables& places, const char* chars, std::span<ChunkMasks> chunks) {
  const auto* text = reinterpret_cast<const std::uint8_t*>(chars);
  for (ChunkMasks& masks : chunks) {
    std::array<uint8x16_t, 4> windows, newlines;
    for (std::size_t i = 0; i < 4; ++i, text += 16) {
      windows[i] = sieve16(places, text);
      newlines[i] = vceqq_u8(vld1q_u8(text), vdupq_n_u8('\n'));
    }
    masks = counted(bits_of(windows), bits_of(newlines));
  }
}

std::vector<SievePath> find_paths() { return {SievePath::neon, SievePath::plain}; }

#else

std::vector<SievePath> find_paths() { return {SievePath::plain}; }

#endif

}  // namespace

std::string_view to_string(SievePath path) {
  constexpr std::array<std::string_view, 4> names{"avx512", "avx2", "neon", "plain"};
  return names.at(static_cast<std::size_t>(path));
}

std::span<const SievePath> sieve_paths() {
  static const std::vector<SievePath> paths = find_paths();
  return paths;
}

void add(ByteSet& bytes, unsigned char byte) {
  std::uint16_t& row = bytes.at(byte >> 4U);
  row = static_cast<std::uint16_t>(row | 1U << (byte & 0xfU));
}

void add(ByteSet& bytes, const ByteSet& more) {
  for (std::size_t high = 0; high < bytes.size(); ++high) bytes[high] |= more[high];
}

ByteSet let_through(SievePath path, const ByteSet& allowed) {
  ByteSet bytes = allowed;
  if (path == SievePath::avx512) {
    for (std::size_t high = 0; high < 8; ++high) bytes[high] = bytes[high + 8] |= allowed[high];
    return bytes;
  }
  std::uint16_t low = 0;
  for (const std::uint16_t row : allowed) low |= row;
  for (std::uint16_t& row : bytes)
    if (row != 0) row = low;
  return bytes;
}

void SieveTables::allow(std::size_t bucket, std::size_t place, const ByteSet& bytes) {
  const auto bit = static_cast<std::uint8_t>(1U << bucket % 8);
  PlaceTables& at = places_.at(place);
  for (std::size_t high = 0; high < 16; ++high)
    for (std::size_t low = 0; low < 16; ++low) {
      if ((bytes.at(high) >> low & 1U) == 0) continue;
      at.low.at(bucket / 8).at(low) |= bit;
      at.high.at(bucket / 8).at(high) |= bit;
      at.whole.at(bucket / 8).at((high % 8) * 16 + low) |= bit;
    }
}

void sieve(const SieveTables& tables, SievePath path, const char* text, std::span<ChunkMasks> chunks) {
  switch (path) {
#if defined(__x86_64__)
    case SievePath::avx512:
      return sieve_avx512(tables.places(), text, chunks);
    case SievePath::avx2:
      return sieve_avx2(tables.places(), text, chunks);
#elif defined(__aarch64__)
    case SievePath::neon:
      return sieve_neon(tables.places(), text, chunks);
#endif
    default:
      return sieve_plain(tables.places(), text, chunks);
  }
}

}  // namespace gate::extract
