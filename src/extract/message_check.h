// Whether the table of messages does what its specimens say.
#pragma once

#include <string>
#include <vector>

#include "gate/extract/messages.h"

namespace gate::extract {

// Return what is wrong with one row, one line each.
std::vector<std::string> check_message(const MessageRow& row);

// Return what is wrong where the line must not be taken for a message, one line each.
std::vector<std::string> check_look_alike(std::string_view line);

}  // namespace gate::extract
