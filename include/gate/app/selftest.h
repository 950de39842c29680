// `gate selftest`: prove that every rule of every case can fail.
#pragma once

#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/app/suite.h"
#include "gate/judge/selftest.h"

namespace gate::app {

struct SelftestOptions {
  std::vector<std::string> words;  // cases and globs; none: all
  std::vector<std::string> tags;
  std::string platform;  // "": every platform that a case has baselines of
  fs::Path folder;       // where relative script paths are seen from
};

// One case on one platform.
struct SelftestCase {
  std::string name;
  std::string platform;  // "" is general
  std::string profile;   // by which it is judged
  bool has_script = true;
  std::string why_not;  // why nothing was tried: no baseline, only the exit is judged, no rule applies
  std::vector<judge::Tried> results;
  std::vector<Ungated> ungated;  // rules that make no check, and why
};

struct Selftest {
  std::vector<SelftestCase> cases;

  std::int64_t count(judge::Proof proof) const;

  // 1 where anything survived; 3 where nothing was tried; else 0.
  int exit_code() const;
};

// Damage the reference of every chosen case in every way, and see what the judge says; a case that has a
// baseline and no script is one too, under the rules of no case in particular. `judge` is another one
// in tests only.
Answer<Selftest> selftest(const Suite& suite, const SelftestOptions& options,
                          const judge::Judge& judge = judge::judge);

}  // namespace gate::app
