// A message of a framework, a device or the system that says why a run failed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gate/base/sentence.h"

namespace gate {

// Whose fault it is. `infra`: device lost, ECC or driver reset, host unreachable, scheduler failure.
// `crashed`: everything that a change of code can cause.
enum class MessageClass : std::uint8_t { crashed, infra };

std::string_view to_string(MessageClass name);
std::optional<MessageClass> parse_message_class(std::string_view name);

// How near a message is to the cause.
//   hint     may be harmless, or only says that something failed: `command not found`, a launcher's summary
//   symptom  a process says that it failed, or that others left it alone: a traceback, a collective time-out
//   root     what makes the others follow: out of memory, a missing module, a lost device
enum class MessageWeight : std::uint8_t { hint, symptom, root };

struct KnownMessage {
  std::string name;  // `cuda_out_of_memory`
  MessageClass kind = MessageClass::crashed;
  MessageWeight weight = MessageWeight::hint;
  Sentence what;     // one line for people: `a Python module is missing: No module named 'apex'`
  Sentence advice;   // what to do
  std::string text;  // the line where it first stood, printable and cut to a sane length
  std::string file;
  std::uint32_t line = 0;
  std::int64_t count = 0;       // lines that said it
  bool is_order = false;        // somebody tells the run to end, as a scheduler does
  bool is_passed_over = false;  // each time: of an exception of which Python says that it ends no process
  bool is_death = false;        // a shell, a launcher or the kernel says it of a process that a signal ended
  std::string last_file = {};   // where it stood last
  std::uint32_t last_line = 0;
};

// What a launcher says of a process of its job that ended badly, whatever the launcher then ends with.
struct ProcessEnd {
  std::string text;  // the line, printable and cut to a sane length
  std::string file;
  std::uint32_t line = 0;
};

// The row of a line by which a script says itself that something failed: `[ERROR] no data`.
inline constexpr std::string_view own_error_name = "own_error";

// Return the message that explains a failure best: the heaviest, and of these the first. Messages must be in
// the order of their lines. nullptr where there are none.
const KnownMessage* choose_cause(std::span<const KnownMessage> messages);

}  // namespace gate
