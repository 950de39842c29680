// One log file that a script writes itself: read as it grows, and kept, unpacked and masked.
#pragma once

#include <optional>
#include <string>

#include "gate/base/decompress.h"
#include "gate/base/secrets.h"
#include "gate/base/tail.h"
#include "gate/extract/extractor.h"
#include "gate/store/log_file.h"

namespace gate::app {

class LogCopy {
 public:
  // The file's bytes from `tail` on are the extractor's file of that index.
  LogCopy(Tail tail, std::size_t index, Result<store::LogFile> copy, const Masker& masker);
  LogCopy(const LogCopy&) = delete;
  LogCopy& operator=(const LogCopy&) = delete;

  // Feed what has come since the last call. A file that begins anew goes on as the same one: its steps fall.
  void read(extract::Extractor& extractor);

  // Return which file was read last.
  FileIdentity identity() const { return tail_.identity(); }

  // Let go of the file after a last read. Fails with what went wrong first, then or before.
  Status finish(extract::Extractor& extractor);

 private:
  void begin_unpacking(extract::Extractor& extractor);
  void end_unpacking();
  void remember(const Status& status);

  Tail tail_;
  std::size_t index_;
  std::optional<store::LogFile> copy_;
  StreamMasker masked_;
  std::optional<Decompressor> unpacker_;
  Status first_failure_;
};

}  // namespace gate::app
