// TCP ports of this host.
#pragma once

namespace gate::devices {

// Tell whether a server could listen on the port now, on any address.
bool is_free(int port);

}  // namespace gate::devices
