// Many small pieces of work, done by several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace gate {

// Return how many threads work at once where nobody says: one for each core, four at most.
std::size_t usual_threads();

// Return how many of them are worth starting for that many pieces, some hundred for each.
std::size_t worthwhile_threads(std::size_t pieces);

// Call work(i) for each i below `pieces`, in that many threads, the caller's among them: each once, in any
// order, several at once. Returns when all are done. `work` throws nothing.
void in_parallel(std::size_t pieces, std::size_t threads, const std::function<void(std::size_t)>& work);

}  // namespace gate
