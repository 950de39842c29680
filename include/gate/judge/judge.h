// Rules applied to series: checks, and the verdict that they make.
//
// Invariant: every rule yields one check per comparable baseline series, else one entry under `ungated` with
// its reason; every series of run and baseline is judged or listed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "gate/judge/profile.h"
#include "gate/model/reports/report.h"
#include "gate/model/rules/rule.h"
#include "gate/model/runs/baseline.h"
#include "gate/model/runs/extraction.h"
#include "gate/model/runs/outcome.h"

namespace gate::judge {

// `judge = "exit"`: the only check is that the script exits with 0; "pytest": the checks are the run's tests.
enum class Mode { series, exit, pytest };
// What makes a run unjudged whose checks all pass: `accuracy`: that it prints a loss or a reward and no check
// compares a metric of kind accuracy; `yes`: that, and an ungated rule, and a log that holds several
// attempts.
enum class Strict : std::uint8_t { no, accuracy, yes };
enum class Pooling { speed, all };  // what several runs are judged by together

struct JudgeInput {
  std::span<const Rule> rules;
  const MetricTable& metrics;
  const Reference& reference;
  const Extraction& run;
  std::optional<Outcome> outcome;  // none: a saved log is judged
  std::string platform;            // of the run; "" is unknown (then every baseline is comparable)
  Mode mode = Mode::series;
  Strict strict = Strict::no;
  // Demanded length where no baseline bounds it; none: what the log announces.
  std::optional<std::int64_t> steps;
  std::string today;  // ISO date, for waivers; "" holds none
  // Further runs of the case, each judged alone before and found whole. Speed, or all, is judged by the mean
  // of all runs (at each number with `each`, else of their reduced values), as several baseline runs are;
  // else by `run` alone.
  std::span<const Extraction* const> further = {};
  // Metrics that cannot be judged here, and why: their rules are ungated.
  std::map<std::string, Remark> withheld = {};
  // Another system's way of judging; rules, waivers, `strict`, `steps` and `further` are not used then.
  Profile profile = {};
  Pooling pooling = Pooling::speed;  // of `further`
  // Whether a profiler ran in some of the steps: what was measured then is in no speed of the run, of further
  // ones and of the reference, any more.
  bool is_profiled = false;
  // How many ranks the run has; none: nobody can tell.
  std::optional<std::int64_t> ranks = {};
  // Why the script may end with 0 whatever its training ends with: `its script drops the exit code of
  // torchrun: ...`; what the log says of a failure decides then, and its end alone is no measurement. "": its
  // end tells.
  Sentence drops_exit = {};
  // Whether what started its processes goes on with the others where one failed, as FlagPerf's starter does.
  bool outlives_ranks = false;
  bool has_fault = false;  // gate itself ends a process of it
};

// Return checks, what is ungated, notes, and the verdict by the first row of `verdicts()` that applies. A
// pure function; never fails.
Judgement judge(const JudgeInput& input);

// Return why nobody knows how that script ended of which nothing else is compared, with what to do.
Sentence unknown_end(const Sentence& drops_exit);

}  // namespace gate::judge
