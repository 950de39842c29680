// Three cases that died alike before their first step: the host or the checkout is broken, and the rest of
// the suite would only die in the same way.
#pragma once

#include <string>

#include "gate/model/report.h"

namespace gate::app {

class DeathStreak {
 public:
  // Take note of a case that has ended. What it died of is its cause, else its last words.
  void see(const CaseReport& report);

  // Return why no further case should start, "" while there is no reason.
  std::string verdict() const;

 private:
  std::string death_;  // of the last case, "" where it did not die early
  int count_ = 0;
};

}  // namespace gate::app
