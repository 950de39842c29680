#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "agent/session.h"
#include "gate/base/fs.h"

namespace gate::agent {

namespace {

constexpr const char* socket_name = "socket";
constexpr int most_waiting = 4;

tl::unexpected<Error> failed(const std::string& what) {
  return fail(what + ": " + std::generic_category().message(errno));
}

sockaddr_un address() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, socket_name);
  return address;
}

// A socket's address holds 107 bytes, so it is named from within its folder.
Result<int> open_in(const std::string& folder) {
  if (::chdir(folder.c_str()) != 0) return failed("cannot enter " + folder);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return failed("no socket is to be had");
  return socket;
}

}  // namespace

Result<int> listen_in(const std::string& folder) {
  GATE_TRY_STATUS(fs::make_folder(folder));
  GATE_TRY(const int socket, open_in(folder));
  const sockaddr_un at = address();
  ::unlink(socket_name);
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0 ||
      ::listen(socket, most_waiting) != 0)
    return failed("cannot listen in " + folder);
  return socket;
}

Result<int> connect_to(const std::string& folder) {
  GATE_TRY(const int socket, open_in(folder));
  const sockaddr_un at = address();
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) {
    ::close(socket);
    return failed("nobody listens in " + folder);
  }
  return socket;
}

}  // namespace gate::agent
