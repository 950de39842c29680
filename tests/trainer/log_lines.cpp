#include "trainer/log_lines.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <system_error>

#include "trainer/maths.h"

namespace tinygpt {
namespace {

// printf into a string of at most 511 characters.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...) {
  std::array<char, 512> buffer;
  va_list values;
  va_start(values, pattern);
  std::vsnprintf(buffer.data(), buffer.size(), pattern, values);
  va_end(values);
  return buffer.data();
}

// C prints the sign of NaN, Python and so Megatron-LM do not.
std::string norm_word(double norm) { return std::isnan(norm) ? "nan" : format("%.3f", norm); }

double mebibytes(std::size_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

}  // namespace

std::string iteration_line(const IterationRecord& r) {
  std::string line =
      " [" + timestamp(r.time) + "]" + format(" iteration %8d/%8d |", r.iteration, r.iterations);
  line += format(" consumed samples: %12lld |", static_cast<long long>(r.consumed_samples));
  line += format(" elapsed time per iteration (ms): %.3f |", r.elapsed_ms);
  line += format(" throughput per GPU (TFLOP/s/GPU): %.6f |", r.tflops);
  line += format(" learning rate: %.6E | global batch size: %5d |", r.learning_rate, r.global_batch);
  if (!std::isnan(r.loss)) line += format(" lm loss: %.6E |", r.loss);
  line += " loss scale: 1.0 | grad norm: " + norm_word(r.grad_norm) + " |";
  return line +
         format(" number of skipped iterations: %3d | number of nan iterations: %3d |", r.skipped, r.nan);
}

std::string memory_line(int rank, int iterations, const MemoryStatus& m) {
  return format("[Rank %d] (after %d iterations) memory (MB)", rank, iterations) +
         format(" | allocated: %.2f | max allocated: %.2f", mebibytes(m.allocated),
                mebibytes(m.max_allocated)) +
         format(" | reserved: %.2f | max reserved: %.2f", mebibytes(m.reserved), mebibytes(m.max_reserved));
}

std::string validation_line(int iteration, double loss) {
  return format(" validation loss at iteration %d | lm loss value: %.6E | lm loss PPL: %.6E |", iteration,
                loss, exp_of(loss));
}

std::string datetime_line(std::string_view what, Time time) {
  return std::string("[").append(what).append("] datetime: ") + timestamp(time) + " ";
}

std::string saving_line(int iteration, std::string_view folder) {
  return format("saving checkpoint at iteration %7d to ", iteration).append(folder);
}

std::string saved_line(int iteration, std::string_view folder) {
  return format("  successfully saved checkpoint from iteration %7d to ", iteration).append(folder);
}

std::string loading_line(int iteration, std::string_view folder) {
  return std::string(" loading checkpoint from ").append(folder) + format(" at iteration %d", iteration);
}

std::string loaded_line(int iteration, std::string_view folder) {
  return std::string("  successfully loaded checkpoint from ").append(folder) +
         format(" [ t 0, p 0 ] at iteration %d", iteration);
}

std::string nothing_to_load(std::string_view tracker) {
  return std::string("WARNING: could not find the metadata file ").append(tracker) +
         " \n    will not load any checkpoints and will start from random";
}

std::string timestamp(Time time) {
  const auto since = std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
  const std::time_t seconds = since / 1'000'000;
  std::tm parts{};
  localtime_r(&seconds, &parts);
  std::array<char, 32> buffer;
  std::strftime(buffer.data(), buffer.size(), "%Y-%m-%d %H:%M:%S", &parts);
  return buffer.data() + format(".%06d", static_cast<int>(since % 1'000'000));
}

void write_line(int fd, std::string line) {
  line += '\n';
  for (std::string_view left = line; !left.empty();) {
    const ssize_t written = write(fd, left.data(), left.size());
    if (written >= 0)
      left.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "cannot write the log");
  }
}

}  // namespace tinygpt
