// Which known message a line is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/extract/messages.h"

namespace gate::extract {

struct FoundMessage {
  const MessageRow* row = nullptr;
  std::size_t begin = 0;  // where the match begins in the line
  Sentence what;          // the row's words, and the detail that the line names
};

// Return the required literals of all rows.
std::vector<std::string_view> message_literals();

// Tell whether the line is program text: logs that print their own source hold what it would say of failures.
bool is_program_text(std::string_view line);

// Tell whether a launcher says in the line that a process of its job ended with an exit code other than 0, or
// by a signal. The line must be a message.
bool tells_process_end(std::string_view line);

// Tell whether the message is a word of a shell, a launcher or the kernel for a process that a signal ended,
// none by which somebody asks it to end: `run.sh: line 3: 41 Killed`, `exitcode: -9`. Nothing handles that.
bool tells_death(std::string_view line);

// Return the message that the line is; it must hold a required literal of it. A line that calls itself a
// warning or less is none unless a launcher says in it that it ends its processes, and so is a match that
// begins at `own` or later: it is the next piece's.
std::optional<FoundMessage> find_message(std::string_view line, std::size_t own);

}  // namespace gate::extract
