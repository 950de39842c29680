// The known messages of a log, bounded in memory: of each the first line, and how many there were.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/messages/message_search.h"
#include "extract/messages/tracebacks.h"
#include "extract/records/record.h"
#include "gate/model/runs/extraction.h"

namespace gate::extract {

class MessageLog {
 public:
  // Tells of a line by which memory is missing whether others hold it.
  using IsHeldByOthers = std::function<bool(std::string_view line)>;

  explicit MessageLog(IsHeldByOthers is_held_by_others = nullptr)
      : is_held_by_others_(std::move(is_held_by_others)) {}

  // Read a line that no format took as a record. Return the row of one that says that the run failed, else
  // nullptr.
  const MessageRow* read(const CleanLine& line);

  // Tell whether a traceback is open, for which each further line matters; else a line without any literal of
  // a message changes nothing.
  bool has_pending() const { return !tracebacks_.empty(); }

  void end_file() { tracebacks_.clear(); }

  // Forget all that was said.
  void clear() {
    end_file();
    messages_.clear();
    process_ends_.clear();
  }

  // Hand over the messages in the order of their first lines.
  void move_into(Extraction& extraction);

 private:
  struct LoggedMessage {
    LinePlace place, last;
    KnownMessage message;
    bool is_code = false;  // a traceback quotes it, and says later what came of it
    std::string shape;     // of a script's own error: the line without its numbers
  };

  // Drop what a script said of errors more than once, and all but the first that it said once.
  void settle_own_errors();

  // Count the message, and keep the line if it is the first one of its row that is no code.
  void add(const FoundMessage& found, const CleanLine& line);

  IsHeldByOthers is_held_by_others_;
  Tracebacks tracebacks_;
  std::vector<LoggedMessage> messages_;
  std::map<std::size_t, ProcessEnd> process_ends_;  // by file
};

}  // namespace gate::extract
