// Samples one after the other, in about eleven bytes each.
//
// A log's samples are much alike: the next step, a few lines further on, in the same file, and a word that
// says the value. So a sample is stored as what it differs in from the one before it:
//
//   head    one byte: the length of the word (15: it follows), whether the number is other than the next one,
//           whether the file is another, and whether the word says the value
//   length, number, file   where the head says so: varints, differences with their sign in the lowest bit
//   line    the difference, likewise
//   word    its bytes
//   value   only where parse_value(word) is not exactly the value (a factor, a suffix, a quotient)
//
// Up to 64 samples make a chunk, which says where the sample before it stood, so that each is at most 63
// skips away from a place that is known. A full chunk never changes: it is one allocation of its very size,
// which copies of the tape share; growth moves none of its bytes. As all else in it is relative to that one
// place, the chunks of a tape that was made elsewhere are joined to another one as they are.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/model/numbers/sample.h"

namespace gate {

// Where a sample stands, or how much further on another one does.
struct SampleSpot {
  std::int64_t number = 0;
  std::uint32_t file = 0;
  std::uint32_t line = 0;
};

class SampleTape {
  using Spot = SampleSpot;
  enum class From : std::uint8_t { word, left_out, kind, number };  // where the value is known from
  struct Front {
    From from = From::word;
    std::string_view word;
  };

 public:
  // Goes through the samples, which it makes one by one: what is kept of `*it` is a copy. Each way to
  // another chunk, or back within one, costs up to 63 skips; the next sample costs one.
  class Iterator {
   public:
    struct Arrow {
      Sample sample;
      const Sample* operator->() const { return &sample; }
    };
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Sample;
    using difference_type = std::ptrdiff_t;
    using reference = Sample;
    using pointer = Arrow;

    Iterator() = default;
    Iterator(const SampleTape& tape, std::size_t index);

    // Return the sample; its word stands in the tape until that is changed.
    SampleView view() const;

    // Return the sample's number. O(1), whatever the sample holds.
    std::int64_t number() const { return spot_.number; }

    // Return the sample's word where it says the value; nothing where it does not. Reads no number.
    std::optional<std::string_view> telling_word() const {
      return front_.from == From::word ? std::optional(front_.word) : std::nullopt;
    }

    // Return the sample's place on the tape, from 0.
    std::size_t index() const { return index_; }

    Sample operator*() const { return view().copy(); }
    Arrow operator->() const { return {**this}; }
    Sample operator[](difference_type n) const { return *(*this + n); }

    Iterator& operator++();
    Iterator operator++(int);
    Iterator& operator--() { return *this += -1; }
    Iterator operator--(int);
    Iterator& operator+=(difference_type n);
    Iterator& operator-=(difference_type n) { return *this += -n; }
    friend Iterator operator+(Iterator it, difference_type n) { return it += n; }
    friend Iterator operator+(difference_type n, Iterator it) { return it += n; }
    friend Iterator operator-(Iterator it, difference_type n) { return it -= n; }
    friend difference_type operator-(const Iterator& a, const Iterator& b) {
      return static_cast<difference_type>(a.index_) - static_cast<difference_type>(b.index_);
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.index_ == b.index_; }
    friend std::strong_ordering operator<=>(const Iterator& a, const Iterator& b) {
      return a.index_ <=> b.index_;
    }

   private:
    friend SampleTape;
    void enter(std::size_t chunk);
    void go(std::size_t index);

    const SampleTape* tape_ = nullptr;
    std::size_t index_ = 0;
    std::size_t chunk_ = 0;
    std::size_t chunk_end_ = 0;  // the index behind its last sample
    Spot spot_;
    Front front_;
    const char* at_ = nullptr;  // what follows the word
  };
  using const_iterator = Iterator;
  using value_type = Sample;

  // Append a sample, whatever its number. What is said of a value that is not finite is its kind alone.
  void append(const SampleView& sample);

  // Append all samples of another tape, each so much further on. O(1) for each of its chunks, and for its
  // open one, unless there are few.
  void append(const SampleTape& other, SampleSpot shift = {});

  // Give back what is held for further samples: none will come, most likely.
  void shrink();

  // Take the last sample off a tape that has one.
  void pop_back();

  // Return the sample with that number of a tape that rises, or nothing. O(log n) and up to 64 skips.
  std::optional<Sample> find(std::int64_t number) const;

  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }
  Sample operator[](std::size_t index) const { return *Iterator(*this, index); }
  Sample front() const { return *begin(); }
  Sample back() const { return (*this)[size_ - 1]; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Return the numbers of all samples, in their order.
  std::vector<std::int64_t> numbers() const;

  // Return the number of the last sample; 0 where there is none. O(1).
  std::int64_t last_number() const { return last_.number; }

  // Tell whether each number is above the one before. O(1).
  bool rises() const { return falls_ == 0; }

  // Return the first sample with the least, or the greatest of the finite values; nothing where none is
  // finite. O(1) and up to 64 skips; O(n) after it was taken off.
  std::optional<Sample> least() const;
  std::optional<Sample> greatest() const;

  // Return how many bytes the tape holds, without what the allocator adds.
  std::size_t bytes() const;

 private:
  static constexpr std::size_t chunk_size = 64;
  static constexpr std::size_t worth_a_chunk = 16;  // fewer samples that are appended fill the open chunk
  struct Chunk {
    Spot before;
    std::size_t first = 0;  // the index of its first sample
    std::shared_ptr<const char[]> bytes;
    std::uint32_t length = 0;
  };

  // The samples with the least and the greatest value.
  struct Extremes {
    std::optional<std::size_t> least;
    std::optional<std::size_t> greatest;
    Decimal least_number;
    Decimal greatest_number;

    void add(const Value& value, std::size_t index);

    // See those of samples that were appended from that index on.
    void add(const Extremes& others, std::size_t index);
  };

  static From source_of(const SampleView& sample);
  char* put_front(const SampleView& sample, From from, char* at) const;
  static char* put_value(const Value& value, From from, char* at);
  static Value take_value(From from, std::string_view word, const char*& at);
  static Front take_front(const char*& at, Spot& spot);
  static void skip_value(From from, const char*& at);
  std::size_t open_size() const { return size_ - open_first_; }
  std::size_t chunk_at(std::size_t index) const;
  std::size_t first_of(std::size_t chunk) const;
  std::size_t chunk_with(std::int64_t number) const;
  Extremes extremes() const;
  static Spot moved(Spot spot, Spot shift);
  char* begin_sample(const SampleView& sample, From from);
  void end_sample(Spot spot, const char* end);
  void append(const Iterator& sample, Spot shift);
  void join(const SampleTape& other, Spot shift);
  void make_room(std::size_t size);
  void seal();
  void unseal();

  std::vector<Chunk> chunks_;   // the full ones
  std::string open_;            // holds the bytes of the last one
  std::size_t open_end_ = 0;    // how many
  std::size_t open_first_ = 0;  // the index of its first sample
  Spot open_before_;
  Spot last_;
  std::size_t size_ = 0;
  std::size_t falls_ = 0;                          // how many numbers are not above the one before
  std::optional<Extremes> extremes_ = Extremes{};  // nothing where they must be looked for
};

}  // namespace gate
