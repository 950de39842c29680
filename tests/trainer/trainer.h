// Training: the loop of one rank, and all ranks together.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "trainer/checkpoint.h"
#include "trainer/collective.h"
#include "trainer/exit_signal.h"
#include "trainer/log_lines.h"
#include "trainer/model.h"
#include "trainer/optimizer.h"
#include "trainer/options.h"
#include "trainer/pool.h"
#include "trainer/text.h"

namespace tinygpt {

// One rank. Rank 0 prints how training starts and ends and what becomes of checkpoints, the last rank
// iterations and validation, each rank its memory after the first two iterations; all lines of a step are
// written before any rank begins the next.
class Trainer {
 public:
  // The log goes to the file descriptor `log`. The collective outlives the trainer, and so does the signal,
  // which with --save-on-term is one.
  Trainer(const Options& options, const ModelShape& shape, int rank, Collective& collective, int log,
          const ExitSignal* exit_signal = nullptr);

  // Train to the end; return the rank's exit code. Throws std::runtime_error for --crash-at and for a
  // checkpoint that cannot be loaded or saved.
  int run();

 private:
  // What came of one step; the same on all ranks.
  struct Step {
    double rate = 0;
    double loss = 0;
    double grad_norm = 0;
    bool skipped = false;
  };

  void announce_model();
  void resume();
  int load();
  void announce_training();
  void fail_before(int step);
  Step train(int step);
  double average_gradients(int step);
  void leak();
  void report(int step, const Step& result);
  IterationRecord record(int step, const Step& result);
  bool shall_exit();
  void save(int step);
  void finish();
  double validate();

  CheckpointParts parts();
  Batch share_of(int step) const;
  bool is_first() const { return rank_ == 0; }
  bool is_last() const { return rank_ == options_.world() - 1; }
  int global_batch() const;
  void print(const std::string& line) const { write_line(log_, line); }

  const Options options_;
  const int rank_;
  Collective& collective_;
  const int log_;
  const ExitSignal* const exit_signal_;
  Text text_;
  Pool pool_;
  Model<float> model_;
  AdamW<float> optimizer_;
  std::vector<Tensor<std::byte>> leaked_;
  int resumed_ = 0;  // the step of the checkpoint that was loaded
  int saved_ = 0;    // of the one that was saved last
  std::chrono::steady_clock::time_point step_began_;
};

// Train on all ranks of this node, together with the other nodes, and return the program's exit code: 0, or 1
// when a rank failed or a node was lost. Throws std::system_error when the ranks cannot be started, and
// std::runtime_error when the nodes do not come together.
int train(const Options& options, const ModelShape& shape, int log);

}  // namespace tinygpt
