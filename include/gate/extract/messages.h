// The messages that gate knows, as a table: what frameworks, devices and the system print when a run fails.
// Adding a message is a row, and its specimens for the tests.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "gate/base/sentence.h"
#include "gate/model/runs/known_message.h"

namespace gate::extract {

// Who says it: the run, of what failed; or somebody tells the run to end: its scheduler, a signal.
enum class Said : std::uint8_t { by_run, to_run };

// Whether the training may go on in place behind it, and compute its step again: where a framework repairs
// such failures, or because the line is that framework's word, which it calls a warning.
enum class Repair : std::uint8_t { none, possible, told };

struct MessageRow {
  std::string_view name;
  MessageClass kind = MessageClass::crashed;
  MessageWeight weight = MessageWeight::root;
  TableText what;                            // one line: what it means
  TableText advice;                          // what to do
  std::array<std::string_view, 5> literals;  // one of them stands in every such line; "" is none
  std::string_view pattern;                  // RE2; the first group that matched is the detail after `what`
  Said said = Said::by_run;
  Repair repair = Repair::none;
};

// Return all rows in the order of the manual. Of rows that match the same line the heaviest counts, and of
// these the first.
std::span<const MessageRow> messages();

}  // namespace gate::extract
