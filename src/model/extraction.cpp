#include "gate/model/extraction.h"

#include <array>

namespace gate {

std::string_view to_string(ProblemKind kind) {
  constexpr std::array names{"left_out",   "not_finite", "skipped",  "duplicate", "conflict",
                             "restart",    "merged",     "torn",     "malformed", "ambiguous",
                             "unreadable", "message",    "leftover", "other"};
  return names.at(static_cast<std::size_t>(kind));
}

std::optional<ProblemKind> parse_problem_kind(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(ProblemKind::other); ++i)
    if (to_string(static_cast<ProblemKind>(i)) == name) return static_cast<ProblemKind>(i);
  return std::nullopt;
}

}  // namespace gate
