#include "launch/fd.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace gate::launch {

namespace {

// Return the same file under a number that no script is given; the one given is closed.
Fd out_of_the_way(Fd fd) {
  if (fd.get() == ready_descriptor) return Fd(::fcntl(fd.get(), F_DUPFD_CLOEXEC, ready_descriptor + 1));
  if (!fd || fd.get() > STDERR_FILENO) return fd;
  return out_of_the_way(Fd(::fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1)));
}

}  // namespace

Result<Pipe> make_pipe(Reads reads) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail("cannot make a pipe: " + reason(errno));
  Fd low_read(ends[0]);
  Fd low_write(ends[1]);
  Pipe pipe{out_of_the_way(std::move(low_read)), out_of_the_way(std::move(low_write))};
  if (!pipe.read || !pipe.write) return fail("cannot make a pipe: " + reason(errno));
  if (reads == Reads::at_once) ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK);
  return pipe;
}

Result<Fd> open_null() {
  Fd null = out_of_the_way(Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
  if (!null) return fail("cannot open /dev/null: " + reason(errno));
  return null;
}

std::string reason(int error) { return std::generic_category().message(error); }

}  // namespace gate::launch
