#include "gate/model/numbers/sample_tape.h"

#include <algorithm>
#include <cstring>

namespace gate {

namespace {

__extension__ using uint128 = unsigned __int128;

// The head of a sample.
constexpr unsigned long_word = 15;  // in the lowest four bits
constexpr unsigned other_number = 1U << 4;
constexpr unsigned other_file = 1U << 5;
constexpr unsigned value_shift = 6;

constexpr std::size_t longest_rest =
    64;  // of a sample beside its word: head, five varints, one of them of 128 bits

template <class Unsigned>
Unsigned zigzag(Unsigned difference) {
  constexpr int top = sizeof(Unsigned) * 8 - 1;
  return (difference << 1) ^ (Unsigned{0} - (difference >> top));
}

template <class Unsigned>
Unsigned unzigzag(Unsigned code) {
  return (code >> 1) ^ (Unsigned{0} - (code & 1));
}

template <class Unsigned>
char* put(Unsigned value, char* at) {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<char>(static_cast<unsigned>(value & 0x7f) | 0x80);
  *at++ = static_cast<char>(value);
  return at;
}

template <class Unsigned = std::uint64_t>
Unsigned take(const char*& at) {
  Unsigned value = static_cast<unsigned char>(*at++);
  if (value < 0x80) return value;
  value &= 0x7f;
  for (int shift = 7;; shift += 7) {
    const Unsigned byte = static_cast<unsigned char>(*at++);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

bool is_exactly(const Decimal& a, const Decimal& b) {
  return a.coefficient == b.coefficient && a.exponent == b.exponent;
}

Decimal take_number(const char*& at) {
  const auto exponent = static_cast<std::int32_t>(unzigzag(take<std::uint32_t>(at)));
  return {static_cast<int128>(unzigzag(take<uint128>(at))), exponent};
}

std::shared_ptr<const char[]> copy_of(const std::string& bytes, std::size_t size) {
  std::shared_ptr<char[]> copy = std::make_shared_for_overwrite<char[]>(size);
  std::memcpy(copy.get(), bytes.data(), size);
  return copy;
}

void skip_varint(const char*& at) {
  while ((static_cast<unsigned char>(*at++) & 0x80) != 0) continue;
}

}  // namespace

SampleTape::From SampleTape::source_of(const SampleView& sample) {
  if (sample.is_said) return From::word;
  if (sample.value.kind == ValueKind::left_out) return From::left_out;
  const std::optional<Value> said = parse_value(sample.text);
  const bool finite = sample.value.is_finite();
  if (said && said->kind == sample.value.kind && (!finite || is_exactly(said->number, sample.value.number)))
    return From::word;
  return finite ? From::number : From::kind;
}

[[gnu::always_inline]] inline char* SampleTape::put_value(const Value& value, From from, char* at) {
  if (from == From::kind) *at++ = static_cast<char>(value.kind);
  if (from != From::number) return at;
  at = put(zigzag(static_cast<std::uint32_t>(value.number.exponent)), at);
  return put(zigzag(static_cast<uint128>(value.number.coefficient)), at);
}

Value SampleTape::take_value(From from, std::string_view word, const char*& at) {
  Value value;
  if (from == From::word) return void(parse_value(word, value)), value;
  if (from == From::left_out) return {};
  if (from == From::kind) return {static_cast<ValueKind>(*at++), {}};
  return {ValueKind::finite, take_number(at)};
}

void SampleTape::skip_value(From from, const char*& at) {
  if (from == From::kind) ++at;
  if (from != From::number) return;
  skip_varint(at);
  skip_varint(at);
}

// Reads up to the value, and moves the spot of the sample before to this one.
[[gnu::always_inline]] inline SampleTape::Front SampleTape::take_front(const char*& at, Spot& spot) {
  const unsigned head = static_cast<unsigned char>(*at++);
  std::size_t length = head & long_word;
  if (length == long_word) length = take(at);
  std::uint64_t number = static_cast<std::uint64_t>(spot.number) + 1;
  if ((head & other_number) != 0) number += unzigzag(take(at));
  spot.number = static_cast<std::int64_t>(number);
  if ((head & other_file) != 0) spot.file += unzigzag(take<std::uint32_t>(at));
  spot.line += unzigzag(take<std::uint32_t>(at));
  const std::string_view word(at, length);
  at += length;
  return {static_cast<From>(head >> value_shift), word};
}

// Writes up to the word.
[[gnu::always_inline]] inline char* SampleTape::put_front(const SampleView& sample, From from,
                                                          char* at) const {
  const auto step = static_cast<std::uint64_t>(sample.number) - static_cast<std::uint64_t>(last_.number) - 1;
  const bool is_long = sample.text.size() >= long_word;
  unsigned head = is_long ? long_word : static_cast<unsigned>(sample.text.size());
  if (step != 0) head |= other_number;
  if (sample.file != last_.file) head |= other_file;
  *at++ = static_cast<char>(head | static_cast<unsigned>(from) << value_shift);
  if (is_long) at = put(sample.text.size(), at);
  if (step != 0) at = put(zigzag(step), at);
  if (sample.file != last_.file) at = put(zigzag(sample.file - last_.file), at);
  return put(zigzag(sample.line - last_.line), at);
}

// Returns where the word goes. There is room for all of the sample.
[[gnu::always_inline]] inline char* SampleTape::begin_sample(const SampleView& sample, From from) {
  if (open_size() == chunk_size) seal();
  make_room(longest_rest + sample.text.size());
  return put_front(sample, from, open_.data() + open_end_);
}

// Called with the end of the sample's bytes.
[[gnu::always_inline]] inline void SampleTape::end_sample(Spot spot, const char* end) {
  open_end_ = static_cast<std::size_t>(end - open_.data());
  if (size_ > 0 && spot.number <= last_.number) ++falls_;
  last_ = spot;
  ++size_;
}

void SampleTape::append(const SampleView& sample) {
  const From from = source_of(sample);
  char* at = begin_sample(sample, from);
  at = std::copy(sample.text.begin(), sample.text.end(), at);
  if (extremes_) extremes_->add(sample.value, size_);
  end_sample({sample.number, sample.file, sample.line}, put_value(sample.value, from, at));
}

[[gnu::always_inline]] inline void SampleTape::Extremes::add(const Value& value, std::size_t index) {
  if (!value.is_finite()) return;
  if (!least || value.number < least_number) least = index, least_number = value.number;
  if (!greatest || greatest_number < value.number) greatest = index, greatest_number = value.number;
}

void SampleTape::Extremes::add(const Extremes& others, std::size_t index) {
  if (others.least) add({ValueKind::finite, others.least_number}, index + *others.least);
  if (others.greatest) add({ValueKind::finite, others.greatest_number}, index + *others.greatest);
}

SampleTape::Extremes SampleTape::extremes() const {
  if (extremes_) return *extremes_;
  Extremes found;
  for (auto it = begin(); it != end(); ++it) found.add(it.view().value, it.index());
  return found;
}

std::vector<std::int64_t> SampleTape::numbers() const {
  std::vector<std::int64_t> all;
  all.reserve(size_);
  for (auto it = begin(); it != end(); ++it) all.push_back(it.number());
  return all;
}

std::optional<Sample> SampleTape::least() const {
  const std::optional<std::size_t> index = extremes().least;
  return index ? std::optional((*this)[*index]) : std::nullopt;
}

std::optional<Sample> SampleTape::greatest() const {
  const std::optional<std::size_t> index = extremes().greatest;
  return index ? std::optional((*this)[*index]) : std::nullopt;
}

void SampleTape::make_room(std::size_t size) {
  constexpr std::size_t some = 64;
  if (open_.size() - open_end_ < size) open_.resize(std::max(some, open_.size() * 3 / 2) + size);
}

void SampleTape::shrink() {
  open_.resize(open_end_);
  open_.shrink_to_fit();
  chunks_.shrink_to_fit();
}

SampleTape::Spot SampleTape::moved(Spot spot, Spot shift) {
  const auto number = static_cast<std::uint64_t>(spot.number) + static_cast<std::uint64_t>(shift.number);
  return {static_cast<std::int64_t>(number), spot.file + shift.file, spot.line + shift.line};
}

void SampleTape::append(const SampleTape& other, Spot shift) {
  if (!other.extremes_) extremes_.reset();
  if (extremes_) extremes_->add(*other.extremes_, size_);
  if (other.size_ >= worth_a_chunk) return join(other, shift);
  for (auto it = other.begin(); it != other.end(); ++it) append(it, shift);
}

// Takes over the bytes of a sample from its word on.
void SampleTape::append(const Iterator& sample, Spot shift) {
  const Spot spot = moved(sample.spot_, shift);
  const std::string_view word = sample.front_.word;
  const char* end = sample.at_;
  skip_value(sample.front_.from, end);
  const auto rest = static_cast<std::size_t>(end - word.data());
  char* at = begin_sample({spot.number, {}, word, spot.file, spot.line}, sample.front_.from);
  end_sample(spot, std::copy_n(word.data(), rest, at));
}

// Behind what is open here: that, and what is open there, become chunks that are not full.
void SampleTape::join(const SampleTape& other, Spot shift) {
  if (open_size() > 0) seal();
  if (size_ > 0 && moved({other.front().number}, shift).number <= last_.number) ++falls_;
  falls_ += other.falls_;
  for (const Chunk& chunk : other.chunks_)
    chunks_.push_back({moved(chunk.before, shift), size_ + chunk.first, chunk.bytes, chunk.length});
  const Spot before = moved(other.open_before_, shift);
  if (other.open_size() > 0)
    chunks_.push_back({before, size_ + other.open_first_, copy_of(other.open_, other.open_end_),
                       static_cast<std::uint32_t>(other.open_end_)});
  last_ = open_before_ = moved(other.last_, shift);
  size_ = open_first_ = size_ + other.size_;
}

void SampleTape::pop_back() {
  if (open_size() == 0) unseal();
  const char* at = open_.data();
  Spot before = open_before_;
  for (std::size_t i = 1; i < open_size(); ++i) skip_value(take_front(at, before).from, at);
  if (size_ > 1 && last_.number <= before.number) --falls_;
  open_end_ = static_cast<std::size_t>(at - open_.data());
  last_ = before;
  --size_;
  if (extremes_ && (extremes_->least == size_ || extremes_->greatest == size_)) extremes_.reset();
}

void SampleTape::seal() {
  chunks_.push_back(
      {open_before_, open_first_, copy_of(open_, open_end_), static_cast<std::uint32_t>(open_end_)});
  open_end_ = 0;
  open_first_ = size_;
  open_before_ = last_;
}

void SampleTape::unseal() {
  const Chunk& chunk = chunks_.back();
  open_.assign(chunk.bytes.get(), chunk.length);
  open_end_ = open_.size();
  open_first_ = chunk.first;
  open_before_ = chunk.before;
  chunks_.pop_back();
}

// Return the last chunk that begins with that number or a lower one, else the first one. What stood before a
// chunk tells nothing of that: where tapes were joined it is not the sample before it.
std::size_t SampleTape::chunk_with(std::int64_t number) const {
  const auto begins_behind = [&](std::size_t chunk) {
    return Iterator(*this, first_of(chunk)).number() > number;
  };
  std::size_t low = 0, high = chunks_.size() + (open_size() > 0 ? 1 : 0);
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    begins_behind(middle) ? high = middle : low = middle;
  }
  return low;
}

std::size_t SampleTape::first_of(std::size_t chunk) const {
  return chunk < chunks_.size() ? chunks_[chunk].first : open_first_;
}

std::size_t SampleTape::chunk_at(std::size_t index) const {
  if (index >= open_first_) return chunks_.size();
  const auto it = std::partition_point(chunks_.begin(), chunks_.end(),
                                       [&](const Chunk& chunk) { return chunk.first <= index; });
  return static_cast<std::size_t>(it - chunks_.begin()) - 1;
}

std::optional<Sample> SampleTape::find(std::int64_t number) const {
  if (empty() || number > last_.number) return std::nullopt;
  Iterator it(*this, first_of(chunk_with(number)));
  while (it.number() < number) ++it;
  return it.number() == number ? std::optional(*it) : std::nullopt;
}

std::size_t SampleTape::bytes() const {
  std::size_t sum = sizeof(SampleTape) + chunks_.capacity() * sizeof(Chunk) + open_.capacity();
  for (const Chunk& chunk : chunks_) sum += chunk.length;
  return sum;
}

SampleTape::Iterator::Iterator(const SampleTape& tape, std::size_t index) : tape_(&tape) { go(index); }

void SampleTape::Iterator::enter(std::size_t chunk) {
  const bool full = chunk < tape_->chunks_.size();
  chunk_ = chunk;
  index_ = tape_->first_of(chunk);
  chunk_end_ = full ? tape_->first_of(chunk + 1) : tape_->size_;
  spot_ = full ? tape_->chunks_[chunk].before : tape_->open_before_;
  at_ = full ? tape_->chunks_[chunk].bytes.get() : tape_->open_.data();
  front_ = take_front(at_, spot_);
}

void SampleTape::Iterator::go(std::size_t index) {
  if (index < tape_->size_) enter(tape_->chunk_at(index));
  if (index >= tape_->size_) index_ = index;
  while (index_ < index) ++*this;
}

SampleView SampleTape::Iterator::view() const {
  const char* at = at_;
  SampleView sample(spot_.number, take_value(front_.from, front_.word, at), front_.word, spot_.file,
                    spot_.line);
  sample.is_said = front_.from == From::word;
  return sample;
}

SampleTape::Iterator& SampleTape::Iterator::operator++() {
  ++index_;
  if (index_ == tape_->size_) return *this;
  if (index_ == chunk_end_) {
    enter(chunk_ + 1);
    return *this;
  }
  const char* at = at_;  // copies, which stay in registers
  Spot spot = spot_;
  skip_value(front_.from, at);
  front_ = take_front(at, spot);
  at_ = at;
  spot_ = spot;
  return *this;
}

SampleTape::Iterator SampleTape::Iterator::operator++(int) {
  const Iterator here = *this;
  ++*this;
  return here;
}

SampleTape::Iterator SampleTape::Iterator::operator--(int) {
  const Iterator here = *this;
  --*this;
  return here;
}

SampleTape::Iterator& SampleTape::Iterator::operator+=(difference_type n) {
  const auto index = static_cast<std::size_t>(static_cast<difference_type>(index_) + n);
  if (n < 0 || index >= chunk_end_) {
    go(index);
    return *this;
  }
  while (index_ < index) ++*this;
  return *this;
}

}  // namespace gate
