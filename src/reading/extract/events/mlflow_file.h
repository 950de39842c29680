// Files of MLflow's file store, `mlruns/EXPERIMENT/RUN/metrics/NAME`: each holds one metric of a run, a line
// for each value: the time in milliseconds since 1970, the value and the step; of a value of a data set its
// name and digest stand behind. The path tells the name: `metrics/train/loss` is `train/loss`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "extract/events/scalar_file.h"

namespace gate::extract {

// Tell whether a file that begins so is one of them: its first line is such a one, with a time of 12 to 14
// digits.
bool looks_like_mlflow(std::string_view head);

// Tell whether more of the file would tell it: the first line has not ended, and may be such a one.
bool may_become_mlflow(std::string_view head);

// Tell whether the path is one of a file below a folder `metrics`.
bool is_in_metrics_folder(std::string_view path);

class MlflowFile : public ScalarFile {
 public:
  MlflowFile(std::string_view path, Handlers handlers);

  void feed(std::string_view bytes) override;
  void finish() override;
  std::string_view run() const override { return run_; }

 private:
  void end_line();

  std::string
      run_;  // its folder; of a file that is below no folder `metrics` a word that is the same for all
  std::string name_;  // of the metric
  std::string line_;
  std::uint32_t number_ = 1;
  std::uint64_t offset_ = 0;  // where the line begins
  std::uint64_t size_ = 0;    // of the line, also where it is too long to be held
};

}  // namespace gate::extract
