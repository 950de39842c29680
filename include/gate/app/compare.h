// `gate compare A B`: two runs, logs or baselines side by side. Nothing is judged.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/app/suite.h"
#include "gate/judge/difference.h"
#include "gate/model/chart.h"
#include "gate/model/verdict.h"

namespace gate::app {

enum class SideKind : std::uint8_t { run, log, baseline };

std::string_view side_kind_word(SideKind kind);

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
  std::string what;  // `mean of last 10`
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
  judge::Difference difference;
  std::optional<judge::Beyond> beyond;  // the first value beyond a rule of the case
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
  std::vector<std::string> notes;
  std::vector<Chart> charts;  // as far as they were asked for: what differs first

  // Tell whether both have a verdict, and not the same.
  bool changed() const { return a && b && a != b; }
};

struct Comparison {
  ComparedSide a, b;
  std::vector<ComparedCase> cases;
  std::vector<std::string> only_a;  // cases
  std::vector<std::string> only_b;
};

struct CompareOptions {
  std::string a, b;
  std::string case_name;  // "": all cases of two runs
  std::string platform;   // of baselines
  fs::Path folder;        // from which scripts' paths are seen
  std::size_t threads = 0;
  enum class Charts { no, yes } charts = Charts::no;
};

// Return A and B side by side. A word is a file or folder that exists, else a run of the suite, else a case,
// which stands for its baseline. A run beside something else is one case of it: --case, the case that the
// other side names, or its only one. Fails (2) for words that are none of these, for files that cannot be
// used, and where it is not clear which case is meant.
Answer<Comparison> compare(const Suite& suite, const CompareOptions& options);

// Tell whether anything stood beside something.
bool has_common(const Comparison& comparison);

// Tell whether both sides have the same cases and series with the same numbers and equal values, as
// far as they count, and the same verdicts.
bool is_same(const Comparison& comparison);

}  // namespace gate::app
