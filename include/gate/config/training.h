// What a case trains, by its settings and by the flags of its script.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gate/config/policy.h"
#include "gate/config/training_flags.h"
#include "gate/model/numbers/performance.h"

namespace gate::config {

// Return what the training of the case turns on, as its text and its variables on the platform ("" is not
// known) tell.
TrainingFlags training_flags(const Case& spec, const std::string& platform);

// Return which models of Megatron-LM it has, `Mcore` or `Legacy`: what `model.implementation` says, whatever
// it is, else what --use-mcore-models and --use-legacy-models say, else a part of the script's path that is
// called so; "" where nothing tells it.
std::string implementation_of(const Case& spec, const TrainingFlags& flags);

// Return the type of number that it computes in: what `model.precision` says, whatever it is, else `FP8`,
// `BF16` or `FP16` by its flags; "" where none of them is on, for what it computes in then is not told.
std::string precision_of(const Case& spec, const TrainingFlags& flags);

// Return what the flags of the script tell of a profiler; nothing where --profile does not stand there for
// sure.
std::optional<extract::ProfilerFlags> profiler_flags(const Case& spec, const std::string& platform);

// Return the tokens of a sample on the platform; nothing where the script does not tell them.
std::optional<std::int64_t> sequence_length_on(const Case& spec, const std::string& platform);

// Return the model that a script's path tells: the folder below `benchmarks`, `examples` or `test_cases`, and
// not below `mcore` or `legacy` there; "" where there is none: `bert` of
// `training/benchmarks/bert/pytorch/run_pretraining.py`.
std::string model_in_path(std::string_view script);

// Return what the case trains on the platform: what its settings say, else what its script tells.
TrainingShape training_shape(const Case& spec, const std::string& platform);

// Return why what the case's script ends with says nothing of its training: its text drops that, or it is
// FlagPerf's starter; "" where it tells, or nobody knows.
Sentence dropped_exit(const Case& spec);

// Return the file that the text of the case's script sends a program's whole output to: `logs/$NAME.log` of
// `python train.py > logs/$NAME.log 2>&1`; "" where it sends none to a file.
std::string redirected_to(const Case& spec);

// Return what is on and Legacy models do not have, of a case that has them: `--context-parallel-size 2: ...`.
std::vector<Sentence> mcore_only_in_legacy(const Case& spec, const std::vector<Feature>& features,
                                           const TrainingFlags& flags);

}  // namespace gate::config
