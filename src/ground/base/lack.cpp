#include "gate/base/lack.h"

#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#ifdef __GLIBC__
#include <execinfo.h>
#endif

namespace gate {

namespace {

std::atomic<const char*> lacking_program = "gate";
std::atomic<int> lack_code = 125;

// A thread may still run that is taken down by what was thrown: then it cannot be asked what that is.
void end_lacking() {
  const std::exception_ptr thrown = std::current_exception();
  if (!thrown && std::uncaught_exceptions() == 0) std::abort();
  try {
    if (thrown) std::rethrow_exception(thrown);
    throw std::bad_alloc();
  } catch (const std::exception& error) {
    tell_lack(error);
  }
  ::_exit(lack_code);
}

// Before the program's own objects are made. glibc loads what it unwinds its own frames with once that is
// needed, and aborts where it has no memory for it: here it is made to do so while there is some.
[[gnu::constructor(101)]] void watch_from_the_beginning() {
  std::set_terminate(end_lacking);
#ifdef __GLIBC__
  void* frame = nullptr;
  ::backtrace(&frame, 1);
#endif
}

iovec part_of(const char* text) { return {const_cast<char*>(text), std::strlen(text)}; }

}  // namespace

void name_lacking(const char* program) { lacking_program = program; }

void set_lack_code(int code) { lack_code = code; }

void tell_lack(const std::exception& error) {
  const bool is_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  const std::array parts{
      part_of(lacking_program),
      part_of(is_memory ? ": no memory is left" : ": the system does not give what is needed: "),
      part_of(is_memory ? "" : error.what()),
      part_of("; raise the limit (ulimit -a, that of the container), or let less run at once; "
              "what was finished is kept\n")};
  [[maybe_unused]] const ssize_t written =
      ::writev(STDERR_FILENO, parts.data(), static_cast<int>(parts.size()));
}

}  // namespace gate
