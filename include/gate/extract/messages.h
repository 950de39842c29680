// The messages that gate knows, as a table: what frameworks, devices and the system print when a run fails.
// A row carries its own specimens; `check_messages` runs them all. Adding a message is a row.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/model/known_message.h"

namespace gate::extract {

struct MessageRow {
  std::string_view name;
  MessageClass kind = MessageClass::crashed;
  MessageWeight weight = MessageWeight::root;
  std::string_view what;                      // one line: what it means
  std::string_view advice;                    // what to do
  std::array<std::string_view, 5> literals;   // one of them stands in every such line; "" is none
  std::string_view pattern;                   // RE2; the first group that matched is the detail after `what`
  std::array<std::string_view, 5> specimens;  // logs of one or more lines for which this row is chosen
};

// Return all rows in the order of the manual. Of rows that match the same line the heaviest counts, and of
// these the first.
std::span<const MessageRow> messages();

// Return what is wrong with the table, one line each; empty when all is well: a specimen for which another
// row or none is chosen, a row or a required literal that no specimen exercises, a pattern that is none, and
// a look-alike, an ordinary line of a healthy log, that is taken for a message.
std::vector<std::string> check_messages();

}  // namespace gate::extract
