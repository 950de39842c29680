// One side of a comparison: what its word means, and the series in it.
#pragma once

#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/reports/report.h"
#include "gate/stored/compare.h"

namespace gate::app {

struct SideSource {
  ComparedSide told;
  std::string letter;     // A, B, ...
  Report report;          // of a run
  std::string case_name;  // of a case's baseline; "": none
  std::string says;       // the case that a baseline file names
};

struct SideSeries {
  SideKind kind = SideKind::log;
  std::vector<Series> series;
  std::vector<Sentence> notes;
};

// Return what the word means. Fails as compare() does.
Answer<SideSource> find_side(const Suite& suite, const CompareOptions& options, const std::string& word);

// Return the series of a case on that side (of a log or baseline: all of it), derived ones included, read as
// the case's settings say. Of several runs the first counts, and a note says so.
Answer<SideSeries> series_of(const Suite& suite, const CompareOptions& options, const SideSource& side,
                             const std::string& case_name);

}  // namespace gate::app
