// A program that is asked once, as the vendors' tools for devices are.
#pragma once

#include <string>
#include <vector>

#include "gate/base/time.h"
#include "gate/model/tool_answer.h"

namespace gate::launch {

// Start the program, in a session of its own and with stdin /dev/null, and wait for its end; what is left of
// it after the limit is killed. Of each of its two outputs the first 4 MiB are kept. Never waits for a
// process that KILL does not end.
ToolAnswer ask_tool(const std::vector<std::string>& words, Duration limit);

}  // namespace gate::launch
