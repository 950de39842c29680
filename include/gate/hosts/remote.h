// What a host behind a link does for gate, as launch and devices do it for the host that gate runs on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gate/devices/leases.h"
#include "gate/hosts/link.h"
#include "gate/launch/process.h"
#include "gate/model/runs/tool_answer.h"

namespace gate::hosts {

// Return the command as a process of the host. Time in which the host could not be heard counts for no limit.
// If the host is lost, the outcome is Vanished; what runs there is ended by its agent. The link must outlive
// it. The cut is that of what is asked of it.
std::unique_ptr<launch::Process> remote_process(Link& link, launch::Command command, Cut cut = {});

// As launch::ask_tool().
ToolAnswer ask_tool(Link& link, const std::vector<std::string>& words, Duration limit, const Cut& cut);

// The leases of the host. While it cannot be heard nothing can be taken. The link must outlive them.
// The cut is that of each question to them.
std::unique_ptr<devices::Leases> leases_of(Link& link, const Cut& cut);

// As devices::is_free(). Fails where the host cannot be asked.
Result<bool> is_port_free(Link& link, int port, const Cut& cut);

// Tell whether the path is there. Fails likewise.
Result<bool> exists(Link& link, const std::string& path, const Cut& cut);

}  // namespace gate::hosts
