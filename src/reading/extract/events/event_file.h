// TensorBoard event files: scalars out of bytes.
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
#include <string>
#include <string_view>

#include "extract/events/crc.h"
#include "extract/events/scalar_file.h"

namespace gate::extract {

// Return the masked sum of the bytes.
std::uint32_t masked_crc(std::string_view bytes);

// Tell whether a file that begins so holds TFRecords: its first 12 bytes are a length and the length's CRC.
bool looks_like_events(std::string_view head);

class EventFile : public ScalarFile {
 public:
  using ScalarFile::ScalarFile;

  void feed(std::string_view bytes) override;
  void finish() override;

 private:
  enum class Part : std::uint8_t { head, data, tail, lost };

  std::string_view feed_part(std::string_view bytes);
  void begin(Part part, std::uint64_t size);
  void end_part();
  void end_head();
  void end_record();
  void complain(ProblemKind kind, const Sentence& what) const {
    ScalarFile::complain(kind, record_, offset_, what);
  }

  static constexpr std::uint64_t head_size = 12;
  static constexpr std::uint64_t tail_size = 4;

  Part part_ = Part::head;
  std::uint64_t left_ = head_size;  // bytes that the part lacks
  std::uint64_t got_ = 0;           // bytes of the record
  std::uint64_t length_ = 0;        // of its data
  std::string edge_;                // its head, then its tail
  std::string data_;
  Crc32c crc_;  // of its data
  std::uint32_t record_ = 1;
  std::uint64_t offset_ = 0;
};

}  // namespace gate::extract
