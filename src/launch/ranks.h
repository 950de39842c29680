// Which processes of a tree are those of a rank of the training.
//
// Launchers tell ranks by variables of their environment, torchrun by RANK. The first variable of the table
// that any process of the tree has decides for all: where it says RANK, nobody asks LOCAL_RANK. What a rank
// starts inherits the variable, and is of the rank. A launcher may have it, too, as the node of a job: what
// has a process of another rank below it is none.
#pragma once

#include <string>
#include <vector>

#include "launch/proc.h"

namespace gate::launch {

// A process of a tree, with the content of its /proc/PID/environ.
struct RankedProcess {
  ProcEntry process;
  std::string environ;
};

// Return the processes of the rank, in the tree's order; none where no variable tells any, or none is of it.
std::vector<ProcEntry> of_rank(const std::vector<RankedProcess>& tree, int rank);

}  // namespace gate::launch
