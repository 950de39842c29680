// Checkpoints: all that a training needs to go on as if it had never ended, in folders as Megatron-LM has
// them.
//
//   FOLDER/iter_0000020/mp_rank_00/model_optim_rng.pt    the checkpoint of step 20
//   FOLDER/latest_checkpointed_iteration.txt             the tracker: `20`, the step of the latest one
//
// One file serves all ranks, for they have parameters and optimizer alike and no rank has a state of its own:
// which samples it takes next follows from seed, step and rank, and no random number is drawn but for them.
// The file is a line of words, `tinygpt-checkpoint-1 step=20 seed=1234 ranks=2 ... optimizer=yes`, then the
// numbers as they lie in memory, then a checksum of all that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trainer/options.h"
#include "trainer/parameters.h"

namespace tinygpt {

// Where a training has its numbers: parameters first, then the optimizer's state.
using CheckpointParts = std::vector<std::span<std::byte>>;

// Return the path of the folder's tracker.
std::string tracker_in(const std::string& folder);

// Return the step of the folder's latest checkpoint, or nothing if there is no tracker. Throws
// std::runtime_error if the tracker cannot be read or holds no step.
std::optional<int> latest_step(const std::string& folder);

// Return the seed of the folder's latest checkpoint, or nothing if it has no tracker or its name is empty.
// Throws as the others do.
std::optional<std::uint64_t> saved_seed(const std::string& folder);

// Fill the parts from the checkpoint of that step in the folder options.load; those of the optimizer stay as
// they are where it was left out. Throws std::runtime_error, which names the file, if it cannot be read, is
// of another seed, shape or number of ranks, of a step after the last one, or damaged; the parts are as
// they were then.
void load_checkpoint(const Options& options, const ModelShape& shape, int step, const CheckpointParts& parts);

// Save the parts in the folder options.save, and then tell its tracker; the optimizer's with
// options.save_optim only. Whoever is killed meanwhile leaves the tracker as it was, and the checkpoint it
// names. Throws std::runtime_error, which names the file.
void save_checkpoint(const Options& options, const ModelShape& shape, int step, const CheckpointParts& parts);

}  // namespace tinygpt
