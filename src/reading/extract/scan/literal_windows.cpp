#include "extract/scan/literal_windows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace gate::extract {

namespace {

// --- which windows -------------------------------------------------------------------------------

// What a window costs besides being found in vain: it fills the tables of the sieve, which lets through more,
// a place in so many bytes. And what it costs to compare what was found with one literal, where looking
// whether there is one costs 1.
constexpr double bytes_for_one = 16384;
constexpr double cost_of_literal = 0.5;

// Four bytes with all that have them as a window.
struct WindowCandidate {
  std::uint32_t bytes = 0;  // folded
  std::vector<LiteralWindow> windows = {};
  double count = 0;  // in the sample
};

std::uint32_t folded_word(const char* at) {
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes | 0x20202020U;
}

// Return the words of all literals, in rising order.
std::vector<WindowCandidate> words_of(std::span<const Literal> literals) {
  std::vector<std::pair<std::uint32_t, LiteralWindow>> all;
  for (std::size_t i = 0; i < literals.size(); ++i)
    for (std::size_t at = 0; at + window_size <= literals[i].text.size(); ++at)
      all.push_back({folded_word(literals[i].text.data() + at), {i, at, window_size}});
  std::ranges::stable_sort(all, {}, [](const auto& entry) { return entry.first; });
  std::vector<WindowCandidate> words;
  for (const auto& [bytes, window] : all) {
    if (words.empty() || words.back().bytes != bytes) words.push_back({bytes});
    words.back().windows.push_back(window);
  }
  return words;
}

void count(std::vector<WindowCandidate>& words, std::string_view sample) {
  std::vector<bool> hashes(std::size_t{1} << 16U);  // most places end here
  const auto hash_of = [](std::uint32_t bytes) { return (bytes * 0x9e3779b1U) >> 16U; };
  for (const WindowCandidate& word : words) hashes[hash_of(word.bytes)] = true;
  for (std::size_t at = 0; at + window_size <= sample.size(); ++at) {
    const std::uint32_t bytes = folded_word(sample.data() + at);
    if (!hashes[hash_of(bytes)]) continue;
    const auto it = std::ranges::lower_bound(words, bytes, {}, &WindowCandidate::bytes);
    if (it != words.end() && it->bytes == bytes) ++it->count;
  }
}

// Return how many literals a word serves for what it costs; fewer literals are never worth more.
double worth_of(const WindowCandidate& word, double cost_of_one) {
  const auto literals = static_cast<double>(word.windows.size());
  return literals / (cost_of_one + word.count * (1 + cost_of_literal * literals));
}

// Take, again and again, the word that is worth most for the literals that have none yet. What a word is
// worth is looked at again when it comes to the top: it can only have become less.
void cover(std::vector<WindowCandidate> words, std::size_t sample_size, std::vector<LiteralWindow>& windows) {
  const double cost_of_one = std::max(1.0, static_cast<double>(sample_size) / bytes_for_one);
  // By worth; then by index from the end, so that of equal ones the first comes.
  std::priority_queue<std::pair<double, std::size_t>> queue;
  for (std::size_t i = 0; i < words.size(); ++i)
    queue.emplace(worth_of(words[i], cost_of_one), words.size() - i);
  while (!queue.empty()) {
    const auto [worth, from_end] = queue.top();
    queue.pop();
    WindowCandidate& word = words[words.size() - from_end];
    std::erase_if(word.windows,
                  [&](const LiteralWindow& window) { return windows[window.literal].size > 0; });
    if (word.windows.empty()) continue;
    const double left = worth_of(word, cost_of_one);
    if (left < worth)
      queue.emplace(left, from_end);
    else
      for (const LiteralWindow& window : word.windows) windows[window.literal] = window;
  }
}

// --- which buckets -------------------------------------------------------------------------------

// The bytes that a bucket allows at each place.
using Bucket = std::array<ByteSet, window_size>;
using Shares = std::array<std::array<double, 16>, 16>;  // of bytes in the sample, by their halves: high, low

Shares shares_of(std::string_view sample) {
  Shares shares;
  for (auto& row : shares) row.fill(1.0 / 4096);  // a byte that the sample lacks may come
  for (const char c : sample) {
    const auto byte = static_cast<unsigned char>(c);
    shares.at(byte >> 4U).at(byte & 0xfU) += 1.0 / static_cast<double>(sample.size());
  }
  return shares;
}

double share_of(const ByteSet& bytes, const Shares& shares) {
  double sum = 0;
  for (std::size_t high = 0; high < bytes.size(); ++high)
    for (unsigned low = bytes[high]; low != 0; low &= low - 1)
      sum += shares[high][static_cast<std::size_t>(std::countr_zero(low))];
  return sum;
}

// Return which part of the places a bucket lets through, as if bytes came without regard to those before
// them.
double share_of(const Bucket& bucket, const Shares& shares, SievePath path) {
  double product = 1;
  for (const ByteSet& allowed : bucket) product *= share_of(let_through(path, allowed), shares);
  return product;
}

// Return a bucket for the window alone.
Bucket bucket_of(const Literal& literal, const LiteralWindow& window) {
  Bucket bucket{};
  for (std::size_t i = window.size; i < window_size; ++i) bucket.at(i).fill(0xffff);
  for (std::size_t i = 0; i < window.size; ++i) {
    const auto byte = static_cast<unsigned char>(literal.text[window.offset + i]);
    add(bucket.at(i), byte);
    if (literal.folded && byte >= 'a' && byte <= 'z') add(bucket.at(i), byte & ~0x20U);
  }
  return bucket;
}

// Return the windows as buckets of their own, those that let most through first: they choose among empty
// ones.
std::vector<Bucket> buckets_of(std::span<const Literal> literals, std::span<const LiteralWindow> windows,
                               const Shares& shares, SievePath path) {
  std::vector<std::pair<double, Bucket>> all;
  for (const LiteralWindow& window : windows) {
    const Bucket own = bucket_of(literals[window.literal], window);
    all.emplace_back(share_of(own, shares, path), own);
  }
  std::ranges::stable_sort(all, std::greater{}, [](const auto& entry) { return entry.first; });
  std::vector<Bucket> buckets;
  for (const auto& [own_share, bucket] : all)
    if (std::ranges::find(buckets, bucket) == buckets.end()) buckets.push_back(bucket);
  return buckets;
}

Bucket join_buckets(Bucket bucket, const Bucket& other) {
  for (std::size_t i = 0; i < window_size; ++i) add(bucket[i], other[i]);
  return bucket;
}

}  // namespace

