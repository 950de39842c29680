// One side of `gate compare`.
#pragma once

#include <string>
#include <vector>

#include "gate/app/compare.h"
#include "gate/model/series.h"

namespace gate::app {

struct SideCase {
  std::string name;     // "" where the file names none
  std::string verdict;  // of a run
  std::vector<Series> series;
};

struct Side {
  enum class Kind { run, single };  // a log or baseline has one case, and often no name for it
  Kind kind = Kind::single;
  std::string what;  // `run 1121-0203`, `log train.log`, `baseline baselines/c.json`
  std::vector<SideCase> cases;
};

// Return what the word means (see compare.h), with every case that has series.
Answer<Side> read_side(const Suite& suite, const std::string& word, const CompareOptions& options);

}  // namespace gate::app
