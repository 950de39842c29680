// Three cases that died alike before their first step: the host or the checkout is broken, and the rest of
// the suite would only die in the same way.
#pragma once

#include <optional>
#include <string>

#include "gate/model/report.h"

namespace gate::app {

class EarlyDeathBreaker {
 public:
  // Take note of a case that has ended. What it died of is its cause, else its last words.
  void see(const CaseReport& report);

  // Return why no further case should start; nothing while there is no reason.
  std::optional<std::string> why_stop() const;

 private:
  std::optional<std::string> death_;  // of the last case; none where it did not die early
  int count_ = 0;
};

}  // namespace gate::app
