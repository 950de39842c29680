// Who holds a device's memory, by what a process says that found none left.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gate::extract {

// Return the processes that the line says hold memory, but for the one that says it: `Process 4242 has 70.00
// GiB memory in use.` In a container a process does not find itself among them, and calls itself by a number
// that is another one there: so where it is not told apart, only those count that hold far more than the
// speaker says to have allocated.
std::vector<std::int64_t> memory_holders(std::string_view line);

}  // namespace gate::extract
