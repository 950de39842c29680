// Sides put side by side, each beside the first: what `gate compare` found. Nothing is judged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/numbers/sample.h"
#include "gate/model/numbers/step_set.h"
#include "gate/model/reports/chart.h"
#include "gate/model/reports/triage.h"
#include "gate/model/rules/verdict.h"

namespace gate {

// What stands at one number.
struct DifferentAt {
  std::int64_t number = 0;
  Value a, b;
  std::optional<Value> delta;  // b - a; none where either is no finite number
};

struct Difference {
  std::int64_t common = 0;              // numbers that both have, whatever the value
  std::int64_t equal = 0;               // of these, with equal values: 1.50 is 1.5, and nan is nan
  std::vector<std::int64_t> only_a;     // numbers that only one of them has
  std::vector<std::int64_t> only_b;     //
  StepSet finite_at;                    // the numbers at which both are finite; of none by time
  std::optional<Value> mean_a;          // over the numbers at which both are finite; none without any
  std::optional<Value> mean_b;          //
  std::optional<Value> delta;           // of the means
  std::optional<double> delta_percent;  // three significant digits; none where the mean of a is 0
  std::optional<DifferentAt> first;     // the first number at which the values differ
  std::optional<DifferentAt> largest;   // the largest delta, the first of several
  std::optional<Value> no_number;       // the first nan or inf where the other one is no such
  std::string non_finite_a;  // `nan at 3; left out at 4-6`; "" where every value is a finite number
  std::string non_finite_b;

  // Tell whether both have the same numbers with equal values.
  bool same() const { return !first && only_a.empty() && only_b.empty(); }
};

// Where a rule would first miss, were `a` its baseline.
struct Beyond {
  std::string rule;
  std::string tolerance;
  DifferentAt at;
};

enum class SideKind : std::uint8_t { run, log, baseline };

std::string_view side_kind_word(SideKind kind);

// Return what a side is called by its place among those that were named: A, B, C, ...
std::string side_letter(std::size_t place);

// What a word was taken for.
struct ComparedSide {
  std::string word;
  SideKind kind = SideKind::log;
  std::string path;  // of the log, of the run's folder, of the baseline as seen from the suite
};

// What a check of B against A would put side by side, by the first rule of the metric that reduces each
// series to one value.
struct Reduced {
  std::string rule;
  Sentence what;  // `mean of last 10`
  Sentence over;  // `mean of 31-40`
  Value a, b;
  std::optional<Value> delta;
  std::optional<double> delta_percent;
};

// One series that both sides have.
struct ComparedSeries {
  std::string metric;
  std::optional<int> rank;
  std::string unit;
  Numbering numbered_a = Numbering::step;
  Numbering numbered_b = Numbering::step;
  MetricKind kind = MetricKind::other;
  MeasuredBy measured_by = MeasuredBy::log;
  Difference difference;
  std::optional<Beyond> beyond;  // the first value beyond a rule of the case
  std::optional<Reduced> reduced = {};

  bool comparable() const { return difference.common > 0 || difference.mean_a; }

  // What gate's own clock measures differs always, and makes no two runs different.
  bool same() const {
    return measured_by == MeasuredBy::gate || (numbered_a == numbered_b && difference.same());
  }
};

// One case side by side, or two sides that name none.
struct ComparedCase {
  std::string name;                    // "" where neither side names a case
  std::optional<Verdict> a, b;         // of sides that are runs
  std::vector<ComparedSeries> series;  // in the order of A
  std::vector<std::string> only_a;     // series but of gate's own clock: `memory_allocated rank 3`
  std::vector<std::string> only_b;
  std::vector<Sentence> notes;
  // As far as they were asked for: what differs first. All sides that have the case lie over one another, in
  // the first comparison that has it.
  std::vector<Chart> charts;
  std::string second = "B";  // the letter of the side that is beside A

  // Tell whether both have a verdict, and not the same.
  bool changed() const { return a && b && a != b; }
};

// A and one other side.
struct Comparison {
  ComparedSide a, b;
  std::vector<ComparedCase> cases;
  std::vector<std::string> only_a;  // cases
  std::vector<std::string> only_b;
  Triage triage = {};        // of B against A, by the rules of the cases
  std::string second = "B";  // as in the cases
};

// Tell whether anything stood beside something: in any case, in this one.
bool has_common(const Comparison& comparison);
bool has_common(const ComparedCase& compared);

// Tell whether both sides have the same cases and series with the same numbers and equal values, as
// far as they count, and the same verdicts.
bool is_same(const Comparison& comparison);

}  // namespace gate
