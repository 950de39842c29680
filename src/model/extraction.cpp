#include "gate/model/extraction.h"

#include <array>

namespace gate {

std::string_view to_string(ProblemKind kind) {
  constexpr std::array names{"left_out",   "not_finite", "skipped",  "duplicate", "conflict",
                             "restart",    "merged",     "torn",     "malformed", "ambiguous",
                             "unreadable", "message",    "leftover", "other"};
  return names.at(static_cast<std::size_t>(kind));
}

}  // namespace gate
