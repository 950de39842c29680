// A case that does not gate for a while: it runs and keeps its verdict, which is not in the exit code.
#pragma once

#include <string>

namespace gate {

struct Quarantine {
  std::string until;  // ISO date, inclusive
  std::string reason;
  std::string owner;
};

}  // namespace gate
