// What chance does to a gate: its false-failure rate, and the smallest regression it detects.
//
// The reduced value of a window differs from run to run: normal, with the standard deviation s. The mean of R
// candidate runs less the mean of m baseline runs has the standard deviation d = s·sqrt(1/R + 1/m). Where
// nothing has changed it exceeds a tolerance τ with the probability Φ(-τ/d); a regression of τ + 1.28·d
// exceeds it with 90 % power (Φ(1.2816) = 0.9). These are the textbook's one-sided test of two means with
// known variance (e.g. NIST/SEMATECH e-Handbook of Statistical Methods, 7.3.1, and its sample sizes, 7.2.2).
// s, τ and what comes out are all shares of the baseline's mean (0.05 is 5 %), or all in the metric's unit.
//
// To first order: the limit of a relative tolerance moves with the baseline's mean, so its share of the noise
// is (1 - τ)²/m for `-5%` (a little less noise than said) and (1 + τ)²/m for `+5%` (a little more).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/rules/rule.h"
#include "gate/model/runs/baseline.h"
#include "gate/model/runs/remark.h"

namespace gate::judge {

// Return the probability that a standard normal value is at most x.
double normal_below(double x);

// Return the sample standard deviation (n - 1); nothing for fewer than two values.
std::optional<double> deviation_of(std::span<const double> values);

struct Runs {
  int baseline = 1;   // m, above 0
  int candidate = 1;  // R, above 0
};

// Return d = s·sqrt(1/R + 1/m).
double difference_spread(double s, Runs runs);

// Return Φ(-tolerance/d): how often a run in which nothing has changed is beyond the tolerance on one side;
// twice that for a tolerance of two sides. 0 where s is 0.
double false_failure_rate(double tolerance, double s, Runs runs);

// Return τ + 1.2816·d, the smallest regression that is detected with 90 % power.
double smallest_caught(double tolerance, double s, Runs runs);

// The same under `--confirm N` with N = runs.candidate: a case is red where its first run is beyond the
// tolerance and the mean of all N, the first included, is too. Return the regression at which both hold nine
// times in ten. With D the mean of N less the baseline (deviation d) and E the first run less the mean of N
// (independent of D, deviation s·sqrt(1 - 1/N)), that is the x + τ for which P(D > -x and D + E > -x) = 0.9,
// integrated over D. The false-failure rate is at most the one of N runs, for that is what the second
// condition alone allows.
double smallest_confirmed(double tolerance, double s, Runs runs);

// Return the largest s at which a one-sided tolerance has a false-failure rate of at most 1 %:
// τ / (2.3263·sqrt(1/R + 1/m)), with Φ(-2.3263) = 0.01. For 5 % and one run on either side: 1.52 %.
double honest_spread(double tolerance, Runs runs);

// Return 1 - Π(1 - rate): the false-failure rate of several together, as if they were independent.
double any_of(std::span<const double> rates);

// Return `one false failure in two nights`, for a suite that runs once a night.
Sentence nights_text(double rate);

enum class Confirm { no, yes };

// The noise of one rule on one series.
struct Noise {
  std::string rule;
  std::string metric;
  std::optional<int> rank;
  MetricKind kind = MetricKind::other;
  Runs runs;
  Confirm confirm = Confirm::no;
  std::string tolerance;          // as written
  bool relative = false;          // the numbers are shares of the baseline; else in the metric's unit
  std::string unit;               // "" where relative, or where the metric has none
  double allowed = 0;             // the wider side of the tolerance, of the widest value with `each`
  bool one_sided = false;         // the tolerance bounds one side only
  std::vector<double> values;     // of the runs, reduced; none where each number is compared with its own
  std::size_t compared = 1;       // values that are, each with its own baseline
  std::optional<double> s;        // between runs; none where only one was recorded
  std::optional<double> rate;     // of false failures; none without s
  std::optional<double> caught;   // the smallest regression detected with 90 % power; none without s
  std::optional<Remark> problem;  // of the reference window: why nothing can be said; none if all is well
  Numbering numbered = Numbering::step;
};

// Return the noise of every check that the rules make of this reference, in the order of the checks; windows
// and reduced values are those of the judge. Left out: rules of constants alone, and baselines that are not
// comparable on this platform.
//
// With a reduce, s is of the runs' reduced values. With `each`, s is the root of the mean of the variances
// at each number, and the rate is that of any of the window's values. A tolerance whose bounds are all
// relative is told in shares; every other one in the metric's unit. `candidate_runs` are judged by their
// mean; under Confirm::yes they are the N of `--confirm N`, which concerns rules of kind speed alone: others
// have one run.
std::vector<Noise> assess(std::span<const Rule> rules, const MetricTable& metrics, const Reference& reference,
                          std::string_view platform, int candidate_runs = 1, Confirm confirm = Confirm::no);

// Return the tolerance that would have a false-failure rate of 1 %, in the form of the present one, `-6.2%`,
// rounded up to two digits; "" without s, and where the present one is no single bound.
std::string fitting_tolerance(const Noise& noise);

// Tell whether more than 1 % of good runs are red.
bool is_noisy(const Noise& noise);

// Return what is known in one line: `s 1.2 % over 3 runs; false-failure rate 0.43 %; detects a regression
// of 6.8 % with 90 % power`; or that one run says nothing of the noise, and what to do.
Sentence noise_text(const Noise& noise);

// Return `throughput: s 1.2 % over 3 runs; ...` for each; ranks of which the same is to be said share a line.
std::vector<Note> noise_notes(std::span<const Noise> all);

}  // namespace gate::judge
