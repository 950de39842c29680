// Where messages come from.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/base/time.h"
#include "worker/journal.h"

namespace gate::worker {

struct Incoming {
  MessagePlace place;
  std::string payload;
  std::string problem;     // why it is no message at all; "": it may be one
  std::string where = {};  // for people: `messages.jsonl:3`
};

class Source {
 public:
  virtual ~Source() = default;

  // Return the next messages, at most some hundred; none where none came for so long.
  virtual Result<std::vector<Incoming>> take(Duration limit) = 0;

  // All that was taken is kept elsewhere now, and does not come again.
  virtual Status acknowledge() = 0;

  // Put the message where people look for what nobody could read; it is there when this returns.
  virtual Status put_aside(const Incoming& message, const std::string& reason) = 0;

  // Tell whether nothing more will ever come; whether messages come at all, or why not.
  virtual bool is_over() const = 0;
  virtual std::string trouble() const = 0;  // "": none
};

// Return a source of JSON lines as `kcat -J` prints them: {"topic": ..., "payload": TEXT} - or the message
// itself as an object, `value` for `payload` -, with "partition", "offset" and "ts" where they are known. The
// file is `-` for standard input. What cannot be read goes to `aside` in such lines, each with an `error`.
// Each start reads the file from its beginning: tests that are known are not begun again.
Result<std::unique_ptr<Source>> file_source(const std::string& file, const fs::Path& aside);

// Return a source that reads the topics of Kafka as one of a group of consumers. What cannot be read goes to
// the dead-letter topic, its first 256 KiB, with the headers error, topic, partition, offset and size.
Result<std::unique_ptr<Source>> kafka_source(const config::WorkerSettings& settings);

}  // namespace gate::worker
