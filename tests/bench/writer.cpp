#include "writer.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace bench {

void Writer::flush() {
  for (std::size_t done = 0; done < used_;) {
    const ssize_t wrote = write(STDOUT_FILENO, buffer_.data() + done, used_ - done);
    if (wrote < 0) {
      std::perror("bench_logs");
      std::_Exit(1);
    }
    done += static_cast<std::size_t>(wrote);
  }
  flushed_ += static_cast<std::int64_t>(used_);
  used_ = 0;
}

}  // namespace bench
