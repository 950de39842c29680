// What two commits in pairs came to.
#pragma once

#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/reports/ab.h"

namespace gate::words {

// Return `-3.05 %`, three significant digits.
std::string share_text(double share);

// Return `-3.91 % .. -2.18 %`.
std::string interval_text(const PairedChange& change);

// Return the answer as people say it of that kind of metric: `slower`, `less memory`, `no difference`,
// `undecided`.
Sentence answer_text(AbAnswer answer, MetricKind kind);
Sentence answer_text(const AbMetric& metric);

// The whole in one line: `slower`, and `throughput -3.05 % (-3.91 % .. -2.18 %) after 6 pairs`; of a failure
// its verdict, and whose it is.
struct AbSummary {
  Sentence head, rest;
};
AbSummary summary_of(const AbResult& result);

// Return what else is to be said, a line each: series of accuracy, notes.
std::vector<Sentence> ab_details(const AbResult& result);

}  // namespace gate::words
