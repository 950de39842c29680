// `gate selftest`: prove that every rule of every case can fail.
#pragma once

#include <string>
#include <vector>

#include "gate/judge/selftest.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

struct SelftestOptions {
  std::vector<std::string> words;  // cases and globs; none: all
  std::vector<std::string> tags;
  std::string platform;     // "": every place that a case has baselines at
  std::string environment;  // likewise
  fs::Path folder;          // where relative script paths are seen from
};

// Damage the reference of every chosen case in every way, and see what the judge says; a case that has a
// baseline and no script is one too, under the rules of no case in particular. `judge` is another one
// in tests only.
Answer<judge::Selftest> selftest(const Suite& suite, const SelftestOptions& options,
                                 const judge::Judge& judge = judge::judge);

}  // namespace gate::app
