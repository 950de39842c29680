#include "extract/literal_windows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
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
struct Word {
  std::uint32_t bytes = 0;  // folded
  std::vector<Window> windows = {};
  double count = 0;  // in the sample
};

std::uint32_t folded_word(const char* at) {
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes | 0x20202020U;
}

bool below(const Word& word, std::uint32_t bytes) { return word.bytes < bytes; }

// Return the words of all literals, in rising order.
std::vector<Word> all_words(std::span<const Literal> literals) {
  std::vector<std::pair<std::uint32_t, Window>> all;
  for (std::size_t i = 0; i < literals.size(); ++i)
    for (std::size_t at = 0; at + window_size <= literals[i].text.size(); ++at)
      all.push_back({folded_word(literals[i].text.data() + at), {i, at, window_size}});
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Word> words;
  for (const auto& [bytes, window] : all) {
    if (words.empty() || words.back().bytes != bytes) words.push_back({bytes});
    words.back().windows.push_back(window);
  }
  return words;
}

void count(std::vector<Word>& words, std::string_view sample) {
  std::vector<bool> begins(std::size_t{1} << 16U);  // by the two lower bytes: most places end here
  for (const Word& word : words) begins[word.bytes & 0xffffU] = true;
  for (std::size_t at = 0; at + window_size <= sample.size(); ++at) {
    const std::uint32_t bytes = folded_word(sample.data() + at);
    if (!begins[bytes & 0xffffU]) continue;
    const auto it = std::lower_bound(words.begin(), words.end(), bytes, below);
    if (it != words.end() && it->bytes == bytes) ++it->count;
  }
}

// Take, again and again, the word that serves most literals that have none yet for what it costs.
void cover(std::vector<Word> words, std::size_t sample_size, std::vector<Window>& windows) {
  const double cost_of_one = std::max(1.0, static_cast<double>(sample_size) / bytes_for_one);
  const auto worth = [cost_of_one](const Word& word) {
    const auto literals = static_cast<double>(word.windows.size());
    return literals / (cost_of_one + word.count * (1 + cost_of_literal * literals));
  };
  while (!words.empty()) {
    const auto best = std::max_element(words.begin(), words.end(),
                                       [&](const Word& a, const Word& b) { return worth(a) < worth(b); });
    for (const Window& window : std::vector(best->windows)) windows[window.literal] = window;
    const auto served = [&](const Window& window) { return windows[window.literal].size > 0; };
    for (Word& word : words) std::erase_if(word.windows, served);
    std::erase_if(words, [](const Word& word) { return word.windows.empty(); });
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

double share(const ByteSet& bytes, const Shares& shares) {
  double sum = 0;
  for (std::size_t high = 0; high < bytes.size(); ++high)
    for (unsigned low = bytes[high]; low != 0; low &= low - 1)
      sum += shares[high][static_cast<std::size_t>(std::countr_zero(low))];
  return sum;
}

// Return which part of the places a bucket lets through, as if bytes came without regard to those before
// them.
double share(const Bucket& bucket, const Shares& shares, SievePath path) {
  double product = 1;
  for (const ByteSet& allowed : bucket) product *= share(let_through(path, allowed), shares);
  return product;
}

bool is_small_letter(unsigned char byte) { return byte >= 'a' && byte <= 'z'; }

// Return a bucket for the window alone.
Bucket bucket_of(const Literal& literal, const Window& window) {
  Bucket bucket{};
  for (std::size_t i = window.size; i < window_size; ++i) bucket.at(i).fill(0xffff);
  for (std::size_t i = 0; i < window.size; ++i) {
    const auto byte = static_cast<unsigned char>(literal.text[window.offset + i]);
    add(bucket.at(i), byte);
    if (literal.folded && is_small_letter(byte)) add(bucket.at(i), byte & ~0x20U);
  }
  return bucket;
}

// Return the windows as buckets of their own, those that let most through first: they choose among empty
// ones.
std::vector<Bucket> in_order(std::span<const Literal> literals, std::span<const Window> windows,
                             const Shares& shares, SievePath path) {
  std::vector<std::pair<double, Bucket>> all;
  for (const Window& window : windows) {
    const Bucket own = bucket_of(literals[window.literal], window);
    all.emplace_back(share(own, shares, path), own);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Bucket> buckets;
  for (const auto& [own_share, bucket] : all)
    if (std::find(buckets.begin(), buckets.end(), bucket) == buckets.end()) buckets.push_back(bucket);
  return buckets;
}

Bucket both(Bucket bucket, const Bucket& other) {
  for (std::size_t i = 0; i < window_size; ++i) add(bucket[i], other[i]);
  return bucket;
}

}  // namespace

std::vector<Window> choose_windows(std::span<const Literal> literals, std::string_view sample) {
  std::vector<Window> windows(literals.size());
  for (std::size_t i = 0; i < literals.size(); ++i)
    if (literals[i].text.size() < window_size) windows[i] = {i, 0, literals[i].text.size()};
  std::vector<Word> words = all_words(literals);
  count(words, sample);
  cover(std::move(words), sample.size(), windows);
  return windows;
}

SieveTables deal_windows(std::span<const Literal> literals, std::span<const Window> windows,
                         std::string_view sample, SievePath path) {
  const Shares shares = shares_of(sample);
  std::array<Bucket, bucket_count> buckets{};
  std::array<double, bucket_count> shared{};
  for (const Bucket& window : in_order(literals, windows, shares, path)) {
    std::array<double, bucket_count> costs{};
    for (std::size_t i = 0; i < bucket_count; ++i)
      costs.at(i) = share(both(buckets.at(i), window), shares, path) - shared.at(i);
    const auto best = static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
    buckets.at(best) = both(buckets.at(best), window);
    shared.at(best) += costs.at(best);
  }
  SieveTables tables;
  for (std::size_t i = 0; i < bucket_count; ++i)
    for (std::size_t place = 0; place < window_size; ++place) tables.allow(i, place, buckets.at(i).at(place));
  return tables;
}

}  // namespace gate::extract
