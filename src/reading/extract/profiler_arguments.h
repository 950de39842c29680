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
//
// A log without these lines, as of a script that prints some of it, is taken by the script's flags.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gate/extract/extractor.h"
#include "gate/model/numbers/profiled.h"
#include "gate/model/runs/extraction.h"

namespace gate::extract {

class ProfilerArguments {
 public:
  explicit ProfilerArguments(const std::optional<ProfilerFlags>& flags);

  // One of these stands in each line that read() wants.
  static std::span<const std::string_view> literals();

  // Take a line of the log. Several processes and several starts may print their arguments; where they do not
  // say the same, or what they say is no number, the profiler may have run from the first step told on.
  void read(std::string_view line);

  // Tell whether a profiler runs, or will. False where a log tells no steps.
  bool is_on() const { return told().is_on && (has_steps() || !is_in_log_); }

  // Put into the extraction, whose series are in it, which of its steps were profiled, and a note on them.
  void tell(Extraction& extraction) const;

 private:
  struct Told {
    bool is_on = false;
    bool is_in_doubt = false;
    std::optional<std::int64_t> start = {}, end = {};

    void read_bound(std::string_view word, std::optional<std::int64_t>& bound, bool is_start);
    ProfiledSteps steps_after(std::int64_t before) const;
  };

  bool has_steps() const { return told().start || told().end; }
  const Told& told() const { return is_in_log_ ? by_log_ : by_flags_; }
  Sentence words(const ProfiledSteps& steps) const;

  bool is_in_log_ = false;  // it prints the argument `profile`, whatever its value
  Told by_log_, by_flags_;
};

}  // namespace gate::extract
