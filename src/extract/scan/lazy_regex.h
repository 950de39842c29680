// A regular expression that is compiled when it is first used, in any thread: those of all formats together
// would take half of a short run's time.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "extract/scan/pattern.h"

namespace gate::extract {

class LazyRegex {
 public:
  explicit LazyRegex(std::string_view pattern) : pattern_(pattern) {}

  const RE2& operator*() const {
    std::call_once(once_, [this] { regex_.emplace(pattern_, pattern_options()); });
    return *regex_;
  }

 private:
  std::string pattern_;
  mutable std::once_flag once_;
  mutable std::optional<RE2> regex_;
};

}  // namespace gate::extract
