// The metrics of a case: the built-in ones, and what the layers say of them and of others.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "config/layers/layers.h"
#include "gate/config/policy.h"
#include "gate/extract/extractor.h"
#include "gate/judge/formula.h"
#include "gate/model/numbers/metric.h"

namespace gate::config {

struct Metrics {
  MetricTable table;
  std::vector<extract::UserPattern> patterns;
  extract::JsonNames json;                     // those of metrics with a key
  std::vector<judge::Derivation> derivations;  // each after those whose metrics it uses
  std::map<std::string, Position> declared;    // where the layers speak of a metric first
  std::set<std::string> broken;                // named in a mistake already
};

// Return the metrics. A metric that is not built in and has neither a pattern, a key nor a formula is a
// mistake, and so are one with a pattern and a key, and a formula that gives no metric, at its place, or
// names a peak that no platform has.
Metrics metrics_of(const Drafts& drafts, const Peaks& peaks, Diagnostics& mistakes);

}  // namespace gate::config