std::vector<LiteralWindow> choose_windows(std::span<const Literal> literals, std::string_view sample) {
  std::vector<LiteralWindow> windows(literals.size());
  for (std::size_t i = 0; i < literals.size(); ++i)
    if (literals[i].text.size() < window_size || sample.empty())
      windows[i] = {i, 0, std::min(literals[i].text.size(), window_size)};
  if (sample.empty()) return windows;
  std::vector<WindowCandidate> words = words_of(literals);
  count(words, sample);
  cover(std::move(words), sample.size(), windows);
  return windows;
}

// A window goes where it adds least; if nothing is known of the text, into the next bucket.
SieveTables deal_windows(std::span<const Literal> literals, std::span<const LiteralWindow> windows,
                         std::string_view sample, SievePath path) {
  const Shares shares = shares_of(sample);
  std::array<Bucket, bucket_count> buckets{};
  std::array<double, bucket_count> shared{};
  std::size_t next = 0;
  for (const Bucket& window : buckets_of(literals, windows, shares, path)) {
    std::size_t best = next++ % bucket_count;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < bucket_count && !sample.empty(); ++i) {
      const double cost = share_of(join_buckets(buckets.at(i), window), shares, path) - shared.at(i);
      if (cost < least) best = i, least = cost;
    }
    buckets.at(best) = join_buckets(buckets.at(best), window);
    shared.at(best) += least;
  }
  SieveTables tables;
  for (std::size_t i = 0; i < bucket_count; ++i)
    for (std::size_t place = 0; place < window_size; ++place) tables.allow(i, place, buckets.at(i).at(place));
  return tables;
}

}  // namespace gate::extract
