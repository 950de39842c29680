#include "score/edit_distance.h"

#include <algorithm>
#include <bit>

namespace gate::score {

namespace {

constexpr std::int64_t block_height = 64;

std::size_t length_of_end(Items a, Items b) {
  std::size_t length = 0;
  while (length < a.size() && length < b.size() && a[a.size() - 1 - length] == b[b.size() - 1 - length])
    ++length;
  return length;
}

// Remove the start and the end that both have, and return how many items these are.
std::int64_t trim_common(Items& a, Items& b) {
  const std::size_t start = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  a = a.subspan(start), b = b.subspan(start);
  const std::size_t end = length_of_end(a, b);
  a = a.first(a.size() - end), b = b.first(b.size() - end);
  return static_cast<std::int64_t>(start + end);
}

std::int64_t steps_of_band(Items a, Items b, std::int64_t band) {
  const std::int64_t blocks = (std::ssize(a) + block_height - 1) / block_height;
  return blocks * std::min(std::ssize(b), 2 * band + block_height);
}

// A block of 64 rows of Myers' table, in one column: by which rows it rises, and falls.
struct Column {
  std::uint64_t rises = ~std::uint64_t{0}, falls = 0;

  // Go to the next column, where the rows that match are these and the row above the block rises by `above`;
  // return by how much the last row rises.
  std::int8_t advance(std::uint64_t matches, std::int8_t above, std::uint64_t last_row) {
    const std::uint64_t vertical = matches | falls;
    if (above < 0) matches |= 1;
    const std::uint64_t horizontal = (((matches & rises) + rises) ^ rises) | matches;
    std::uint64_t up = falls | ~(horizontal | rises), down = rises & horizontal;
    const auto below =
        static_cast<std::int8_t>(((up & last_row) != 0 ? 1 : 0) - ((down & last_row) != 0 ? 1 : 0));
    up <<= 1, down <<= 1;
    if (above > 0) up |= 1;
    if (above < 0) down |= 1;
    rises = down | ~(vertical | up);
    falls = up & vertical;
    return below;
  }
};

}  // namespace

void SequenceComparison::set_masks(Items block) {
  for (std::size_t row = 0; row < block.size(); ++row) mask_of(block[row]) |= std::uint64_t{1} << row;
}

void SequenceComparison::clear_masks(Items block) {
  for (const std::uint32_t item : block) mask_of(item) = 0;
}

// Rows are the items of a, columns those of b. What lies outside of the band is taken for as dear as it can
// be.
std::int64_t SequenceComparison::distance_in_band(Items a, Items b, std::int64_t band) {
  const std::int64_t columns = std::ssize(b);
  steps_.assign(b.size(), 1);
  std::int64_t begin_before = 0, corner = 0;  // the value above the block, left of its first column
  for (std::int64_t first = 0; first < std::ssize(a); first += block_height) {
    const Items block = a.subspan(static_cast<std::size_t>(first))
                            .first(static_cast<std::size_t>(std::min(block_height, std::ssize(a) - first)));
    const std::int64_t begin = std::max<std::int64_t>(0, first - band);
    const std::int64_t end = std::min(columns, first + block_height + band);
    for (std::int64_t at = begin_before; at < begin; ++at) corner += steps_[static_cast<std::size_t>(at)];
    set_masks(block);
    Column column;
    const std::uint64_t last_row = std::uint64_t{1} << (block.size() - 1);
    for (std::int64_t at = begin; at < end; ++at) {
      std::int8_t& step = steps_[static_cast<std::size_t>(at)];
      step = column.advance(mask_of(b[static_cast<std::size_t>(at)]), step, last_row);
    }
    clear_masks(block);
    corner += std::ssize(block);
    begin_before = begin;
  }
  for (std::int64_t at = begin_before; at < columns; ++at) corner += steps_[static_cast<std::size_t>(at)];
  return corner;
}

Distance SequenceComparison::distance(Items a, Items b, std::size_t kinds) {
  trim_common(a, b);
  if (a.empty() || b.empty()) return {std::max(std::ssize(a), std::ssize(b))};
  masks_.resize(std::max(masks_.size(), kinds));
  const std::int64_t whole = std::max(std::ssize(a), std::ssize(b));
  Distance found{whole, false};
  for (std::int64_t band = std::abs(std::ssize(a) - std::ssize(b)) + block_height;; band *= 4) {
    if (steps_of_band(a, b, band) > most_steps) return found;
    found.value = std::min(whole, distance_in_band(a, b, band));
    if (found.value <= band || band >= whole) return {found.value};
  }
}

Distance SequenceComparison::common(Items a, Items b, std::size_t kinds) {
  const std::int64_t trimmed = trim_common(a, b);
  if (a.empty() || b.empty()) return {trimmed};
  if (steps_of_band(a, b, std::ssize(b)) > most_steps) return {trimmed, false};
  masks_.resize(std::max(masks_.size(), kinds));
  steps_.assign(b.size(), 0);
  std::int64_t length = trimmed;
  for (std::size_t first = 0; first < a.size(); first += block_height) {
    const Items block = a.subspan(first).first(std::min<std::size_t>(block_height, a.size() - first));
    set_masks(block);
    std::uint64_t free = ~std::uint64_t{0};
    for (std::size_t at = 0; at < b.size(); ++at) {
      const std::uint64_t matches = free & mask_of(b[at]);
      const std::uint64_t half = free + matches, sum = half + static_cast<std::uint64_t>(steps_[at]);
      steps_[at] = half < free || sum < half ? 1 : 0;
      free = sum | (free & ~matches);
    }
    clear_masks(block);
    const std::uint64_t rows =
        block.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << block.size()) - 1;
    length += std::popcount(~free & rows);
  }
  return {length};
}

}  // namespace gate::score
