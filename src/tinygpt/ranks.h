// The launcher: one process a rank.
#pragma once

#include <functional>

namespace tinygpt {

// Fork `ranks` processes, each of which does work(rank) and exits with what it returns. Return 0 when all
// have returned 0. As soon as one ends otherwise, kill the others, say so on standard error, and return 1:
// what a rank waits for in a collective will then never come. An exception in a rank is printed there in the
// manner of a traceback and ends it with 1. If the launcher dies, so do the ranks. Throws std::system_error
// if it cannot fork.
//
// The caller has no threads and no children of its own.
int run_ranks(int ranks, const std::function<int(int rank)>& work);

}  // namespace tinygpt
