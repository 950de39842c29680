// W&B's offline files, `run-ID.wandb`: scalars of a run's history out of bytes.
//
// A file begins with 7 bytes: `:W&B`, the number 0xBEE1 (2, little-endian), the version 0. It goes on as a
// log of LevelDB does (https://github.com/google/leveldb/blob/main/doc/log_format.md), the 7 bytes being part
// of its first block. A block has 32 KiB and holds chunks, each the CRC-32 of its type and data (4,
// little-endian; W&B's is not masked, and not Castagnoli's), the data's size (2), the type (1) and the data.
// A record is a chunk `full`, or a `first`, any number of `middle` and a `last`. Where fewer than 7 bytes are
// left of a block they are padding.
//
// A sum is verified before anything of its chunk counts: a flipped bit never becomes a value. Where it is
// wrong nothing tells where the next chunk begins: the rest of the block is left out, and reading goes on
// with the first record that begins in a later one. Each such place is a problem.
//
// At most one record is held in memory. One of more than largest_record bytes is left out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "extract/events/scalar_file.h"
#include "extract/events/wandb_run.h"

namespace gate::extract {

// Tell whether a file that begins so is W&B's, of whatever version, or was before its first bytes were
// damaged.
bool looks_like_wandb(std::string_view head);

class WandbFile : public ScalarFile {
 public:
  using ScalarFile::ScalarFile;

  void feed(std::string_view bytes) override;
  void finish() override;
  std::string_view run() const override { return run_.id(); }

 private:
  // `rest`: of a block that is left out. `lost`: nothing is read any more.
  enum class Part : std::uint8_t { start, head, data, padding, rest, lost };

  std::string_view feed_part(std::string_view bytes);
  void begin(Part part, std::uint64_t size);
  void begin_chunk();
  void end_part();
  void end_start();
  void end_head();
  void end_chunk();
  void end_record();
  void leave_block(const Sentence& why);
  void complain(ProblemKind kind, const Sentence& what) const {
    ScalarFile::complain(kind, record_, offset_, what);
  }

  static constexpr std::uint64_t block_size = 32768;
  static constexpr std::uint64_t head_size = 7;  // of the file and of a chunk

  WandbRun run_;
  Part part_ = Part::start;
  std::uint64_t left_ = head_size;  // bytes that the part lacks
  std::uint64_t at_ = 0;            // in the file
  std::string head_;                // of the file, then of the chunk
  std::string chunk_;               // its data
  std::string data_;                // of the record, as far as its chunks are whole
  std::uint64_t size_ = 0;          // of that data, also where it is too large to be held
  bool open_ = false;               // the record has begun
  bool skipping_ = false;           // what was left out may have been the beginning of what comes
  std::uint32_t record_ = 1;
  std::uint64_t offset_ = 0;  // where the record begins
};

}  // namespace gate::extract
