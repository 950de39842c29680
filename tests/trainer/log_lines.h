// What is printed: the lines of Megatron-LM core 0.16, so that its readers read these.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "trainer/pool.h"

namespace tinygpt {

using Time = std::chrono::system_clock::time_point;

// What one iteration line says. Counts are those of this iteration.
struct IterationRecord {
  Time time;
  int iteration = 0;
  int iterations = 0;
  std::int64_t consumed_samples = 0;
  double elapsed_ms = 0;
  double tflops = 0;  // a rank, in 10^12 operations a second
  double learning_rate = 0;
  int global_batch = 0;
  double loss = 0;  // mean over the ranks, nats a token
  double grad_norm = 0;
  int skipped = 0;
  int nan = 0;
};

// Return the line without its end. As in Megatron-LM the field `lm loss` is left out when the loss is NaN,
// while the line and `grad norm: nan` stay.
//
// Two fields have more decimals than there, where they have one: a step here takes milliseconds and does a
// few thousandths of a TFLOP/s, of which one decimal would hide any change below a half.
std::string iteration_line(const IterationRecord& record);

// Return `[Rank R] (after N iterations) memory (MB) | allocated: ...`; MB are 2^20 bytes, as there.
std::string memory_line(int rank, int iterations, const MemoryStatus& memory);

// Return the loss on text held out of training and e^loss, its perplexity.
std::string validation_line(int iteration, double loss);

// Return `[what] datetime: 2026-03-26 17:15:53.603950 `.
std::string datetime_line(std::string_view what, Time time);

// Return `saving checkpoint at iteration      20 to FOLDER`, and what follows when it is saved.
std::string saving_line(int iteration, std::string_view folder);
std::string saved_line(int iteration, std::string_view folder);

// Return ` loading checkpoint from FOLDER at iteration 20`, and what follows when it is loaded.
std::string loading_line(int iteration, std::string_view folder);
std::string loaded_line(int iteration, std::string_view folder);

// Return both lines about a tracker that is not there, without the last end.
std::string nothing_to_load(std::string_view tracker);

// Return local time to the microsecond: `2026-03-26 17:15:53.603950`.
std::string timestamp(Time time);

// Write the line and its end with one write(2), so that the lines of several ranks never mix (POSIX promises
// it for pipes up to 4096 bytes). Throws std::system_error: a training whose log is lost has failed.
void write_line(int fd, std::string line);

}  // namespace tinygpt
