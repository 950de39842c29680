// Logs as they lie on disks: plain, gzip or zstd, told apart by their first bytes and never by their names.
//
// A stream is unpacked as it is read, in constant memory: at most the window of its packer (gzip 32 KiB, zstd
// 128 MiB) and one line of up to 1 MiB. Several members or frames in a row are one text. What is packed twice
// comes out packed once.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "gate/base/fs.h"
#include "gate/base/result.h"

namespace gate {

class Decompressor {
 public:
  using Take = std::function<void(std::string_view)>;

  // Call `take` with the plain bytes, in blocks of at most 256 KiB.
  explicit Decompressor(Take take);
  Decompressor(Decompressor&&) noexcept;
  Decompressor& operator=(Decompressor&&) noexcept;
  ~Decompressor();

  // Take the stream in pieces cut anywhere.
  void feed(std::string_view bytes);

  // Return what is wrong with the stream and what to do, without its name; "" where it is whole. Of a stream
  // that is cut off or damaged the whole lines before that place have been given, and nothing behind it.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Tell whether a stream that begins so is one to unpack.
bool is_packed(std::string_view head);

// Unpack a file; `-` is standard input. Returns what Decompressor::finish does. Fails as fs::read_blocks
// does.
Result<std::string> read_unpacked(const fs::Path& path, const Decompressor::Take& take);

}  // namespace gate
