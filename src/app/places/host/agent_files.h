// The agents that gate brings with it: one for each architecture that hosts may have.
#pragma once

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/hosts/ssh.h"

namespace gate::app {

// Return those that lie beside gate, or where packages have them. Read once.
const hosts::AgentFiles& agent_files();

// Put them where the nodes of an engine find them, which see the suite's files. Returns the folder, whose
// name says what is in it.
Result<fs::Path> put_agents(const fs::Path& suite);

}  // namespace gate::app
