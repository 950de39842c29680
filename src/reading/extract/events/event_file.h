// TensorBoard event files: scalars out of bytes.
//
//   EventFile file({on_scalar, on_problem});
//   file.feed(bytes);    // any number of times, cut anywhere
//   file.finish();
//
// A file is a sequence of TFRecords, each a length (8 bytes, little-endian), the masked CRC-32C of the length
// (4), the data and its masked CRC-32C (4). Both sums are verified, and nothing of a record is handed over
// before they are: a flipped bit never becomes a value. Where the sum of
//   - the data is wrong, the record is skipped, and reading goes on behind it;
//   - the length is wrong, there is no telling where the next record begins, and reading stops.
//
// At most one record is held in memory. One of more than largest_record bytes is skipped.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "gate/model/runs/extraction.h"

namespace gate::extract {

// The checksum of TFRecord files: CRC-32C (Castagnoli, reflected 0x82F63B78; RFC 3720, B.4).
class Crc32c {
 public:
  // Take further bytes; cut anywhere.
  void add(std::string_view bytes);

  // Return the sum of all bytes so far: of `123456789` 0xE3069283, of none 0.
  std::uint32_t value() const { return ~state_; }

  // Return the sum as TFRecord stores it: rotated right by 15 bits, plus 0xA282EAD8, so that the sum of a
  // record that holds sums is no weaker.
  std::uint32_t masked() const;

 private:
  std::uint32_t state_ = 0xFFFFFFFFU;
};

// Return the masked sum of the bytes.
std::uint32_t masked_crc(std::string_view bytes);

// A value under a tag. The views last as long as the call that they are handed over in.
struct Scalar {
  std::string_view tag;
  std::string_view word;     // the shortest decimal that reads back as the value
  std::int64_t step = 0;     // as the file has it, also where it is negative
  double wall_time = 0;      // seconds since 1970, as the writer's clock had them
  std::uint64_t offset = 0;  // of its record in the file
  std::uint32_t record = 0;  // from 1
};

// Tell whether a file that begins so holds TFRecords: its first 12 bytes are a length and the length's CRC.
bool looks_like_events(std::string_view head);

class EventFile {
 public:
  static constexpr std::uint64_t largest_record = 64ULL << 20;

  struct Handlers {
    std::function<void(const Scalar&)> on_scalar;
    // `torn`: the file ends within a record. `unreadable`: a CRC is wrong, or the record is too large.
    // `malformed`: the data is no event. The text names the record and its offset.
    std::function<void(ProblemKind, std::uint32_t record, Sentence text)> on_problem;
  };

  explicit EventFile(Handlers handlers) : handlers_(std::move(handlers)) {}

  void feed(std::string_view bytes);

  // Tell of a record that the end cuts off. Call it once.
  void finish();

  // How many records came to their end, also damaged ones, and how many values in them were no scalars.
  std::int64_t records() const { return ended_; }
  std::int64_t other_values() const { return other_values_; }

 private:
  enum class Part : std::uint8_t { head, data, tail, lost };

  std::string_view feed_part(std::string_view bytes);
  void begin(Part part, std::uint64_t size);
  void end_part();
  void end_head();
  void end_record();
  void complain(ProblemKind kind, const Sentence& what);

  static constexpr std::uint64_t head_size = 12;
  static constexpr std::uint64_t tail_size = 4;

  Handlers handlers_;
  Part part_ = Part::head;
  std::uint64_t left_ = head_size;  // bytes that the part lacks
  std::uint64_t got_ = 0;           // bytes of the record
  std::uint64_t length_ = 0;        // of its data
  std::string edge_;                // its head, then its tail
  std::string data_;
  Crc32c crc_;  // of its data
  std::uint32_t record_ = 1;
  std::uint64_t offset_ = 0;
  std::int64_t ended_ = 0;
  std::int64_t other_values_ = 0;
};

}  // namespace gate::extract
