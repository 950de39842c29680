#include "trainer/exit_signal.h"

#include <sys/mman.h>

#include <cerrno>
#include <new>
#include <system_error>

namespace tinygpt {
namespace {

static_assert(std::atomic<bool>::is_always_lock_free);  // or no handler might set it

std::atomic<bool>* told = nullptr;  // what the handler sets

std::atomic<bool>* shared_flag() {
  void* const memory =
      mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(), "memory shared by the ranks");
  return new (memory) std::atomic<bool>(false);
}

}  // namespace

ExitSignal::ExitSignal() : come_(shared_flag()) {
  told = come_;
  struct sigaction tells {};
  tells.sa_handler = [](int) { told->store(true); };
  tells.sa_flags = SA_RESTART;
  sigaction(SIGTERM, &tells, &action_before_);
}

ExitSignal::~ExitSignal() {
  sigaction(SIGTERM, &action_before_, nullptr);
  told = nullptr;
  munmap(come_, sizeof *come_);
}

}  // namespace tinygpt
