// What one gate has on this host: its scripts and leases, and the connection through which it asks for them.
#pragma once

#include <string>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/base/time.h"

namespace gate::agent {

// A listening socket in a folder of the session's own. Its path may be longer than a socket's address.
Result<int> listen_in(const std::string& folder);

// Return a socket that is connected to it; nothing where nobody listens there.
Result<int> connect_to(const std::string& folder);

// Serve the gate that connects to the listening socket, in a folder that goes with the session; a later
// connection takes the place of the one before.
// Returns when it says goodbye, TERM comes, or it has not been heard for that long: with nothing left of what
// it started.
void serve(int listening, const fs::Path& folder, Duration lost_after);

}  // namespace gate::agent
