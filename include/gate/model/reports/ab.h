// Two commits launched in pairs: what `gate ab` found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/reports/comparison.h"
#include "gate/model/rules/verdict.h"

namespace gate {

// What one launch of each side measured, in the metric's unit.
struct PairValues {
  double a = 0, b = 0;
};

enum class AbAnswer : std::uint8_t { worse, better, none, undecided };

std::string_view to_string(AbAnswer answer);

// What B is against A over all pairs so far. All numbers are shares of A: -0.03 is 3 % less.
struct PairedChange {
  int pairs = 0;
  double change = 0;
  double low = 0, high = 0;  // the interval that holds the true change
  double shown = 0;          // the smallest change that all pairs detect with 90 % power
  AbAnswer answer = AbAnswer::undecided;
};

// One metric of both sides.
struct AbMetric {
  std::string rule;
  std::string metric;
  Sentence what;  // `mean of last 10`
  std::string unit;
  MetricKind kind = MetricKind::other;
  Better better = Better::none;
  double tolerated = 0;                     // a change within it is no difference; a share of A
  std::vector<PairValues> pairs = {};       // in the order of the launches
  std::optional<PairedChange> change = {};  // none: too few pairs, or values that are not above 0
};

// One series of accuracy, as both sides printed it.
struct AbLoss {
  std::string series;                // `lm_loss rank 3`
  std::int64_t common = 0;           // numbers that both have, in the pair that shares fewest
  int different = 0;                 // pairs in which any of these differs
  std::optional<DifferentAt> first;  // the earliest of all pairs
  bool differs_in_a = false;         // runs of A are not equal to one another either
};

struct AbSide {
  std::string rev;  // as it was given
  std::string commit;
};

// A launch that failed: there is no result then.
struct AbFailure {
  std::string side;  // `A`, `B`; "": neither, nothing could be launched or measured
  int pair = 0;
  Verdict verdict = Verdict::infra;
  Sentence reason;
  std::string log;
};

struct AbResult {
  std::string case_name;
  std::string run;     // its id
  std::string folder;  // where the logs are
  AbSide a, b;
  int pairs = 0;          // that were launched whole
  int most = 0;           // that would have been launched at most
  double confidence = 0;  // of all intervals together: 0.95
  std::vector<AbMetric> metrics;
  std::vector<AbLoss> losses;
  std::vector<std::string> notes;
  std::optional<AbFailure> failure;
  int exit_code = 0;
};

// Return the answer of all metrics: worse where any is, else undecided where any is, else better where any
// is.
AbAnswer answer_of(const AbResult& result);

}  // namespace gate
