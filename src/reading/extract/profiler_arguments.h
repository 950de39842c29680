// What Megatron-LM and its relatives print of their profiler among their arguments, before they train:
//
//     profile ......................................... True
//     profile_step_end ................................ 12
//     profile_step_start .............................. 10
//
// Their profilers do not count alike. With `--profile-step-start S --profile-step-end E`, printed steps being
// counted from 1 and S and E from 0, there run: CUDA's, told to start and stop by the training loop, in steps
// S + 1 to E; PyTorch's in S to E - 1, warming up in S - 1 and writing its trace in E; torch_npu's of
// MindSpeed-LLM in S + 1 to E, writing it in E + 1. So S - 1 to E + 1 are taken, whichever it is (decision
// 54). CUDA's counts steps of the training, the other two those since the start of the process: after a
// checkpoint both are taken. Where E is not behind S, CUDA's is never stopped.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gate/model/numbers/profiled.h"
#include "gate/model/runs/extraction.h"

namespace gate::extract {

class ProfilerArguments {
 public:
  // One of these stands in each line that read() wants.
  static std::span<const std::string_view> literals();

  // Take a line of the log. Several processes and several starts may print their arguments; where they do not
  // say the same, or what they say is no number, the profiler may have run from the first step told on.
  void read(std::string_view line);

  // Tell whether a profiler runs, or will. False where no steps are told.
  bool is_on() const { return is_on_ && (start_ || end_); }

  // Put into the extraction, whose series are in it, which of its steps were profiled, and a note on them.
  void tell(Extraction& extraction) const;

 private:
  void read_bound(std::string_view word, std::optional<std::int64_t>& bound, bool is_start);
  ProfiledSteps steps_after(std::int64_t before) const;
  Sentence words(const ProfiledSteps& steps) const;

  bool is_on_ = false;
  bool is_in_doubt_ = false;
  std::optional<std::int64_t> start_, end_;
};

}  // namespace gate::extract
