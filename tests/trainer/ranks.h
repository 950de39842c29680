// The launcher: one process a rank.
#pragma once

#include <functional>

#include "trainer/nodes.h"

namespace tinygpt {

// Fork `ranks` processes, each of which does work(rank) and exits with what it returns. Return 0 when all
// have returned 0. As soon as one ends otherwise, kill the others, say so on standard error, and return 1:
// what a rank waits for in a collective will then never come. An exception in a rank is printed there in the
// manner of a traceback and ends it with 1. If the launcher dies, so do the ranks. Throws std::system_error
// if it cannot fork.
//
// With several nodes these are the ranks of this one, counted from own() * ranks on; a node that is lost ends
// them like a rank that fails, and 0 is returned when the ranks of all nodes have returned 0.
//
// The caller has no threads and no children of its own.
int run_ranks(int ranks, const std::function<int(int rank)>& work, Nodes* nodes = nullptr);

}  // namespace tinygpt
