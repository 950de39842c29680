// A program that is asked once, as the vendors' tools for devices are.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gate/base/cut.h"
#include "gate/base/time.h"
#include "gate/model/runs/tool_answer.h"

namespace gate::launch {

// Start the program, in a session of its own and with stdin /dev/null, and wait for its end; what is left of
// it after the limit is killed. Of each of its two outputs the first bytes are kept, `most_kept` of them.
// Never waits for a process that KILL does not end.
ToolAnswer ask_tool(const std::vector<std::string>& words, Duration limit,
                    std::size_t most_kept = std::size_t{4} << 20);

// The same; it is waited for as long as the cut says.
ToolAnswer ask_tool(const std::vector<std::string>& words, const Cut& cut,
                    std::size_t most_kept = std::size_t{4} << 20);

}  // namespace gate::launch
