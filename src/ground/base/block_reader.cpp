// Blocks lie at fixed places of the file and go through a ring of slots: block b is slot b mod n. Whoever has
// nothing better to do, a helper or the caller who waits for the next block, claims the first block that
// nobody has and prepares it, as long as its slot is free. The caller alone takes blocks, which frees their
// slots.
#include "gate/base/block_reader.h"

#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace gate {

namespace {

struct Slot {
  std::string bytes = {};
  std::size_t size = 0;
  int error = 0;
  bool ready = false;  // prepared, and not yet taken
};

class Ring {
 public:
  Ring(int file, std::uintmax_t from, std::size_t threads, const BlockHands& hands)
      : file_(file), from_(from), hands_(hands), slots_(block_slots(threads)) {
    try {
      for (std::size_t i = 1; i < threads; ++i) helpers_.emplace_back([this] { help(); });
    } catch (const std::system_error&) {  // no more threads are to be had
    }
  }
  ~Ring() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
  }

  // Take all blocks. Returns the error of the one that could not be read, or 0.
  int take_all() {
    for (;; ++taken_) {
      Slot& slot = slots_[taken_ % slots_.size()];
      wait_for(slot);
      if (slot.error != 0) return slot.error;
      if (slot.size > 0)
        hands_.take(taken_ % slots_.size(), std::string_view(slot.bytes).substr(0, slot.size));
      if (slot.size < block_size) return 0;
      free(slot);
    }
  }

 private:
  bool may_claim() const { return claimed_ - freed_ < slots_.size(); }

  void help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return over_ || may_claim(); });
      if (over_) return;
      prepare_next(lock);
    }
  }

  void wait_for(Slot& slot) {
    std::unique_lock lock(mutex_);
    while (!slot.ready) {
      if (may_claim())
        prepare_next(lock);
      else
        changed_.wait(lock);
    }
  }

  void free(Slot& slot) {
    {
      const std::lock_guard lock(mutex_);
      slot.ready = false;
      ++freed_;
    }
    changed_.notify_all();
  }

  void prepare_next(std::unique_lock<std::mutex>& lock) {
    const std::size_t block = claimed_++;
    lock.unlock();
    Slot& slot = slots_[block % slots_.size()];
    read(from_ + block * block_size, slot);
    if (slot.size > 0)
      hands_.prepare(block % slots_.size(), std::string_view(slot.bytes).substr(0, slot.size));
    lock.lock();
    slot.ready = true;
    changed_.notify_all();
  }

  void read(std::uintmax_t at, Slot& slot) const {
    slot.bytes.resize(block_size);
    slot.size = 0;
    while (slot.size < block_size) {
      const ssize_t count = ::pread(file_, slot.bytes.data() + slot.size, block_size - slot.size,
                                    static_cast<off_t>(at + slot.size));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) slot.error = errno;
      if (count <= 0) return;
      slot.size += static_cast<std::size_t>(count);
    }
  }

  int file_;
  std::uintmax_t from_;
  const BlockHands& hands_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Slot> slots_;
  std::size_t claimed_ = 0;  // blocks, from the first one on
  std::size_t freed_ = 0;
  std::size_t taken_ = 0;  // the caller's own
  bool over_ = false;
  std::vector<std::thread> helpers_;
};

Error cannot_read(const fs::Path& path, int error) {
  return {path.string() + ": cannot read: " + std::strerror(error)};
}

}  // namespace

Status read_blocks_ahead(const fs::Path& path, std::uintmax_t from, std::size_t threads,
                         const BlockHands& hands) {
  GATE_TRY(const Fd file, fs::open_to_read(path));
  const int error = Ring(file.get(), from, threads, hands).take_all();
  if (error != 0) return tl::unexpected(cannot_read(path, error));
  return {};
}

}  // namespace gate
