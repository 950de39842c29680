// What a suite guards: which features of trainings its cases use, and what of them is judged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/base/time.h"

namespace gate {

// A feature that a case may use: nobody can tell it from the script.
struct UntoldFeature {
  Sentence title;
  std::string text;  // `--tensor-model-parallel-size $TP`
};

// Where a case stands in the list: `ST/Pretrain/TP`. "": not said.
struct GuardPlace {
  std::string tests, module, submodule;
};

// A case in the list of what is guarded.
struct GuardRow {
  std::string name;
  std::vector<GuardPlace> places = {};  // one or more
  std::string script = {};
  std::vector<Sentence> features = {};       // that are on, by their titles
  std::vector<UntoldFeature> not_told = {};  // whose flag stands in the script
  std::vector<Sentence> lacking =
      {};                 // what is on, and its models do not have: `--use-x: the Legacy models ...`
  Sentence further = {};  // what may bring flags that do not stand there: `$EXTRA_ARGS`; "": nothing
  bool accuracy = false, speed = false, memory = false;  // a rule that is on, with what it needs
  Sentence other = {};  // what is judged in the place of metrics: `tests`, `exit`; "": nothing
  Sentence ungated =
      {};               // why the case gates nothing, whatever its rules: `quarantine until ...`; "": it does
  Duration duration{};  // of a run, from the history; zero: unknown
  std::optional<Duration> device_time = {};  // that run's, times its devices; none: unknown

  // Tell whether a regression in what it uses may turn it red.
  bool guards() const { return ungated.empty() && (accuracy || speed || memory || !other.empty()); }
};

// A feature, and the cases that are told to use it; by their names.
struct GuardedFeature {
  Sentence title, group;
  std::string flags;  // `--use-mc2`, by commas
  std::vector<std::string> used_by = {};
  std::vector<std::string> guarded_by = {};  // of these, those that guard
  std::vector<std::string> perhaps = {};     // its flag stands in their scripts, which do not tell more
};

struct GuardList {
  std::vector<GuardRow> rows;
  std::vector<GuardedFeature> features;  // all that are known, in the order of their table
  std::vector<std::string>
      redundant;  // cases that could go, one after the other: what each uses another one guards as it does
  std::int64_t without_duration = 0;  // cases whose duration is unknown
  Duration device_time{};             // of all cases whose device time is known
};

}  // namespace gate
